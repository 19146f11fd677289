package nodetest

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
)

const (
	ada       = "ada@example.org"
	newSecret = "Another2Horse"
	resetPath = "/auth/reset"
)

// forgot requests a reset email and returns the token in the n-th one.
func (c *client) forgot(t *testing.T, n int, email string) string {
	t.Helper()
	c.post(t, "/api/auth/password/forgot", doc{"email": email}).is(t, http.StatusAccepted)
	_, token := c.n.mails.waitFor(t, n, email, resetPath)
	return token
}

func (c *client) reset(t *testing.T, token string) *answer {
	t.Helper()
	return c.post(t, "/api/auth/password/reset", doc{"token": token, "password": newSecret})
}

func badLink(t *testing.T, a *answer) {
	t.Helper()
	a.refused(t, http.StatusUnprocessableEntity, "auth/invalid-action-code")
	assert.NotEmpty(t, a.json(t)["errors"])
}

func TestResetByEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		b.post(t, "/api/auth/password/forgot", doc{"email": " ADA@Example.org "}).is(t, http.StatusAccepted)
		m, token := w.mails.waitFor(t, 1, ada, resetPath)
		assert.Equal(t, "Your new password for StudyCircle", m.header.Get("Subject"))
		assert.Contains(t, m.text, n.url+"/auth/reset?token="+token)
		assert.Contains(t, m.header.Get("From"), "no-reply@localhost")
		assert.Equal(t, "auto-generated", m.header.Get("Auto-Submitted"))

		b.reset(t, token).is(t, http.StatusNoContent)
		assert.False(t, b.signedIn(t), "the token, though cached, is dead at once on this node")
		assert.False(t, b.renewed(t), "the cookie from before the reset is dead")
		b.login(t, ada, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		b.login(t, ada, newSecret).is(t, http.StatusOK)
		assert.Equal(t, true, b.get(t, "/api/auth/account").json(t)["emailVerified"], "who has the link has the address")
	})
}

func TestResetEndsSessionsOnOtherNodesWithinFiveSeconds(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		b := first.browser(t)
		b.register(t, ada)
		there := b.at(second)
		require.True(t, there.signedIn(t))
		token := b.forgot(t, 1, ada)
		require.True(t, there.signedIn(t), "warm in the other node's cache")
		b.reset(t, token).is(t, http.StatusNoContent)
		there.endsWithinFiveSeconds(t)
	})
}

func TestResetLinkUsedTwice(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		first, second := b.forgot(t, 1, ada), b.forgot(t, 2, ada)
		b.reset(t, second).is(t, http.StatusNoContent)
		badLink(t, b.reset(t, second))
		badLink(t, b.reset(t, first)) // the other open link is invalid, too
	})
}

func TestConcurrentUsesOfOneResetLink(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		token := b.forgot(t, 1, ada)
		statuses := atOnce(t, func(int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/password/reset", doc{"token": token, "password": newSecret})
		})
		assert.Equal(t, map[int]int{http.StatusNoContent: 1, http.StatusUnprocessableEntity: crowd - 1}, statuses)
	})
}

// All reset links of one account and its deletion run concurrently: the first invalidates
// the others.
func TestConcurrentResetsWhileTheAccountIsDeleted(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		links := make([]string, 4)
		for k := range links {
			links[k] = b.forgot(t, k+1, ada)
		}
		statuses := atOnce(t, func(k int) (*answer, error) {
			if k == 0 {
				return b.try(t.Context(), http.MethodDelete, "/api/auth/account", nil)
			}
			return b.try(t.Context(), http.MethodPost, "/api/auth/password/reset", doc{"token": links[k%len(links)], "password": newSecret})
		})
		ended := statuses[http.StatusNoContent]
		assert.Contains(t, []int{1, 2}, ended, "%v", statuses)
		assert.Equal(t, crowd, ended+statuses[http.StatusUnprocessableEntity]+statuses[http.StatusUnauthorized], "%v", statuses)
	})
}

