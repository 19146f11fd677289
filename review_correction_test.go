package studycircle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestMayCorrect(t *testing.T) {
	t.Parallel()
	member := func(role studycircle.CircleRole, grading studycircle.Allowed) studycircle.OwnCircle {
		c := studycircle.Circle{ID: "c", CircleInput: studycircle.CircleInput{Grading: grading}}
		return studycircle.OwnCircle{Circle: c, Mine: studycircle.Membership{CircleID: "c", UserID: "cem", Role: role}}
	}
	given := studycircle.Review{ID: "r", SubmissionID: "s", Reviewer: "cem"}
	open := studycircle.Reviewing{SubmissionID: "s", Phase: studycircle.ReviewOpen}
	in := func(phase studycircle.ReviewPhase) studycircle.Reviewing {
		return studycircle.Reviewing{SubmissionID: "s", Phase: phase}
	}
	inCircle := studycircle.Reviewing{SubmissionID: "s", Phase: studycircle.ReviewOpen, CircleID: "c"}
	released := given
	released.Label = "A"
	for name, test := range map[string]struct {
		viewer string
		circle studycircle.OwnCircle
		given  studycircle.Review
		of     studycircle.Reviewing
		code   studycircle.Code
	}{
		"its reviewer":                        {"cem", studycircle.OwnCircle{}, given, open, ""},
		"during an appeal, the new review":    {"cem", studycircle.OwnCircle{}, given, in(studycircle.ReviewAppealed), ""},
		"reopened, the new review":            {"cem", studycircle.OwnCircle{}, given, in(studycircle.ReviewReopened), ""},
		"another user":                        {"bob", studycircle.OwnCircle{}, given, open, studycircle.CodeNotFound},
		"a visitor":                           {"", studycircle.OwnCircle{}, given, open, studycircle.CodeNotFound},
		"another user, once settled":          {"bob", studycircle.OwnCircle{}, released, in(studycircle.ReviewSettled), studycircle.CodeNotFound},
		"a review of an exemplar":             {"cem", studycircle.OwnCircle{}, given, studycircle.Reviewing{}, studycircle.CodeNotFound},
		"a review of another submission":      {"cem", studycircle.OwnCircle{}, studycircle.Review{SubmissionID: "t", Reviewer: "cem"}, open, studycircle.CodeNotFound},
		"settled":                             {"cem", studycircle.OwnCircle{}, released, in(studycircle.ReviewSettled), studycircle.CodeAlreadySettled},
		"settled, in any case":                {"cem", studycircle.OwnCircle{}, given, in(studycircle.ReviewSettled), studycircle.CodeAlreadySettled},
		"during an appeal, a released review": {"cem", studycircle.OwnCircle{}, released, in(studycircle.ReviewAppealed), studycircle.CodeAlreadySettled},
		"an unknown phase":                    {"cem", studycircle.OwnCircle{}, given, in("later"), studycircle.CodeAlreadySettled},
		"a member":                            {"cem", member(studycircle.CircleMember, studycircle.AllowMembers), given, inCircle, ""},
		"a former member":                     {"cem", studycircle.OwnCircle{}, given, inCircle, studycircle.CodeNotFound},
		"who has become an organizer":         {"cem", member(studycircle.CircleOrganizer, studycircle.AllowMembers), given, inCircle, studycircle.CodeNotGrader},
		"a member who may no longer grade":    {"cem", member(studycircle.CircleMember, studycircle.AllowOrganizers), given, inCircle, studycircle.CodeNotGrader},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.code, studycircle.CodeOf(studycircle.MayCorrect(test.viewer, test.circle, test.given, test.of)))
		})
	}
}

func TestMayReadCorrections(t *testing.T) {
	t.Parallel()
	a := studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}
	require.NoError(t, studycircle.MayReadCorrections("ada", studycircle.OwnCircle{}, a, true))
	require.ErrorIs(t, studycircle.MayReadCorrections("ada", studycircle.OwnCircle{}, a, false), studycircle.ErrNotFound)
	require.ErrorIs(t, studycircle.MayReadCorrections("bob", studycircle.OwnCircle{}, a, true), studycircle.ErrNotFound)
}

func TestCorrections(t *testing.T) {
	t.Parallel()
	to := studycircle.ReviewContent{Mark: 20, Feedback: "Clearer."}
	for name, test := range map[string]struct {
		phase   studycircle.ReviewPhase
		reviews int64
		wanted  int64
		open    float64 // after the correction
		settles bool
	}{
		"fewer than needed":                        {studycircle.ReviewOpen, 1, 2, 0, false},
		"fewer than needed, far apart":             {studycircle.ReviewOpen, 1, 2, 50, false},
		"one more asked for, still far apart":      {studycircle.ReviewOpen, 2, 3, 6.1, false},
		"one more asked for, not far apart now":    {studycircle.ReviewOpen, 2, 3, 6, true},
		"under appeal, of which one has arrived":   {studycircle.ReviewAppealed, 3, 4, 0, false},
		"reopened, and one new review has arrived": {studycircle.ReviewReopened, 3, 4, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openCase(test.phase, test.reviews)
			c.Reviewing.Wanted = test.wanted
			before := c.Reviews
			changed, err := c.Correct("0", to, caseNow, verdict(25, test.open))
			require.NoError(t, err)
			require.True(t, changed)
			require.Equal(t, int64(30), before[0].Mark, "the loaded reviews stay as they were")
			require.Equal(t, int64(30), c.Decided.Corrected.Before.Mark)
			require.Equal(t, to, c.Decided.Corrected.Review.Content())
			corrected, found := c.Review("0")
			require.True(t, found)
			require.Equal(t, to, corrected.Content())
			require.Equal(t, test.reviews, c.Reviewing.Reviews, "a correction is not one more review")
			require.Nil(t, c.Decided.Given)
			if !test.settles {
				require.Nil(t, c.Decided.Settlement)
				require.Equal(t, test.wanted, c.Reviewing.Wanted)
				require.Equal(t, studycircle.QueueUpdated, c.Decided.Queue)
				require.Equal(t, int64(test.open/50*1e6), c.Decided.Open)
				return
			}
			require.Equal(t, &studycircle.Settlement{At: caseNow, By: studycircle.SettledByModel, Reason: studycircle.SettleEnough, Mark: 25, Model: "model"}, c.Decided.Settlement)
			got := c.Reviewing.Wanted
			require.Equal(t, test.reviews, got)
			require.Equal(t, studycircle.QueueLeft, c.Decided.Queue)
			require.Len(t, c.Decided.Labeled, int(test.reviews))
		})
	}
}

func TestACorrectionWithoutAChangeDecidesNothing(t *testing.T) {
	t.Parallel()
	c := openCase(studycircle.ReviewOpen, 1)
	c.Reviews[0].Levels, c.Reviews[0].Feedback = []int64{1}, "Clear."
	same := studycircle.ReviewContent{Mark: 30, Levels: []int64{1}, Feedback: "Clear.", HTML: "rendered by another release"}
	changed, err := c.Correct("0", same, caseNow, verdict(25, 0))
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, studycircle.ReviewDecision{}, c.Decided)
	for name, other := range map[string]studycircle.ReviewContent{
		"mark": {Mark: 31, Levels: []int64{1}, Feedback: "Clear."}, "levels": {Mark: 30, Levels: []int64{2}, Feedback: "Clear."}, "feedback": {Mark: 30, Levels: []int64{1}},
	} {
		require.False(t, same.Equal(other), name)
	}
}
