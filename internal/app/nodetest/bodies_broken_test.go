package nodetest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// An interrupted body is the client's or the network's fault: it gets a 4xx and no log
// entry that would alert an operator.
func TestInterruptedBodies(t *testing.T) {
	logged := captureLog(t)
	w := onSQLite(t)
	n := w.start(t)
	ada := n.user(t, "Ada")
	for what, sent := range map[string]string{
		"a chunk's length that is none":  "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
		"a chunk longer than it says":    "Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
		"a chunk's length without end":   "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1", 100) + "\r\n{}",
		"a chunk that is cut off":        "Transfer-Encoding: chunked\r\n\r\nff\r\n{\"title\":",
		"chunks without an end":          "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"a body shorter than it says":    "Content-Length: 100\r\n\r\n{\"title\":",
		"a body that does not come":      "Content-Length: 100\r\n\r\n",
		"a whole one, and then no more":  "Content-Length: 100\r\n\r\n{}",
		"a long body that is cut off":    fmt.Sprintf("Content-Length: %d\r\n\r\n{\"title\":\"%s", 900_000, strings.Repeat("a", 100_000)),
		"a long chunk that is no length": "Transfer-Encoding: chunked\r\n\r\n10000\r\n{\"title\":\"" + strings.Repeat("a", 1<<16-10) + "\r\nzz\r\n",
	} {
		for _, path := range []string{"/api/auth/login", "/api/assignments"} {
			connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(n.url, "http://"))
			require.NoError(t, err)
			_, err = fmt.Fprintf(connection, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\n%s", path, ada.token, sent)
			require.NoError(t, err)
			require.NoError(t, connection.(*net.TCPConn).CloseWrite())
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			require.NoError(t, err, what)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err, what)
			require.NoError(t, response.Body.Close())
			a := &answer{what: "POST " + path + " " + what, status: response.StatusCode, header: response.Header, body: body}
			a.soundness(t)
			a.refused(t, http.StatusBadRequest, studycircle.CodeMalformed)
			require.NoError(t, connection.Close())
		}
	}
	require.NotContains(t, logged.text(), `"ERROR"`)
	require.NotContains(t, logged.text(), `"WARN"`)
}
