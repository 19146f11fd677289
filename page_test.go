package studycircle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

func TestPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ total, limit, pages int64 }{{0, 10, 0}, {1, 10, 1}, {10, 10, 1}, {11, 10, 2}, {100, 1, 100}, {99, 100, 1}, {1_000_000, 100, 10_000}} {
		require.Equal(t, c.pages, studycircle.Page{Number: 1, Limit: c.limit}.Pages(c.total))
	}
}

// Pages together contain each row once.
func TestPagesCoverAllRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 1<<40).Draw(t, "total")
		limit := rapid.Int64Range(1, studycircle.MaxLimit).Draw(t, "limit")
		last := studycircle.Page{Number: studycircle.Page{Number: 1, Limit: limit}.Pages(total), Limit: limit}
		if total == 0 {
			require.Zero(t, last.Number)
			return
		}
		require.Less(t, last.Skip(), total, "the last page shows something")
		require.GreaterOrEqual(t, last.Skip()+limit, total, "and nothing is behind it")
		require.Equal(t, last.Skip()+limit, studycircle.Page{Number: last.Number + 1, Limit: limit}.Skip(), "pages follow on each other")
	})
}

func TestSkipNeverOverflows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := studycircle.Page{
			Number: rapid.OneOf(rapid.Int64Min(1), rapid.Int64Range(math.MaxInt64-10, math.MaxInt64)).Draw(t, "number"),
			Limit:  rapid.Int64Range(1, studycircle.MaxLimit).Draw(t, "limit"),
		}
		require.GreaterOrEqual(t, p.Skip(), int64(0))
		require.Positive(t, p.Skip()+1+p.Limit, "there is room to add a page")
		if p.Number < 1<<40 {
			require.Equal(t, (p.Number-1)*p.Limit, p.Skip())
		}
	})
}
