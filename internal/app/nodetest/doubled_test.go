package nodetest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// eachDocumented calls f with every operation of the API document, a path of it, and a body that it reads.
func eachDocumented(t *testing.T, f func(o operation, method, path string, body any, headers []header)) {
	t.Helper()
	for path, operations := range documented(t) {
		at := strings.NewReplacer("{provider}", "school", "{kind}", "like", "{file}", "x.ics", "{", "", "}", "").Replace(path)
		for method, o := range operations {
			var body any
			var headers []header
			if o.RequestBody != nil {
				body = doc{}
			}
			if o.OperationID == "send-roster" {
				body, headers = raw("email\nbob@example.org\n"), []header{csvFile}
			}
			f(o, strings.ToUpper(method), at, body, headers)
		}
	}
}

// Every parameter of every query in the API document is refused if it is given twice: two readers could each take
// another one. None may be repeated: a list of ids has commas.
func TestEveryParameterGivenTwiceIsRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, asked := n.user(t, "Ada"), 0
		eachDocumented(t, func(o operation, method, path string, body any, headers []header) {
			for _, p := range o.Parameters {
				if p.In != "query" {
					continue
				}
				asked++
				values := slices.Concat(p.Schema.Enum, []string{"1", "2"})
				once := ada.call(t, method, path+"?"+p.Name+"="+values[0], body, headers...)
				require.NotContains(t, string(once.body), "more than once", once.what)
				require.Less(t, once.status, http.StatusInternalServerError, once.what)
				for _, second := range []string{values[0], values[1], ""} {
					for _, query := range []string{
						p.Name + "=" + values[0] + "&" + p.Name + "=" + second,
						p.Name + "=" + second + "&x=1&%" + fmt.Sprintf("%02x", p.Name[0]) + p.Name[1:] + "=" + values[0],
					} {
						a := ada.call(t, method, path+"?"+query, body, headers...).is(t, http.StatusUnprocessableEntity)
						if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
							require.Contains(t, string(a.body), studycircle.CodeInvalidState, a.what)
							continue
						}
						require.Contains(t, a.locations(t), "query."+p.Name, a.what)
					}
				}
			}
		})
		require.Greater(t, asked, 80)
	})
}

// No request whose headers give two types, a compression or two users is answered as if it had one of them. If-Match
// and If-None-Match are lists, which may have several lines.
func TestHeadersGivenTwice(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		twice := func(c *client, method, path string, body any, name string, values ...string) *answer {
			text, err := encoded(body)
			require.NoError(t, err)
			r, err := http.NewRequestWithContext(t.Context(), method, n.url+path, strings.NewReader(string(text)))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+c.token)
			r.Header[name] = values
			a, err := c.roundTrip(r, fmt.Sprint(method, " ", path, " ", name, values))
			require.NoError(t, err)
			return a
		}
		eachDocumented(t, func(o operation, method, path string, body any, headers []header) {
			if body != nil && o.RequestBody.Required { // an optional one of another type is ignored
				kind := "application/json"
				if headers != nil {
					kind = headers[0].value
				}
				for _, values := range [][]string{{kind, kind}, {kind, "text/plain"}, {kind, ""}} {
					twice(ada, method, path, body, "Content-Type", values...).
						refused(t, http.StatusUnsupportedMediaType, studycircle.CodeUnsupportedMedia)
				}
				if headers == nil {
					twice(ada, method, path, body, "Content-Encoding", "identity", "gzip").
						refused(t, http.StatusUnsupportedMediaType, studycircle.CodeUnsupportedMedia)
				}
			}
			if o.OperationID == "events" {
				return // a stream
			}
			// As one broken token: 401, and where none is read the answer to visitors.
			broken := ada.call(t, method, path, body, append(headers, header{"Authorization", "Bearer broken"})...)
			for _, values := range [][]string{
				{ada.token, ada.token}, {ada.token, bob.token}, {ada.token, "broken"}, {"broken", ada.token},
			} {
				a := twice(ada, method, path, body, "Authorization", "Bearer "+values[0], "Bearer "+values[1])
				require.Less(t, a.status, http.StatusInternalServerError, a.what)
				if headers == nil {
					require.Equal(t, broken.comparable(), a.comparable(), a.what)
				}
			}
		})
		twice(ada, http.MethodGet, "/api/events", nil, "Authorization", "Bearer "+ada.token, "Bearer "+bob.token).
			refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)

		at := "/api/assignment/" + ada.publish(t)
		tag := ada.get(t, at).header.Get("ETag")
		for _, values := range [][]string{{`"x"`, tag}, {tag, `"x"`}} {
			twice(ada, http.MethodGet, at, nil, "If-None-Match", values...).is(t, http.StatusNotModified)
			require.Equal(t, tag, ada.get(t, at).header.Get("ETag"))
		}
		twice(ada, http.MethodPut, at, assignment(), "If-Match", `"x"`, `"y"`).is(t, http.StatusPreconditionFailed)
		twice(ada, http.MethodPut, at, assignment(), "If-Match", `"x"`, tag).is(t, http.StatusOK)

		// The length of a body, by the connection: the HTTP client sends one. net/http refuses two codings itself, as
		// RFC 9112 has it for codings that a server does not know.
		for sent, status := range map[string]int{
			"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x":                         http.StatusBadRequest,
			"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": http.StatusNotImplemented,
		} {
			connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(n.url, "http://"))
			require.NoError(t, err)
			require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
			_, err = fmt.Fprintf(connection, "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s", sent)
			require.NoError(t, err)
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			require.Equal(t, status, response.StatusCode, sent)
			require.True(t, response.Close, "what follows on the connection is not read as a request")
			require.NoError(t, connection.Close())
		}
	})
}
