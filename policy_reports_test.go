package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestWhoDecidesOnReports(t *testing.T) {
	t.Parallel()
	moderators := studycircle.ModeratorsOf([]string{"mo@example.org"})
	mo := studycircle.User{ID: "mo", Email: "mo@example.org", EmailVerifiedAt: time.Now()}
	ada := studycircle.User{ID: "ada", Email: "ada@example.org", EmailVerifiedAt: time.Now()}
	in := func(role studycircle.CircleRole, archived bool) studycircle.OwnCircle {
		own := studycircle.OwnCircle{Circle: studycircle.Circle{ID: "c"}, Mine: studycircle.Membership{CircleID: "c", UserID: "ada", Role: role}}
		if archived {
			own.ArchivedAt = time.Now()
		}
		return own
	}
	var outside studycircle.OwnCircle
	const none, notOrganizer, notModerator = studycircle.CodeNotFound, studycircle.CodeNotOrganizer, studycircle.CodeNotModerator
	for name, c := range map[string]struct {
		got  error
		want studycircle.Code
	}{
		"a moderator reads the hall's":                 {studycircle.MayReadReports(mo, moderators, outside, studycircle.Hall), ""},
		"an organizer does not":                        {studycircle.MayReadReports(ada, moderators, outside, studycircle.Hall), notModerator},
		"an organizer reads the circle's":              {studycircle.MayReadReports(ada, moderators, in("organizer", true), "c"), ""},
		"a member does not":                            {studycircle.MayReadReports(ada, moderators, in("member", false), "c"), notOrganizer},
		"a moderator does not":                         {studycircle.MayReadReports(mo, moderators, outside, "c"), none},
		"a moderator decides in the hall":              {studycircle.MayDecideIn(mo, moderators, outside, studycircle.Hall), ""},
		"another does not":                             {studycircle.MayDecideIn(ada, moderators, outside, studycircle.Hall), notModerator},
		"an organizer decides in the circle":           {studycircle.MayDecideIn(ada, moderators, in("owner", false), "c"), ""},
		"not once it is archived":                      {studycircle.MayDecideIn(ada, moderators, in("owner", true), "c"), studycircle.CodeCircleArchived},
		"a member does not decide":                     {studycircle.MayDecideIn(ada, moderators, in("member", false), "c"), notOrganizer},
		"to a moderator it does not exist":             {studycircle.MayDecideIn(mo, moderators, outside, "c"), none},
		"to others neither":                            {studycircle.MayDecideIn(ada, moderators, outside, "c"), notModerator},
		"of another circle, too":                       {studycircle.MayDecideIn(ada, moderators, in("owner", false), "other"), notModerator},
		"an organizer hides":                           {studycircle.MayOrganizerDecide("ada", "bob", studycircle.Hide), ""},
		"an organizer dismisses what has no author":    {studycircle.MayOrganizerDecide("ada", "", studycircle.Dismiss), ""},
		"an organizer does not suspend":                {studycircle.MayOrganizerDecide("ada", "bob", studycircle.Suspend), notModerator},
		"an organizer does not decide about their own": {studycircle.MayOrganizerDecide("ada", "ada", studycircle.Dismiss), notModerator},
		"a visitor does not":                           {studycircle.MayOrganizerDecide("", "bob", studycircle.Dismiss), notModerator},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(c.got), name)
	}
}

func TestRecipientsOfReports(t *testing.T) {
	t.Parallel()
	by := func(role studycircle.CircleRole) studycircle.Membership { return studycircle.Membership{Role: role} }
	for name, c := range map[string]struct {
		got, want string
	}{
		"a member's words":                 {studycircle.ReportTo("c", false, by("member")), "c"},
		"those of one who left":            {studycircle.ReportTo("c", false, by("")), "c"},
		"an organizer's words":             {studycircle.ReportTo("c", false, by("organizer")), studycircle.Hall},
		"an owner's words":                 {studycircle.ReportTo("c", false, by("owner")), studycircle.Hall},
		"as the reporter wants":            {studycircle.ReportTo("c", true, by("member")), studycircle.Hall},
		"in the hall there is no question": {studycircle.ReportTo(studycircle.Hall, false, by("")), studycircle.Hall},
	} {
		require.Equal(t, c.want, c.got, name)
	}
	require.Equal(t, "/moderation", studycircle.ReportsURL(studycircle.Hall))
	require.Equal(t, "/circle/c?tab=reports", studycircle.ReportsURL("c"))
}

// Moderators read of a circle the text that was reported, and nothing that names the circle, its assignments or people.
func TestBareReports(t *testing.T) {
	t.Parallel()
	in := studycircle.Assignment{
		ID: "a", CircleID: "c", Title: "Tides", Description: "Say why", HTML: "<p>Say why</p>", Partial: true,
		Creator: studycircle.Person{UserID: "ada", DisplayName: "Ada"}, Thumbnail: "https://example.org/p.png",
	}
	of := func(kind studycircle.SubjectKind) studycircle.ReportedThing {
		return studycircle.ReportedThing{Report: studycircle.Report{Subject: studycircle.Subject{Kind: kind, ID: "s"}}, Assignment: in}
	}
	comment := of(studycircle.OfComment)
	comment.Comment = studycircle.Comment{ID: "s", AssignmentID: "a", Text: "Rude", Author: studycircle.Person{UserID: "bob", DisplayName: "Bob"}}
	bare := comment.Bare()
	require.Equal(t, studycircle.Comment{ID: "s", Text: "Rude"}, bare.Comment)
	require.Equal(t, studycircle.Assignment{}, bare.Assignment)
	require.False(t, bare.Gone())
	bare = of(studycircle.OfAssignment).Bare()
	require.Equal(t, "Tides", bare.Assignment.Title)
	require.Equal(t, "Say why", bare.Assignment.Description)
	require.Empty(t, bare.Assignment.ID+bare.Assignment.CircleID+bare.Assignment.Creator.DisplayName+bare.Assignment.Thumbnail)
	require.False(t, bare.Gone())
	for _, kind := range []studycircle.SubjectKind{studycircle.OfReview, studycircle.OfSubmission, studycircle.OfComment} {
		require.True(t, of(kind).Gone(), kind)
		require.Equal(t, studycircle.Assignment{}, of(kind).Bare().Assignment, kind)
	}
}
