package nodetest

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// letter is an email as an email program shows it.
type letter struct {
	subject, text, html string
	header              mail.Header
}

// letters returns the notification emails to an address.
func (c *catcher) letters(tb testing.TB, address string) (out []letter) {
	tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.mails {
		kind, parameters, err := mime.ParseMediaType(m.header.Get("Content-Type"))
		require.NoError(tb, err)
		if m.to != address || kind != "multipart/alternative" {
			continue
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(m.header.Get("Subject"))
		require.NoError(tb, err)
		l := letter{subject: subject, header: m.header}
		parts := multipart.NewReader(strings.NewReader(m.text), parameters["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(tb, err)
			body := io.Reader(part)
			if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
				body = quotedprintable.NewReader(part)
			}
			text, err := io.ReadAll(body)
			require.NoError(tb, err)
			if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
				l.html = string(text)
			} else {
				l.text = strings.ReplaceAll(string(text), "\r\n", "\n")
			}
		}
		out = append(out, l)
	}
	return out
}

// getsLetters waits until an address has received exactly n notification emails.
func (n *node) getsLetters(tb testing.TB, address string, count int) []letter {
	tb.Helper()
	require.Eventually(tb, func() bool { return len(n.mails.letters(tb, address)) >= count }, time.Minute, 20*time.Millisecond)
	n.sendsAllMails(tb)
	got := n.mails.letters(tb, address)
	require.Len(tb, got, count)
	return got
}

// confirmed verifies c's address by the link in its email.
func (c *client) confirmed(tb testing.TB) *client {
	tb.Helper()
	account, err := c.n.app.Store.AccountByEmail(tb.Context(), c.email)
	require.NoError(tb, err)
	require.NoError(tb, c.n.app.Store.Write(tb.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.VerifyEmail(ctx, account.ID, c.n.clock.now())
	}))
	return c
}

// looks runs everything that is due by the clock.
func (n *node) looks(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, n.app.Notifier.Deliver(tb.Context(), true))
}

// A grade is emailed once, only to a verified address, in text and HTML whose first line
// says what happened, with a link that ends such emails without signing in.
func TestNotificationEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cleo")
		title := "Über “Gezeiten” & <b>Ebbe</b> — 潮汐"
		a := ada.publish(t, "title", title)
		for _, who := range []*client{bob, cleo} {
			ada.grade(t, who.submit(t, a), 7)
		}
		got := n.getsLetters(t, bob.email, 1)[0]
		first, _, _ := strings.Cut(got.text, "\n")
		require.Equal(t, "Your work on “\u2068"+title+"\u2069” was graded.", first)
		require.Equal(t, "Your work on “"+title+"” was graded", got.subject)
		require.Contains(t, got.text, n.public+"/attemded-assignments\n")
		require.Contains(t, got.html, "&lt;b&gt;Ebbe&lt;/b&gt;")
		require.Contains(t, got.html, "color-scheme")
		require.Contains(t, got.html, n.public+"/attemded-assignments")
		require.NotContains(t, got.text+got.html, "Ada")
		require.Equal(t, "auto-generated", got.header.Get("Auto-Submitted"))
		require.Equal(t, "List-Unsubscribe=One-Click", got.header.Get("List-Unsubscribe-Post"))
		require.Empty(t, n.mails.letters(t, cleo.email), "that address is not verified")
		require.Empty(t, n.mails.letters(t, ada.email), "hand-ins are not mailed unless wanted")

		link := strings.Trim(got.header.Get("List-Unsubscribe"), "<>")
		require.Contains(t, got.text, "\n"+link+"\n")
		path := strings.TrimPrefix(link, n.public)
		require.Regexp(t, `^/unsubscribe/[A-Za-z0-9._-]+$`, path)
		mailed := func() any { return bob.get(t, "/api/settings").json(t)["channels"].(doc)["graded"].(doc)["mail"] }
		// A GET changes nothing.
		require.Equal(t, doc{"kind": "graded"}, n.visitor().get(t, "/api"+path).is(t, http.StatusOK).json(t))
		n.visitor().get(t, path)
		require.Equal(t, true, mailed())
		for _, altered := range []string{path + "x", strings.Replace(path, ".graded.", ".reply.", 1), strings.Replace(path, bob.id(t), cleo.id(t), 1), path[:len(path)-3], "/unsubscribe/x", "/unsubscribe/..", "/unsubscribe/%00.graded.AAAA"} {
			if a := n.visitor().post(t, altered, nil); a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed && a.status != http.StatusTemporaryRedirect {
				t.Errorf("%s: %d", altered, a.status)
			}
		}
		require.Equal(t, true, mailed())
		// As RFC 8058 requires: a form, no cookie, no token.
		form := url.Values{"List-Unsubscribe": {"One-Click"}}.Encode()
		n.visitor().post(t, path, raw(form), header{"Content-Type", "application/x-www-form-urlencoded"}).is(t, http.StatusOK)
		require.Equal(t, false, mailed())
		channels := bob.get(t, "/api/settings").json(t)["channels"].(doc)
		require.Equal(t, doc{"app": true, "mail": false}, channels["graded"])
		require.Equal(t, doc{"app": true, "mail": true}, channels["due"], "only for that kind")
		ada.grade(t, bob.submit(t, a), 8)
		n.looks(t)
		n.sendsAllMails(t)
		require.Len(t, n.mails.letters(t, bob.email), 1)
	})
}

