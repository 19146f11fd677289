package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestMayAddExemplar(t *testing.T) {
	t.Parallel()
	several := studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}, Reviews: 2}
	one := studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}
	for name, c := range map[string]struct {
		viewer string
		of     studycircle.Assignment
		n      int
		want   studycircle.Code
	}{
		"the creator":      {"ada", several, 2, ""},
		"one too many":     {"ada", several, 3, studycircle.CodeTooManyExemplars},
		"one review":       {"ada", one, 0, studycircle.CodeNoReviews},
		"another user":     {"bob", several, 0, studycircle.CodeNotYourAssignment},
		"a visitor":        {"", several, 0, studycircle.CodeNotYourAssignment},
		"a deleted user's": {"", studycircle.Assignment{Reviews: 2}, 0, studycircle.CodeNotYourAssignment},
		"else, too many":   {"bob", several, 3, studycircle.CodeNotYourAssignment},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(studycircle.MayAddExemplar(c.viewer, hall, c.of, c.n)), name)
	}
}

func TestReviewRequestPlan(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	later := due.Add
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		change func(r *studycircle.ReviewRequest)
		now    time.Time
		ask    bool
		next   time.Time
	}{
		"due":              {func(*studycircle.ReviewRequest) {}, due, true, later(2 * day)},
		"second":           {func(r *studycircle.ReviewRequest) { r.Asked = 1 }, later(2 * day), true, later(4 * day)},
		"third, the last":  {func(r *studycircle.ReviewRequest) { r.Asked = 2 }, later(4 * day), true, time.Time{}},
		"asked enough":     {func(r *studycircle.ReviewRequest) { r.Asked = 3 }, later(6 * day), false, time.Time{}},
		"gave enough":      {func(r *studycircle.ReviewRequest) { r.Given = 3 }, due, false, time.Time{}},
		"gave one fewer":   {func(r *studycircle.ReviewRequest) { r.Given = 2 }, due, true, later(2 * day)},
		"withdrew":         {func(r *studycircle.ReviewRequest) { r.HandedIn = false }, due, false, time.Time{}},
		"nothing for them": {func(r *studycircle.ReviewRequest) { r.Work = false }, due, false, later(2 * day)},
		"due date moved":   {func(*studycircle.ReviewRequest) {}, later(-3 * day), false, due},
		"long over":        {func(*studycircle.ReviewRequest) {}, later(15 * day), false, time.Time{}},
	} {
		r := studycircle.ReviewRequest{Due: studycircle.DueDateAt(due.UnixMicro(), 0), Owed: 3, HandedIn: true, Work: true}
		c.change(&r)
		ask, next := r.Plan(c.now)
		require.Equal(t, c.ask, ask, name)
		require.True(t, c.next.Equal(next), name)
	}
}
