package identity

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/openid"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

const right = "Correct1Horse"

// known is an Identity on a database with Ada's account.
type known struct {
	*Identity
	store *store.Store
	ada   studycircle.User
	// admit, if not nil, is called for each write.
	admit func()
}

func with(t *testing.T, now func() time.Time, providers ...openid.Entry) *known {
	t.Helper()
	k := &known{}
	var err error
	k.store, err = store.Open(t.Context(), store.Config{Dir: teststore.Dir(t), Admit: func(_ context.Context, write func() error) error {
		if k.admit != nil {
			k.admit()
		}
		return write()
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, k.store.Close()) })
	k.Identity, err = New(t.Context(), k.store, Config{
		Registration: studycircle.RegistrationOpen, Now: now, Limits: true, Providers: providers, Params: cheapest,
		Brand: "StudyCircle", PublicURL: &url.URL{Scheme: "http", Host: "localhost:8080", Path: "/"},
	})
	require.NoError(t, err)
	hash, err := hashWith(cheapest, right)
	require.NoError(t, err)
	k.ada = studycircle.User{ID: studycircle.NewID(now()), Email: "ada@example.org", DisplayName: "Ada", CreatedAt: now()}
	require.NoError(t, k.write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertAccount(ctx, studycircle.Account{User: k.ada, PasswordHash: hash})
	}))
	return k
}

// exhaust uses up a limit.
func (k *known) exhaust(t *testing.T, w limit.Window, subject string) {
	t.Helper()
	require.NoError(t, k.write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		for range w.Max {
			if err := tx.Spend(ctx, w, subject, k.clock()); err != nil {
				return err
			}
		}
		return nil
	}))
}

// takeHashes takes all slots for hashes. The returned function releases them.
func (k *known) takeHashes() (release func()) {
	taken := 0
	for k.hasher.waiting.TryAcquire() {
		taken++
	}
	return func() {
		for range taken {
			k.hasher.waiting.Release()
		}
	}
}

// hashesWait waits until n requests wait for a hash.
func (k *known) hashesWait(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return k.hasher.waiting.Waiting() == n }, 5*time.Second, time.Millisecond)
}
