package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// What one line of a roster does, by what is known of its person.
func TestEnroll(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := studycircle.Circle{ID: "c"}
	as := func(id string, role studycircle.CircleRole) studycircle.Membership {
		return studycircle.Membership{CircleID: "c", UserID: id, Role: role, Label: "Red"}
	}
	owner, organizer := as("ada", studycircle.CircleOwner), as("bob", studycircle.CircleOrganizer)
	unverified := studycircle.User{ID: "cleo", Email: "cleo@example.org"}
	verified := unverified
	verified.EmailVerifiedAt = now
	once, none := int64(1), int64(0)
	open := studycircle.Invitation{
		Seq: 1, ID: "i", CircleID: "c", RosterEmail: "cleo@example.org",
		InvitationInput: studycircle.InvitationInput{Role: studycircle.CircleMember, Uses: &once, ExpiresAt: now.Add(time.Hour), Label: "Red"},
	}
	expired, revoked, used, declined := open, open, open, open
	expired.ExpiresAt, revoked.RevokedAt, used.Uses, declined.DeclinedAt = now, now, &none, now
	line := studycircle.RosterLine{Line: 2, Email: "cleo@example.org"}
	with := func(role studycircle.CircleRole, label string) studycircle.RosterLine {
		l := line
		l.Role, l.Label = role, label
		return l
	}
	type counts struct{ added, changed, invited, reworded, unchanged, refused int }
	for name, test := range map[string]struct {
		by    studycircle.Membership
		line  studycircle.RosterLine
		known studycircle.Rostered
		want  counts
	}{
		"an unknown address":                      {owner, line, studycircle.Rostered{}, counts{invited: 1}},
		"an unverified address":                   {owner, line, studycircle.Rostered{User: unverified}, counts{invited: 1}},
		"a verified address":                      {organizer, line, studycircle.Rostered{Direct: true, User: verified}, counts{added: 1}},
		"a verified address as organizer":         {organizer, with(studycircle.CircleOrganizer, ""), studycircle.Rostered{Direct: true, User: verified}, counts{added: 1}},
		"a verified address as owner":             {owner, with(studycircle.CircleOwner, ""), studycircle.Rostered{Direct: true, User: verified}, counts{refused: 1}},
		"a user in too many circles":              {owner, line, studycircle.Rostered{Direct: true, User: verified, Have: studycircle.Holdings{All: studycircle.MaxMemberships}}, counts{refused: 1}},
		"a member":                                {organizer, line, studycircle.Rostered{User: verified, Member: as("cleo", studycircle.CircleMember)}, counts{unchanged: 1}},
		"a member with another label":             {organizer, with("", "Blue"), studycircle.Rostered{User: verified, Member: as("cleo", studycircle.CircleMember)}, counts{changed: 1}},
		"a member with the same label":            {organizer, with(studycircle.CircleMember, "Red"), studycircle.Rostered{User: verified, Member: as("cleo", studycircle.CircleMember)}, counts{unchanged: 1}},
		"a member who becomes an organizer":       {owner, with(studycircle.CircleOrganizer, ""), studycircle.Rostered{Member: as("cleo", studycircle.CircleMember)}, counts{changed: 1}},
		"that by an organizer":                    {organizer, with(studycircle.CircleOrganizer, ""), studycircle.Rostered{Member: as("cleo", studycircle.CircleMember)}, counts{refused: 1}},
		"an owner as organizer":                   {organizer, with(studycircle.CircleOrganizer, ""), studycircle.Rostered{Member: as("cleo", studycircle.CircleOwner)}, counts{unchanged: 1}},
		"an owner as owner":                       {organizer, with(studycircle.CircleOwner, ""), studycircle.Rostered{Member: as("cleo", studycircle.CircleOwner)}, counts{unchanged: 1}},
		"an owner as member":                      {owner, with(studycircle.CircleMember, ""), studycircle.Rostered{Member: as("cleo", studycircle.CircleOwner)}, counts{refused: 1}},
		"an invited address":                      {owner, line, studycircle.Rostered{Invitation: open}, counts{unchanged: 1}},
		"an invited address with another role":    {organizer, with(studycircle.CircleOrganizer, ""), studycircle.Rostered{Invitation: open}, counts{reworded: 1}},
		"an invited address with another label":   {owner, with("", "Blue"), studycircle.Rostered{User: unverified, Invitation: open}, counts{reworded: 1}},
		"an invitation that has expired":          {owner, line, studycircle.Rostered{Invitation: expired}, counts{invited: 1}},
		"an invitation that was revoked":          {owner, line, studycircle.Rostered{Invitation: revoked}, counts{invited: 1}},
		"an invitation that was used":             {owner, line, studycircle.Rostered{Invitation: used}, counts{invited: 1}},
		"a verified address of another domain":    {owner, line, studycircle.Rostered{User: verified, Have: studycircle.Holdings{All: studycircle.MaxMemberships}}, counts{invited: 1}},
		"an unverified address of a domain":       {owner, line, studycircle.Rostered{Direct: true, User: unverified}, counts{invited: 1}},
		"a user who has left":                     {owner, line, studycircle.Rostered{Direct: true, User: verified, Refused: studycircle.RefusedByLeaving, Invitation: used}, counts{invited: 1}},
		"a user who refuses for good":             {owner, line, studycircle.Rostered{Direct: true, User: verified, Refused: studycircle.RefusedForGood}, counts{invited: 1}},
		"an invitation that was declined":         {owner, line, studycircle.Rostered{User: verified, Invitation: declined}, counts{unchanged: 1}},
		"an invited address, verified since then": {owner, line, studycircle.Rostered{Direct: true, User: verified, Invitation: open}, counts{added: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			roster := studycircle.Roster{Lines: []studycircle.RosterLine{test.line}}
			got := studycircle.Enroll(test.by, c, roster, map[string]studycircle.Rostered{line.Email: test.known}, 2, now)
			require.Equal(t, test.want, counts{len(got.Added), len(got.Changed), len(got.Invited), len(got.Reworded), got.Unchanged, len(got.Refused)})
			for _, i := range got.Invited {
				require.True(t, i.RevokedAt.IsZero() && i.ExpiresAt.Equal(now.Add(studycircle.RosterValid)) && *i.Uses == 1)
			}
		})
	}
}

