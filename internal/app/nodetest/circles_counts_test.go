package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Each filter of members, and its total, follows each change of a role, a label, a name and a membership.
func TestMembersAreCountedAfterEachChange(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		id := ada.circle(t, "Readers")
		at := "/api/circle/" + id
		ada.admits(t, id, "member", bob, cleo)
		requireMembers := func(want map[string][]string) {
			t.Helper()
			for query, members := range want {
				require.Equal(t, members, ada.members(t, id, query), query)
			}
		}
		ada.patch(t, at+"/members/"+bob.id(t), doc{"role": "organizer", "label": "Red"}).modified(t, 1)
		ada.patch(t, at+"/members/"+cleo.id(t), doc{"label": "Red"}).modified(t, 1)
		requireMembers(map[string][]string{
			"role=member": {"Cleo member"}, "role=organizer": {"Bob organizer"}, "label=Red": {"Bob organizer", "Cleo member"},
			"role=member&label=Red": {"Cleo member"}, "role=owner&label=Red": nil, "role=organizer&search=cleo": nil, "label=Blue&search=cleo": nil,
		})
		ada.patch(t, at+"/members/"+bob.id(t), doc{"role": "owner", "label": "Blue"}).modified(t, 1)
		ada.patch(t, at+"/members/"+cleo.id(t), doc{"label": ""}).modified(t, 1)
		requireMembers(map[string][]string{"role=organizer": nil, "role=owner": {"Ada owner", "Bob owner"}, "label=Red": nil, "label=Blue": {"Bob owner"}})
		cleo.patch(t, "/api/auth/profile", doc{"displayName": "Zoe", "photoURL": ""}).is(t, http.StatusOK)
		requireMembers(map[string][]string{"search=zoe": {"Zoe member"}, "search=cleo&role=owner": nil, "search=cleo": {"Zoe member"}}) // by the address
		require.Empty(t, cleo.members(t, id, "search=cleo"), "members do not search addresses")
		bob.post(t, at+"/leave", nil).modified(t, 1)
		requireMembers(map[string][]string{"": {"Ada owner", "Zoe member"}, "role=owner": {"Ada owner"}, "label=Blue": nil, "search=bob": nil})
	})
}

// The number of users who ask to join falls as they are answered, join by an invitation, and delete their accounts.
func TestRequestsAreCountedAfterEachChange(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, others := n.user(t, "Ada"), n.people(t, "Bob", "Cleo", "Dan", "Eve")
		id := ada.circle(t, "Readers", "join", "ask")
		at := "/api/circle/" + id
		for _, one := range others {
			one.post(t, at+"/ask", nil).is(t, http.StatusOK)
		}
		asking := func() (names []any) {
			t.Helper()
			got := ada.get(t, at+"/asking").is(t, http.StatusOK).json(t)
			for _, one := range got["data"].([]any) {
				names = append(names, one.(doc)["displayName"])
			}
			require.InDelta(t, len(names), got["pagination"].(doc)["total"], 0)
			return names
		}
		require.Equal(t, []any{"Bob", "Cleo", "Dan", "Eve"}, asking())
		ada.post(t, at+"/asking/"+others[0].id(t), doc{"accept": false}).modified(t, 1)
		require.Equal(t, []any{"Cleo", "Dan", "Eve"}, asking())
		ada.admits(t, id, "member", others[1])
		require.Equal(t, []any{"Dan", "Eve"}, asking())
		others[2].del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Equal(t, []any{"Eve"}, asking())
		ada.post(t, at+"/asking/"+others[3].id(t), doc{"accept": true}).modified(t, 1)
		require.Empty(t, asking())
		require.Equal(t, []string{"Ada owner", "Cleo member", "Eve member"}, ada.members(t, id, ""))
	})
}

// A member who was asked to become an owner is asked no more once they accept or leave, also if they come back.
func TestHandoverEndsWithItsMember(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers")
		at := "/api/circle/" + id
		asked := func(owner *client) any { return owner.get(t, at).is(t, http.StatusOK).json(t)["heirId"] }
		ada.admits(t, id, "member", bob)
		ada.post(t, at+"/handover", doc{"userId": bob.id(t)}).modified(t, 1)
		bob.post(t, at+"/leave", nil).modified(t, 1)
		require.Nil(t, asked(ada))
		ada.admits(t, id, "member", bob)
		bob.post(t, at+"/handover/accept", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.post(t, at+"/handover", doc{"userId": bob.id(t)}).modified(t, 1)
		require.Equal(t, bob.id(t), asked(ada))
		bob.post(t, at+"/handover/accept", nil).modified(t, 1)
		require.Nil(t, asked(bob))
	})
}

