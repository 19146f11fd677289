package studycircle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Of fewer than FewestSpared users who have given their last review today, others learn that tomorrow: these owe until
// then, and are not reminded.
func TestOwesOfTheSameDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	a := studycircle.Assignment{ID: "a", CircleID: "c", Reviews: 1, Due: studycircle.DueDateAt(now.UnixMicro(), 0)}
	circle := studycircle.Circle{ID: "c", CircleInput: studycircle.NewCircle}
	for n := 1; n <= studycircle.FewestSpared; n++ {
		people := make([]studycircle.OweFacts, n)
		for i := range people {
			f := studycircle.OweFacts{
				HandedInAt: now, Given: studycircle.GivenReviews{All: 1}, Givable: 1, GivableToday: 2,
			}
			f.Membership = studycircle.Membership{CircleID: "c", UserID: fmt.Sprint(i), Role: studycircle.CircleMember}
			people[i] = f
		}
		o := studycircle.MarkColumn{Assignment: a, Open: true}.OwesOf(people, circle, nil, now)
		if n == studycircle.FewestSpared {
			require.Empty(t, o.Debts)
			require.Zero(t, o.OwingReviews)
			continue
		}
		require.Len(t, o.Debts, n)
		require.EqualValues(t, n, o.OwingReviews)
		require.Empty(t, o.Notices(a, "creator", now))
	}
}

// Work whose submitter has no account any more is no user's: no number of it makes the submitters enough.
func TestOwesOfWorkWithoutSubmitters(t *testing.T) {
	t.Parallel()
	c := studycircle.MarkColumn{Assignment: studycircle.Assignment{Reviews: 2}, Open: true}
	results := make([]studycircle.ResultFacts, 4)
	results[0].Submitter.UserID, results[1].Submitter.UserID = "bob", "cem"
	o := c.OwesOf(nil, studycircle.Circle{}, results, time.Now())
	require.EqualValues(t, 2, o.Submitters)
}