// Only invitations of users who do not refuse notify them, and not too many within a day.
func TestRosteredTells(t *testing.T) {
	t.Parallel()
	u := studycircle.User{ID: "cleo", EmailVerifiedAt: time.Unix(1, 0)}
	for _, test := range []struct {
		of   studycircle.Rostered
		want bool
	}{
		{studycircle.Rostered{User: u}, true},
		{studycircle.Rostered{User: u, Refused: studycircle.RefusedByLeaving}, true},
		{studycircle.Rostered{User: u, Lately: studycircle.MaxInvitedADay - 1}, true},
		{studycircle.Rostered{User: u, Lately: studycircle.MaxInvitedADay}, false},
		{studycircle.Rostered{User: u, Refused: studycircle.RefusedForGood}, false},
		{studycircle.Rostered{User: studycircle.User{ID: "cleo"}}, false},
		{studycircle.Rostered{}, false},
	} {
		require.Equal(t, test.want, test.of.Tells(), test.of)
	}
}

// An invitation of a roster admits the user with its verified address, once.
func TestMayAnswerInvited(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := studycircle.Circle{ID: "c"}
	u := studycircle.User{ID: "cleo", Email: "cleo@example.org", EmailVerifiedAt: now}
	once, none := int64(1), int64(0)
	i := studycircle.Invitation{
		ID: "i", CircleID: "c", RosterEmail: u.Email, CreatedAt: now, InvitationInput: studycircle.InvitationInput{Uses: &once, ExpiresAt: now.Add(time.Hour)},
	}
	require.NoError(t, studycircle.MayAnswerInvited(i, c, u, now.Add(-time.Second), now))
	require.True(t, i.Admits(u, now), "by the secret in its email")
	other, unverified, link, used, declined, deleted, archived := u, u, i, i, i, c, c
	other.Email, unverified.EmailVerifiedAt, link.RosterEmail, used.Uses, declined.DeclinedAt = "dan@example.org", time.Time{}, "", &none, now
	deleted.DeletedAt, archived.ArchivedAt = now, now
	for name, err := range map[string]error{
		"another user":          studycircle.MayAnswerInvited(i, c, other, time.Time{}, now),
		"an unverified user":    studycircle.MayAnswerInvited(i, c, unverified, time.Time{}, now),
		"an invitation by link": studycircle.MayAnswerInvited(link, c, studycircle.User{EmailVerifiedAt: now}, time.Time{}, now),
		"a used one":            studycircle.MayAnswerInvited(used, c, u, time.Time{}, now),
		"a declined one":        studycircle.MayAnswerInvited(declined, c, u, time.Time{}, now),
		"an expired one":        studycircle.MayAnswerInvited(i, c, u, time.Time{}, now.Add(time.Hour)),
		"another circle":        studycircle.MayAnswerInvited(i, studycircle.Circle{ID: "d"}, u, time.Time{}, now),
		"a deleted circle":      studycircle.MayAnswerInvited(i, deleted, u, time.Time{}, now),
		"removed since then":    studycircle.MayAnswerInvited(i, c, u, now, now),
	} {
		require.ErrorIs(t, err, studycircle.ErrNotFound, name)
	}
	require.Equal(t, studycircle.CodeCircleArchived, studycircle.CodeOf(studycircle.MayAnswerInvited(i, archived, u, time.Time{}, now)))
}

// Without an answer only users of the operator's domains join, who refuse nothing.
func TestMayJoinByRoster(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := studycircle.Circle{ID: "c"}
	once := int64(1)
	school, err := studycircle.DomainsOf([]string{" @School.Example", "例え.JP"})
	require.NoError(t, err)
	for _, test := range []struct {
		address string
		enrol   studycircle.Domains
		refused studycircle.Refusal
		want    bool
	}{
		{"cleo@school.example", school, "", true},
		{"cleo@例え.jp", school, "", true},
		{"cleo@example.org", studycircle.EveryDomain, "", true},
		{"cleo@example.org", school, "", false},
		{"cleo@mail.school.example", school, "", false},
		{"school.example@example.org", school, "", false},
		{"cleo@school.example", nil, "", false},
		{"cleo@school.example", school, studycircle.RefusedByLeaving, false},
		{"cleo@school.example", studycircle.EveryDomain, studycircle.RefusedForGood, false},
	} {
		u := studycircle.User{ID: "cleo", Email: test.address, EmailVerifiedAt: now}
		i := studycircle.Invitation{
			ID: "i", CircleID: "c", RosterEmail: u.Email, CreatedAt: now, InvitationInput: studycircle.InvitationInput{Uses: &once, ExpiresAt: now.Add(time.Hour)},
		}
		may := studycircle.MayJoinByRoster(i, c, u, test.enrol, test.refused, time.Time{}, now)
		require.Equal(t, test.want, may == nil, test)
		u.EmailVerifiedAt = time.Time{}
		require.Error(t, studycircle.MayJoinByRoster(i, c, u, test.enrol, test.refused, time.Time{}, now), test)
	}
	for _, none := range []string{"", "*", "a b", "school..example", "a@b.c", "x,y"} {
		_, err := studycircle.DomainsOf([]string{"school.example", none})
		require.Error(t, err, none)
	}
}
