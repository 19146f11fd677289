package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
)

// Who goes before those have been told of what they did holds up nobody: it is told as
// nobody's.
func TestNotificationsByDeletedAccountsAreDelivered(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cleo := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cleo")
		toAda, toCleo, again := notice(ada, "x", now), notice(cleo, "x", now), notice(ada, "x", now)
		b.tell(t, toAda)
		require.Empty(t, b.told(t, ada, 10)[0].Actor)
		again.ActorID, toCleo.ActorID = bob.ID, bob.ID
		b.tell(t, again, toCleo)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, bob.ID) })
		_, err := b.DeliverNotices(t.Context())
		require.NoError(t, err)
		adas, cleos := b.told(t, ada, 10), b.told(t, cleo, 10)
		require.Len(t, adas, 1)
		require.EqualValues(t, 2, adas[0].Count)
		require.Len(t, cleos, 1)
		require.Empty(t, adas[0].Actor)
		require.Empty(t, cleos[0].Actor)
	})
}
