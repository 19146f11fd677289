package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// id returns c's user id.
func (c *client) id(t *testing.T) string {
	t.Helper()
	return c.n.viewer(t, c).UserID()
}

// admits makes an invitation for a role, by which people join.
func (c *client) admits(t *testing.T, circleID, role string, people ...*client) {
	t.Helper()
	_, secret := c.invite(t, circleID, "role", role)
	for _, one := range people {
		require.Equal(t, circleID, one.join(t, secret).is(t, http.StatusOK).text(t, "circleId"))
	}
}

// members lists the members of a circle as "Ada owner", of those whom the query selects.
func (c *client) members(t *testing.T, circleID, query string) (out []string) {
	t.Helper()
	got := c.get(t, "/api/circle/"+circleID+"/members?"+query).is(t, http.StatusOK).json(t)
	for _, one := range got["data"].([]any) {
		out = append(out, fmt.Sprint(one.(doc)["displayName"], " ", one.(doc)["role"]))
	}
	require.InDelta(t, len(out), got["pagination"].(doc)["total"], 0)
	return out
}

func TestCircleMembers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		id := ada.circle(t, "Readers")
		at := "/api/circle/" + id
		ada.admits(t, id, "organizer", bob)
		ada.admits(t, id, "member", cleo)
		of := at + "/members/" + cleo.id(t)
		bob.patch(t, of, doc{"label": " Red ", "name": "Cleo Clay"}).modified(t, 1)
		bob.patch(t, of, doc{"label": "Red", "name": "Cleo Clay"}).modified(t, 0)

		require.Equal(t, []string{"Ada owner", "Bob organizer", "Cleo member"}, cleo.members(t, id, ""))
		require.Equal(t, []string{"Bob organizer"}, cleo.members(t, id, "role=organizer"))
		require.Equal(t, []string{"Cleo member"}, cleo.members(t, id, "label=Red"))
		require.Equal(t, []string{"Cleo member"}, cleo.members(t, id, "label=Red&role=member&search=cl"))
		require.Empty(t, cleo.members(t, id, "search=clay"), "only organizers search names in the roster")
		require.Equal(t, []string{"Cleo member"}, bob.members(t, id, "search=clay"))
		require.Len(t, bob.members(t, id, "search=example"), 3)

		theirs := cleo.get(t, at+"/members?label=Red").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.ElementsMatch(t, []string{"userId", "displayName", "photoURL", "role", "label", "joinedAt"}, slices.Collect(maps.Keys(theirs)))
		organizers := bob.get(t, at+"/members?label=Red").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, []any{cleo.email, "Cleo Clay"}, []any{organizers["email"], organizers["name"]})
		require.Regexp(t, `T00:00:00Z$`, organizers["lastSeenAt"])
		may := func(c *client, query string) any {
			return c.get(t, at+"/members?"+query).is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["may"]
		}
		all, none := doc{"role": true, "label": true, "remove": true}, doc{"role": false, "label": true, "remove": false}
		require.Equal(t, []any{none, all, all}, []any{may(ada, "role=owner"), may(ada, "role=organizer"), may(ada, "role=member")})
		require.Equal(t, []any{none, doc{"role": false, "label": true, "remove": true}}, []any{may(bob, "role=owner"), may(bob, "role=member")})

		role := func(r string) doc { return doc{"role": r} }
		for name, c := range map[string]struct {
			a      *answer
			status int
			code   studycircle.Code
		}{
			"an outsider lists":             {eve.get(t, at+"/members"), 404, studycircle.CodeNotFound},
			"a visitor lists":               {n.visitor().get(t, at+"/members"), 401, studycircle.CodeUnauthenticated},
			"a role that is not known":      {ada.get(t, at+"/members?role=guest"), 422, studycircle.CodeInvalid},
			"an outsider changes":           {eve.patch(t, of, doc{"label": "a"}), 404, studycircle.CodeNotFound},
			"a visitor changes":             {n.visitor().patch(t, of, doc{"label": "a"}), 401, studycircle.CodeUnauthenticated},
			"a member changes":              {cleo.patch(t, of, doc{"label": "a"}), 403, studycircle.CodeNotOrganizer},
			"an organizer changes a role":   {bob.patch(t, of, role("organizer")), 403, studycircle.CodeNotOwner},
			"a user who is no member":       {ada.patch(t, at+"/members/"+eve.id(t), doc{"label": "a"}), 404, studycircle.CodeNotFound},
			"an unknown user":               {ada.patch(t, at+"/members/nothing", doc{"label": "a"}), 404, studycircle.CodeNotFound},
			"a long label":                  {ada.patch(t, of, doc{"label": repeated("é", 41)}), 422, studycircle.CodeInvalid},
			"a long name":                   {ada.patch(t, of, doc{"name": repeated("é", 101)}), 422, studycircle.CodeInvalid},
			"a role that does not exist":    {ada.patch(t, of, role("guest")), 422, studycircle.CodeInvalid},
			"the last owner is demoted":     {ada.patch(t, at+"/members/"+ada.id(t), role("member")), 409, studycircle.CodeLastOwner},
			"the last owner is removed":     {ada.del(t, at+"/members/"+ada.id(t)), 409, studycircle.CodeLastOwner},
			"an organizer removes an owner": {bob.del(t, at+"/members/"+ada.id(t)), 403, studycircle.CodeNotOwner},
			"the last owner leaves":         {ada.post(t, at+"/leave", nil), 409, studycircle.CodeLastOwner},
			"an outsider removes":           {eve.del(t, of), 404, studycircle.CodeNotFound},
			"a visitor removes":             {n.visitor().del(t, of), 401, studycircle.CodeUnauthenticated},
			"a member removes":              {cleo.del(t, at+"/members/"+bob.id(t)), 403, studycircle.CodeNotOrganizer},
			"an outsider leaves":            {eve.post(t, at+"/leave", nil), 404, studycircle.CodeNotFound},
			"a visitor leaves":              {n.visitor().post(t, at+"/leave", nil), 401, studycircle.CodeUnauthenticated},
		} {
			t.Run(name, func(t *testing.T) { c.a.refused(t, c.status, c.code) })
		}

		ada.patch(t, of, role("owner")).modified(t, 1)
		require.Equal(t, []string{"Ada owner", "Cleo owner"}, cleo.members(t, id, "role=owner"))
		ada.post(t, at+"/leave", nil).modified(t, 1)
		ada.get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cleo.del(t, at+"/members/"+bob.id(t)).is(t, http.StatusOK)
		bob.get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, []string{"Cleo owner"}, cleo.members(t, id, ""))
	})
}

