package studycircle_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

// The figures of TestAveragesAreRoundedOnce are those of averages; these are of single percentages.
func TestRoundedPercentages(t *testing.T) {
	t.Parallel()
	for percent, want := range map[float64]float64{
		0: 0, 100: 100, 50: 50, 66.66: 66.7, 6.25: 6.3, 33.35: 33.4, -6.25: -6.3,
		99.95: 99.9, 99.96: 99.9, 99.999999: 99.9, 99.94: 99.9, -99.99: -99.9,
		.04: .1, .000001: .1, -.04: -.1, .05: .1, .15: .2,
		100 - 1e-14: 100, 1e-14: 0, -1e-14: 0, // the errors of sums
	} {
		got := studycircle.RoundPercent(percent)
		require.InDelta(t, want, got, 1e-12, "%v", percent)
		require.False(t, got == 0 && math.Signbit(got), "%v is -0", percent)
	}
}

// What others reported as all that was not, of so many.
func TestReportedPercentages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part, whole int64
		want        float64
	}{
		{259, 260, 99.6}, // Submitty/Submitty#1617: all graded, but for one
		{199, 200, 99.5}, // SERG-Delft/andy#99: 99.5 as a final grade of 100
		{9996, 10000, 99.9},
		{137, 138, 99.3}, // jsnyders/ClimbingComp#14
		{211, 212, 99.5}, // Razviar/mtgap#74
		{358, 359, 99.7}, // console-rs/indicatif#705
		{1, 3590, .1},    // its other end
		{1999, 2000, 99.9}, {1, 10000, .1}, {999, 1000, 99.9}, {1, 1000, .1},
	} {
		got := studycircle.Obtained{Mark: c.part, Total: c.whole}.Percent()
		require.InDelta(t, c.want, got, 1e-12, "%d of %d", c.part, c.whole)
	}
	average, known := studycircle.Average{N: 2, Sum: (99_900_000 + 100_000_000)}.Percent()
	require.True(t, known)
	require.InDelta(t, 99.9, average, 1e-12, "999 and 1,000 of 1,000")
}

// A rounded average shows 0 or 100 only where every mark is one, is never further than a tenth from the exact one, and
// does not fall as a mark rises.
func TestARoundedAverageShowsALimitOnlyWhereItIsReached(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(1, studycircle.MaxMarks).Draw(t, "total")
		mark := rapid.OneOf(
			rapid.Int64Range(0, total), rapid.Int64Range(0, min(1, total)), rapid.Int64Range(total-1, total))
		marks := rapid.SliceOfN(mark, 1, 300).Draw(t, "marks")
		average := studycircle.Average{N: int64(len(marks))}
		accuracy := studycircle.Accuracy{Reviews: int64(len(marks))}
		facts := make([]studycircle.ResultFacts, len(marks))
		sum := int64(0)
		for i, m := range marks {
			sum += m
			average.Sum += int64(math.Round(float64(m) / float64(total) * 100 * studycircle.PercentUnit))
			accuracy.Distance += 100 * float64(total-m) / float64(total)
			facts[i] = studycircle.ResultFacts{Total: total, Mark: &m}
		}
		full := total * int64(len(marks))
		ofAll, _ := average.Percent()
		results := studycircle.SumUp("", studycircle.OwnCircle{}, studycircle.Assignment{}, facts, average.N)
		for name, got := range map[string]float64{
			"one mark": studycircle.Obtained{Mark: sum, Total: full}.Percent(),
			"figures":  ofAll,
			"accuracy": accuracy.Percent(),
			"results":  studycircle.RoundPercent(results.Average),
		} {
			exact := 100 * float64(sum) / float64(full)
			require.Equal(t, sum == 0, got == 0, "%s: %v is shown as %v", name, exact, got)
			require.Equal(t, sum == full, got == 100, "%s: %v is shown as %v", name, exact, got)
			require.InDelta(t, exact, got, .1+1e-9, name)
			if sum < full {
				require.LessOrEqual(t, got, studycircle.RoundPercent(100*float64(sum+1)/float64(full))+1e-9, name)
			}
		}
	})
}
