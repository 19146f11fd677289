package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// Deleting an account does not block the delivery of notifications about its actions:
// they name no actor.
func TestNotificationsByDeletedAccountsAreDelivered(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cleo := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cleo")
		toAda, toCleo, again := notice(ada, "x", now), notice(cleo, "x", now), notice(ada, "x", now)
		b.notify(t, toAda)
		require.Empty(t, b.notified(t, ada, 10)[0].Actor)
		again.ActorID, toCleo.ActorID = bob.ID, bob.ID
		b.notify(t, again, toCleo)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, bob.ID, time.Now()) })
		_, err := b.DeliverNotices(t.Context())
		require.NoError(t, err)
		adas, cleos := b.notified(t, ada, 10), b.notified(t, cleo, 10)
		require.Len(t, adas, 1)
		require.EqualValues(t, 2, adas[0].Count)
		require.Len(t, cleos, 1)
		require.Empty(t, adas[0].Actor)
		require.Empty(t, cleos[0].Actor)
	})
}

// Where the hall is off, what waits about its assignments is dropped, and the rest arrives.
func TestNoticesOfAHallThatIsOffAreDropped(t *testing.T) {
	t.Parallel()
	teststore.OnBothEngines(t, func(t *testing.T, c store.Config) {
		c.Hall = studycircle.HallOff
		b := setup(t, c)
		ada := b.user(t, "Ada")
		inHall, elsewhere := notice(ada, "x", now), notice(ada, "y", now)
		inHall.AssignmentID, elsewhere.AssignmentID = b.assignment(t, ada, studycircle.Easy, "Tides", "Text.").ID, ""
		b.notify(t, inHall, elsewhere)
		_, err := b.DeliverNotices(t.Context())
		require.NoError(t, err)
		require.Len(t, b.notified(t, ada, 10), 1)
	})
}
