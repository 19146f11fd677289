package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// id returns c's user id.
func (c *client) id(t *testing.T) string {
	t.Helper()
	return c.n.viewer(t, c).UserID()
}

// invite makes an invitation and returns its id and secret. The fields are pairs of names and values.
func (c *client) invite(t *testing.T, circleID string, pairs ...any) (id, secret string) {
	t.Helper()
	body := doc{}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	a := c.post(t, "/api/circle/"+circleID+"/invitations", body).is(t, http.StatusCreated)
	address, secret, found := strings.Cut(a.text(t, "url"), "#")
	require.True(t, found && secret != "" && strings.HasSuffix(address, "/join"), "%s", a.body)
	return a.text(t, "_id"), secret
}

// admits makes an invitation for a role, by which people join.
func (c *client) admits(t *testing.T, circleID, role string, people ...*client) {
	t.Helper()
	_, secret := c.invite(t, circleID, "role", role)
	for _, one := range people {
		require.Equal(t, circleID, one.join(t, secret).is(t, http.StatusOK).text(t, "circleId"))
	}
}

func (c *client) join(t *testing.T, secret string) *answer {
	t.Helper()
	return c.post(t, "/api/circles/join", doc{"secret": secret})
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

func TestInvitations(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		id := ada.circle(t, "Readers")
		at := "/api/circle/" + id + "/invitations"
		ada.admits(t, id, "organizer", bob)
		first, secret := bob.invite(t, id, "uses", 2, "label", " Red ", "role", "member")
		cleo.join(t, secret).is(t, http.StatusOK)
		cleo.join(t, secret).is(t, http.StatusOK) // a member stays one and uses nothing
		a := bob.get(t, at).is(t, http.StatusOK)
		require.NotContains(t, string(a.body), secret)
		require.Empty(t, n.tablesWith(t, []string{secret}))
		got := a.json(t)["data"].([]any)
		require.Len(t, got, 2)
		newest := got[0].(doc)
		require.Equal(t, []any{first, "member", 1.0, "Red", 1.0, nil, []any{doc{"authorId": cleo.id(t), "displayName": "Cleo"}}},
			[]any{newest["_id"], newest["role"], newest["uses"], newest["label"], newest["joins"], newest["revokedAt"], newest["joined"]})
		require.Nil(t, got[1].(doc)["uses"])
		expires, err := time.Parse(time.RFC3339, newest["expiresAt"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, n.clock.now().Add(studycircle.InvitationByDefault), expires, time.Hour)
		require.Equal(t, []string{"Cleo member"}, bob.members(t, id, "label=Red"))

		tomorrow := func(d time.Duration) string { return n.clock.now().Add(d).UTC().Format(time.RFC3339) }
		for field, body := range map[string]doc{
			"role": {"role": "owner"}, "uses": {"uses": 0}, "expiresAt": {"expiresAt": tomorrow(-time.Hour)}, "onlyEmail": {"onlyEmail": "a"},
			"onlyDomain": {"onlyDomain": "@"}, "label": {"label": repeated("é", 41)},
		} {
			ada.post(t, at, body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+field)
		}
		for _, body := range []doc{{"uses": 100_001}, {"expiresAt": tomorrow(367 * 24 * time.Hour)}, {"expiresAt": "soon"}} {
			ada.post(t, at, body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		}
		ada.get(t, at+"?limit=0").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		ada.invite(t, id, "uses", 100_000, "expiresAt", tomorrow(365*24*time.Hour))
		ada.invite(t, id, "uses", nil, "expiresAt", nil, "onlyEmail", nil, "onlyDomain", nil, "label", nil)
		for c, refused := range map[*client]struct {
			status int
			code   studycircle.Code
		}{
			eve: {404, studycircle.CodeNotFound}, cleo: {403, studycircle.CodeNotOrganizer}, n.visitor(): {401, studycircle.CodeUnauthenticated},
		} {
			c.get(t, at).refused(t, refused.status, refused.code)
			c.post(t, at, doc{}).refused(t, refused.status, refused.code)
			c.del(t, at+"/"+first).refused(t, refused.status, refused.code)
		}
		other := eve.circle(t, "Others")
		eve.del(t, "/api/circle/"+other+"/invitations/"+first).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.del(t, at+"/"+first).is(t, http.StatusOK)
		bob.del(t, at+"/"+first).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		eve.join(t, secret).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// A secret that does not admit a user answers like an unknown one.
func TestJoiningByInvitationIsRefusedAlike(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		id, gone := ada.circle(t, "Readers"), ada.circle(t, "Gone")
		secret := func(circleID string, pairs ...any) string {
			_, s := ada.invite(t, circleID, pairs...)
			return s
		}
		used := secret(id, "uses", 1)
		bob.join(t, used).is(t, http.StatusOK)
		revokedID, revoked := ada.invite(t, id)
		ada.del(t, "/api/circle/"+id+"/invitations/"+revokedID).is(t, http.StatusOK)
		expired := secret(id, "expiresAt", n.clock.now().Add(2*time.Second).UTC().Format(time.RFC3339))
		deleted := secret(gone)
		ada.del(t, "/api/circle/"+gone).is(t, http.StatusOK)
		own, domain := secret(id, "onlyEmail", " EVE@example.org"), secret(id, "onlyDomain", "@Example.org")
		n.clock.advance(3 * time.Second)
		unknown := eve.join(t, "unknown").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		unknown.header.Del("Date")
		refused := func(secrets ...string) {
			for _, s := range secrets {
				a := eve.join(t, s).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				a.header.Del("Date")
				require.Equal(t, string(unknown.body), string(a.body))
				require.Equal(t, unknown.header, a.header)
			}
		}
		refused("", used, revoked, expired, deleted, secret(id, "onlyEmail", bob.email), secret(id, "onlyDomain", "example.com"))
		refused(own, domain) // until the address is verified
		eve.confirmed(t)
		refused(secret(id, "onlyEmail", bob.email), secret(id, "onlyDomain", "example.com"), secret(id, "onlyEmail", eve.email, "onlyDomain", "example.com"))
		eve.join(t, own).is(t, http.StatusOK)
		eve.post(t, "/api/circle/"+id+"/leave", nil).modified(t, 1)
		eve.join(t, domain).is(t, http.StatusOK)
		eve.post(t, "/api/circles/join", doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		n.visitor().join(t, domain).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
	})
}

// A user may try 20 secrets an hour; refused ones count.
func TestJoiningIsLimited(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada, eve := n.user(t, "Ada"), n.user(t, "Eve")
		_, secret := ada.invite(t, ada.circle(t, "Readers"))
		for range 20 {
			eve.join(t, "unknown").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		eve.join(t, secret).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		n.clock.advance(time.Hour + time.Second)
		eve.newSession(t)
		eve.join(t, secret).is(t, http.StatusOK)
	})
}

// A user whom an organizer has removed joins again only by an invitation that was made later.
func TestRemovedUserNeedsANewInvitation(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers", "join", "open", "listed", true)
		at := "/api/circle/" + id
		_, secret := ada.invite(t, id)
		bob.join(t, secret).is(t, http.StatusOK)
		bob.post(t, at+"/leave", nil).modified(t, 1)
		bob.join(t, secret).is(t, http.StatusOK)
		n.clock.advance(time.Second)
		ada.del(t, at+"/members/"+bob.id(t)).is(t, http.StatusOK)
		n.clock.advance(time.Second)
		bob.join(t, secret).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, at+"/join", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		found := bob.get(t, "/api/circles?listed=true").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, []any{false, false}, []any{found["mayJoin"], found["mayAsk"]})
		ada.put(t, at, doc{"name": "Readers", "join": "ask"}).modified(t, 1)
		bob.post(t, at+"/ask", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.admits(t, id, "member", bob)
		require.Equal(t, []string{"Ada owner", "Bob member"}, bob.members(t, id, ""))
		bob.post(t, at+"/leave", nil).modified(t, 1)
		bob.post(t, at+"/ask", nil).is(t, http.StatusOK)
	})
}

