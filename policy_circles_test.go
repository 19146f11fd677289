package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// What each role may do in a circle, by the circle's state and settings: a code, or "" if it is allowed.
func TestPolicyOfCircles(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	open := studycircle.Circle{ID: "c", CircleInput: studycircle.CircleInput{Publishing: studycircle.AllowMembers, Grading: studycircle.AllowMembers}}
	strict, archived, deleted := open, open, open
	strict.Publishing, strict.Grading = studycircle.AllowOrganizers, studycircle.AllowOrganizers
	archived.ArchivedAt, deleted.DeletedAt = now, now
	unset := studycircle.Circle{ID: "c"}
	rules := []struct {
		name string
		ask  func(studycircle.Membership, studycircle.Circle) error
		// By circle, the answers to: a member, an organizer, an owner.
		open, strict, archived, unset [3]studycircle.Code
	}{
		{"see", studycircle.MaySeeCircle, [3]studycircle.Code{}, [3]studycircle.Code{}, [3]studycircle.Code{}, [3]studycircle.Code{}},
		{
			"publish", studycircle.MayPublishIn, [3]studycircle.Code{}, [3]studycircle.Code{"not-a-publisher"},
			[3]studycircle.Code{"circle-archived", "circle-archived", "circle-archived"}, [3]studycircle.Code{"not-a-publisher"},
		},
		{
			"grade", studycircle.MayGradeIn, [3]studycircle.Code{}, [3]studycircle.Code{"not-a-grader"},
			[3]studycircle.Code{"circle-archived", "circle-archived", "circle-archived"}, [3]studycircle.Code{"not-a-grader"},
		},
		{
			"read as organizer", studycircle.MayReadAsOrganizer, [3]studycircle.Code{"not-an-organizer"}, [3]studycircle.Code{"not-an-organizer"},
			[3]studycircle.Code{"not-an-organizer"}, [3]studycircle.Code{"not-an-organizer"},
		},
		{
			"organize", studycircle.MayOrganize, [3]studycircle.Code{"not-an-organizer"}, [3]studycircle.Code{"not-an-organizer"},
			[3]studycircle.Code{"not-an-organizer", "circle-archived", "circle-archived"}, [3]studycircle.Code{"not-an-organizer"},
		},
		{
			"own", studycircle.MayOwn, [3]studycircle.Code{"not-an-owner", "not-an-owner"}, [3]studycircle.Code{"not-an-owner", "not-an-owner"},
			[3]studycircle.Code{"not-an-owner", "not-an-owner"}, [3]studycircle.Code{"not-an-owner", "not-an-owner"},
		},
		{
			"change", studycircle.MayChangeCircle, [3]studycircle.Code{"not-an-owner", "not-an-owner"}, [3]studycircle.Code{"not-an-owner", "not-an-owner"},
			[3]studycircle.Code{"not-an-owner", "not-an-owner", "circle-archived"}, [3]studycircle.Code{"not-an-owner", "not-an-owner"},
		},
	}
	roles := []studycircle.CircleRole{studycircle.CircleMember, studycircle.CircleOrganizer, studycircle.CircleOwner}
	for _, rule := range rules {
		for i, role := range roles {
			m := studycircle.Membership{CircleID: "c", UserID: "u", Role: role}
			require.Equal(t, rule.open[i], studycircle.CodeOf(rule.ask(m, open)), "%s: %s", rule.name, role)
			require.Equal(t, rule.strict[i], studycircle.CodeOf(rule.ask(m, strict)), "%s: %s, strict", rule.name, role)
			require.Equal(t, rule.archived[i], studycircle.CodeOf(rule.ask(m, archived)), "%s: %s, archived", rule.name, role)
			require.Equal(t, rule.unset[i], studycircle.CodeOf(rule.ask(m, unset)), "%s: %s, unset", rule.name, role)
			require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(rule.ask(m, deleted)), "%s: %s, deleted", rule.name, role)
		}
		for name, m := range map[string]studycircle.Membership{
			"no member": {}, "an unknown role": {CircleID: "c", UserID: "u", Role: "guest"}, "another circle": {CircleID: "d", UserID: "u", Role: studycircle.CircleOwner},
		} {
			require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(rule.ask(m, open)), "%s: %s", rule.name, name)
			require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(rule.ask(m, studycircle.Circle{})), "%s: %s, no circle", rule.name, name)
		}
	}
	owner, organizer := studycircle.Membership{CircleID: "c", Role: studycircle.CircleOwner}, studycircle.Membership{CircleID: "c", Role: studycircle.CircleOrganizer}
	require.NoError(t, studycircle.MayRestoreCircle(owner, deleted, now.Add(studycircle.CircleRestorable)))
	require.Error(t, studycircle.MayRestoreCircle(owner, deleted, now.Add(studycircle.CircleRestorable+1)))
	require.Error(t, studycircle.MayRestoreCircle(organizer, deleted, now))
}

