package grademodel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

// Values of a class whose submissions differ more than its reviewers do, from a Python script of the formulas alone.
func TestDecidedValuesOfSC1K(t *testing.T) {
	t.Parallel()
	class := []map[string]float64{
		{"u1": 18, "u2": 15, "u3": 12}, {"u1": 20, "u2": 20, "u4": 20}, {"u3": 4, "u4": 18, "u1": 17}, {"u2": 11}, {"u1": 1, "u2": 2},
		{"u3": 0, "u4": 1}, {"u1": 3, "u4": 4}, {"u2": 20, "u3": 19}, {"u1": 0, "u2": 0, "u4": 0},
	}
	want := []float64{15.2117, 20, 14.7215, 11, 1.9145, 1, 3.7104, 19.2375, 0}
	var subs []grademodel.Submission
	for _, reviews := range class {
		sub := grademodel.Submission{Assignment: "A", Total: 20}
		for who, mark := range reviews {
			sub.Reviews = append(sub.Reviews, grademodel.Review{Reviewer: who, Mark: mark})
		}
		subs = append(subs, sub)
	}
	for i, s := range grademodel.ModelOf(grademodel.SC1K).Grade(subs) {
		require.InDelta(t, .8009240667, s.Scale.Usual, 1e-9)
		require.InDelta(t, .2173687520, s.Scale.Noise, 1e-9)
		require.InDelta(t, .5049994452, s.Scale.Kappa, 1e-9)
		require.InDelta(t, want[i], s.Estimate, 5e-5)
	}
}

// In a class whose submissions are alike, κ is 1, and SC1K is SC1.
func TestSC1KIsSC1WhereSubmissionsAreAlike(t *testing.T) {
	t.Parallel()
	var example golden
	readGolden(t, "example.json", &example)
	old, now := grademodel.ModelOf(grademodel.SC1).Grade(example.input()), grademodel.ModelOf(grademodel.SC1K).Grade(example.input())
	for i, s := range now {
		require.InDelta(t, 1, s.Scale.Kappa, 0)
		require.InDelta(t, old[i].Estimate, s.Estimate, 0)
	}
}

// Submissions whose reviews agree, and which differ in the number of reviews alone, are summed in one order too.
func TestScaleOfSubmissionsThatAgree(t *testing.T) {
	t.Parallel()
	sure := func(n int, mark float64) grademodel.Spread {
		reviews := make([]grademodel.Review, n)
		for i := range reviews {
			reviews[i].Mark = mark
		}
		return grademodel.SpreadOf(1, reviews)
	}
	spreads := []grademodel.Spread{sure(2, 1), sure(1, 1), sure(2, 0)}
	want := grademodel.ScaleOf(grademodel.SC1K, spreads)
	for _, order := range [][]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		require.Equal(t, want, grademodel.ScaleOf(grademodel.SC1K, []grademodel.Spread{spreads[order[0]], spreads[order[1]], spreads[order[2]]}), order)
	}
}
