package nodetest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// answer is a response.
type answer struct {
	what    string // the request, in messages
	status  int
	header  http.Header
	cookies []*http.Cookie
	body    []byte
}

// secrets are traces of the server's internals that no error may contain.
var secrets = []string{"goroutine ", ".go:", "SELECT ", "INSERT ", "SQLSTATE", "sqlite", "constraint", "/internal/", "runtime error", "argon2id$"}

// soundness checks what holds of every answer.
func (a *answer) soundness(tb testing.TB) {
	tb.Helper()
	assert.Equal(tb, "nosniff", a.header.Get("X-Content-Type-Options"), a.what)
	assert.NotEqual(tb, http.StatusInternalServerError, a.status, a.what)
	kind := a.header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/html") && a.status/100 != 3 {
		assert.Contains(tb, a.header.Get("Content-Security-Policy"), "default-src", a.what)
		assert.Contains(tb, a.header.Get("Content-Security-Policy"), "frame-ancestors", a.what)
	}
	if a.status < http.StatusBadRequest {
		return
	}
	for _, s := range secrets {
		assert.NotContains(tb, string(a.body), s, a.what)
	}
	if strings.HasPrefix(a.what, "HEAD ") || !strings.Contains(a.what, " /api/") || strings.Contains(a.what, " /api/auth/oidc/") && strings.HasPrefix(kind, "text/html") {
		return // no body, or an error page
	}
	assert.Equal(tb, "application/problem+json", kind, a.what)
	p := a.json(tb)
	assert.InDelta(tb, a.status, p["status"], 0, a.what)
	assert.NotEmpty(tb, p["type"], a.what)
	assert.Equal(tb, http.StatusText(a.status), p["title"], a.what)
	assert.NotEmpty(tb, p["detail"], a.what)
	assert.NotEmpty(tb, p["code"], a.what)
	if p["code"] == string(studycircle.CodeInvalidActionCode) {
		return // about a field or a whole link
	}
	_, named := p["errors"]
	assert.Equal(tb, a.status == http.StatusUnprocessableEntity, named, "errors name fields in a 422 and only there: %s", a.what)
}

// is requires a status.
func (a *answer) is(tb testing.TB, status int) *answer {
	tb.Helper()
	require.Equal(tb, status, a.status, "%s\n%s", a.what, a.body)
	return a
}

// refused requires a status, a code and exactly these paths of invalid fields.
func (a *answer) refused(tb testing.TB, status int, code studycircle.Code, locations ...string) *answer {
	tb.Helper()
	a.is(tb, status)
	require.Equal(tb, string(code), a.text(tb, "code"), "%s\n%s", a.what, a.body)
	if locations != nil {
		require.ElementsMatch(tb, locations, a.locations(tb), "%s\n%s", a.what, a.body)
	}
	switch status {
	case http.StatusTooManyRequests:
		assert.NotEmpty(tb, a.header.Get("Retry-After"), a.what)
		assert.Contains(tb, a.text(tb, "detail"), "Please try again in ", a.what)
	case http.StatusServiceUnavailable:
		assert.NotEmpty(tb, a.header.Get("Retry-After"), a.what)
		assert.Regexp(tb, `Please (try|connect) again`, a.text(tb, "detail"), a.what)
	}
	return a
}

func (a *answer) locations(tb testing.TB) []string {
	tb.Helper()
	var p struct {
		Errors []struct{ Location, Message string }
	}
	require.NoError(tb, json.Unmarshal(a.body, &p))
	var out []string
	for _, e := range p.Errors {
		require.NotEmpty(tb, e.Message, a.what)
		out = append(out, e.Location)
	}
	return out
}

func (a *answer) json(tb testing.TB) doc {
	tb.Helper()
	var d doc
	require.NoError(tb, json.Unmarshal(a.body, &d), "%s\n%s", a.what, a.body)
	return d
}

func (a *answer) array(tb testing.TB) []doc {
	tb.Helper()
	var d []doc
	require.NoError(tb, json.Unmarshal(a.body, &d), "%s\n%s", a.what, a.body)
	require.NotNil(tb, d, "null is no array: %s", a.what)
	return d
}

// text returns a field that is a string.
func (a *answer) text(tb testing.TB, name string) string {
	tb.Helper()
	s, ok := a.json(tb)[name].(string)
	require.True(tb, ok, "%s in %s\n%s", name, a.what, a.body)
	return s
}

// id returns the insertedId of a creation.
func (a *answer) id(tb testing.TB) string {
	tb.Helper()
	a.is(tb, http.StatusCreated)
	id := a.text(tb, "insertedId")
	require.NotEmpty(tb, id, a.what)
	return id
}

// cookie returns a cookie that a sets, or nil.
func (a *answer) cookie(name string) *http.Cookie {
	for _, c := range a.cookies {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// sessionCookie returns the session cookie that a sets.
func (a *answer) sessionCookie(tb testing.TB) *http.Cookie {
	tb.Helper()
	for _, c := range a.cookies {
		if strings.HasSuffix(c.Name, "session") {
			return c
		}
	}
	require.Failf(tb, "no session cookie", "%s: %v", a.what, a.cookies)
	return nil
}
