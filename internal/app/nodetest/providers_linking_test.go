package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// linkTicket returns the ticket that the profile page gets before it opens the pop-up.
func (c *client) linkTicket(t *testing.T) string {
	t.Helper()
	return c.post(t, "/api/auth/oidc/school/link", nil).is(t, http.StatusOK).text(t, "ticket")
}

// linkBy links p, as school, to c's account.
func (c *client) linkBy(t *testing.T, p *idp) *popUp {
	t.Helper()
	return c.goTo(t, p.authorize(t, c.begin(t, "school", "&ticket="+c.linkTicket(t))).RequestURI())
}

func (p *popUp) linked(t *testing.T) {
	t.Helper()
	require.Equal(t, "linked", p.Status, "%s", p.body)
	require.Nil(t, p.cookie("session"), "the session is the one that was there")
}

// notLinked requires that a pop-up ended with an error and b is signed in as before.
func (p *popUp) notLinked(t *testing.T, b *client, status int, code string) {
	t.Helper()
	assert.Equal(t, "error", p.Status)
	assert.Equal(t, code, p.Code)
	assert.Equal(t, status, p.status)
	assert.True(t, b.signedIn(t))
}

func TestProviderIsLinkedAndUnlinked(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		p.is("subject-1", "Ada", "ada@work.example", true)
		b.linkBy(t, p).linked(t)
		b.linkBy(t, p).linked(t) // again changes nothing
		assert.Len(t, b.methods(t)["providers"], 1)
		assert.Equal(t, false, b.account(t)["emailVerified"], "another address says nothing of this one")
		other := n.browser(t)
		other.signInBy(t, p, "school").in(t, other)
		assert.Equal(t, ada, other.account(t)["email"])

		b.del(t, "/api/auth/providers/school").is(t, http.StatusNoContent)
		b.del(t, "/api/auth/providers/school").refused(t, http.StatusNotFound, "not-found")
		assert.Empty(t, b.methods(t)["providers"])
		p.is("subject-1", "Ada", ada, true)
		b.linkBy(t, p).linked(t)
		assert.Equal(t, true, b.account(t)["emailVerified"])
		n.browser(t).post(t, "/api/auth/oidc/school/link", nil).refused(t, http.StatusUnauthorized, "unauthenticated")
		b.post(t, "/api/auth/oidc/nobody/link", nil).refused(t, http.StatusNotFound, "not-found")
	})
}

func TestProviderLinkedToAnotherAccount(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		owner, b := n.browser(t), n.browser(t)
		owner.signInBy(t, p, "school").in(t, owner)
		b.register(t, "bo@example.org")
		b.linkBy(t, p).notLinked(t, b, http.StatusConflict, "auth/provider-already-linked")
		p.is("subject-2", "Bo", "bo@example.org", true)
		b.linkBy(t, p).linked(t)
		p.is("subject-3", "Bo's other", "bo@example.org", true)
		b.linkBy(t, p).notLinked(t, b, http.StatusConflict, "auth/provider-already-linked")
		owner.signInBy(t, p, "school").out(t, n.browser(t), http.StatusConflict, "auth/account-exists-with-different-credential")
	})
}

