package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

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

func (c *client) join(t *testing.T, secret string) *answer {
	t.Helper()
	return c.post(t, "/api/circles/join", doc{"secret": secret})
}

// invited previews an invitation.
func (c *client) invited(t *testing.T, secret string) *answer {
	t.Helper()
	return c.post(t, "/api/circles/invited", doc{"secret": secret})
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
		require.Equal(t, []any{first, "member", 1.0, "Red", 1.0, nil, []any{doc{"userId": cleo.id(t), "displayName": "Cleo"}}},
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
		for _, domain := range []string{"*", "*.example.org", "example.org/a", "exa mple.org", "example_.org", "%", "-a.org"} {
			ada.post(t, at, doc{"onlyDomain": domain}).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.onlyDomain")
		}
		ada.post(t, at, doc{"onlyDomain": "example.org", "onlyEmail": "eve@example.org"}).
			refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.onlyDomain")
		ada.invite(t, id, "onlyDomain", "schüle.example")
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
				for _, a := range []*answer{eve.join(t, s), eve.invited(t, s)} {
					a.refused(t, http.StatusNotFound, studycircle.CodeNotFound)
					a.header.Del("Date")
					require.Equal(t, string(unknown.body), string(a.body))
					require.Equal(t, unknown.header, a.header)
				}
			}
		}
		refused("", used, revoked, expired, deleted, secret(id, "onlyEmail", bob.email), secret(id, "onlyDomain", "example.com"))
		refused(own, domain) // until the address is verified
		eve.confirmed(t)
		refused(secret(id, "onlyEmail", bob.email), secret(id, "onlyDomain", "example.com"))
		eve.invited(t, own).is(t, http.StatusOK)
		eve.join(t, own).is(t, http.StatusOK)
		eve.post(t, "/api/circle/"+id+"/leave", nil).modified(t, 1)
		eve.join(t, domain).is(t, http.StatusOK)
		for _, path := range []string{"/api/circles/join", "/api/circles/invited"} {
			eve.post(t, path, doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
			n.visitor().post(t, path, doc{"secret": domain}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
	})
}

// A preview names the circle of an invitation to the users whom the invitation admits, and to members.
func TestInvitedCircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers", "description", "We *read*.")
		_, secret := ada.invite(t, id, "uses", 1)
		want := doc{"circleId": id, "name": "Readers", "html": "<p>We <em>read</em>.</p>\n", "members": 1.0, "member": false}
		for _, c := range []*client{bob, bob} {
			require.Equal(t, want, c.invited(t, secret).is(t, http.StatusOK).json(t))
		}
		require.Equal(t, with(want, "member", true), ada.invited(t, secret).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Ada owner"}, ada.members(t, id, ""))
		bob.join(t, secret).is(t, http.StatusOK)
		require.Equal(t, with(want, "members", 2.0, "member", true), bob.invited(t, secret).is(t, http.StatusOK).json(t))
		ada.post(t, "/api/circle/"+id+"/archive", nil).modified(t, 1)
		eve := n.user(t, "Eve")
		eve.invited(t, secret).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// Users who preview an invitation's last use at once use nothing.
func TestInvitedCircleAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers")
		_, secret := ada.invite(t, id, "uses", 1)
		statuses := atOnce(t, func(int) (*answer, error) {
			return bob.try(t.Context(), http.MethodPost, "/api/circles/invited", doc{"secret": secret})
		})
		require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		bob.join(t, secret).is(t, http.StatusOK)
	})
}

// A user may try 20 secrets an hour; refused ones count, in previews too. A preview that shows a circle does not.
func TestJoiningIsLimited(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada, eve := n.user(t, "Ada"), n.user(t, "Eve")
		_, secret := ada.invite(t, ada.circle(t, "Readers"))
		for range 10 {
			eve.join(t, "unknown").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			eve.invited(t, "unknown").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		for range 21 {
			eve.invited(t, secret).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
			eve.join(t, secret).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		}
		n.clock.advance(time.Hour + time.Second)
		eve.newSession(t)
		for range 21 {
			eve.invited(t, secret).is(t, http.StatusOK)
		}
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
		require.Equal(t, []string{"Shy readers 1 <nil> false false true", "Open readers 1 <nil> false true false"}, listed(bob, ""))
		require.Equal(t, []string{"Shy readers 1 <nil> false false true"}, listed(bob, "&search=readers+sh"))
		require.Empty(t, listed(bob, "&search=hidden"))
		shy := bob.get(t, "/api/circles?listed=true&search=shy").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, []any{"We *read*.", "<p>We <em>read</em>.</p>\n"}, []any{shy["description"], shy["html"]})
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
		require.Equal(t, []string{"Shy readers 1 <nil> true false false", "Open readers 2 member false false false"}, listed(bob, ""))
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