// The link in an email also ends those that wait: one that is due in a moment, and the next digest.
func TestUnsubscribingEndsWaitingEmails(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 8, 0, 0, 0, time.UTC))
		n := w.start(t)
		ada, people := n.user(t, "Ada"), n.people(t, "Bob", "Cleo", "Dan")
		a := ada.publish(t, "dueDate", "2027-03-20")
		for _, c := range people {
			c.confirmed(t)
		}
		bob, cleo, dan := people[0], people[1], people[2]
		for _, c := range []*client{cleo, dan} {
			c.put(t, "/api/settings", with(c.get(t, "/api/settings").json(t), "digest", "daily")).is(t, http.StatusOK)
		}
		graded := func() {
			for _, c := range people {
				ada.grade(t, c.submit(t, a), 7)
			}
		}
		passes := func(d time.Duration) {
			w.clock.stand(w.clock.now().Add(d))
			n.looks(t)
			n.sendsAllMails(t)
		}
		graded()
		passes(2 * time.Hour)
		last := map[*client]letter{}
		for _, c := range people {
			last[c] = n.getsLetters(t, c.email, 1)[0]
		}
		for _, c := range append(people, ada) {
			c.newSession(t)
		}
		graded()
		for _, c := range people {
			_, unread := c.notifications(t, "") // delivered, and not yet emailed
			require.Equal(t, "2", unread)
		}
		for _, c := range []*client{bob, cleo} {
			n.visitor().post(t, strings.TrimPrefix(strings.Trim(last[c].header.Get("List-Unsubscribe"), "<>"), n.public), nil).is(t, http.StatusOK)
		}
		settings := dan.get(t, "/api/settings").json(t)
		channels := with(settings["channels"].(doc), "graded", doc{"app": true, "mail": false})
		dan.put(t, "/api/settings", with(settings, "channels", channels)).is(t, http.StatusOK)
		passes(25 * time.Hour)
		for _, c := range people {
			require.Equal(t, 1, len(n.mails.letters(t, c.email)), c.name) //nolint:testifylint // the letters are long
		}
	})
}