// A user has a bounded number of circles.
func TestMayHaveCircle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		have studycircle.Holdings
		role studycircle.CircleRole
		code studycircle.Code
	}{
		{studycircle.Holdings{Owned: 49, All: 199}, studycircle.CircleOwner, ""},
		{studycircle.Holdings{Owned: 50, All: 50}, studycircle.CircleOwner, studycircle.CodeTooManyCircles},
		{studycircle.Holdings{Owned: 50, All: 50}, studycircle.CircleMember, ""},
		{studycircle.Holdings{All: 200}, studycircle.CircleMember, studycircle.CodeTooManyCircles},
	} {
		require.Equal(t, c.code, studycircle.CodeOf(studycircle.MayHaveCircle(c.have, c.role)), "%+v as %s", c.have, c.role)
	}
}

// The changes of members, by the roles of those who make them and of those whom they concern.
func TestPolicyOfCircleMembers(t *testing.T) {
	t.Parallel()
	circle := studycircle.Circle{ID: "c", HeirID: "heir"}
	archived, plain := circle, circle
	archived.ArchivedAt, plain.HeirID = time.Unix(1, 0), ""
	of := func(id string, r studycircle.CircleRole) studycircle.Membership {
		return studycircle.Membership{CircleID: "c", UserID: id, Role: r}
	}
	owner, organizer, member, none := of("a", studycircle.CircleOwner), of("b", studycircle.CircleOrganizer), of("m", studycircle.CircleMember), studycircle.Membership{}
	second, heir := of("z", studycircle.CircleOwner), of("heir", studycircle.CircleMember)
	to := func(r studycircle.CircleRole) studycircle.MemberChange { return studycircle.MemberChange{Role: &r} }
	var free studycircle.Holdings
	full := studycircle.Holdings{Owned: studycircle.MaxOwnedCircles, All: studycircle.MaxOwnedCircles + 1}
	most := studycircle.Holdings{All: studycircle.MaxMemberships}
	label := "Red"
	text := studycircle.MemberChange{Label: &label}
	for name, c := range map[string]struct {
		err  error
		code studycircle.Code
	}{
		"an organizer labels a member":               {studycircle.MayChangeMember(organizer, circle, member, text, 1, free), ""},
		"a member labels a member":                   {studycircle.MayChangeMember(member, circle, heir, text, 1, free), studycircle.CodeNotOrganizer},
		"an outsider labels a member":                {studycircle.MayChangeMember(none, circle, member, text, 1, free), studycircle.CodeNotFound},
		"an organizer labels an outsider":            {studycircle.MayChangeMember(organizer, circle, none, text, 1, free), studycircle.CodeNotFound},
		"a label in an archived circle":              {studycircle.MayChangeMember(organizer, archived, member, text, 1, free), studycircle.CodeCircleArchived},
		"an organizer promotes":                      {studycircle.MayChangeMember(organizer, circle, member, to(studycircle.CircleOrganizer), 1, free), studycircle.CodeNotOwner},
		"an organizer names the same role":           {studycircle.MayChangeMember(organizer, circle, member, to(studycircle.CircleMember), 1, free), ""},
		"an owner promotes":                          {studycircle.MayChangeMember(owner, circle, member, to(studycircle.CircleOwner), 4, free), ""},
		"an owner makes a sixth":                     {studycircle.MayChangeMember(owner, circle, member, to(studycircle.CircleOwner), 5, free), studycircle.CodeTooManyOwners},
		"an owner promotes a user with the most":     {studycircle.MayChangeMember(owner, circle, member, to(studycircle.CircleOwner), 1, full), studycircle.CodeTooManyCircles},
		"an owner promotes in the last circle":       {studycircle.MayChangeMember(owner, circle, member, to(studycircle.CircleOwner), 1, most), ""},
		"the last owner steps down":                  {studycircle.MayChangeMember(owner, circle, owner, to(studycircle.CircleMember), 1, free), studycircle.CodeLastOwner},
		"an owner demotes another":                   {studycircle.MayChangeMember(owner, circle, second, to(studycircle.CircleMember), 2, free), ""},
		"an organizer removes a member":              {studycircle.MayRemoveMember(organizer, circle, member, 1), ""},
		"an organizer removes an organizer":          {studycircle.MayRemoveMember(organizer, circle, of("o", studycircle.CircleOrganizer), 1), studycircle.CodeNotOwner},
		"an organizer removes an owner":              {studycircle.MayRemoveMember(organizer, circle, owner, 2), studycircle.CodeNotOwner},
		"an organizer removes an outsider":           {studycircle.MayRemoveMember(organizer, circle, none, 1), studycircle.CodeNotFound},
		"an owner removes another":                   {studycircle.MayRemoveMember(owner, circle, second, 2), ""},
		"the last owner removes the last owner":      {studycircle.MayRemoveMember(owner, circle, owner, 1), studycircle.CodeLastOwner},
		"a member removes":                           {studycircle.MayRemoveMember(member, circle, heir, 1), studycircle.CodeNotOrganizer},
		"an outsider removes":                        {studycircle.MayRemoveMember(none, circle, member, 1), studycircle.CodeNotFound},
		"a removal from an archived circle":          {studycircle.MayRemoveMember(owner, archived, member, 1), studycircle.CodeCircleArchived},
		"a member leaves":                            {studycircle.MayLeave(member, archived, 1), ""},
		"the last owner leaves":                      {studycircle.MayLeave(owner, circle, 1), studycircle.CodeLastOwner},
		"one of two owners leaves":                   {studycircle.MayLeave(owner, circle, 2), ""},
		"an outsider leaves":                         {studycircle.MayLeave(none, circle, 1), studycircle.CodeNotFound},
		"an owner hands over":                        {studycircle.MayHandOver(owner, circle, member), ""},
		"an owner hands over to the same":            {studycircle.MayHandOver(owner, circle, owner), studycircle.CodeNotFound},
		"an owner hands over to an outsider":         {studycircle.MayHandOver(owner, circle, none), studycircle.CodeNotFound},
		"an organizer hands over":                    {studycircle.MayHandOver(organizer, circle, member), studycircle.CodeNotOwner},
		"an owner hands over an archived circle":     {studycircle.MayHandOver(owner, archived, member), studycircle.CodeCircleArchived},
		"the heir accepts":                           {studycircle.MayTakeOver(heir, circle, owner, free), ""},
		"a user who was not asked accepts":           {studycircle.MayTakeOver(member, circle, owner, free), studycircle.CodeNotFound},
		"a member accepts of an owner who is none":   {studycircle.MayTakeOver(heir, circle, organizer, free), studycircle.CodeNotFound},
		"a member accepts though none was asked":     {studycircle.MayTakeOver(heir, plain, owner, free), studycircle.CodeNotFound},
		"an outsider accepts":                        {studycircle.MayTakeOver(none, circle, owner, free), studycircle.CodeNotFound},
		"the heir accepts an archived circle":        {studycircle.MayTakeOver(heir, archived, owner, free), studycircle.CodeCircleArchived},
		"the heir has the most circles of their own": {studycircle.MayTakeOver(heir, circle, owner, full), studycircle.CodeTooManyCircles},
	} {
		require.Equal(t, c.code, studycircle.CodeOf(c.err), name)
	}
}

