package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestNeedsLeadToTheirPages(t *testing.T) {
	t.Parallel()
	need := studycircle.Need{CircleID: "c", AssignmentID: "a", SubmissionID: "s"}
	for kind, want := range map[studycircle.NeedKind]string{
		studycircle.NeedHandIn:   "/assignment/a",
		studycircle.NeedAppeal:   "/assignment/a#result-s",
		studycircle.NeedFinalize: "/assignment/a#results",
		studycircle.NeedAnswer:   "/attemded-assignments",
		studycircle.NeedReports:  "/circle/c?tab=reports",
		studycircle.NeedRequests: "/circle/c?tab=members",
	} {
		need.Kind = kind
		require.Equal(t, want, need.URL())
	}
	require.Equal(t, "/moderation", studycircle.Need{Kind: studycircle.NeedReports}.URL())
}

// What Today asks for, the policy allows.
func TestNeedsAreAllowed(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC)
	in := studycircle.OwnCircle{
		Circle: studycircle.Circle{ID: "c"},
		Mine:   studycircle.Membership{CircleID: "c", UserID: "bob", Role: studycircle.CircleMember},
	}
	due := studycircle.DueDateAt(now.UnixMicro(), 0)
	a := studycircle.Assignment{CircleID: "c", Creator: studycircle.Person{UserID: "ada"}, Due: due}
	require.True(t, a.AsksForWork(in, due, now))
	require.True(t, a.AsksForWork(in, due, now.Add(-studycircle.DueSoon)))
	require.False(t, a.AsksForWork(in, due, now.Add(studycircle.DueSoon)))
	require.False(t, a.AsksForWork(in, due, now.Add(-studycircle.DueSoon-1)))
	require.False(t, studycircle.Assignment{}.AsksForWork(in, due, now), "the hall asks for nothing")
	organizer, archived := in, in
	organizer.Mine.Role = studycircle.CircleOrganizer
	archived.ArchivedAt = now
	require.False(t, a.AsksForWork(organizer, due, now))
	require.False(t, a.AsksForWork(archived, due, now))
	require.False(t, studycircle.Assignment{CircleID: "c", Creator: studycircle.Person{UserID: "bob"}}.AsksForWork(in, due, now))

	in.Mine.UserID, archived.Mine.UserID = "ada", "ada"
	reviewing := studycircle.Reviewing{Phase: studycircle.ReviewOpen, Reviews: 2, Needed: 3, Wanted: 3}
	require.False(t, reviewing.AsksToSettle("ada", in, a, now), "a review is missing")
	a.ReviewDue = due
	require.True(t, reviewing.AsksToSettle("ada", in, a, now))
	require.False(t, reviewing.AsksToSettle("ada", archived, a, now))
	require.False(t, reviewing.AsksToSettle("ada", in, a, now.Add(-1)))
	reviewing.Reviews, reviewing.Wanted = 3, 4
	require.True(t, reviewing.AsksToSettle("ada", in, a, now.Add(-1)))
	require.False(t, reviewing.AsksToSettle("eve", organizer, a, now), "of organizers only the creator is asked")

	appeal := studycircle.Reviewing{Phase: studycircle.ReviewAppealed, Reviews: 3, Needed: 3, Wanted: 5}
	require.True(t, appeal.AsksToDecide("ada", in, a))
	require.False(t, appeal.AsksToDecide("ada", archived, a))
	require.False(t, appeal.AsksToSettle("ada", in, a, now))
	appeal.Asked = true
	require.False(t, appeal.AsksToDecide("ada", in, a), "it is a decision by now")
}