// A notification that was read before its email was due is not emailed.
func TestReadNotificationsAreNotEmailed(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		w.clock.stand(time.Now())
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		a := ada.publish(t)
		for i := range 3 {
			ada.grade(t, bob.submit(t, a), i)
		}
		list, _ := bob.notifications(t, "")
		bob.post(t, "/api/notifications/read", doc{"until": list[1]["_id"]}).is(t, http.StatusOK)
		w.clock.stand(w.clock.now().Add(store.MailGrace))
		n.looks(t)
		n.getsLetters(t, bob.email, 1)
	})
}

// A suspended account receives no email, neither one that was due before nor a link to set a password; a link sent
// before is void.
func TestSuspendedAccountsGetNoEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cleo").confirmed(t)
		token := n.visitor().forgot(t, 1, bob.email)
		w.clock.stand(time.Now())
		daily := with(cleo.get(t, "/api/settings").json(t), "digest", "daily")
		cleo.put(t, "/api/settings", daily).is(t, http.StatusOK)
		a := ada.publish(t)
		for _, c := range []*client{bob, cleo} {
			ada.grade(t, c.submit(t, a), 5)
		}
		for _, c := range []*client{bob, cleo} {
			account, err := n.app.Store.AccountByEmail(t.Context(), c.email)
			require.NoError(t, err)
			n.moderate(t, studycircle.Suspend, studycircle.OfUser, account.ID)
		}
		badLink(t, n.visitor().reset(t, token))
		n.visitor().post(t, "/api/auth/password/forgot", doc{"email": bob.email}).is(t, http.StatusAccepted)
		w.clock.stand(w.clock.now().Add(25 * time.Hour))
		n.looks(t)
		n.sendsAllMails(t)
		require.Len(t, w.mails.to(bob.email, resetPath), 1)
		for _, c := range []*client{bob, cleo} {
			require.Empty(t, w.mails.letters(t, c.email))
		}
	})
}

// A digest is one email, at the user's time, with everything unread by then.
func TestDailyDigest(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 3, 0, 0, 0, time.UTC))
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		settings := bob.get(t, "/api/settings").json(t)
		bob.put(t, "/api/settings", with(settings, "timeZone", "Asia/Kathmandu", "digest", "daily")).is(t, http.StatusOK)
		a := ada.publish(t, "dueDate", "2027-03-20")
		for i := range 3 {
			ada.grade(t, bob.submit(t, a), i)
		}
		list, _ := bob.notifications(t, "")
		bob.post(t, "/api/notifications/read", doc{"ids": []any{list[0]["_id"]}}).is(t, http.StatusOK)
		for _, at := range []string{"2027-03-01T08:59:59+05:45", "2027-03-01T09:00:00+05:45", "2027-03-02T09:00:00+05:45"} {
			instant, err := time.Parse(time.RFC3339, at)
			require.NoError(t, err)
			w.clock.stand(instant)
			n.looks(t)
			n.sendsAllMails(t)
			if strings.Contains(at, "08:59") {
				require.Empty(t, n.mails.letters(t, bob.email))
			}
		}
		got := n.getsLetters(t, bob.email, 1)[0]
		require.Equal(t, "Your day on StudyCircle", got.subject)
		require.True(t, strings.HasPrefix(got.text, "This is your day on StudyCircle: 2 things are new.\n"), got.text)
		require.Equal(t, 2, strings.Count(got.text, "was graded."))

		// Its link ends the emails of all kinds, and no notification in the app.
		bob.newSession(t)
		n.visitor().post(t, strings.TrimPrefix(strings.Trim(got.header.Get("List-Unsubscribe"), "<>"), n.public), nil).is(t, http.StatusOK)
		channels := bob.get(t, "/api/settings").json(t)["channels"].(doc)
		require.NotEmpty(t, channels)
		for kind, channel := range channels {
			require.Equal(t, doc{"app": true, "mail": false}, channel, kind)
		}
	})
}

