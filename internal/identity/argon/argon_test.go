package argon

import (
	"crypto/rand"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/argon2"
)

// Whatever the memory was used for before, by whomever at the same time.
func TestKeysAreTheLibrarys(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range 60 {
				password, salt := make([]byte, n), make([]byte, 16)
				_, _ = rand.Read(password) // it never fails
				_, _ = rand.Read(salt)
				memory := uint32(1 + (n*37)%300)
				passes, lanes := uint32(1+n%3), uint8(1+n%2)
				want := argon2.IDKey(password, salt, passes, memory, lanes, 32)
				assert.Equal(t, want, IDKey(password, salt, passes, memory, lanes, 32), memory)
			}
		})
	}
	all.Wait()
}

// A hundred keys in a row leave next to nothing behind: the memory of one and some
// more, where the race detector has the pool forget now and then.
func TestMemoryIsUsedAgain(t *testing.T) {
	const memory = 1 << 10 // KiB
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	before := allocated()
	for range 100 {
		require.Len(t, IDKey([]byte("password"), make([]byte, 16), 1, memory, 1, 32), 32)
	}
	require.Less(t, allocated()-before, uint64(60*memory<<10))
}
