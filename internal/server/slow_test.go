package server

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Clients that request and do not read block no others, and are cut.
func TestSlowReadersHoldNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("a", 64<<10)
		page := limited(1).queued(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
		p := served(t, answering(page, newBudget(maxAnswers, byAddress)))
		var slow []net.Conn
		for range 100 {
			c := p.dial("192.0.2.1")
			_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			require.NoError(t, err)
			synctest.Wait() // for the slot, which the next request needs
			slow = append(slow, c)
		}
		status, got := asked(t, p, "192.0.2.2", http.MethodGet, "/", "")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, text, got)
		require.Equal(t, 21*time.Second, cutAfter(slow[0]), "5 seconds and one for each 4 KiB")
		for _, c := range slow[1:] {
			require.Zero(t, cutAfter(c))
		}
	})
}

// Answers longer than the buffer are sent in parts, and hold no slot while a client reads.
func TestSlowReadersOfLongAnswersHoldNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		whole := make([]byte, 3*maxAnswer+5)
		for i := range whole {
			whole[i] = byte(i >> 8)
		}
		page := limited(1).queued(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(whole[:10])
			_, _ = w.Write(whole[10:])
		}))
		p := served(t, answering(page, newBudget(maxAnswers, byAddress)))
		slow := p.dial("192.0.2.1")
		_, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		synctest.Wait()
		status, got := asked(t, p, "192.0.2.2", http.MethodGet, "/", "")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, string(whole), got)
		require.NoError(t, slow.Close())
	})
}

// The memory for slow readers has a common bound: beyond it the clients of the network that holds most are cut, and a
// slow reader elsewhere stays.
func TestAnswersHeldHaveABoundTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("a", 64<<10)
		held := newBudget(10*len(text), byAddress)
		page := limited(1).queued(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }))
		p := served(t, answering(page, held))
		ask := func(from string) net.Conn {
			c := p.dial(from)
			_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			require.NoError(t, err)
			synctest.Wait()
			return c
		}
		modest := ask("192.0.2.2")
		var greedy []net.Conn
		for range 30 {
			greedy = append(greedy, ask("192.0.2.1"))
		}
		require.Equal(t, 10*len(text), held.used)
		for _, c := range greedy[:21] {
			require.Zero(t, cutAfter(c))
		}
		response, err := http.ReadResponse(bufio.NewReader(modest), nil)
		require.NoError(t, err)
		got, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, text, string(got))
		for _, c := range append(greedy, modest) {
			require.NoError(t, c.Close())
		}
		synctest.Wait()
		require.Zero(t, held.used)
	})
}

// Files of the build are sent without a slot, and a client that does not read them is cut.
func TestSlowReadersOfFilesAreCut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		file := &asset{plain: encodingOf("", make([]byte, 100<<10))}
		p := served(t, answering(file, newBudget(1, byAddress)))
		c := p.dial("192.0.2.1")
		_, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		require.Equal(t, 30*time.Second, cutAfter(c))
	})
}
