package identity

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"

	"studycircle"
)

// owasp are OWASP's parameters for argon2id (Password Storage Cheat Sheet, 2025):
// 19 MiB, two passes, one lane.
var owasp = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	// maxHashes at once keep hashing under 80 MiB on any machine; 300 at once
	// would take 6 GiB and finish no sooner than the processors allow.
	maxHashes = 4
	// maxQueue is the longest anybody waits for their turn. Browsers and people
	// give up not much later, and work for nobody helps nobody.
	maxQueue = 20 * time.Second
)

// hasher hashes passwords, a few at once, and turns away who would wait too long.
type hasher struct {
	params  *argon2id.Params
	slots   chan struct{}
	waiting atomic.Int64
	cost    atomic.Int64 // nanoseconds of a hash, a moving average
	// nobody is a hash that no password has, checked where there is no account so
	// that the answer takes as long.
	nobody string
}

func newHasher(params *argon2id.Params) (*hasher, error) {
	if params == nil {
		params = owasp
	}
	h := &hasher{params: params, slots: make(chan struct{}, min(maxHashes, runtime.GOMAXPROCS(0)))}
	start := time.Now()
	nobody, err := hashWith(params, studycircle.NewSecret())
	h.nobody = nobody
	h.cost.Store(int64(time.Since(start)))
	return h, err
}

// slot waits for a turn. CodeUnavailable where it would come too late.
func (h *hasher) slot(ctx context.Context) (release func(), err error) {
	ahead := h.waiting.Add(1) - 1
	defer h.waiting.Add(-1)
	if wait := time.Duration(ahead * h.cost.Load() / int64(cap(h.slots))); wait > maxQueue {
		return nil, &studycircle.Error{
			Code: studycircle.CodeUnavailable, Message: "Too many people are logging in at once. Please try again in a moment.",
			RetryAfter: maxQueue / 2,
		}
	}
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	start := time.Now()
	return func() {
		old := h.cost.Load()
		h.cost.Store(old + (int64(time.Since(start))-old)/8) // a lost update is one sample less
		<-h.slots
	}, nil
}

func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	release, err := h.slot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return hashWith(h.params, password)
}

// HashPassword hashes one password, for accounts that are not opened by a request.
func HashPassword(password string) (string, error) { return hashWith(owasp, password) }

func hashWith(params *argon2id.Params, password string) (string, error) {
	hash, err := argon2id.CreateHash(password, params)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	return hash, nil
}

// check tells whether password has the hash, and whether the hash was made with
// other parameters than today's. An empty hash matches nothing and takes as long.
func (h *hasher) check(ctx context.Context, password, hash string) (matches, outdated bool, err error) {
	known := hash != ""
	if !known {
		hash = h.nobody
	}
	if len(password) > studycircle.MaxPasswordBytes {
		password, known = "", false
	}
	release, err := h.slot(ctx)
	if err != nil {
		return false, false, err
	}
	defer release()
	matches, made, err := argon2id.CheckHash(password, hash)
	if err != nil {
		return false, false, fmt.Errorf("check a hash: %w", err)
	}
	return matches && known, known && *made != *h.params, nil
}
