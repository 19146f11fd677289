package identity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A row that is written for its own sake refuses nobody, also between clients on
// either side of a second's turn.
func TestNobodysMailIsNeverRefused(t *testing.T) {
	t.Parallel()
	before := time.Date(2026, 11, 20, 12, 0, 0, 999_999_000, time.UTC)
	after := before.Add(time.Millisecond)
	window := nobodysMail
	log := window.With(nil, after)
	require.Zero(t, window.Wait(log, before))
	require.Zero(t, window.Wait(window.With(log, before), after))
}
