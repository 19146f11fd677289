package identity

import (
	"context"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestHashOfOldParametersIsOutdated(t *testing.T) {
	h, err := newHasher(nil)
	require.NoError(t, err)
	weak, err := argon2id.CreateHash("Correct1Horse", &argon2id.Params{Memory: 1024, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	require.NoError(t, err)
	today, err := HashPassword("Correct1Horse")
	require.NoError(t, err)
	for hash, want := range map[string]struct{ matches, outdated bool }{weak: {true, true}, today: {true, false}, "": {}} {
		matches, outdated, err := h.check(t.Context(), "Correct1Horse", hash)
		require.NoError(t, err)
		assert.Equal(t, want.matches, matches)
		assert.Equal(t, want.outdated, outdated)
	}
}

func TestQueueThatTakesTooLongIsShed(t *testing.T) {
	h, err := newHasher(nil)
	require.NoError(t, err)
	h.cost.Store(int64(maxQueue)) // each hash takes as long as anybody may wait
	for range cap(h.slots) {
		h.slots <- struct{}{}
	}
	waiting, stop := context.WithCancel(t.Context())
	left := make(chan error, 2*cap(h.slots))
	for range cap(left) {
		go func() { _, err := h.slot(waiting); left <- err }()
	}
	require.Eventually(t, func() bool { return h.waiting.Load() >= int64(cap(h.slots))+1 }, time.Minute, time.Millisecond)
	_, err = h.slot(t.Context())
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err))
	stop()
	for range cap(left) {
		require.Error(t, <-left)
	}
	<-h.slots
	release, err := h.slot(t.Context())
	require.NoError(t, err, "the queue is short again")
	release()
}
