package identity

import (
	"testing"
	"testing/synctest"
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
	synctest.Test(t, func(t *testing.T) {
		h, err := newHasher(cheapest)
		require.NoError(t, err)
		for range hashesAtOnce() {
			require.True(t, h.waiting.TryAcquire())
		}
		refused := make(chan error, maxQueue)
		for range maxQueue {
			go func() { _, err := h.hash(t.Context(), "Correct1Horse"); refused <- err }()
		}
		synctest.Wait()
		_, err = h.hash(t.Context(), "Correct1Horse")
		assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err), "the queue is full")
		began := time.Now()
		for range maxQueue {
			assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(<-refused))
		}
		assert.Equal(t, maxWait, time.Since(began))
		for range hashesAtOnce() {
			h.waiting.Release()
		}
		_, err = h.hash(t.Context(), "Correct1Horse")
		require.NoError(t, err, "the queue is short again")
	})
}

var cheapest = &argon2id.Params{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
