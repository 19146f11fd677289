package studycircle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestAveragesAreRoundedOnce(t *testing.T) {
	t.Parallel()
	const unit = studycircle.PercentUnit
	for name, c := range map[string]struct {
		n, sum int64
		want   float64
	}{
		"whole":                                          {1, 77 * unit, 77},
		"one decimal":                                    {3, 200 * unit, 66.7},
		"an even half goes up":                           {2, 100_100_000, 50.1},
		"a hair below it does not":                       {2, 100_098_000, 50},
		"a third and two thirds and a tenth":             {3, 33_333_333 + 66_666_667 + 50_150_000, 50.1},
		"six sixths, each rounded down":                  {6, 6 * 16_666_666, 16.7},
		"rounding errors do not turn an exact half down": {3, 3*33_350_000 - 1, 33.4},
		"none at all":                                    {5, 0, 0},
		"all":                                            {7, 700 * unit, 100},
	} {
		got, known := studycircle.Average{N: c.n, Sum: c.sum}.Percent()
		require.True(t, known, name)
		require.InDelta(t, c.want, got, 1e-9, name)
	}
	_, known := studycircle.Average{}.Percent()
	require.False(t, known)
	for _, o := range []struct {
		mark, total int64
		want        float64
	}{{0, 7, 0}, {1, 3, 33.3}, {2, 3, 66.7}, {1, 8, 12.5}, {1, 16, 6.3}, {1000, 1000, 100}, {1, 1000, .1}} {
		require.InDelta(t, o.want, studycircle.Obtained{Mark: o.mark, Total: o.total}.Percent(), 1e-9)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	for _, s := range studycircle.States {
		require.True(t, s.Valid())
		require.Equal(t, s != studycircle.StateDueSoon, s.Personal())
	}
	for _, s := range []studycircle.State{"", "Mine", "late"} {
		require.False(t, s.Valid())
		require.False(t, s.Personal())
	}
}