func TestOpenCirclesAndRequests(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan")
		open := ada.circle(t, "Open readers", "join", "open", "listed", true)
		ask := ada.circle(t, "Shy readers", "join", "ask", "listed", true, "description", "We *read*.")
		ada.circle(t, "Hidden readers", "join", "open")
		listed := func(c *client, query string) (out []string) {
			got := c.get(t, "/api/circles?listed=true"+query).is(t, http.StatusOK).json(t)
			for _, one := range got["data"].([]any) {
				d := one.(doc)
				out = append(out, fmt.Sprint(d["name"], " ", d["members"], " ", d["role"], " ", d["asked"], " ", d["mayJoin"], " ", d["mayAsk"]))
			}
			return out
		}
		require.Equal(t, []string{"Open readers 1 <nil> false true false", "Shy readers 1 <nil> false false true"}, listed(bob, ""))
		require.Equal(t, []string{"Shy readers 1 <nil> false false true"}, listed(bob, "&search=sh+read"))
		require.Empty(t, listed(bob, "&search=hidden"))
		beyond := bob.get(t, "/api/circles?listed=true&page=3&limit=1").is(t, http.StatusOK).json(t)
		require.Empty(t, beyond["data"])
		require.InDelta(t, 2, beyond["pagination"].(doc)["total"], 0)
		bob.get(t, "/api/circles?listed=perhaps").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)

		require.Equal(t, open, bob.post(t, "/api/circle/"+open+"/join", nil).is(t, http.StatusOK).text(t, "circleId"))
		bob.post(t, "/api/circle/"+open+"/join", nil).is(t, http.StatusOK)
		require.Equal(t, []string{"Ada owner", "Bob member"}, bob.members(t, open, ""))
		bob.post(t, "/api/circle/"+ask+"/join", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.post(t, "/api/circle/"+open+"/ask", nil).is(t, http.StatusOK) // a member stays one
		dan.post(t, "/api/circle/"+open+"/ask", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		at := "/api/circle/" + ask
		for _, c := range []*client{bob, bob, cleo} {
			require.Equal(t, ask, c.post(t, at+"/ask", nil).is(t, http.StatusOK).text(t, "circleId"))
		}
		require.Equal(t, []string{"Open readers 2 member false false false", "Shy readers 1 <nil> true false false"}, listed(bob, ""))
		bob.get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		asking := ada.get(t, at+"/asking").is(t, http.StatusOK).json(t)
		require.InDelta(t, 2, asking["pagination"].(doc)["total"], 0)
		require.Equal(t, bob.id(t), asking["data"].([]any)[0].(doc)["userId"])
		ada.get(t, at+"/asking?page=0").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		answer := at + "/asking/"
		ada.post(t, answer+bob.id(t), doc{"accept": true}).modified(t, 1)
		ada.post(t, answer+bob.id(t), doc{"accept": true}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, []string{"Ada owner", "Bob member"}, bob.members(t, ask, ""))
		for c, refused := range map[*client]struct {
			status int
			code   studycircle.Code
		}{
			dan: {404, studycircle.CodeNotFound}, bob: {403, studycircle.CodeNotOrganizer}, n.visitor(): {401, studycircle.CodeUnauthenticated},
		} {
			c.get(t, at+"/asking").refused(t, refused.status, refused.code)
			c.post(t, answer+cleo.id(t), doc{"accept": true}).refused(t, refused.status, refused.code)
		}
		ada.post(t, answer+cleo.id(t), doc{"accept": "yes"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.accept")
		ada.post(t, answer+cleo.id(t), doc{"accept": false}).modified(t, 1)
		require.Empty(t, ada.get(t, at+"/asking").is(t, http.StatusOK).json(t)["data"])
		cleo.get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		for _, path := range []string{"/join", "/ask"} {
			n.visitor().post(t, at+path, nil).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
	})
}

// Of users who use an invitation's last use at once, one joins.
func TestTheLastUseOfAnInvitationAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		_, secret := ada.invite(t, id, "uses", 1)
		people := make([]*client, crowd)
		for i := range people {
			people[i] = n.user(t, fmt.Sprint("Bob", i))
		}
		statuses := atOnce(t, func(i int) (*answer, error) {
			return people[i].try(t.Context(), http.MethodPost, "/api/circles/join", doc{"secret": secret})
		})
		require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusNotFound: crowd - 1}, statuses)
		require.Len(t, ada.members(t, id, ""), 2)
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

// A user who asks many times at once asks once.
func TestAskingAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		at := "/api/circle/" + ada.circle(t, "Readers", "join", "ask")
		statuses := atOnce(t, func(int) (*answer, error) { return bob.try(t.Context(), http.MethodPost, at+"/ask", nil) })
		require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		require.Len(t, ada.get(t, at+"/asking").is(t, http.StatusOK).json(t)["data"], 1)
	})
}
