package studycircle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestHabitOf(t *testing.T) {
	compared := func(marks, right []int64, total int64) (out []studycircle.ComparedReview) {
		for i := range marks {
			out = append(out, studycircle.ComparedReview{Mark: marks[i], Right: right[i], Total: total})
		}
		return out
	}
	right := []int64{4, 8, 12, 16, 20}
	for name, c := range map[string]struct {
		reviews []studycircle.ComparedReview
		want    *studycircle.ReviewHabit
	}{
		"four reviews":    {compared([]int64{4, 8, 12, 16}, right, 20), nil},
		"exact":           {compared(right, right, 20), &studycircle.ReviewHabit{Reviews: 5, Follows: studycircle.FollowsClosely}},
		"strict":          {compared([]int64{2, 6, 10, 14, 18}, right, 20), &studycircle.ReviewHabit{Reviews: 5, Strictness: -10, Follows: studycircle.FollowsClosely}},
		"generous":        {compared([]int64{5, 9, 13, 17, 21}, right, 20), &studycircle.ReviewHabit{Reviews: 5, Strictness: 5, Follows: studycircle.FollowsClosely}},
		"always the same": {compared([]int64{12, 12, 12, 12, 12}, right, 20), &studycircle.ReviewHabit{Reviews: 5, Distance: 28.284, Follows: studycircle.FollowsHardly}},
		"mostly":          {compared([]int64{10, 4, 12, 14, 15}, right, 20), &studycircle.ReviewHabit{Reviews: 5, Strictness: -5, Distance: 19.494, Follows: studycircle.FollowsMostly}},
		"the wrong way":   {compared([]int64{20, 16, 12, 8, 4}, right, 20), &studycircle.ReviewHabit{Reviews: 5, Distance: 56.569, Follows: studycircle.FollowsHardly}},
		"works are alike": {compared([]int64{10, 12, 11, 14, 12}, []int64{12, 12, 12, 12, 12}, 20), &studycircle.ReviewHabit{Reviews: 5, Strictness: -1, Distance: 6.633, Follows: studycircle.FollowsUnknown}},
		"several totals":  {append(compared(right[:3], right[:3], 20), compared([]int64{50, 100}, []int64{50, 100}, 100)...), &studycircle.ReviewHabit{Reviews: 5, Follows: studycircle.FollowsClosely}},
	} {
		got := studycircle.HabitOf(c.reviews)
		if c.want == nil {
			require.Nil(t, got, name)
			continue
		}
		require.Equal(t, c.want.Reviews, got.Reviews, name)
		require.Equal(t, c.want.Follows, got.Follows, name)
		require.InDelta(t, c.want.Strictness, got.Strictness, .01, name)
		require.InDelta(t, c.want.Distance, got.Distance, .01, name)
	}
}

func TestMayMarkKnown(t *testing.T) {
	a := studycircle.Assignment{ID: "a1", Creator: studycircle.Person{UserID: "ada"}, Reviews: 3}
	for name, c := range map[string]struct {
		viewer string
		r      studycircle.Reviewing
		want   studycircle.Code
	}{
		"the creator":                  {"ada", studycircle.Reviewing{Phase: studycircle.ReviewOpen, SubmitterID: "sam"}, ""},
		"after it is settled":          {"ada", studycircle.Reviewing{Phase: studycircle.ReviewSettled, SubmitterID: "sam"}, ""},
		"of a deleted account":         {"ada", studycircle.Reviewing{Phase: studycircle.ReviewUnattended}, ""},
		"another user":                 {"bob", studycircle.Reviewing{Phase: studycircle.ReviewOpen, SubmitterID: "sam"}, studycircle.CodeNotYourAssignment},
		"a visitor":                    {"", studycircle.Reviewing{Phase: studycircle.ReviewOpen}, studycircle.CodeNotYourAssignment},
		"one grade":                    {"ada", studycircle.Reviewing{}, studycircle.CodeNotFound},
		"one's own":                    {"ada", studycircle.Reviewing{Phase: studycircle.ReviewOpen, SubmitterID: "ada"}, studycircle.CodeOwnSubmission},
		"one's own, of another person": {"sam", studycircle.Reviewing{Phase: studycircle.ReviewOpen, SubmitterID: "sam"}, studycircle.CodeNotYourAssignment},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(studycircle.MayMarkKnown(c.viewer, studycircle.OwnCircle{}, a, c.r)), name)
	}
}
