package nodetest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

const (
	verifyPath = "/auth/verify"
	undoPath   = "/auth/undo"
)

// wants asks for another address and returns the token in the n-th email about it.
func (c *client) wants(t *testing.T, n int, email string) string {
	t.Helper()
	c.post(t, "/api/auth/email", doc{"email": email, "password": password}).is(t, http.StatusAccepted)
	_, token := c.n.mails.waitFor(t, n, email, verifyPath)
	return token
}

func (c *client) confirms(t *testing.T, token string) *answer {
	t.Helper()
	return c.post(t, "/api/auth/email/verify", doc{"token": token})
}

func (n *node) undoes(t *testing.T, token string) *answer {
	t.Helper()
	return n.visitor().post(t, "/api/auth/email/undo", doc{"token": token})
}

// changes gives c's account another address and returns the token that undoes it.
func (c *client) changes(t *testing.T, email string) string {
	t.Helper()
	asked, changed := len(c.n.mails.to(email, verifyPath)), len(c.n.mails.to(c.email, undoPath))
	c.confirms(t, c.wants(t, asked+1, email)).is(t, http.StatusNoContent)
	_, token := c.n.mails.waitFor(t, changed+1, c.email, undoPath)
	c.email = email
	return token
}

// A change of address is confirmed from the new one (Gig-o-Matic/GO3#347 asked the old one), told to the old one
// (flarum/framework#723, inyokaproject/inyoka#858: it heard nothing), and until then nothing changes
// (fossasia/open-event-server#2282: it changed at once). It takes nothing away: work, roles, memberships, marks and what organizers download follow.
func TestChangeOfAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "organizer", bob)
		ada.admits(t, circle, "member", cleo)
		of := bob.publishIn(t, circle, "Tides", time.Now().Add(5*24*time.Hour))
		handed := cleo.submit(t, of)
		bob.grade(t, handed, 7)
		public := bob.publish(t)
		for _, path := range []string{"/api/assignment/" + public, "/api/assignments"} { // kept answers
			for range 3 {
				require.Contains(t, string(other.visitor().get(t, path).body), bob.email)
			}
		}
		elsewhere := bob.at(other)
		require.True(t, elsewhere.signedIn(t))

		const renamed, anew = "bob.young@school.example", "cleo.o'hara+1@school.example"
		bob.post(t, "/api/auth/email", doc{"email": " Bob.Young@School.example ", "password": password}).is(t, http.StatusAccepted)
		m, token := w.mails.waitFor(t, 1, renamed, verifyPath)
		assert.Equal(t, "Is this your new email address?", m.header.Get("Subject"))
		assert.NotContains(t, m.text, bob.email)
		assert.Equal(t, bob.email, bob.get(t, "/api/auth/account").text(t, "email"), "nothing changes before it is confirmed")
		bob.confirms(t, token).is(t, http.StatusNoContent)
		old := bob.email
		m, undo := w.mails.waitFor(t, 1, old, undoPath)
		assert.NotContains(t, m.text, renamed)
		bob.email = renamed
		badLink(t, bob.confirms(t, token))

		account := bob.get(t, "/api/auth/account").is(t, http.StatusOK).json(t)
		assert.Equal(t, []any{renamed, true, true}, []any{account["email"], account["emailVerified"], account["hasPassword"]})
		assert.True(t, elsewhere.signedIn(t), "sessions stay")
		n.browser(t).login(t, renamed, password).is(t, http.StatusOK)
		n.browser(t).login(t, old, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		for _, node := range []*node{n, other} {
			for _, path := range []string{"/api/assignment/" + public, "/api/assignments"} {
				body := string(node.visitor().get(t, path).body)
				assert.Contains(t, body, renamed)
				assert.NotContains(t, body, old)
			}
			got := ada.at(node).get(t, "/api/assignment/"+of).json(t)
			assert.Equal(t, renamed, got["creatorEmail"])
		}
		cleo.changes(t, anew)
		mine := cleo.get(t, "/api/submissions?submittedBy="+strings.ReplaceAll(anew, "+", "%2B")).is(t, http.StatusOK).array(t)
		require.Len(t, mine, 1)
		assert.Equal(t, []any{handed, 7.0}, []any{mine[0]["_id"], mine[0]["givenMark"]})
		for _, path := range []string{
			"/api/circle/" + circle + "/members.csv", "/api/circle/" + circle + "/marks.csv?form=wide&students=true",
			"/api/circle/" + circle + "/members", "/api/assignment/" + of + "/results.csv",
		} {
			body := string(ada.get(t, path).is(t, http.StatusOK).body)
			assert.Contains(t, body, strings.TrimSuffix(anew, "@school.example"), path)
			assert.NotContains(t, body, "cleo@example.org", path)
		}
		assert.Contains(t, string(bob.get(t, "/api/auth/export").is(t, http.StatusOK).body), renamed)
		bob.put(t, "/api/assignment/"+public, assignment()).is(t, http.StatusOK) // it is still theirs

		// Undone by the owner of the previous address: all is as it was, and every session ends.
		n.undoes(t, undo).is(t, http.StatusNoContent)
		assert.False(t, bob.signedIn(t))
		elsewhere.endsWithinFiveSeconds(t)
		bob.email = old
		n.browser(t).login(t, renamed, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		bob.newSession(t)
		account = bob.get(t, "/api/auth/account").json(t)
		assert.Equal(t, []any{old, false}, []any{account["email"], account["emailVerified"]}, "verified or not, as before")
		bob.put(t, "/api/assignment/"+public, with(assignment(), "title", "Mine")).is(t, http.StatusOK)
		badLink(t, n.undoes(t, undo))
	})
}