// The ways into a circle.
func TestPolicyOfJoining(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, join := range []studycircle.Joining{studycircle.JoinInvite, studycircle.JoinAsk, studycircle.JoinOpen} {
		c := studycircle.Circle{ID: "c", CircleInput: studycircle.CircleInput{Join: join}}
		archived, deleted := c, c
		archived.ArchivedAt, deleted.DeletedAt = now, now
		require.Equal(t, join == studycircle.JoinOpen, studycircle.MayJoin(c, false) == nil, join)
		require.Equal(t, join == studycircle.JoinAsk, studycircle.MayAsk(c, false) == nil, join)
		for _, may := range []func(studycircle.Circle, bool) error{studycircle.MayJoin, studycircle.MayAsk} {
			for _, err := range []error{may(c, true), may(archived, false), may(deleted, false), may(studycircle.Circle{CircleInput: c.CircleInput}, false)} {
				require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err), join)
			}
		}
	}
	one, none := int64(1), int64(0)
	circle := studycircle.Circle{ID: "c"}
	archived, deleted := circle, circle
	archived.ArchivedAt, deleted.DeletedAt = now, now
	verified := studycircle.User{ID: "u", Email: "eve@example.org", EmailVerifiedAt: now}
	unverified := verified
	unverified.EmailVerifiedAt = time.Time{}
	valid := studycircle.Invitation{CircleID: "c", CreatedAt: now.Add(-time.Hour), InvitationInput: studycircle.InvitationInput{Uses: &one, ExpiresAt: now.Add(1)}}
	with := func(change func(*studycircle.Invitation)) studycircle.Invitation {
		i := valid
		change(&i)
		return i
	}
	email := with(func(i *studycircle.Invitation) { i.OnlyEmail = "eve@example.org" })
	domain := with(func(i *studycircle.Invitation) { i.OnlyDomain = "example.org" })
	for name, c := range map[string]struct {
		err  error
		code studycircle.Code
	}{
		"valid":                {studycircle.MayJoinBy(valid, circle, unverified, time.Time{}, now), ""},
		"any number of uses":   {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.Uses = nil }), circle, unverified, time.Time{}, now), ""},
		"used up":              {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.Uses = &none }), circle, verified, time.Time{}, now), studycircle.CodeNotFound},
		"expired":              {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.ExpiresAt = now }), circle, verified, time.Time{}, now), studycircle.CodeNotFound},
		"revoked":              {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.RevokedAt = now }), circle, verified, time.Time{}, now), studycircle.CodeNotFound},
		"of a roster":          {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.RosterEmail = "eve@example.org" }), circle, verified, time.Time{}, now), ""},
		"that, unverified":     {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.RosterEmail = "eve@example.org" }), circle, unverified, time.Time{}, now), studycircle.CodeNotFound},
		"that, of another":     {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.RosterEmail = "bob@example.org" }), circle, verified, time.Time{}, now), studycircle.CodeNotFound},
		"another circle":       {studycircle.MayJoinBy(valid, studycircle.Circle{ID: "d"}, verified, time.Time{}, now), studycircle.CodeNotFound},
		"the address":          {studycircle.MayJoinBy(email, circle, verified, time.Time{}, now), ""},
		"not verified":         {studycircle.MayJoinBy(email, circle, unverified, time.Time{}, now), studycircle.CodeNotFound},
		"another address":      {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.OnlyEmail = "bob@example.org" }), circle, verified, time.Time{}, now), studycircle.CodeNotFound},
		"the domain":           {studycircle.MayJoinBy(domain, circle, verified, time.Time{}, now), ""},
		"domain, not verified": {studycircle.MayJoinBy(domain, circle, unverified, time.Time{}, now), studycircle.CodeNotFound},
		"a part of the domain": {studycircle.MayJoinBy(with(func(i *studycircle.Invitation) { i.OnlyDomain = "ample.org" }), circle, verified, time.Time{}, now), studycircle.CodeNotFound},
		"removed before":       {studycircle.MayJoinBy(valid, circle, verified, now.Add(-2*time.Hour), now), ""},
		"removed since":        {studycircle.MayJoinBy(valid, circle, verified, now.Add(-time.Hour), now), studycircle.CodeNotFound},
		"archived":             {studycircle.MayJoinBy(valid, archived, verified, time.Time{}, now), studycircle.CodeCircleArchived},
		"deleted":              {studycircle.MayJoinBy(valid, deleted, verified, time.Time{}, now), studycircle.CodeNotFound},
	} {
		require.Equal(t, c.code, studycircle.CodeOf(c.err), name)
	}
}

