package studycircle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestSumUp(t *testing.T) {
	t.Parallel()
	a := studycircle.Assignment{ID: "a", Creator: studycircle.Person{UserID: "ada"}}
	marked := func(marks ...int64) []studycircle.ResultFacts {
		all := make([]studycircle.ResultFacts, len(marks))
		for i := range marks {
			all[i] = studycircle.ResultFacts{Status: studycircle.Completed, Total: 20, Mark: &marks[i]}
		}
		return all
	}
	low, high := int64(4), int64(12)
	for name, tt := range map[string]struct {
		all  []studycircle.ResultFacts
		want studycircle.ResultSummary
		kind []studycircle.OutlierKind
	}{
		"none": {nil, studycircle.ResultSummary{Total: 9}, nil},
		"full marks are in the last tenth, none in the first": {
			marked(0, 20, 19),
			studycircle.ResultSummary{Total: 9, Counted: 3, Marked: 3, Average: 65, Tenths: [10]int64{0: 1, 9: 2}}, nil,
		},
		"four marks have no outlier": {
			marked(1, 20, 20, 20),
			studycircle.ResultSummary{Total: 9, Counted: 4, Marked: 4, Average: 76.25, Tenths: [10]int64{0: 1, 9: 3}}, nil,
		},
		"five marks have one": {
			marked(1, 20, 20, 20, 20),
			studycircle.ResultSummary{Total: 9, Counted: 5, Marked: 5, Average: 81, Tenths: [10]int64{0: 1, 9: 4}},
			[]studycircle.OutlierKind{studycircle.OutlierLow},
		},
		"a mark within ten percent of the others is none": {
			marked(18, 20, 20, 20, 20),
			studycircle.ResultSummary{Total: 9, Counted: 5, Marked: 5, Average: 98, Tenths: [10]int64{9: 5}}, nil,
		},
		"a high one": {
			marked(20, 4, 4, 4, 4),
			studycircle.ResultSummary{Total: 9, Counted: 5, Marked: 5, Average: 36, Tenths: [10]int64{2: 4, 9: 1}},
			[]studycircle.OutlierKind{studycircle.OutlierHigh},
		},
		"pending, late, under appeal, its reviews apart": {
			[]studycircle.ResultFacts{
				{Status: studycircle.Pending, Total: 20, Late: true},
				{
					Status: studycircle.Completed, Total: 20, Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewAppealed},
					Lowest: &low, Highest: &high,
				},
			},
			studycircle.ResultSummary{Total: 9, Counted: 2, Pending: 1, Late: 1, Appeals: 1},
			[]studycircle.OutlierKind{studycircle.OutlierApart},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := studycircle.SumUp("ada", hall, a, tt.all, 9)
			var kinds []studycircle.OutlierKind
			for _, o := range got.Outliers {
				kinds = append(kinds, o.Kind)
			}
			require.Equal(t, tt.kind, kinds)
			got.Outliers = nil
			require.InDelta(t, tt.want.Average, got.Average, 1e-9)
			got.Average = tt.want.Average
			require.Equal(t, tt.want, got)
		})
	}
}