// Whether another account has the address shows only once its owner opens the link.
func TestAChangeOfAddressTellsNothing(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		free := ada.post(t, "/api/auth/email", doc{"email": "free@example.org", "password": password}).is(t, http.StatusAccepted)
		taken := ada.post(t, "/api/auth/email", doc{"email": bob.email, "password": password}).is(t, http.StatusAccepted)
		assert.Equal(t, free.body, taken.body)
		_, token := n.mails.waitFor(t, 1, bob.email, verifyPath)
		ada.confirms(t, token).refused(t, http.StatusConflict, "auth/email-already-in-use")
		assert.Equal(t, ada.email, ada.get(t, "/api/auth/account").text(t, "email"))
		assert.Empty(t, n.mails.to(ada.email, undoPath))
		bob.changes(t, "bob.young@example.org")
		ada.confirms(t, token).is(t, http.StatusNoContent) // the link is still good

		for _, c := range []struct {
			body  doc
			field string
		}{
			{doc{"email": "no address", "password": password}, "body.email"}, {doc{"email": "a@b\x00.org", "password": password}, "body.email"},
			{doc{"email": "", "password": password}, "body.email"}, {doc{"password": password}, "body.email"}, {doc{"email": "a@b.org"}, "body.password"},
			{doc{"email": strings.Repeat("a", 400) + "@example.org", "password": password}, "body.email"},
		} {
			ada.post(t, "/api/auth/email", c.body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, c.field)
		}
		for _, wrong := range []string{"", "Wrong1Horse", strings.Repeat("x", 2000)} {
			ada.post(t, "/api/auth/email", doc{"email": "x@example.org", "password": wrong}).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		}
		n.visitor().post(t, "/api/auth/email", doc{"email": "x@example.org", "password": password}).is(t, http.StatusUnauthorized)
		for _, bad := range []string{"", "x", token, "\x00"} {
			badLink(t, ada.confirms(t, bad))
			badLink(t, n.undoes(t, bad))
		}
	})
}

