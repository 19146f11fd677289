package nodetest

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/transfer"
)

// asked signs in by p and receives the question about the account's data.
func (c *client) asked(t *testing.T, p *idp) string {
	t.Helper()
	ended := c.signInBy(t, p, "school")
	require.Equal(t, "confirm", ended.Status, "%s", ended.body)
	require.Equal(t, "attempt-1", ended.Attempt)
	require.NotEmpty(t, ended.Ticket)
	require.Nil(t, ended.cookie("session"))
	require.False(t, c.renewed(t))
	return ended.Ticket
}

func (c *client) confirm(t *testing.T, ticket string, keep bool) *answer {
	t.Helper()
	a := c.post(t, "/api/auth/oidc/confirm", doc{"ticket": ticket, "keep": keep})
	if a.status == http.StatusOK {
		c.token = a.text(t, "accessToken")
	}
	return a
}

// squatted opens an account with another person's address and uses it.
func squatted(t *testing.T, n *node) (squatter *client, assignment string) {
	t.Helper()
	squatter = n.browser(t)
	squatter.register(t, ada)
	assignment = squatter.post(t, "/api/assignments", doc{
		"title": "Left behind", "description": "Why?", "marks": 10, "thumbnail": "https://example.org/t.png",
		"dueDate": time.Now().AddDate(0, 0, 7).Format(time.DateOnly),
	}).is(t, http.StatusCreated).text(t, "insertedId")
	return squatter, assignment
}

func TestAccountRegisteredBeforehandLosesPasswordPasskeysLinksAndSessions(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		p := w.provider(t, "school")
		n, far := w.start(t), w.start(t)
		squatter, _ := squatted(t, n)
		key := squatter.addPasskey(t, "Squatter's")
		p.is("squatter", "Eve", "eve@example.org", true)
		squatter.linkBy(t, p).linked(t)
		elsewhere := squatter.at(far)
		require.True(t, elsewhere.signedIn(t))
		code := squatter.forgot(t, 1, ada)

		p.is("subject-1", "Ada Lovelace", ada, true)
		owner := n.browser(t)
		ticket := owner.asked(t, p)
		assert.False(t, squatter.signedIn(t), "at that moment")
		assert.False(t, squatter.renewed(t))
		elsewhere.endsWithinFiveSeconds(t)
		squatter.login(t, ada, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		key.login(t, squatter).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		badLink(t, squatter.reset(t, code))
		p.is("squatter", "Eve", "eve@example.org", true)
		eve := n.browser(t)
		eve.signInBy(t, p, "school").in(t, eve)
		assert.Equal(t, "eve@example.org", eve.account(t)["email"], "a fresh account, and nothing of Ada's")

		// The question is repeated until it is answered, and asking joins nothing.
		p.is("subject-1", "Ada Lovelace", ada, true)
		again := n.browser(t)
		again.asked(t, p)
		owner.confirm(t, ticket, true).is(t, http.StatusOK)
	})
}

func TestConfirmedAccountKeepsItsData(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		_, assignment := squatted(t, n)
		b := n.browser(t)
		a := b.confirm(t, b.asked(t, p), true).is(t, http.StatusOK)
		assert.NotNil(t, a.cookie("session"))
		assert.Equal(t, true, b.account(t)["emailVerified"])
		assert.Equal(t, false, b.account(t)["hasPassword"])
		b.del(t, "/api/assignment/"+assignment).is(t, http.StatusOK)
		b.signInBy(t, p, "school").in(t, b)
	})
}

func TestRejectedAccountLeavesItsDataWithoutAnAuthor(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		_, assignment := squatted(t, n)
		b := n.browser(t)
		b.confirm(t, b.asked(t, p), false).is(t, http.StatusOK)
		account := b.account(t)
		assert.Equal(t, ada, account["email"])
		assert.Equal(t, "Ada Lovelace", account["displayName"])
		assert.Equal(t, true, account["emailVerified"])
		left := b.get(t, "/api/assignment/"+assignment).is(t, http.StatusOK).json(t)
		assert.Equal(t, "Anonymous", left["creatorName"])
		assert.Equal(t, "unknown", left["creatorEmail"])
		b.del(t, "/api/assignment/"+assignment).refused(t, http.StatusForbidden, "not-your-assignment")
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, []string{ada}, w.users(t))
	})
}

func TestConfirmationTicketIsBoundToOneBrowserAndExpires(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n, far := w.start(t), w.start(t)
		squatted(t, n)
		b := n.browser(t)
		refused := func(a *answer) {
			t.Helper()
			a.refused(t, http.StatusUnprocessableEntity, "auth/invalid-action-code")
		}
		ticket := b.asked(t, p)
		refused(n.browser(t).confirm(t, ticket, true))
		refused(b.confirm(t, ticket+"x", true))
		refused(b.confirm(t, "", true))
		refused(b.confirm(t, b.n.flowOf(t, b, p), true)) // a ticket of another purpose
		w.clock.advance(11 * time.Minute)
		refused(b.confirm(t, ticket, true))
		ticket = b.asked(t, p)
		here, err := url.Parse(n.url)
		require.NoError(t, err)
		kept := b.http.Jar.Cookies(here)
		b.confirm(t, ticket, true).is(t, http.StatusOK)
		there, err := url.Parse(far.url)
		require.NoError(t, err)
		thief := far.browser(t)
		thief.http.Jar.SetCookies(there, kept)
		refused(thief.confirm(t, ticket, false))
		assert.True(t, b.signedIn(t))
	})
}

