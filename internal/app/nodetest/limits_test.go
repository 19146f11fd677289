package nodetest

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limited is worldOnBothEngines with limits on.
func limited(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.limits = true
		f(t, w)
	})
}

const wrong = "Wrong1Horse"

func wrongTimes(t *testing.T, b *client, times int, email string) {
	t.Helper()
	for range times {
		b.login(t, email, wrong).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
	}
}

func overLimit(t *testing.T, a *answer) int {
	t.Helper()
	a.refused(t, http.StatusTooManyRequests, "rate-limited")
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	require.NoError(t, err)
	return seconds
}

// fails signs in with a wrong password and returns the interval in which that was
// counted.
func (w *world) fails(t *testing.T, b *client, email string) (from, to time.Time) {
	t.Helper()
	from = w.clock.now()
	wrongTimes(t, b, 1, email)
	return from, w.clock.now()
}

// waitsFor signs in, is refused until an attempt counted between from and to is older
// than per, and returns the seconds to wait.
func (w *world) waitsFor(t *testing.T, b *client, email string, from, to time.Time, per time.Duration) int {
	t.Helper()
	asked := w.clock.now()
	wait := overLimit(t, b.login(t, email, password))
	assert.GreaterOrEqual(t, wait, int((per - w.clock.now().Sub(from)).Seconds()))
	assert.LessOrEqual(t, wait, int((per-asked.Sub(to)).Seconds())+1)
	return wait
}

func TestTenFailedSignInsOfAnAccountFromOneAddress(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		first.browser(t).register(t, ada)
		for _, email := range []string{ada, "nobody@example.org"} { // both alike
			b := first.browser(t)
			b.address = "192.0.2.1"
			from, to := w.fails(t, b, email)
			wrongTimes(t, b, 4, email)
			w.clock.advance(5 * time.Minute)
			wrongTimes(t, b.at(second), 5, email) // nodes share counts
			wait := w.waitsFor(t, b, email, from, to, 15*time.Minute)
			overLimit(t, b.at(second).login(t, " "+email, password))
			b.address = "192.0.2.2"
			wrongTimes(t, b, 1, email) // another address has its own count
			b.address = "192.0.2.1"
			w.clock.advance(time.Duration(wait) * time.Second)
			wrongTimes(t, b, 1, email) // after the given time
			w.clock.advance(2 * time.Minute)
			wrongTimes(t, b, 4, email) // exactly those that left the window
			overLimit(t, b.login(t, email, wrong))
		}
	})
}

func TestFailedSignInsAtOnceCountExactly(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		nodes := []*node{w.start(t), w.start(t)}
		b := nodes[0].browser(t)
		b.register(t, ada)
		stranger := nodes[0].browser(t)
		statuses := atOnce(t, func(n int) (*answer, error) {
			return stranger.at(nodes[n%2]).try(t.Context(), http.MethodPost, "/api/auth/login", doc{"email": ada, "password": wrong})
		})
		assert.Equal(t, map[int]int{http.StatusUnauthorized: 10, http.StatusTooManyRequests: crowd - 10}, statuses)
	})
}

func TestManySignInsAtOnceOfOneAccountAllSucceed(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		b.http.Jar = nil
		statuses := atOnce(t, func(int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/login", doc{"email": ada, "password": password})
		})
		assert.Equal(t, map[int]int{http.StatusOK: crowd}, statuses, "only failures count")
		assert.Len(t, b.sessions(t), crowd+1)
	})
}

func TestAHundredFailuresFromManyAddressesSpareTheOwnersBrowser(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		n := w.start(t)
		owner, attacker := n.browser(t), n.browser(t)
		owner.address = "198.51.100.1"
		owner.register(t, ada)
		owner.post(t, "/api/auth/logout", nil).is(t, http.StatusNoContent)
		from, to := w.fails(t, attacker, ada)
		for i := range 99 {
			attacker.address = fmt.Sprintf("192.0.2.%d", i)
			wrongTimes(t, attacker, 1, ada)
		}
		attacker.address = "203.0.113.7"
		wait := w.waitsFor(t, attacker, ada, from, to, time.Hour)
		owner.token = ""
		owner.login(t, ada, password).is(t, http.StatusOK)

		eve := n.browser(t) // a device cookie helps only with its own account
		eve.register(t, "eve@example.org")
		overLimit(t, eve.login(t, ada, password))
		w.clock.advance(time.Duration(wait) * time.Second)
		attacker.login(t, ada, password).is(t, http.StatusOK)
	})
}

func TestFailuresInTheSameRoomSpareTheOwnersBrowser(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		n := w.start(t)
		owner, attacker := n.browser(t), n.browser(t)
		owner.register(t, ada)
		wrongTimes(t, attacker, 10, ada)
		overLimit(t, attacker.login(t, ada, password))
		wrongTimes(t, owner, 10, ada)
		overLimit(t, owner.login(t, ada, password)) // which has its own count
		w.clock.advance(15*time.Minute + time.Second)
		owner.login(t, ada, password).is(t, http.StatusOK)
	})
}

func TestResetLiftsTheSignInLimit(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		n := w.start(t)
		n.browser(t).register(t, ada)
		b := n.browser(t)
		wrongTimes(t, b, 10, ada)
		overLimit(t, b.login(t, ada, wrong))
		b.reset(t, b.forgot(t, 1, ada)).is(t, http.StatusNoContent)
		b.login(t, ada, newSecret).is(t, http.StatusOK)
	})
}