func TestLinkTicketIsBoundToItsSessionAndExpires(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		eve, b := n.browser(t), n.browser(t)
		eve.register(t, "eve@example.org")
		b.register(t, ada)
		begin := func(by *client, ticket string) *popUp {
			t.Helper()
			return by.goTo(t, "/api/auth/oidc/school?attempt=attempt-1&ticket="+ticket)
		}
		theirs := eve.linkTicket(t)
		begin(b, theirs).notLinked(t, b, http.StatusBadRequest, "auth/invalid-state") // b's provider is not linked to Eve
		assert.Equal(t, "auth/invalid-state", begin(n.browser(t), theirs).Code)
		ticket := b.linkTicket(t)
		begin(b, ticket+"x").notLinked(t, b, http.StatusBadRequest, "auth/invalid-state")
		b.goTo(t, p.authorize(t, b.begin(t, "school", "&ticket="+ticket)).RequestURI()).linked(t)
		begin(b, ticket).notLinked(t, b, http.StatusBadRequest, "auth/invalid-state")
		late := b.linkTicket(t)
		w.clock.advance(11 * time.Minute)
		begin(b, late).notLinked(t, b, http.StatusBadRequest, "auth/invalid-state")

		// Signed out meanwhile: nothing is linked.
		q := n.browser(t)
		q.register(t, "cy@example.org")
		p.is("subject-9", "Cy", "cy@example.org", true)
		back := p.authorize(t, q.begin(t, "school", "&ticket="+q.linkTicket(t)))
		q.post(t, "/api/auth/logout", nil).is(t, http.StatusNoContent)
		assert.Equal(t, "auth/invalid-state", q.goTo(t, back.RequestURI()).Code)
	})
}

func TestLastWayToSignInCannotBeRemoved(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		p := w.provider(t, "school")
		n := w.start(t)
		b := n.browser(t)
		b.signInBy(t, p, "school").in(t, b)
		b.del(t, "/api/auth/providers/school").refused(t, http.StatusConflict, "last-sign-in-method")
		key := b.addPasskey(t, "Phone")
		b.del(t, "/api/auth/providers/school").is(t, http.StatusNoContent)
		b.del(t, "/api/auth/passkeys/"+key.id).refused(t, http.StatusConflict, "last-sign-in-method")
		b.linkBy(t, p).linked(t)
		b.del(t, "/api/auth/passkeys/"+key.id).is(t, http.StatusNoContent)

		// A provider that is no longer configured signs no user in.
		w.providers = nil
		w.provider(t, "work")
		gone := b.at(w.start(t))
		list := gone.methods(t)["providers"].([]any)
		require.Len(t, list, 1)
		assert.Equal(t, "school", list[0].(doc)["label"])
		last := gone.addPasskey(t, "Laptop")
		gone.del(t, "/api/auth/passkeys/"+last.id).refused(t, http.StatusConflict, "last-sign-in-method")
		gone.del(t, "/api/auth/providers/school").is(t, http.StatusNoContent)
		last.login(t, gone).is(t, http.StatusOK)
	})
}

func TestConcurrentRemovalsLeaveOneSignInMethod(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		p := w.provider(t, "school")
		nodes := []*node{w.start(t), w.start(t)}
		b := nodes[0].browser(t)
		b.signInBy(t, p, "school").in(t, b)
		paths := []string{"/api/auth/providers/school"}
		for range 3 {
			paths = append(paths, "/api/auth/passkeys/"+b.addPasskey(t, "Phone").id)
		}
		statuses := atOnce(t, func(k int) (*answer, error) {
			return b.at(nodes[k%2]).try(t.Context(), http.MethodDelete, paths[k%len(paths)], nil)
		})
		assert.Equal(t, len(paths)-1, statuses[http.StatusNoContent], "%v", statuses)
		assert.Equal(t, crowd-len(paths)+1, statuses[http.StatusConflict]+statuses[http.StatusNotFound], "%v", statuses)
		m := b.methods(t)
		assert.Equal(t, 1, len(m["providers"].([]any))+len(m["passkeys"].([]any)))
	})
}

func TestConcurrentLinksOfOneProvider(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		type linker struct {
			b    *client
			back string
		}
		linkers := make([]linker, crowd)
		for k := range linkers {
			b := n.browser(t)
			b.register(t, string(rune('a'+k%26))+string(rune('a'+k/26))+"@example.org")
			linkers[k] = linker{b, p.authorize(t, b.begin(t, "school", "&ticket="+b.linkTicket(t))).RequestURI()}
		}
		statuses := atOnce(t, func(k int) (*answer, error) {
			return linkers[k].b.try(t.Context(), http.MethodGet, linkers[k].back, nil)
		})
		assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusConflict: crowd - 1}, statuses)
	})
}