func TestTooManyCircleOwners(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		others := n.people(t, "Bob", "Cleo", "Dan", "Eve", "Fay")
		ada.admits(t, id, "member", others...)
		for i, one := range others {
			a := ada.patch(t, "/api/circle/"+id+"/members/"+one.id(t), doc{"role": "owner"})
			if i < studycircle.MaxOwners-1 {
				a.modified(t, 1)
			} else {
				a.refused(t, http.StatusConflict, studycircle.CodeTooManyOwners)
			}
		}
	})
}

func TestCircleHandover(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		id := ada.circle(t, "Readers")
		at := "/api/circle/" + id
		ada.admits(t, id, "member", bob, cleo)
		to := func(c *client) doc { return doc{"userId": c.id(t)} }
		eve.post(t, at+"/handover", to(bob)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, at+"/handover", to(cleo)).refused(t, http.StatusForbidden, studycircle.CodeNotOwner)
		n.visitor().post(t, at+"/handover", to(bob)).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		ada.post(t, at+"/handover", doc{"userId": 5}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.userId")
		for _, c := range []*client{eve, ada} {
			ada.post(t, at+"/handover", to(c)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		bob.post(t, at+"/handover/accept", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.post(t, at+"/handover", to(bob)).modified(t, 1)
		for c, want := range map[*client]any{ada: bob.id(t), bob: bob.id(t), cleo: nil} {
			require.Equal(t, want, c.get(t, at).is(t, http.StatusOK).json(t)["heirId"])
		}
		for _, c := range []*client{cleo, eve} {
			c.post(t, at+"/handover/accept", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		n.visitor().post(t, at+"/handover/accept", nil).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		bob.post(t, at+"/handover/accept", nil).modified(t, 1)
		require.Equal(t, []string{"Ada organizer", "Bob owner", "Cleo member"}, cleo.members(t, id, ""))
		bob.post(t, at+"/handover/accept", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// An archived circle can be read and left, but not changed.
func TestArchivedCircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		id := ada.circle(t, "Readers", "join", "ask")
		at := "/api/circle/" + id
		ada.admits(t, id, "member", bob)
		cleo.post(t, at+"/ask", nil).is(t, http.StatusOK)
		invitation, secret := ada.invite(t, id)
		ada.post(t, at+"/handover", doc{"userId": bob.id(t)}).modified(t, 1)
		for _, path := range []string{at + "/archive", at + "/unarchive"} {
			eve.post(t, path, nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			bob.post(t, path, nil).refused(t, http.StatusForbidden, studycircle.CodeNotOwner)
			n.visitor().post(t, path, nil).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		ada.post(t, at+"/archive", nil).modified(t, 1)
		ada.post(t, at+"/archive", nil).modified(t, 0)
		for _, a := range []*answer{
			ada.put(t, at, doc{"name": "Writers"}),
			ada.patch(t, at+"/members/"+bob.id(t), doc{"label": "Red"}),
			ada.del(t, at+"/members/"+bob.id(t)),
			ada.post(t, at+"/handover", doc{"userId": bob.id(t)}),
			bob.post(t, at+"/handover/accept", nil),
			ada.post(t, at+"/invitations", doc{}),
			ada.del(t, at+"/invitations/"+invitation),
			ada.post(t, at+"/asking/"+cleo.id(t), doc{"accept": true}),
			eve.join(t, secret),
		} {
			a.refused(t, http.StatusConflict, studycircle.CodeCircleArchived)
		}
		for _, path := range []string{at + "/join", at + "/ask"} {
			eve.post(t, path, nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		for _, path := range []string{"", "/members", "/invitations", "/asking"} {
			ada.get(t, at+path).is(t, http.StatusOK)
		}
		bob.post(t, at+"/leave", nil).modified(t, 1)
		ada.post(t, at+"/unarchive", nil).modified(t, 1)
		ada.put(t, at, doc{"name": "Writers"}).modified(t, 1)
		eve.join(t, secret).is(t, http.StatusOK)
	})
}

// Two owners who demote each other at once, many times, leave one.
func TestOwnersDemoteEachOtherAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		owners := n.people(t, "Ada", "Bob")
		id := owners[0].circle(t, "Readers")
		owners[0].admits(t, id, "member", owners[1])
		at := []string{"/api/circle/" + id + "/members/" + owners[0].id(t), "/api/circle/" + id + "/members/" + owners[1].id(t)}
		owners[0].patch(t, at[1], doc{"role": "owner"}).modified(t, 1)
		statuses := atOnce(t, func(i int) (*answer, error) {
			return owners[i%2].try(t.Context(), http.MethodPatch, at[1-i%2], doc{"role": "member"})
		})
		require.Positive(t, statuses[http.StatusOK])
		require.Equal(t, crowd, statuses[http.StatusOK]+statuses[http.StatusForbidden], "%v", statuses)
		require.Len(t, owners[0].members(t, id, "role=owner"), 1)
	})
}
