package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// echo answers with the body, or with 400 if it is unreadable.
func echo(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = w.Write(text)
}

// A client that sends a body of any length slowly holds no slot.
func TestSlowBodiesHoldNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := served(t, answering(newBodies(byAddress).gather(limited(1).queued(http.HandlerFunc(echo))), newBudget(maxAnswers, byAddress)))
		var slow []net.Conn
		for range 150 {
			c := p.dial("192.0.2.1")
			_, err := fmt.Fprintf(c, "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n%s", strings.Repeat("a", 20_000))
			require.NoError(t, err)
			slow = append(slow, c)
		}
		synctest.Wait()
		for _, size := range []int{1, shortBody - 1, shortBody, shortBody + 1, shortBody + piece, shortBody + piece + 1, 900_000, maxBody - 1} {
			body := strings.Repeat("0123456789", size/10+1)[:size]
			status, got := asked(t, p, "192.0.2.2", http.MethodPost, "/api/x", body)
			require.Equal(t, http.StatusOK, status, size)
			require.Equal(t, body, got, size)
		}
		// Together they would be refused at one instant, and wait in line for the one slot to get the refusal: which
		// of them find none does not matter here.
		for _, c := range slow[1:] {
			require.NoError(t, c.Close())
		}
		began := time.Now()
		response, err := http.ReadResponse(bufio.NewReader(slow[0]), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusBadRequest, response.StatusCode)
		require.Equal(t, 14*time.Second, time.Since(began), "10 seconds and one for each 4 KiB")
		require.NoError(t, response.Body.Close())
		require.NoError(t, slow[0].Close())
	})
}

// Bodies share a bound. The network that holds most of it loses first, visitors before users, and no request
// displaces one of its own client.
func TestBodiesHeldHaveABoundTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBodies(byAddress)
		var refused atomic.Int64
		b.shed = func(reason string) {
			assert.Equal(t, BodiesFull, reason)
			refused.Add(1)
		}
		p := served(t, answering(b.gather(limited(1).queued(http.HandlerFunc(echo))), newBudget(maxAnswers, byAddress)))
		begin := func(from string) net.Conn {
			c := p.dial(from)
			_, err := fmt.Fprintf(c, "POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n%s", strings.Repeat("a", 980_000))
			require.NoError(t, err)
			synctest.Wait()
			return c
		}
		const each = 1_000_000
		for range maxLongBodies / each {
			begin("192.0.2.1")
		}
		require.LessOrEqual(t, b.long.used, maxLongBodies)
		status, _ := asked(t, p, "192.0.2.1", http.MethodPost, "/api/x", strings.Repeat("b", each))
		require.Equal(t, http.StatusServiceUnavailable, status, "more of the same network waits for room, and finds none")
		require.Positive(t, refused.Load())
		begin("192.0.2.3")
		for _, from := range []string{"192.0.2.2", "192.0.2.200"} {
			status, got := asked(t, p, from, http.MethodPost, "/api/x", strings.Repeat("b", each))
			require.Equal(t, http.StatusOK, status)
			require.Len(t, got, each)
		}
		require.LessOrEqual(t, b.long.used, maxLongBodies)
	})
}

// A body's buffer is reused once no handler reads it, and not before.
func TestABodyIsItsOwnWhileItIsRead(t *testing.T) {
	t.Parallel()
	b := newBodies(everybody)
	ask := func(fill string, h http.HandlerFunc) string {
		body := strings.NewReader(strings.Repeat(fill, 10*piece))
		return through(t, b.gather(h), http.MethodPost, "/api/x", body).Body.String()
	}
	for range 3 {
		got := ask("a", func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, strings.Repeat("b", 10*piece), ask("b", echo))
			echo(w, r)
		})
		require.Equal(t, strings.Repeat("a", 10*piece), got)
	}
}

// The handler of an unreadable body gets the error, and answers it.
func TestABrokenBodyReachesTheHandler(t *testing.T) {
	t.Parallel()
	h := newBodies(everybody).gather(http.HandlerFunc(echo))
	body, sender := io.Pipe()
	go func() {
		_, _ = io.WriteString(sender, "begun")
		_ = sender.CloseWithError(errors.New("gone"))
	}()
	w := through(t, h, http.MethodPost, "/api/x", body)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, "begun", w.Body.String())
}

// Nothing is read ahead of a body longer than the API's bound, nor of one that no handler takes.
func TestUnreadBodiesAreNotHeld(t *testing.T) {
	t.Parallel()
	b := newBodies(everybody)
	for target, body := range map[string]io.Reader{
		"/api/x": strings.NewReader(strings.Repeat("a", maxBody)), "/assignments": strings.NewReader("a"),
	} {
		read := false
		h := b.gather(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, read = r.Body.(readBody)
		}))
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, body))
		require.False(t, read, target)
	}
	endless := through(t, b.gather(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		_, _ = fmt.Fprintln(w, n, err)
	})), http.MethodPost, "/api/x", io.LimitReader(zeros{}, 3*maxBody))
	require.Equal(t, fmt.Sprintln(3*maxBody, "<nil>"), endless.Body.String(), "the handler decides where to stop")
	require.Zero(t, b.long.used+b.short.used)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