// What members may do with each other, in a circle with two owners: role, label, remove.
func TestMayDoWithMember(t *testing.T) {
	t.Parallel()
	c := studycircle.Circle{ID: "c"}
	as := func(id string, role studycircle.CircleRole) studycircle.Membership {
		return studycircle.Membership{CircleID: "c", UserID: id, Role: role}
	}
	owner, organizer, member := as("ada", studycircle.CircleOwner), as("bob", studycircle.CircleOrganizer), as("cleo", studycircle.CircleMember)
	all := studycircle.MemberMay{Role: true, Label: true, Remove: true}
	for name, test := range map[string]struct {
		m, of  studycircle.Membership
		owners int64
		want   studycircle.MemberMay
	}{
		"an owner and a member":         {owner, member, 1, all},
		"an owner and an organizer":     {owner, organizer, 1, all},
		"an owner and another":          {owner, as("dan", studycircle.CircleOwner), 2, all},
		"the last owner":                {owner, owner, 1, studycircle.MemberMay{Label: true}},
		"an organizer and a member":     {organizer, member, 1, studycircle.MemberMay{Label: true, Remove: true}},
		"an organizer and another":      {organizer, as("dan", studycircle.CircleOrganizer), 1, studycircle.MemberMay{Label: true}},
		"an organizer and an owner":     {organizer, owner, 2, studycircle.MemberMay{Label: true}},
		"a member and another":          {member, as("dan", studycircle.CircleMember), 1, studycircle.MemberMay{}},
		"an outsider and a member":      {studycircle.Membership{}, member, 1, studycircle.MemberMay{}},
		"an owner and a former member":  {owner, studycircle.Membership{}, 1, studycircle.MemberMay{}},
		"an owner of another, a member": {studycircle.Membership{CircleID: "d", UserID: "ada", Role: studycircle.CircleOwner}, member, 1, studycircle.MemberMay{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, studycircle.MemberActions(test.m, c, test.of, test.owners))
		})
	}
	archived := c
	archived.ArchivedAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	require.Zero(t, studycircle.MemberActions(owner, archived, member, 1))
}

// hall is the circle of what belongs to no circle.
var hall studycircle.OwnCircle

// A deleted circle is removed after the time in which it can be restored.
func TestMayRemoveCircle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for deleted, want := range map[time.Time]bool{
		{}: false, now: false, now.Add(-studycircle.CircleRestorable): false, now.Add(-studycircle.CircleRestorable - time.Microsecond): true,
	} {
		require.Equal(t, want, studycircle.CanRemoveCircle(studycircle.Circle{ID: "c", DeletedAt: deleted}, now), "%v", deleted)
	}
}
