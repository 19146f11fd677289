package nodetest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
)

func TestForgedAlteredExpiredAndForeignTokensAreRefused(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		good := b.token
		part := strings.Split(good, ".")
		require.Len(t, part, 3)

		t.Run("forged", func(t *testing.T) {
			for _, forged := range []string{
				"x", ".", "..", "a.b.c", part[0] + "." + part[1] + ".", part[0] + "." + part[1] + "." + strings.Repeat("A", 43),
				"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.", strings.Repeat("A", 20_000),
			} {
				b.token = forged
				assert.False(t, b.signedIn(t), "%.60s", forged)
			}
		})
		t.Run("altered", func(t *testing.T) {
			for n := range good {
				c := byte('A')
				if good[n] == c {
					c = 'B'
				}
				b.token = good[:n] + string(c) + good[n+1:]
				assert.False(t, b.signedIn(t), b.token)
			}
			b.token = part[0] + ".99999999999." + part[2]
			assert.False(t, b.signedIn(t))
			b.token = good + "A"
			assert.False(t, b.signedIn(t))
		})
		t.Run("foreign", func(t *testing.T) {
			other := &world{database: store.Config{Dir: t.TempDir()}, clock: w.clock, mails: w.mails, scheme: "http"}
			stranger := other.start(t).browser(t)
			stranger.register(t, ada)
			b.token = stranger.token
			assert.False(t, b.signedIn(t))
		})
		t.Run("expired", func(t *testing.T) {
			b.refresh(t)
			w.clock.advance(14 * time.Minute)
			assert.True(t, b.signedIn(t))
			w.clock.advance(time.Minute + time.Second)
			assert.False(t, b.signedIn(t))
			assert.True(t, b.renewed(t))
		})
	})
}

func TestTokenOutlivesARestart(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, stop := w.startUntil(t)
		b := n.browser(t)
		b.register(t, ada)
		stop()
		assert.True(t, b.at(w.start(t)).signedIn(t))
	})
}
