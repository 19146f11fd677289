package nodetest

import (
	"bytes"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/logs"
)

// record collects every log line of any level.
type record struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all.Write(p)
}

func (r *record) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all.String()
}

// captureLog records the log until the test ends. The logger is the process's: only tests
// that are not parallel use it, which run before the others.
func captureLog(t *testing.T) *record {
	t.Helper()
	logged := &record{}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	return logged
}

func TestNoSecretAndNoAddressInTheLog(t *testing.T) {
	logged := captureLog(t)

	w := onSQLite(t)
	w.host, w.mails, w.limits = "localhost", catch(t), true
	w.mails.refuseWith(func(to string) error {
		if strings.HasPrefix(to, "gone") {
			return &smtp.SMTPError{Code: 550, Message: "no mailbox " + to}
		}
		return &smtp.SMTPError{Code: 451, Message: "later for " + to}
	})
	p := w.provider(t, "school")
	n, stop := w.startUntil(t)
	b := n.browser(t)
	session := b.register(t, ada).cookie("session").Value
	n.browser(t).register(t, "gone@example.org")
	b.post(t, "/api/auth/register", registration(ada)).refused(t, http.StatusConflict, "auth/email-already-in-use")
	wrongTimes(t, b, 10, ada)
	overLimit(t, b.login(t, ada, wrong))
	b.post(t, "/api/auth/password/forgot", doc{"email": ada}).is(t, http.StatusAccepted)
	require.Eventually(t, func() bool {
		return strings.Count(logged.text(), "SMTP 451") >= 2 && strings.Contains(logged.text(), "email given up")
	}, time.Minute, 20*time.Millisecond)
	w.mails.refuseWith(nil)
	w.clock.advance(time.Minute)
	_, code := w.mails.waitFor(t, 1, ada, resetPath)
	badLink(t, b.reset(t, code+"x"))
	b.reset(t, code).is(t, http.StatusNoContent)
	b.login(t, ada, newSecret).is(t, http.StatusOK)
	b.patch(t, "/api/auth/password", doc{"currentPassword": wrong, "newPassword": password}).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
	var links []string
	for email, answer := range map[string]int{"gone@example.org": http.StatusConflict, "moved@example.org": http.StatusNoContent} {
		b.post(t, "/api/auth/email", doc{"email": email, "password": newSecret}).is(t, http.StatusAccepted)
		_, link := w.mails.waitFor(t, 1, email, verifyPath)
		b.confirms(t, link).is(t, answer)
		links = append(links, link)
	}
	_, undo := w.mails.waitFor(t, 1, ada, undoPath)
	n.undoes(t, undo).is(t, http.StatusNoContent)
	b.login(t, ada, newSecret).is(t, http.StatusOK)
	b.get(t, "/api/auth/export").is(t, http.StatusOK)
	b.get(t, "/auth/reset?token="+code).is(t, http.StatusOK)
	providerCodes := providersTrouble(t, n, p)
	key := b.addPasskey(t, "Phone")
	key.origin = "https://evil.example"
	key.login(t, n.browser(t)).refused(t, http.StatusUnauthorized, "auth/invalid-credential")
	stop()
	_, err := b.try(t.Context(), http.MethodPost, "/api/auth/login", doc{"email": ada, "password": newSecret})
	require.Error(t, err)

	lines := logged.text()
	assert.Contains(t, lines, "ID token refused")
	assert.Contains(t, lines, "OpenID provider not available")
	for _, private := range append(slices.Concat(providerCodes, links), undo, ada, "gone@example.org", "example.org", password, newSecret, wrong, session, b.token, code, "argon2id$",
		clientSecret, "subject-1", "Ada Lovelace", base64url.EncodeToString(key.rawID)) {
		assert.NotContains(t, lines, private)
	}
}

// providersTrouble signs in by p, with and without success, and returns what no log may
// contain.
func providersTrouble(t *testing.T, n *node, p *idp) []string {
	t.Helper()
	var private []string
	in := func(query string) *popUp {
		b := n.browser(t)
		back := p.authorize(t, b.begin(t, "school", ""))
		private = append(private, back.Query().Get("code"), back.Query().Get("state"))
		return b.goTo(t, back.RequestURI()+query)
	}
	require.Equal(t, "signed-in", in("").Status)
	p.is("subject-2", "Ada Lovelace", ada, true)
	require.Equal(t, "auth/account-exists-with-different-credential", in("").Code)
	p.set(func() { p.tokenOf = func(c doc) string { c["nonce"] = "wrong"; return p.signed(c) } })
	require.Equal(t, "auth/invalid-id-token", in("").Code)
	require.Equal(t, "auth/provider-unavailable", in("&error=server_error&error_description="+ada).Code)
	p.set(func() { p.refuse["/token"] = http.StatusInternalServerError })
	require.Equal(t, "auth/provider-unavailable", in("").Code)
	return private
}

// With an access log each answer has a line with its request's id, which the client gets too, and the route in place of
// the path.
func TestAccessLog(t *testing.T) {
	logged := &record{}
	before := slog.Default()
	slog.SetDefault(slog.New(logs.New(logged, logs.JSON)))
	t.Cleanup(func() { slog.SetDefault(before) })
	w := onSQLite(t)
	w.accessLog = true
	n := w.start(t)
	a := n.visitor().get(t, "/api/assignment/a-secret-id").refused(t, http.StatusNotFound, "not-found")
	id := a.header.Get("X-Request-Id")
	require.Len(t, id, 26)
	require.NotEqual(t, id, n.visitor().get(t, "/assignments").is(t, http.StatusOK).header.Get("X-Request-Id"))
	text := logged.text()
	require.Regexp(t, `"msg":"request","method":"GET","route":"/api/assignment/\{id\}","status":404,"ms":\d+,"request":"`+id+`"`, text)
	require.Contains(t, text, `"route":"/assignments","status":200`)
	require.NotContains(t, text, "a-secret-id")
}
