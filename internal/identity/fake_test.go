package identity

import (
	"context"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
)

// fake is the part of a store that the tests need, in memory. Unset values are absent.
type fake struct {
	Store
	mu       sync.Mutex
	accounts map[string]studycircle.Account // by address
	tickets  map[string]time.Time           // used ones, and when they expire
	// waits is what LimitWait returns outside of a transaction, waitsInside within one.
	waits, waitsInside time.Duration
}

func (*fake) SettingOr(_ context.Context, _, fallback string) (string, error) { return fallback, nil }

func (f *fake) AccountByEmail(_ context.Context, email string) (studycircle.Account, error) {
	if a, there := f.accounts[email]; there {
		return a, nil
	}
	return studycircle.Account{}, studycircle.ErrNotFound
}

func (f *fake) LimitWait(context.Context, limit.Window, string, time.Time) (time.Duration, error) {
	return f.waits, nil
}

func (f *fake) TicketUsed(_ context.Context, hash string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, used := f.tickets[hash]
	return used, nil
}

func (f *fake) Write(ctx context.Context, do func(context.Context, Tx) error) error {
	tx := fakeTx{of: f}
	return do(ctx, Tx{AccountTx: tx, CredentialTx: tx, SessionTx: tx, CodeTx: tx, InvitationTx: tx})
}

// fakeTx is a transaction of a fake.
type fakeTx struct {
	Tx
	of *fake
}

func (tx fakeTx) LimitWait(context.Context, limit.Window, string, time.Time) (time.Duration, error) {
	return tx.of.waitsInside, nil
}

func (fakeTx) ReplacePasswordHash(context.Context, string, string, string) error { return nil }

func (fakeTx) InsertSession(context.Context, NewSession) error { return nil }

func (fakeTx) JoinOnceVerified(context.Context, string, time.Time) error { return nil }

func (fakeTx) Spend(context.Context, limit.Window, string, time.Time) error { return nil }

func (tx fakeTx) UseTicket(_ context.Context, hash string, expires time.Time) error {
	tx.of.mu.Lock()
	defer tx.of.mu.Unlock()
	if _, used := tx.of.tickets[hash]; used {
		return studycircle.ErrNotFound
	}
	tx.of.tickets[hash] = expires
	return nil
}

func (tx fakeTx) DeleteExpired(_ context.Context, now time.Time) error {
	tx.of.mu.Lock()
	defer tx.of.mu.Unlock()
	for hash, expires := range tx.of.tickets {
		if !now.Before(expires) {
			delete(tx.of.tickets, hash)
		}
	}
	return nil
}

const right = "Correct1Horse"

// with returns an Identity on f, with Ada's account.
func with(t *testing.T, f *fake, now func() time.Time) *Identity {
	t.Helper()
	i, err := New(t.Context(), Store{AccountStore: f, SessionStore: f, CodeStore: f}, Config{
		Registration: studycircle.RegistrationOpen,
		Now:          now, Limits: true, Brand: "StudyCircle", PublicURL: &url.URL{Scheme: "http", Host: "localhost:8080", Path: "/"}, Params: cheapest,
	})
	require.NoError(t, err)
	hash, err := hashWith(cheapest, right)
	require.NoError(t, err)
	f.tickets = map[string]time.Time{}
	f.accounts = map[string]studycircle.Account{
		"ada@example.org": {User: studycircle.User{ID: "ada", Email: "ada@example.org"}, PasswordHash: hash},
	}
	return i
}
