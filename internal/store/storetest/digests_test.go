package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// Notices delivered late, as after a restoration, are due at once, and may become a digest of their own. A notification
// that one digest is sending is in no other one: the later waits for the next day's.
func TestDigestsOfADayShareNothing(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.VerifyEmail(ctx, ada.ID, now); err != nil {
				return err
			}
			p, err := tx.LockPreferences(ctx, ada.ID)
			p.Digest = studycircle.DailyDigest
			if err != nil {
				return err
			}
			return tx.PutPreferences(ctx, ada.ID, p)
		})
		at := now.Add(48 * time.Hour)
		takes := func(at time.Time) (titles []string) {
			t.Helper()
			m, err := b.TakeMail(t.Context(), ada.ID, "", false, at)
			require.NoError(t, err)
			for _, n := range m.Notifications {
				titles = append(titles, n.Title)
			}
			return titles
		}
		arrives := func(title string) {
			t.Helper()
			n := notice(ada, title, now)
			n.Title = title
			b.notify(t, n)
			_, err := b.DeliverNotices(t.Context())
			require.NoError(t, err)
			queued, err := b.QueueMails(t.Context(), at)
			require.NoError(t, err)
			require.Equal(t, 1, queued, "a digest")
		}
		arrives("Tides")
		require.Equal(t, []string{"Tides"}, takes(at))
		arrives("Eclipses")
		require.Empty(t, takes(at), "the first digest is being sent")
		require.NoError(t, b.MailDone(t.Context(), ada.ID, ""))

		queued, err := b.QueueMails(t.Context(), at)
		require.NoError(t, err)
		require.Zero(t, queued)
		at = at.Add(24 * time.Hour)
		queued, err = b.QueueMails(t.Context(), at)
		require.NoError(t, err)
		require.Equal(t, 1, queued)
		require.Equal(t, []string{"Eclipses"}, takes(at))
	})
}
