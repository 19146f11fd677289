package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestMayRegister(t *testing.T) {
	t.Parallel()
	for mode, want := range map[studycircle.RegistrationMode][2]bool{
		studycircle.RegistrationOpen: {true, true}, studycircle.RegistrationInvited: {false, true}, studycircle.RegistrationClosed: {}, "": {}, "else": {},
	} {
		for i, invited := range []bool{false, true} {
			err := studycircle.MayRegister(mode, invited)
			assert.Equal(t, want[i], err == nil, "%q invited: %v", mode, invited)
			if err != nil {
				assert.Equal(t, studycircle.CodeRegistrationClosed, studycircle.CodeOf(err))
			}
		}
	}
}

func TestMayRegisterBy(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	one, none := int64(1), int64(0)
	c := studycircle.Circle{ID: "book"}
	good := studycircle.Invitation{CircleID: "book", InvitationInput: studycircle.InvitationInput{Uses: &one, ExpiresAt: now.Add(time.Second)}}
	verified := studycircle.User{Email: "ada@example.org", EmailVerifiedAt: now}
	for name, test := range map[string]struct {
		change            func(i *studycircle.Invitation, c *studycircle.Circle)
		registers, awaits bool
	}{
		"good":           {func(*studycircle.Invitation, *studycircle.Circle) {}, true, true},
		"of any uses":    {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.Uses = nil }, true, true},
		"used up":        {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.Uses = &none }, false, true},
		"expired":        {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.ExpiresAt = now }, false, true},
		"revoked":        {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.RevokedAt = now }, false, false},
		"of another":     {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.OnlyEmail = "bo@example.org" }, false, false},
		"of the address": {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.OnlyEmail = "ada@example.org" }, true, true},
		"of the domain":  {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.OnlyDomain = "example.org" }, true, true},
		"of a domain":    {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.OnlyDomain = "org" }, false, false},
		"of the roster":  {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.RosterEmail = "ada@example.org" }, true, true},
		"of a roster":    {func(i *studycircle.Invitation, _ *studycircle.Circle) { i.RosterEmail = "bo@example.org" }, false, false},
		"another circle": {func(_ *studycircle.Invitation, c *studycircle.Circle) { c.ID = "film" }, false, false},
		"deleted":        {func(_ *studycircle.Invitation, c *studycircle.Circle) { c.DeletedAt = now }, false, false},
		"archived":       {func(_ *studycircle.Invitation, c *studycircle.Circle) { c.ArchivedAt = now }, false, false},
	} {
		i, circle := good, c
		test.change(&i, &circle)
		assert.Equal(t, test.registers, studycircle.MayRegisterBy(i, circle, "ada@example.org", now) == nil, name)
		assert.Equal(t, test.awaits, studycircle.MayJoinAwaited(i, circle, verified, time.Time{}) == nil, name)
		require.Error(t, studycircle.MayJoinAwaited(i, circle, verified, now), "%s, removed", name)
		require.Error(t, studycircle.MayJoinAwaited(i, circle, studycircle.User{Email: "ada@example.org"}, time.Time{}), "%s, unverified", name)
	}
}

func TestServerInvitation(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	uses := func(n int64) *int64 { return &n }
	valid := studycircle.ServerInvitation{Uses: uses(1), OnlyEmail: " Ada@Example.org ", ExpiresAt: now.Add(studycircle.MaxServerInvitation)}
	clean, err := valid.Clean(now)
	require.NoError(t, err)
	require.Equal(t, "ada@example.org", clean.OnlyEmail)
	for name, change := range map[string]func(i *studycircle.ServerInvitation){
		"no uses":  func(i *studycircle.ServerInvitation) { i.Uses = uses(0) },
		"too many": func(i *studycircle.ServerInvitation) { i.Uses = uses(studycircle.MaxInvitationUses + 1) },
		"over":     func(i *studycircle.ServerInvitation) { i.ExpiresAt = now },
		"too long": func(i *studycircle.ServerInvitation) { i.ExpiresAt = i.ExpiresAt.Add(1) },
		"address":  func(i *studycircle.ServerInvitation) { i.OnlyEmail = "ada" },
	} {
		wrong := valid
		change(&wrong)
		_, err := wrong.Clean(now)
		assert.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(err), name)
	}
	for name, test := range map[string]struct {
		i     studycircle.ServerInvitation
		email string
		want  bool
	}{
		"its address": {clean, "ada@example.org", true},
		"another":     {clean, "bo@example.org", false},
		"anyone":      {studycircle.ServerInvitation{ExpiresAt: now.Add(1)}, "bo@example.org", true},
		"expired":     {studycircle.ServerInvitation{ExpiresAt: now}, "bo@example.org", false},
		"used up":     {studycircle.ServerInvitation{Uses: uses(0), ExpiresAt: now.Add(1)}, "bo@example.org", false},
	} {
		assert.Equal(t, test.want, studycircle.MayRegisterByServer(test.i, test.email, now) == nil, name)
	}
}

