package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// waysIn gives u a provider link and a passkey, and uses up a ticket.
func (b *bundle) waysIn(t *testing.T, u studycircle.User, name string) (studycircle.ProviderLink, studycircle.Passkey) {
	t.Helper()
	l := studycircle.ProviderLink{Issuer: "https://login.example.org", Subject: name, UserID: u.ID, Provider: "school", Email: u.Email, LinkedAt: now}
	k := studycircle.Passkey{ID: studycircle.NewID(now), UserID: u.ID, CredentialID: name, Name: "Phone", Credential: "{}", CreatedAt: now}
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertProviderLink(ctx, l); err != nil {
			return err
		}
		if err := tx.UseTicket(ctx, name, now.Add(time.Minute)); err != nil {
			return err
		}
		return tx.InsertPasskey(ctx, k)
	})
	return l, k
}

func TestLinksAndPasskeysAreStoredOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		l, k := b.waysIn(t, ada, "one")
		got, err := b.ProviderLink(t.Context(), l.Issuer, l.Subject)
		require.NoError(t, err)
		assert.Equal(t, l, got)
		passkey, err := b.PasskeyByCredential(t.Context(), "one")
		require.NoError(t, err)
		assert.Equal(t, k, passkey)

		fails := func(code studycircle.Code, f func(ctx context.Context, tx *store.Tx) error) {
			t.Helper()
			assert.Equal(t, code, studycircle.CodeOf(b.Write(t.Context(), studycircle.System(), f)))
		}
		fails(studycircle.CodeAlreadyLinked, func(ctx context.Context, tx *store.Tx) error {
			l := l
			l.UserID = bo.ID
			return tx.InsertProviderLink(ctx, l) // a subject has one user
		})
		fails(studycircle.CodeAlreadyLinked, func(ctx context.Context, tx *store.Tx) error {
			l := l
			l.Subject = "two"
			return tx.InsertProviderLink(ctx, l) // a user has one subject of an issuer
		})
		fails(studycircle.CodeAlreadyLinked, func(ctx context.Context, tx *store.Tx) error {
			k := k
			k.ID, k.UserID = "another", bo.ID
			return tx.InsertPasskey(ctx, k)
		})
		fails(studycircle.CodeNotFound, func(ctx context.Context, tx *store.Tx) error {
			l := l
			l.Subject, l.UserID = "three", "nobody"
			return tx.InsertProviderLink(ctx, l)
		})
		fails(studycircle.CodeNotFound, func(ctx context.Context, tx *store.Tx) error {
			k := k
			k.ID, k.CredentialID, k.UserID = "another", "another", "nobody"
			return tx.InsertPasskey(ctx, k)
		})
		fails(studycircle.CodeNotFound, func(ctx context.Context, tx *store.Tx) error { return tx.UseTicket(ctx, "one", now) })
		fails(studycircle.CodeNotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePasskey(ctx, bo.ID, k.ID) })
		fails(studycircle.CodeNotFound, func(ctx context.Context, tx *store.Tx) error { return tx.UsePasskey(ctx, "gone", "{}", now) })
		fails(studycircle.CodeNotFound, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.RenamePasskey(ctx, bo.ID, k.ID, "Mine")
			return err
		})
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, now.Add(2*time.Minute)) })
		used, err := b.TicketUsed(t.Context(), "one")
		require.NoError(t, err)
		assert.False(t, used, "a ticket too old to be taken is forgotten")
	})
}

func TestDeletionRemovesLinksAndPasskeys(t *testing.T) {
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		b.waysIn(t, ada, "one")
		b.waysIn(t, bo, "two")
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, ada.ID, time.Now()) })
		assert.Equal(t, []string{bo.ID}, b.ids(t, "SELECT user_id FROM provider_links"))
		assert.Equal(t, []string{bo.ID}, b.ids(t, "SELECT user_id FROM passkeys"))
	})
}

func TestAnAccountIsContestedAndClaimedUntilItsAddressIsVerified(t *testing.T) {
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		contest := func() error {
			return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.ContestAccount(ctx, ada.ID, now) })
		}
		claim := func() error {
			return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.ClaimAccount(ctx, ada.ID, now) })
		}
		require.NoError(t, contest())
		require.NoError(t, contest())
		account, err := b.Account(t.Context(), ada.ID)
		require.NoError(t, err)
		assert.Equal(t, now, account.ContestedAt)
		assert.Empty(t, account.PasswordHash)
		require.NoError(t, claim())
		require.ErrorIs(t, claim(), studycircle.ErrNotFound)
		require.ErrorIs(t, contest(), studycircle.ErrNotFound)
	})
}

// A used ticket is remembered until it expires.
func TestAUsedTicketIsRememberedUntilItExpires(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		remembered := func(at time.Time) bool {
			b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, at) })
			used, err := b.TicketUsed(t.Context(), "hash")
			require.NoError(t, err)
			return used
		}
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.UseTicket(ctx, "hash", now) })
		require.True(t, remembered(now.Add(-time.Microsecond)))
		require.True(t, remembered(now))
		require.False(t, remembered(now.Add(time.Microsecond)))
	})
}