// After twenty emails a day the rest waits for one digest on another day, even if that day's digest is still to come.
func TestTwentyEmailsADay(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 8, 0, 0, 0, time.UTC))
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		a := ada.publish(t, "dueDate", "2027-03-20")
		for range 25 {
			ada.grade(t, bob.submit(t, a), 1)
		}
		w.clock.stand(w.clock.now().Add(time.Minute))
		n.looks(t)
		n.getsLetters(t, bob.email, 20)
		w.clock.stand(time.Date(2027, 3, 1, 23, 59, 0, 0, time.UTC))
		n.looks(t)
		n.getsLetters(t, bob.email, 20)
		w.clock.stand(time.Date(2027, 3, 2, 9, 0, 0, 0, time.UTC))
		n.looks(t)
		last := n.getsLetters(t, bob.email, 21)[20]
		require.Equal(t, 5, strings.Count(last.text, "was graded."))
	})
}

// An address that refuses an email permanently gets no more until its owner verifies it
// again.
func TestRefusingAddressGetsNoMoreEmails(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		a := ada.publish(t)
		w.mails.refuseWith(func(string) error {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
		})
		ada.grade(t, bob.submit(t, a), 1)
		require.Eventually(t, func() bool { return bob.get(t, "/api/auth/account").json(t)["emailVerified"] == false }, time.Minute, 50*time.Millisecond)
		w.mails.refuseWith(nil)
		ada.grade(t, bob.submit(t, a), 2)
		list, unread := bob.notifications(t, "")
		require.Len(t, list, 2)
		require.Equal(t, "2", unread)
		n.looks(t)
		n.sendsAllMails(t)
		require.Empty(t, n.mails.letters(t, bob.email))
		// The verification email is still sent, and after it all others again.
		bob.post(t, "/api/auth/email/verification", nil).is(t, http.StatusAccepted)
		_, token := w.mails.waitFor(t, 1, bob.email, "/auth/verify")
		bob.post(t, "/api/auth/email/verify", doc{"token": token}).is(t, http.StatusNoContent)
		require.Equal(t, true, bob.get(t, "/api/auth/account").json(t)["emailVerified"])
		ada.grade(t, bob.submit(t, a), 3)
		n.getsLetters(t, bob.email, 1)
	})
}

// Reminders go out in the app and by email, at the user's time, and name the due date.
func TestReminderEmail(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC))
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		a := ada.publish(t, "dueDate", "2027-03-12T23:59:59+01:00")
		bob.put(t, "/api/assignment/"+a+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		n.looks(t) // as for UTC
		bob.put(t, "/api/settings/time-zone", doc{"timeZone": "Australia/Lord_Howe"}).is(t, http.StatusOK)
		for _, step := range []struct {
			at      string
			letters int
		}{
			{"2027-03-09T08:59:59+11:00", 0}, {"2027-03-09T09:00:00+11:00", 1}, {"2027-03-11T08:59:59+11:00", 1}, {"2027-03-11T09:00:01+11:00", 2}, {"2027-03-13T00:00:00+11:00", 2},
		} {
			instant, err := time.Parse(time.RFC3339, step.at)
			require.NoError(t, err)
			w.clock.stand(instant)
			n.looks(t)
			n.getsLetters(t, bob.email, step.letters)
		}
		got := n.mails.letters(t, bob.email)[0]
		require.True(t, strings.HasPrefix(got.text, "“\u2068Essay on tides\u2069” is due on Friday, 2027/03/12.\n"), got.text)
		account, err := n.app.Store.AccountByEmail(t.Context(), bob.email) // the session has ended meanwhile
		require.NoError(t, err)
		list, _, _, err := n.app.Store.Notifications(t.Context(), studycircle.ViewerOf(account.ID), true, studycircle.Page{Number: 1, Limit: 5})
		require.NoError(t, err)
		require.Len(t, list, 1, "one that gathers both")
		require.Equal(t, studycircle.NotifyDue, list[0].Kind)
		require.EqualValues(t, 2, list[0].Count)
		require.Equal(t, "/assignment/"+a, list[0].URL)
	})
}
