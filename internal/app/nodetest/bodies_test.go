package nodetest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// target is a call with a body.
type target struct {
	who          *client
	method, path string
	good         doc
}

// targets returns all calls with a body, each with a valid one.
func targets(t *testing.T, n *node) map[string]target {
	t.Helper()
	ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
	mine, open := ada.publish(t), ada.publish(t)
	toChange, toGrade := bob.submit(t, mine), bob.submit(t, open)
	return map[string]target{
		"create":   {ada, http.MethodPost, "/api/assignments", assignment()},
		"update":   {ada, http.MethodPut, "/api/assignment/" + mine, assignment()},
		"submit":   {eve, http.MethodPost, "/api/submissions", submission(open)},
		"change":   {bob, http.MethodPut, "/api/submissions/" + toChange + "/own", doc{"docsLink": link(30), "note": "b"}},
		"grade":    {ada, http.MethodPatch, "/api/submissions/" + toGrade, doc{"marks": 1, "feedback": "a"}},
		"register": {n.visitor(), http.MethodPost, "/api/auth/register", newcomer()},
		"login":    {n.visitor(), http.MethodPost, "/api/auth/login", doc{"email": ada.email, "password": password}},
		"profile":  {bob, http.MethodPatch, "/api/auth/profile", doc{"displayName": "Bob", "photoURL": ""}},
	}
}

func (c target) send(t *testing.T, body any, headers ...header) *answer {
	t.Helper()
	return c.who.call(t, c.method, c.path, body, headers...)
}

func TestMalformedBodies(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for name, call := range targets(t, n) {
			for what, body := range malformed() {
				call.send(t, raw(body)).refused(t, http.StatusBadRequest, studycircle.CodeMalformed)
				require.NotEmpty(t, what)
			}
			call.send(t, nil, header{"Content-Type", "application/json"}).refused(t, http.StatusBadRequest, studycircle.CodeMalformed)
			require.Less(t, call.send(t, call.good).status, 300, name)
		}
	})
}

func TestMediaTypes(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for name, call := range targets(t, n) {
			for _, kind := range wrongMediaTypes() {
				call.send(t, call.good, header{"Content-Type", kind}).refused(t, http.StatusUnsupportedMediaType, studycircle.CodeUnsupportedMedia)
			}
			for _, encoding := range []string{"gzip", "br", "identity, gzip", "made-up"} {
				call.send(t, call.good, header{"Content-Encoding", encoding}).
					refused(t, http.StatusUnsupportedMediaType, studycircle.CodeUnsupportedMedia)
			}
			require.Less(t, call.send(t, call.good, header{"Content-Type", "Application/JSON ; charset=\"UTF-8\""}).status, 300, name)
		}
	})
}

func TestBodySize(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		const limit = 1 << 20
		for name, call := range targets(t, n) {
			for _, size := range []int{limit + 1, 8 * limit} {
				padded(t, call.good, size).send(t, call).refused(t, http.StatusRequestEntityTooLarge, studycircle.CodeTooLarge)
				padded(t, call.good, size).inChunks().send(t, call).refused(t, http.StatusRequestEntityTooLarge, studycircle.CodeTooLarge)
			}
			exactly := padded(t, call.good, limit).send(t, call)
			require.Less(t, exactly.status, 300, "%s: %s", name, exactly.body)
		}
		ada := n.user(t, "Grown")
		padded(t, assignment(), limit).inChunks().send(t, target{ada, http.MethodPost, "/api/assignments", nil}).is(t, http.StatusCreated)
	})
}

// sized is a body with an exact number of bytes.
type sized struct {
	text    []byte
	chunked bool
}

// padded returns body as JSON, padded with blanks.
func padded(t *testing.T, body doc, size int) sized {
	t.Helper()
	text, err := encoded(body)
	require.NoError(t, err)
	return sized{text: append(text, bytes.Repeat([]byte(" "), size-len(text))...)}
}

// inChunks sends the body without its length.
func (s sized) inChunks() sized { return sized{s.text, true} }

func (s sized) send(t *testing.T, call target) *answer {
	t.Helper()
	var body io.Reader = bytes.NewReader(s.text)
	if s.chunked {
		body = struct{ io.Reader }{body} // hides its length
	}
	// A balancer closes the connection if a node answers before it has read everything.
	r, err := http.NewRequestWithContext(t.Context(), call.method, call.who.n.direct+call.path, body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+call.who.token)
	a, err := call.who.roundTrip(r, fmt.Sprintf("%s %s with %d bytes", call.method, call.path, len(s.text)))
	require.NoError(t, err)
	a.soundness(t)
	return a
}