// holds gives a user n more circles, owned or joined.
func (n *node) holds(t *testing.T, c *client, role string, circles int) {
	t.Helper()
	var rows, members []string
	for i := range circles {
		id := strings.ReplaceAll(fmt.Sprint("of", c.id(t), role, i), "-", "")
		rows = append(rows, fmt.Sprintf("('%s', 'One of many', 'one', 'invite', 'members', 'members', 1, 1)", id))
		members = append(members, fmt.Sprintf("('%s', '%s', '%s', 1)", id, c.id(t), role))
	}
	n.exec(t, "INSERT INTO circles (id, name, sort_key, joining, publishing, grading, created_at, updated_at) VALUES "+strings.Join(rows, ", "))
	n.exec(t, "INSERT INTO circle_members (circle_id, user_id, role, joined_at) VALUES "+strings.Join(members, ", "))
}

// The bounds on a user's circles are those of the user who gets another one, not of the organizer who admits or promotes.
func TestBoundsAreOfTheUserWhoGetsACircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		id := ada.circle(t, "Readers", "join", "ask")
		at := "/api/circle/" + id
		n.holds(t, ada, "owner", studycircle.MaxOwnedCircles-1)
		n.holds(t, ada, "member", studycircle.MaxMemberships-studycircle.MaxOwnedCircles)
		for _, one := range []*client{bob, cleo} {
			one.post(t, at+"/ask", nil).is(t, http.StatusOK)
		}
		n.holds(t, cleo, "member", studycircle.MaxMemberships)
		answer := func(of *client) *answer { return ada.post(t, at+"/asking/"+of.id(t), doc{"accept": true}) }
		answer(cleo).refused(t, http.StatusConflict, studycircle.CodeTooManyCircles)
		answer(bob).modified(t, 1)
		ada.patch(t, at+"/members/"+bob.id(t), doc{"role": "owner"}).modified(t, 1)
		ada.patch(t, at+"/members/"+bob.id(t), doc{"role": "member"}).modified(t, 1)
		n.holds(t, bob, "owner", studycircle.MaxOwnedCircles)
		ada.patch(t, at+"/members/"+bob.id(t), doc{"role": "owner"}).refused(t, http.StatusConflict, studycircle.CodeTooManyCircles)
		ada.post(t, at+"/handover", doc{"userId": bob.id(t)}).modified(t, 1)
		bob.post(t, at+"/handover/accept", nil).refused(t, http.StatusConflict, studycircle.CodeTooManyCircles)
	})
}

// Only circles that users can enter are listed.
func TestListedCirclesAreThoseInUse(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers", "join", "open", "listed", true)
		at := "/api/circle/" + id
		for _, step := range []struct {
			do   func() *answer
			seen int
		}{
			{func() *answer { return ada.post(t, at+"/archive", nil) }, 0},
			{func() *answer { return ada.post(t, at+"/unarchive", nil) }, 1},
			{func() *answer { return ada.del(t, at) }, 0},
			{func() *answer { return ada.post(t, at+"/restore", nil) }, 1},
			{func() *answer { return ada.put(t, at, doc{"name": "Readers", "listed": false}) }, 0},
		} {
			step.do().is(t, http.StatusOK)
			got := bob.get(t, "/api/circles?listed=true").is(t, http.StatusOK).json(t)
			require.Len(t, got["data"], step.seen)
			require.InDelta(t, step.seen, got["pagination"].(doc)["total"], 0)
		}
	})
}

// Creating circles, making invitations and asking to join have limits per hour.
func TestChangesOfCirclesAreLimited(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers", "join", "ask")
		other := ada.circle(t, "Others", "join", "ask")
		for _, c := range []struct {
			window string
			max    int
			by     *client
			path   string
			body   any
			again  string
		}{
			{"circle", 60, bob, "/api/circles", doc{"name": "Another"}, "/api/circles"},
			{"invite", 120, ada, "/api/circle/" + id + "/invitations", doc{}, "/api/circle/" + other + "/invitations"},
			{"ask", 20, bob, "/api/circle/" + id + "/ask", nil, "/api/circle/" + other + "/ask"},
		} {
			n.used(t, c.by, c.window, c.max)
			require.Less(t, c.by.post(t, c.path, c.body).status, 300, c.window)
			overLimit(t, c.by.post(t, c.again, c.body))
		}
	})
}