// The newest request counts; a link is for one account, one purpose and a time; a new password ends it.
func TestLinksOfAChangeOfAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		first, second := ada.wants(t, 1, "one@example.org"), ada.wants(t, 1, "two@example.org")
		badLink(t, ada.confirms(t, first))
		badLink(t, bob.confirms(t, second))
		badLink(t, n.undoes(t, second))
		badLink(t, n.visitor().reset(t, second))
		n.visitor().post(t, "/api/auth/email/verify", doc{"token": second}).is(t, http.StatusUnauthorized)
		w.clock.advance(47 * time.Hour)
		ada.newSession(t)
		ada.confirms(t, second).is(t, http.StatusNoContent)
		_, undo := w.mails.waitFor(t, 1, ada.email, undoPath)
		ada.email = "two@example.org"
		badLink(t, ada.confirms(t, undo))

		late := ada.wants(t, 1, "three@example.org")
		w.clock.advance(48*time.Hour + time.Second)
		ada.newSession(t)
		badLink(t, ada.confirms(t, late))
		w.clock.advance(5 * 24 * time.Hour)
		badLink(t, n.undoes(t, undo)) // after seven days

		pending := ada.wantsAgain(t, "four@example.org")
		ada.patch(t, "/api/auth/password", doc{"currentPassword": password, "newPassword": newSecret}).is(t, http.StatusNoContent)
		badLink(t, ada.confirms(t, pending))

		// To the address that it has: nothing changes, and it is confirmed.
		require.False(t, bob.newVerified(t))
		bob.confirms(t, bob.wantsAgain(t, bob.email)).is(t, http.StatusNoContent)
		require.True(t, bob.newVerified(t))
		n.sendsAllMails(t)
		assert.Empty(t, w.mails.to(bob.email, undoPath))

		// An email that a link of the previous address could have answered, and links sent to that, end.
		reset := n.visitor().forgot(t, 1, bob.email)
		bob.changes(t, "bob2@example.org")
		badLink(t, n.visitor().reset(t, reset))
	})
}

func (c *client) wantsAgain(t *testing.T, email string) string {
	t.Helper()
	c.newSession(t)
	return c.wants(t, len(c.n.mails.to(email, verifyPath))+1, email)
}

func (c *client) newVerified(t *testing.T) bool {
	t.Helper()
	c.newSession(t)
	return c.get(t, "/api/auth/account").is(t, http.StatusOK).json(t)["emailVerified"].(bool)
}

// The owner of the first address wins: an undo takes back every later change, and no later link gets the account
// again. paritytech/polkassembly#212 asks for the undo for this case.
func TestUndoOfSeveralChangesOfAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada := n.user(t, "Ada")
		first := ada.changes(t, "thief@example.org")
		second := ada.changes(t, "thief2@example.org")
		pending := ada.wants(t, 1, "thief3@example.org")
		n.undoes(t, first).is(t, http.StatusNoContent)
		badLink(t, n.undoes(t, second))
		ada.email = "ada@example.org"
		ada.newSession(t)
		badLink(t, ada.confirms(t, pending))

		// Undone in order, each works.
		first = ada.changes(t, "young@example.org")
		second = ada.changes(t, "wed@example.org")
		n.undoes(t, second).is(t, http.StatusNoContent)
		n.undoes(t, first).is(t, http.StatusNoContent)
		ada.email = "ada@example.org"
		ada.newSession(t)

		// Another account has the address by now: nothing is lost, also not the link.
		undo := ada.changes(t, "gone@example.org")
		taker := n.browser(t)
		taker.register(t, "ada@example.org")
		n.undoes(t, undo).refused(t, http.StatusConflict, "auth/email-already-in-use")
		assert.True(t, ada.signedIn(t))
		taker.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		n.undoes(t, undo).is(t, http.StatusNoContent)
		assert.False(t, ada.signedIn(t))

		// The account is suspended, or deleted, in between.
		bob := n.user(t, "Bob")
		undo = bob.changes(t, "bob2@example.org")
		waits := bob.wants(t, 1, "bob3@example.org")
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.SetSuspended(ctx, "bob2@example.org", n.clock.now())
			return err
		}))
		assert.Contains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, bob.confirms(t, waits).status)
		n.undoes(t, undo).is(t, http.StatusNoContent)
		n.browser(t).login(t, "bob@example.org", password).refused(t, http.StatusForbidden, "auth/user-disabled")
		cleo := n.user(t, "Cleo")
		undo = cleo.changes(t, "cleo2@example.org")
		waits = cleo.wants(t, 1, "cleo3@example.org")
		cleo.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		badLink(t, n.undoes(t, undo))
		badLink(t, ada.confirmsAs(t, waits))
	})
}