func TestResetLinkAltered(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		token := b.forgot(t, 1, ada)
		for _, bad := range []string{"", "x", token + "A", token[1:], strings.ToUpper(token), token + "\x00", "\u202e" + token, strings.Repeat("A", 100_000)} {
			badLink(t, b.reset(t, bad))
		}
		badLink(t, b.post(t, "/api/auth/email/verify", doc{"token": token})) // for another purpose
		b.reset(t, token).is(t, http.StatusNoContent)
	})
}

func TestResetLinkLate(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		early := b.forgot(t, 1, ada)
		w.clock.advance(29 * time.Minute)
		b.reset(t, early).is(t, http.StatusNoContent)
		late := b.forgot(t, 2, ada)
		w.clock.advance(30*time.Minute + time.Second)
		badLink(t, b.reset(t, late))
		b.login(t, ada, newSecret).is(t, http.StatusOK)
	})
}

func TestResetLinkOfADeletedAccount(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		token := b.forgot(t, 1, ada)
		b.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		badLink(t, b.reset(t, token))
		b.token = ""
		b.register(t, ada) // the address can be registered again
		badLink(t, b.reset(t, token))
	})
}

func TestResetWithAWeakPasswordKeepsTheLink(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		token := b.forgot(t, 1, ada)
		for _, weak := range []string{"", "Ab1", "alllower", "ALLUPPER", "With\x00Nul1", strings.Repeat("Aa", 513)} {
			b.post(t, "/api/auth/password/reset", doc{"token": token, "password": weak}).refused(t, http.StatusUnprocessableEntity, "auth/weak-password")
		}
		b.reset(t, token).is(t, http.StatusNoContent)
	})
}

func TestResetClaimsAnImportedAccount(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, _, err := bulk.ImportAccounts(ctx, tx.Tx, []studycircle.User{{ID: studycircle.NewID(w.clock.now()), Email: ada, DisplayName: "Ada", CreatedAt: w.clock.now()}})
			return err
		}))
		b := n.browser(t)
		b.login(t, ada, "").refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		b.reset(t, b.forgot(t, 1, ada)).is(t, http.StatusNoContent)
		b.login(t, ada, newSecret).is(t, http.StatusOK)
	})
}

func TestForgotPasswordRevealsNoAccounts(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		known := b.post(t, "/api/auth/password/forgot", doc{"email": ada})
		for _, email := range []string{"nobody@example.org", "", "no address", "nul\x00@example.org", "\u202eada@example.org", strings.Repeat("a", 10_000)} {
			unknown := b.post(t, "/api/auth/password/forgot", doc{"email": email})
			known.header.Set("Date", unknown.header.Get("Date"))
			known.what = unknown.what // only the requests may differ
			assert.Equal(t, known, unknown, email[:min(len(email), 100)])
		}
		assert.Equal(t, http.StatusAccepted, known.status)
		w.mails.waitFor(t, 1, ada, resetPath)
		n.sendsAllMails(t)
		assert.Empty(t, w.mails.to("nobody@example.org", resetPath))
	})
}

func TestQueuedEmailSurvivesACrash(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.mails.refuseWith(func(string) error { return &smtp.SMTPError{Code: 451, Message: "not now"} })
		n, stop := w.startUntil(t)
		b := n.browser(t)
		b.register(t, ada)
		b.post(t, "/api/auth/password/forgot", doc{"email": ada}).is(t, http.StatusAccepted)
		stop()
		w.mails.refuseWith(nil)
		w.clock.advance(5 * time.Minute) // past the sender's lease
		w.start(t)
		w.mails.waitFor(t, 1, ada, resetPath)
		w.mails.waitFor(t, 1, ada, "/auth/verify")
	})
}

func TestUndeliverableEmailLeavesTheQueue(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.mails.refuseWith(func(string) error { return &smtp.SMTPError{Code: 550, Message: "nobody here"} })
		n := w.start(t)
		n.browser(t).register(t, ada)
		n.sendsAllMails(t)
	})
}

func TestEmailsOfTwoNodesAreSentOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		b := first.browser(t)
		b.register(t, ada)
		for n := range 20 {
			from := []*node{first, second}[n%2]
			b.at(from).post(t, "/api/auth/password/forgot", doc{"email": ada}).is(t, http.StatusAccepted)
		}
		w.mails.waitFor(t, 20, ada, resetPath)
		first.sendsAllMails(t)
		assert.Len(t, w.mails.to(ada, resetPath), 20)
	})
}

func TestVerificationByEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		verified := func() any { return b.get(t, "/api/auth/account").is(t, http.StatusOK).json(t)["emailVerified"] }
		m, token := w.mails.waitFor(t, 1, ada, "/auth/verify")
		assert.Equal(t, "Is this your email address?", m.header.Get("Subject"))
		assert.NotContains(t, m.text, "e-mail")
		assert.NotContains(t, m.text, "Ada", "a chosen name must not be in an email to another person")
		assert.Equal(t, false, verified())
		b.post(t, "/api/auth/email/verification", nil).is(t, http.StatusAccepted)
		_, again := w.mails.waitFor(t, 2, ada, "/auth/verify")
		b.post(t, "/api/auth/email/verify", doc{"token": token}).is(t, http.StatusNoContent)
		assert.Equal(t, true, verified())
		badLink(t, b.post(t, "/api/auth/email/verify", doc{"token": token}))
		badLink(t, b.reset(t, again)) // for another purpose
		b.post(t, "/api/auth/email/verification", nil).is(t, http.StatusAccepted)
	})
}

func TestConcurrentUsesOfOneVerificationLink(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		_, token := w.mails.waitFor(t, 1, ada, "/auth/verify")
		statuses := atOnce(t, func(int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/email/verify", doc{"token": token})
		})
		assert.Equal(t, map[int]int{http.StatusNoContent: 1, http.StatusUnprocessableEntity: crowd - 1}, statuses)
		assert.Equal(t, true, b.account(t)["emailVerified"])
	})
}

// The email's recipient need not be the user who opened the account: verifying must not
// leave another user's password valid.
func TestVerificationNeedsTheAccountsOwnPassword(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		squatter, eve := n.browser(t), n.browser(t)
		squatter.register(t, ada)
		eve.register(t, "eve@example.org")
		_, token := w.mails.waitFor(t, 1, ada, "/auth/verify")
		owner := n.browser(t)
		owner.post(t, "/api/auth/email/verify", doc{"token": token}).refused(t, http.StatusUnauthorized, "unauthenticated")
		badLink(t, eve.post(t, "/api/auth/email/verify", doc{"token": token}))
		assert.Equal(t, false, squatter.account(t)["emailVerified"])
		assert.Equal(t, false, eve.account(t)["emailVerified"])

		owner.reset(t, owner.forgot(t, 1, ada)).is(t, http.StatusNoContent)
		squatter.get(t, "/api/auth/account").refused(t, http.StatusUnauthorized, "unauthenticated")
		n.browser(t).login(t, ada, password).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		owner.login(t, ada, newSecret).is(t, http.StatusOK)
		assert.Equal(t, true, owner.account(t)["emailVerified"])
		badLink(t, owner.post(t, "/api/auth/email/verify", doc{"token": token}))
	})
}

// The link belongs to the account, not to the browser that opened it.
func TestVerificationInAnotherBrowser(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		n.browser(t).register(t, ada)
		_, token := w.mails.waitFor(t, 1, ada, "/auth/verify")
		phone := n.browser(t)
		phone.post(t, "/api/auth/email/verify", doc{"token": token}).refused(t, http.StatusUnauthorized, "unauthenticated")
		phone.login(t, ada, password).is(t, http.StatusOK)
		phone.post(t, "/api/auth/email/verify", doc{"token": token}).is(t, http.StatusNoContent)
		assert.Equal(t, true, phone.account(t)["emailVerified"])
	})
}
