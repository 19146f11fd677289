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

// noted is a connection that records what is written to it.
type noted struct {
	net.Conn
	pieces []string
}

func (n *noted) Write(p []byte) (int, error) {
	n.pieces = append(n.pieces, string(p))
	return len(p), nil
}

// The first piece of an answer waits for the second, and for no third.
func TestTheFirstPieceWaitsForTheSecond(t *testing.T) {
	t.Parallel()
	to := &noted{}
	c := &connection{Conn: to}
	write := func(text string) {
		n, err := c.Write([]byte(text))
		require.NoError(t, err)
		require.Equal(t, len(text), n)
	}
	write("before")
	c.gather()
	write("first")
	require.Equal(t, []string{"before"}, to.pieces)
	write("second")
	require.Equal(t, []string{"before", "first", "second"}, to.pieces)
	write("third")
	require.Len(t, to.pieces, 4)
	require.NoError(t, c.flush())

	c.gather()
	write("alone")
	require.Len(t, to.pieces, 4)
	require.NoError(t, c.flush())
	require.Equal(t, "alone", to.pieces[4])

	c.gather()
	write(strings.Repeat("a", maxFirst+1))
	require.Equal(t, 6, len(to.pieces), "longer pieces do not wait") //nolint:testifylint // they are too long to be shown
	require.NoError(t, c.flush())
	c.gather()
	require.NoError(t, c.flush())
	require.Equal(t, 6, len(to.pieces)) //nolint:testifylint // the same
}

// Answers of all lengths come whole and in order, one after the other on one connection.
func TestAnswersOfAllLengthsComeWhole(t *testing.T) {
	t.Parallel()
	handler := limited(1).ofReads(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	for _, n := range []int{0, 1, maxFirst/2 - 1, maxFirst / 2, maxFirst/2 + 1, maxFirst - 200, maxFirst, 2 * maxFirst, 10 * maxFirst, maxAnswer, 2*maxAnswer + 1} {
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