func (c *client) confirmsAs(t *testing.T, token string) *answer {
	t.Helper()
	c.email = "ada@example.org"
	c.newSession(t)
	return c.confirms(t, token)
}

// A crowd wants one address, some swap theirs, and links are pressed twice: one account has it, and none loses its own.
func TestConcurrentChangesOfAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		users := gathered(t, n)
		tokens := make([]string, crowd)
		for i := range tokens[:crowd-2] {
			tokens[i] = users[i].wants(t, i+1, "wanted@example.org")
		}
		a, b := users[crowd-2], users[crowd-1]
		swapA, swapB := a.wants(t, len(n.mails.to(b.email, verifyPath))+1, b.email), b.wants(t, len(n.mails.to(a.email, verifyPath))+1, a.email)
		statuses := atOnce(t, func(i int) (*answer, error) {
			switch i {
			case crowd - 2:
				return a.try(t.Context(), http.MethodPost, "/api/auth/email/verify", doc{"token": swapA})
			case crowd - 1:
				return b.try(t.Context(), http.MethodPost, "/api/auth/email/verify", doc{"token": swapB})
			}
			return users[i].try(t.Context(), http.MethodPost, "/api/auth/email/verify", doc{"token": tokens[i]})
		})
		assert.Equal(t, map[int]int{http.StatusNoContent: 1, http.StatusConflict: crowd - 1}, statuses)
		var have []string
		for _, u := range users {
			have = append(have, u.get(t, "/api/auth/account").is(t, http.StatusOK).text(t, "email"))
		}
		assert.Contains(t, have, "wanted@example.org")
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(have))), crowd)
		assert.Equal(t, []string{a.email, b.email}, have[crowd-2:])
		// Swapped through a third address.
		a.changes(t, "third@example.org")
		old := strings.Clone(have[crowd-2])
		b.confirms(t, swapB).is(t, http.StatusNoContent)
		b.email = old
		require.Equal(t, old, b.get(t, "/api/auth/account").text(t, "email"))

		// Many requests of one account at once: the newest link works, once.
		all := atOnce(t, func(int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/email", doc{"email": "many@example.org", "password": password})
		})
		assert.Equal(t, map[int]int{http.StatusAccepted: crowd}, all)
		n.sendsAllMails(t)
		worked := 0
		for i := range n.mails.to("many@example.org", verifyPath) {
			_, token := n.mails.waitFor(t, i+1, "many@example.org", verifyPath)
			if b.confirms(t, token).status == http.StatusNoContent {
				worked++
			}
		}
		assert.Equal(t, 1, worked)
	})
}

// Requests are limited for an account, and for an address over all accounts.
func TestChangesOfAddressAreLimited(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for range 5 {
			ada.post(t, "/api/auth/email", doc{"email": "full@example.org", "password": password}).is(t, http.StatusAccepted)
		}
		ada.post(t, "/api/auth/email", doc{"email": "other@example.org", "password": password}).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		n.user(t, "Bob").post(t, "/api/auth/email", doc{"email": "full@example.org", "password": password}).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		cleo := n.user(t, "Cleo")
		for range 10 {
			cleo.post(t, "/api/auth/email", doc{"email": "x@example.org", "password": "Wrong1Horse"}).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		}
		cleo.post(t, "/api/auth/email", doc{"email": "x@example.org", "password": password}).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
	})
}
