package server

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Answers of all lengths come whole and in order, one after the other on one connection.
func TestAnswersOfAllLengthsComeWhole(t *testing.T) {
	t.Parallel()
	handler := limited(1).queued(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, err := fmt.Sscanf(r.URL.Path, "/%d", &n)
		assert.NoError(t, err)
		_, _ = io.WriteString(w, text(n))
	}))
	s := NewHTTP(answering(handler, newBudget(maxAnswers, byAddress)), nil)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	require.NoError(t, err)
	from := bufio.NewReader(conn)
	const buffered = 4 << 10 // by net/http
	for _, n := range []int{0, 1, buffered/2 - 1, buffered / 2, buffered/2 + 1, buffered - 200, buffered, 2 * buffered, 10 * buffered, maxAnswer, 2*maxAnswer + 1} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			_, err := fmt.Fprintf(conn, "%s /%d HTTP/1.1\r\nHost: x\r\n\r\n", method, n)
			require.NoError(t, err)
			response, err := http.ReadResponse(from, &http.Request{Method: method})
			require.NoError(t, err)
			got, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
			want := ""
			if method == http.MethodGet {
				want = text(n)
			}
			require.Equal(t, sha256.Sum256([]byte(want)), sha256.Sum256(got), "%s %d", method, n)
		}
	}
	require.NoError(t, conn.Close())
	require.NoError(t, s.Close())
	require.ErrorIs(t, <-served, http.ErrServerClosed)
}

// text returns n bytes without repetitions.
func text(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%d ", i)
	}
	return b.String()[:n]
}