// flowOf returns a signed ticket of another purpose.
func (n *node) flowOf(t *testing.T, b *client, p *idp) string {
	t.Helper()
	before := b.begin(t, "school", "")
	u, err := url.Parse(before)
	require.NoError(t, err)
	here, err := url.Parse(n.url)
	require.NoError(t, err)
	for _, c := range b.http.Jar.Cookies(here) {
		if c.Name == "flow-"+u.Query().Get("state")[:16] {
			return c.Value
		}
	}
	require.Fail(t, "no flow", p.issuer)
	return ""
}

func TestResetByEmailBeforeTheAnswerWins(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		squatted(t, n)
		b := n.browser(t)
		ticket := b.asked(t, p)
		b.reset(t, b.forgot(t, 1, ada)).is(t, http.StatusNoContent)
		b.confirm(t, ticket, false).refused(t, http.StatusUnprocessableEntity, "auth/invalid-action-code")
		b.signInBy(t, p, "school").in(t, b) // verified by the email: joins
	})
}

func TestResetOfAnUnverifiedAccountRemovesOtherSignInMethods(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		p := w.provider(t, "school")
		n := w.start(t)
		squatter, _ := squatted(t, n)
		key := squatter.addPasskey(t, "Squatter's")
		p.is("squatter", "Eve", "eve@example.org", true)
		squatter.linkBy(t, p).linked(t)
		owner := n.browser(t)
		owner.reset(t, owner.forgot(t, 1, ada)).is(t, http.StatusNoContent)
		key.login(t, squatter).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		owner.login(t, ada, newSecret).is(t, http.StatusOK)
		assert.Empty(t, owner.methods(t)["providers"])

		// A verified owner keeps other sign-in methods after a reset.
		mine := owner.addPasskey(t, "Mine")
		owner.reset(t, owner.forgot(t, 2, ada)).is(t, http.StatusNoContent)
		mine.login(t, owner).is(t, http.StatusOK)
	})
}

func TestImportedAccountIsClaimedByItsAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		imported(t, n, ada)
		b := n.browser(t)
		b.signInBy(t, p, "school").in(t, b)
		assert.Equal(t, "Imported", b.account(t)["displayName"])
		assert.Equal(t, true, b.account(t)["emailVerified"])
	})
}

func TestConcurrentAnswersCountOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		squatted(t, n)
		b := n.browser(t)
		ticket := b.asked(t, p)
		statuses := atOnce(t, func(k int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/oidc/confirm", doc{"ticket": ticket, "keep": k%2 == 0})
		})
		assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusUnprocessableEntity: crowd - 1}, statuses)
		assert.Equal(t, []string{ada}, w.users(t))
	})
}

// imported adds a user with a name and an address only.
func imported(t *testing.T, n *node, email string) {
	t.Helper()
	dir := t.TempDir()
	line := `{"email":"` + email + `","displayName":"Imported","photoURL":""}` + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "users.jsonl"), []byte(line), 0o600))
	_, err := transfer.Import(t.Context(), n.app.Store, dir, time.Now(), func(int) {}, func() {})
	require.NoError(t, err)
}

// arrivals are many pop-ups of one person, about to come back.
func arrivals(t *testing.T, nodes []*node, p *idp) []func() (*answer, error) {
	t.Helper()
	out := make([]func() (*answer, error), crowd)
	for k := range out {
		b := nodes[k%len(nodes)].browser(t)
		back := p.authorize(t, b.begin(t, "school", "")).RequestURI()
		out[k] = func() (*answer, error) { return b.try(t.Context(), http.MethodGet, back, nil) }
	}
	return out
}

func TestConcurrentArrivalsJoinOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		nodes := []*node{w.start(t), w.start(t)}
		owner := nodes[0].browser(t)
		owner.verified(t, ada)
		come := arrivals(t, nodes, p)
		assert.Equal(t, map[int]int{http.StatusOK: crowd}, atOnce(t, func(k int) (*answer, error) { return come[k]() }))
		assert.Len(t, owner.methods(t)["providers"], 1)
		assert.Len(t, owner.sessions(t), 1+crowd)
	})
}

func TestConcurrentArrivalsAtAnAccountRegisteredBeforehandAreAllAsked(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		nodes := []*node{w.start(t), w.start(t)}
		squatter, _ := squatted(t, nodes[0])
		come := arrivals(t, nodes, p)
		atOnce(t, func(k int) (*answer, error) {
			a, err := come[k]()
			if err != nil {
				return nil, err
			}
			if ended, err := popUpOf(a); err != nil || ended.Status != "confirm" {
				return nil, fmt.Errorf("not asked: %s", a.body)
			}
			return a, nil
		})
		assert.False(t, squatter.renewed(t))
	})
}

// A sign-in with the old password that runs beside the owner's arrival either ends before
// it, with its session, or fails.
func TestSquattersSignInBesideTheOwnersArrival(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.start(t)
		squatter, _ := squatted(t, n)
		come := arrivals(t, []*node{n}, p)
		browsers := make([]*client, crowd)
		for k := range browsers {
			browsers[k] = n.browser(t)
		}
		atOnce(t, func(k int) (*answer, error) {
			if k%4 == 0 {
				return come[k]()
			}
			return browsers[k].try(t.Context(), http.MethodPost, "/api/auth/login", doc{"email": ada, "password": password})
		})
		for _, b := range slices.Concat(browsers, []*client{squatter}) {
			assert.False(t, b.renewed(t))
		}
	})
}
