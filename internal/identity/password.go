package identity

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alexedwards/argon2id"

	"studycircle"
)

// params are OWASP's for argon2id (Password Storage Cheat Sheet, 2025): 19 MiB,
// two passes, one lane.
var params = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hasher hashes passwords, no more at once than there are processors: each takes
// 19 MiB, and 300 at once would take 6 GiB and finish no sooner.
type hasher struct {
	slots chan struct{}
	// nobody is a hash that no password has, checked where there is no account so
	// that the answer takes as long.
	nobody string
}

func newHasher() (*hasher, error) {
	nobody, err := HashPassword(studycircle.NewSecret())
	if err != nil {
		return nil, err
	}
	return &hasher{slots: make(chan struct{}, runtime.GOMAXPROCS(0)), nobody: nobody}, nil
}

func (h *hasher) slot(ctx context.Context) (release func(), err error) {
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	release, err := h.slot(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return HashPassword(password)
}

// HashPassword hashes one password, for accounts that are not opened by a request.
func HashPassword(password string) (string, error) {
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
	return matches && known, known && *made != *params, nil
}