func TestUnknownFields(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for name, call := range targets(t, n) {
			for _, field := range []string{"colour", "_id", "id", "createdAt", "updatedAt", "late", "graderId", "isAdmin", "__proto__", "constructor", "a\x00b", ""} {
				call.send(t, with(call.good, field, "x")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+field)
			}
			require.Less(t, call.send(t, call.good).status, 300, name)
		}
	})
}

func TestFieldNamesAreCaseSensitive(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for name, call := range targets(t, n) {
			for field, value := range call.good {
				shouted := string(field[0]-'a'+'A') + field[1:]
				call.send(t, with(call.good, field, absent{}, shouted, value)).
					refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
				call.send(t, with(call.good, shouted, value)).
					refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+shouted)
			}
			require.Less(t, call.send(t, call.good).status, 300, name)
		}
	})
}

// An ignored field changes no answer, whatever its value.
func TestUnknownFieldsAreIgnored(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		open := ada.publish(t)
		graded := bob.submit(t, ada.publish(t))
		ada.grade(t, graded, 1)
		for what, c := range map[string]struct {
			who          *client
			method, path string
			body         doc
		}{
			"create":          {ada, http.MethodPost, "/api/assignments", with(assignment(), "level", "hard")},
			"create wrongly":  {ada, http.MethodPost, "/api/assignments", with(assignment(), "level", "hard", "title", " ", "marks", 0)},
			"create long ago": {ada, http.MethodPost, "/api/assignments", with(assignment(), "level", "hard", "dueDate", "2001-01-01")},
			"own assignment":  {ada, http.MethodPost, "/api/submissions", submission(open)},
			"nothing":         {bob, http.MethodPost, "/api/submissions", submission("nothing")},
			"not signed in":   {n.visitor(), http.MethodPost, "/api/submissions", submission(open)},
			"bad link":        {bob, http.MethodPost, "/api/submissions", with(submission(open), "docsLink", "ftp://<b>&/")},
			"own submission":  {bob, http.MethodPatch, "/api/submissions/" + graded, doc{"marks": 1, "feedback": "a"}},
			"already graded":  {eve, http.MethodPatch, "/api/submissions/" + graded, doc{"marks": 1, "feedback": "a"}},
			"no submission":   {eve, http.MethodPatch, "/api/submissions/nothing", doc{"marks": 1}},
		} {
			plain := c.who.call(t, c.method, c.path, c.body)
			other := c.who.call(t, c.method, c.path, with(c.body, "status", []any{"read over", doc{"a": nil}}, "givenMark", number("1e999")))
			require.Equal(t, other.status, plain.status, what)
			want, got := other.json(t), plain.json(t)
			if _, done := want["insertedId"]; done {
				require.NotEmpty(t, got["insertedId"], what)
				got["insertedId"] = want["insertedId"]
			}
			require.Equal(t, want, got, what)
			for name := range other.header {
				if name != "Date" && name != "Location" && name != "Content-Length" {
					require.Equal(t, other.header[name], plain.header[name], "%s: %s", what, name)
				}
			}
			require.Len(t, plain.header, len(other.header), what)
		}
	})
}

// A mebibyte built to cost memory is refused with a small answer. A test where bodies are
// read bounds the memory.
func TestHostileBodiesAreRefusedWithSmallAnswers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		fill := func(begin, part, end string) raw {
			return raw(begin + strings.Repeat(part+",", (1<<20-len(begin)-len(end))/(len(part)+1)-1) + part + end)
		}
		var unknown strings.Builder
		for i := range 60_000 {
			fmt.Fprintf(&unknown, `"f%d":0,`, i)
		}
		for what, body := range map[string]raw{
			"objects":        fill(`{"name":[`, `{"":0}`, `]}`),
			"arrays":         fill(`{"email":[`, `[]`, `]}`),
			"unknown fields": raw("{" + unknown.String() + `"z":0}`),
		} {
			for _, path := range []string{"/api/auth/login", "/api/auth/register"} {
				a := n.visitor().post(t, path, body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
				require.LessOrEqual(t, len(a.locations(t)), 32, what)
				require.Less(t, len(a.body), 4<<10, what)
			}
		}
		n.visitor().post(t, "/api/auth/login", fill("[", "[]", "]")).refused(t, http.StatusBadRequest, studycircle.CodeMalformed)
	})
}
