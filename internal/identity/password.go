package identity

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/alexedwards/argon2id"

	"studycircle"
	"studycircle/internal/admission"
)

// owasp are OWASP's parameters for argon2id (Password Storage Cheat Sheet, 2025):
// 19 MiB, two passes, one lane.
var owasp = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

const (
	// maxHashes bounds the hashes computed at once, to 80 MiB on any machine: 300 at once
	// would take 6 GiB and finish no sooner. On a machine with several processors one is
	// left free.
	maxHashes = 4
	// maxQueue bounds how many requests wait for a hash, and maxWait how long each waits:
	// browsers and users give up not much later.
	maxQueue = 512
	maxWait  = 20 * time.Second
)

// hasher hashes passwords, a few at once. It serves the first request of each network
// before the second of any other, and rejects requests that would wait too long.
type hasher struct {
	params  *argon2id.Params
	waiting *admission.Queue
	// decoy is a hash that no password has. It is checked if there is no account, so that the answer takes as long.
	decoy string
}

func newHasher(params *argon2id.Params) (*hasher, error) {
	if params == nil {
		params = owasp
	}
	decoy, err := hashWith(params, studycircle.NewSecret())
	return &hasher{
		params: params, decoy: decoy,
		waiting: admission.NewQueue(hashesAtOnce(), maxQueue, maxWait),
	}, err
}

func hashesAtOnce() int { return max(1, min(maxHashes, runtime.GOMAXPROCS(0)-1)) }

// queue runs f, which hashes, in turn. Meanwhile the request's admission slot is free for
// others. CodeUnavailable if its turn would come too late.
func (h *hasher) queue(ctx context.Context, f func() error) error {
	return admission.WithoutSlot(ctx, func() error {
		err := h.waiting.Acquire(ctx, admission.ClaimOf(ctx))
		if errors.Is(err, admission.ErrFull) {
			return &studycircle.Error{
				Code: studycircle.CodeUnavailable, Message: "Too many people are signing in at once. Please try again in a moment.",
				RetryAfter: maxWait / 2,
			}
		}
		if err != nil {
			return err
		}
		defer h.waiting.Release()
		return f()
	})
}

func (h *hasher) hash(ctx context.Context, password string) (hash string, err error) {
	err = h.queue(ctx, func() error {
		hash, err = hashWith(h.params, password)
		return err
	})
	return hash, err
}

// HashPassword hashes one password for accounts that no request opens.
func HashPassword(password string) (string, error) { return hashWith(owasp, password) }

func hashWith(params *argon2id.Params, password string) (string, error) {
	hash, err := argon2id.CreateHash(password, params)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	return hash, nil
}

// check reports whether password has the hash, and whether the hash was made with
// other parameters than the present ones. An empty hash matches no password and takes as
// long.
func (h *hasher) check(ctx context.Context, password, hash string) (matches, outdated bool, err error) {
	known := hash != ""
	if !known {
		hash = h.decoy
	}
	if len(password) > studycircle.MaxPasswordBytes {
		password, known = "", false
	}
	err = h.queue(ctx, func() error {
		found, made, err := argon2id.CheckHash(password, hash)
		if err != nil {
			return fmt.Errorf("check a hash: %w", err)
		}
		matches, outdated = found && known, known && *made != *h.params
		return nil
	})
	return matches, outdated, err
}