func TestKnownBrowserCookieForgedOrOfAnotherAccount(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		n := w.start(t)
		owner, eve := n.browser(t), n.browser(t)
		device := owner.register(t, ada).cookie("device").Value
		eve.register(t, "eve@example.org")
		wrongTimes(t, n.browser(t), 10, ada)
		for _, forged := range []string{"", "~~~", "a.b.c", device[:len(device)-1], device + "A", "x" + device} {
			b := n.browser(t)
			b.http.Jar = nil
			b.http.Transport = withCookie{"device=" + forged}
			overLimit(t, b.login(t, ada, password))
		}
		overLimit(t, eve.login(t, ada, password))
		owner.login(t, ada, password).is(t, http.StatusOK)
	})
}

// withCookie sends a cookie that no cookie jar would.
type withCookie struct{ cookie string }

func (c withCookie) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Cookie", c.cookie)
	return http.DefaultTransport.RoundTrip(r)
}

func TestAHundredFailuresFromOneAddress(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		n := w.start(t)
		n.browser(t).register(t, ada)
		b := n.browser(t)
		b.address = "2001:db8::1"
		for i := range 100 {
			b.address = fmt.Sprintf("2001:db8::%x", i+1) // one household
			wrongTimes(t, b, 1, fmt.Sprintf("user%d@example.org", i))
		}
		overLimit(t, b.login(t, ada, password))
		b.address = "2001:db8:0:1::1"
		b.login(t, ada, password).is(t, http.StatusOK)
	})
}

func TestSpoofedForwardedForDoesNotHelp(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		b = b.n.browser(t)
		for i := range 10 {
			// Only what the trusted proxy appended counts, the last one.
			b.address = fmt.Sprintf("10.0.0.%d, 203.0.113.9", i)
			wrongTimes(t, b, 1, ada)
		}
		b.address = "10.9.9.9, 203.0.113.9, 127.0.0.1"
		overLimit(t, b.login(t, ada, password))
	})
}

func TestRegistrationsFromOneAddress(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.address = "192.0.2.1"
		b.post(t, "/api/auth/register", doc{"name": "", "email": "x", "photoURL": "", "password": ""}).refused(t, http.StatusUnprocessableEntity, "invalid")
		for i := range 20 {
			b.register(t, fmt.Sprintf("user%d@example.org", i))
		}
		overLimit(t, b.post(t, "/api/auth/register", registration("one-more@example.org")))
		b.address = "192.0.2.2"
		b.register(t, "one-more@example.org")
	})
}

func TestResetMailsOfAnAccount(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		b := first.browser(t)
		b.register(t, ada)
		for _, email := range []string{ada, "nobody@example.org"} { // both alike
			for n := range 5 {
				b.address = fmt.Sprintf("192.0.2.%d", n)
				b.at([]*node{first, second}[n%2]).post(t, "/api/auth/password/forgot", doc{"email": email}).is(t, http.StatusAccepted)
			}
			overLimit(t, b.post(t, "/api/auth/password/forgot", doc{"email": email}))
		}
		w.mails.waitFor(t, 5, ada, resetPath)
		statuses := atOnce(t, func(int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/password/forgot", doc{"email": "another@example.org"})
		})
		assert.Equal(t, map[int]int{http.StatusAccepted: 5, http.StatusTooManyRequests: crowd - 5}, statuses)
		w.clock.advance(time.Hour + time.Second)
		b.post(t, "/api/auth/password/forgot", doc{"email": ada}).is(t, http.StatusAccepted)
	})
}

func TestPasswordGuessedThroughChangePassword(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		b := w.start(t).browser(t)
		b.register(t, ada)
		guess := func(current string) *answer {
			return b.patch(t, "/api/auth/password", doc{"currentPassword": current, "newPassword": newSecret})
		}
		for range 10 {
			guess(wrong).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
		}
		overLimit(t, guess(password))
		assert.True(t, b.signedIn(t))
	})
}

func TestSubmissionsAndGradesOfAUser(t *testing.T) {
	limited(t, func(t *testing.T, w *world) {
		first, second := w.start(t), w.start(t)
		creator, submitter := first.browser(t), first.browser(t)
		creator.register(t, ada)
		submitter.register(t, "bo@example.org")
		assignment := creator.post(t, "/api/assignments", doc{
			"title": "Tides", "description": "Why?", "marks": 10, "thumbnail": "https://example.org/t.png",
			"dueDate": time.Now().AddDate(0, 0, 7).Format(time.DateOnly),
		}).is(t, http.StatusCreated).text(t, "insertedId")
		submit := doc{"assignmentId": assignment, "docsLink": "https://example.org/d"}
		for n := range 120 {
			at := []*node{first, second}[n%2]
			id := submitter.at(at).post(t, "/api/submissions", submit).is(t, http.StatusCreated).text(t, "insertedId")
			creator.at(at).patch(t, "/api/submissions/"+id, doc{"marks": 5}).is(t, http.StatusOK)
		}
		overLimit(t, submitter.post(t, "/api/submissions", submit))
		third := second.browser(t)
		third.register(t, "cy@example.org")
		id := third.post(t, "/api/submissions", submit).is(t, http.StatusCreated).text(t, "insertedId")
		overLimit(t, creator.patch(t, "/api/submissions/"+id, doc{"marks": 5}))
		submitter.patch(t, "/api/submissions/"+id, doc{"marks": 5}).is(t, http.StatusOK)
	})
}
