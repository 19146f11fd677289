package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// overdue are rows that are due, of which those in bad fail with fault.
type overdue struct {
	left  []string
	fault error
	tries int
}

// due returns up to 100 of those left, after the first skip.
func (o *overdue) due(skip int) ([]string, error) {
	return slices.Clone(o.left[min(skip, len(o.left)):min(skip+100, len(o.left))]), nil
}

func (o *overdue) pass(t *testing.T) error {
	return eachDue(o.due, func(id string) (bool, error) {
		return tryOne(t.Context(), "testing", id, func() error {
			o.tries++
			if strings.Contains(id, "bad") && o.fault != nil {
				return o.fault
			}
			o.left = slices.DeleteFunc(o.left, func(other string) bool { return other == id })
			return nil
		})
	})
}

// named returns n ids, of which each third and the first 120 are bad.
func named(n int) (ids []string) {
	for i := range n {
		word := "good"
		if i < 120 || i%3 == 0 {
			word = "bad"
		}
		ids = append(ids, fmt.Sprintf("%03d-%s", i, word))
	}
	return ids
}

// A row that cannot be written is left for the next run, and the other rows are written.
func TestOneBadRowStopsNoOthers(t *testing.T) {
	t.Parallel()
	o := &overdue{left: named(350), fault: errors.New("a bad row")}
	require.NoError(t, o.pass(t))
	require.NotEmpty(t, o.left)
	for _, id := range o.left {
		require.Contains(t, id, "bad")
	}
	o.fault = nil
	require.NoError(t, o.pass(t))
	require.Empty(t, o.left)
}

// While the database is away, no row is tried twice.
func TestAnOutageStopsTheRun(t *testing.T) {
	t.Parallel()
	o := &overdue{left: named(350), fault: studycircle.Errorf(studycircle.CodeUnavailable, "away")}
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(o.pass(t)))
	require.Equal(t, 1, o.tries)
}
