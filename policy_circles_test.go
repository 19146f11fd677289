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