func TestMayPublishInHall(t *testing.T) {
	t.Parallel()
	for _, m := range []studycircle.HallMode{studycircle.HallRead, studycircle.HallOff, "", "else"} {
		assert.Equal(t, studycircle.CodeHallClosed, studycircle.CodeOf(studycircle.MayPublish(studycircle.OwnCircle{}, studycircle.Hall, m)), m)
	}
	require.NoError(t, studycircle.MayPublish(studycircle.OwnCircle{}, studycircle.Hall, studycircle.HallOn))
	require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(studycircle.MayPublish(studycircle.OwnCircle{}, "book", studycircle.HallOff)))
}

func TestMayBeMadeOwner(t *testing.T) {
	t.Parallel()
	c, member := studycircle.Circle{ID: "book"}, studycircle.Membership{CircleID: "book", UserID: "ada", Role: studycircle.CircleMember}
	full := studycircle.Holdings{Owned: studycircle.MaxOwnedCircles, All: studycircle.MaxOwnedCircles}
	most := studycircle.Holdings{All: studycircle.MaxMemberships}
	for name, test := range map[string]struct {
		c      studycircle.Circle
		of     studycircle.Membership
		owners int64
		have   studycircle.Holdings
		want   studycircle.Code
	}{
		"a member":             {c, member, 1, most, ""},
		"another user":         {c, studycircle.Membership{}, 0, studycircle.Holdings{}, ""},
		"an archived circle":   {studycircle.Circle{ID: "book", ArchivedAt: time.Now()}, member, 0, studycircle.Holdings{All: 1}, ""},
		"a deleted circle":     {studycircle.Circle{ID: "book", DeletedAt: time.Now()}, member, 0, studycircle.Holdings{All: 1}, studycircle.CodeNotFound},
		"too many owners":      {c, member, studycircle.MaxOwners, studycircle.Holdings{All: 1}, studycircle.CodeTooManyOwners},
		"too many circles":     {c, member, 1, full, studycircle.CodeTooManyCircles},
		"too many for joining": {c, studycircle.Membership{}, 1, most, studycircle.CodeTooManyCircles},
	} {
		assert.Equal(t, test.want, studycircle.CodeOf(studycircle.MayBeMadeOwner(test.c, test.of, test.owners, test.have)), name)
	}
}

// A hall that is off is to users and visitors like a circle without members. What is personal stays, and moderators and
// the server see it.
func TestHallOffIsInvisible(t *testing.T) {
	t.Parallel()
	off := func(v studycircle.Viewer) studycircle.Viewer { return studycircle.HallOff.As(v) }
	ada := off(studycircle.ViewerOf("ada"))
	roles := []studycircle.Viewer{off(studycircle.Visitor()), ada, ada.Author(), ada.Party(), {}, studycircle.Live(), studycircle.System()}
	everyFact(func(f studycircle.Facts) {
		for _, v := range roles {
			got, as := studycircle.Visible(v, f), f
			if f.CircleID == studycircle.Hall && !v.Role().HasHall() && f.Object != studycircle.ObjectPersonal {
				as.CircleID, as.Member = "left", false
			}
			on := studycircle.HallOn.As(v)
			assert.Equal(t, studycircle.Visible(on, as), got, "%v %+v", v, f)
		}
		moderator := ada.Moderator()
		assert.Equal(t, studycircle.Visible(studycircle.ViewerOf("ada").Moderator(), f), studycircle.Visible(moderator, f))
	})
}

func TestMayHearOfAHallThatIsOff(t *testing.T) {
	t.Parallel()
	ada := studycircle.Hearer{UserID: "ada", RoleIn: func(string) studycircle.CircleRole { return "" }}
	for _, test := range []struct {
		e    studycircle.Event
		want bool
	}{
		{studycircle.Event{Kind: studycircle.AssignmentCreated, Audience: studycircle.Everybody}, false},
		{studycircle.Event{Kind: studycircle.SubmissionPending, Audience: studycircle.AllUsers}, false},
		{studycircle.Event{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}, true},
		{studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: "ada"}, true},
		{studycircle.Event{Kind: studycircle.AssignmentCreated, Audience: studycircle.AllUsers.In("book")}, false},
	} {
		assert.Equal(t, test.want, studycircle.CanHear(ada, test.e, studycircle.HallOff), "%+v", test.e)
	}
}
