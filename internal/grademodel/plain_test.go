package grademodel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

func TestMeanAndMedian(t *testing.T) {
	t.Parallel()
	subs := []grademodel.Submission{{Assignment: "A", Total: 20, Reviews: []grademodel.Review{
		{Reviewer: "u1", Mark: 20}, {Reviewer: "u2", Mark: 4}, {Reviewer: "u3", Mark: 17}, {Reviewer: "u4", Mark: 18},
	}}, {Assignment: "A", Total: 20}}
	for model, want := range map[string]struct {
		estimate float64
		mark     int
	}{grademodel.Mean: {14.75, 15}, grademodel.Median: {17.5, 18}} {
		got := grademodel.ModelOf(model).Grade(subs)
		require.InDelta(t, want.estimate, got[0].Estimate, 0, model)
		require.Equal(t, want.mark, got[0].Mark, model)
		require.Equal(t, got[0], got[0].Settle(), model)
		require.Zero(t, got[1], "no reviews")
	}
}
