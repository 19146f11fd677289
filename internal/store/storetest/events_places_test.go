package storetest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func TestOldCursorsAreExpired(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		first := b.here(t)
		require.NoError(t, b.TrimEvents(t.Context(), time.Hour, 10))
		for range 5 {
			b.assignment(t, ada, studycircle.Easy, "One", "Text.")
		}
		require.NoError(t, b.TrimEvents(t.Context(), time.Hour, 10))
		got, _ := b.since(t, first)
		require.Len(t, got, 5)

		require.NoError(t, b.TrimEvents(t.Context(), -time.Hour, 10))
		require.Empty(t, b.ids(t, "SELECT changes FROM events"))
		news, err := b.News(t.Context(), first, "")
		require.NoError(t, err)
		require.True(t, news.Gone)
		// A cursor that names a transaction of another database as running expires once that has ended.
		require.Eventually(t, func() bool {
			news, err = b.News(t.Context(), first, "")
			return err == nil && (b.sqlite || strings.HasSuffix(news.Now, ":"))
		}, time.Minute, 10*time.Millisecond)
		got, _ = b.since(t, news.Now)
		require.Empty(t, got)
		made := b.assignment(t, ada, studycircle.Easy, "Next", "Text.")
		got, _ = b.since(t, news.Now)
		require.Equal(t, []studycircle.Event{{Kind: studycircle.AssignmentCreated, ID: made.ID, Audience: studycircle.Everybody}}, got)
	})
}

func TestForeignCursorsAreExpired(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		here := b.here(t)
		epoch, place, _ := strings.Cut(here, "/")
		for _, token := range []string{
			"x", "/", "x/y", epoch, epoch + "/", "/" + place, "other/" + place, epoch + "/999999999", epoch + "/1:999999999:", epoch + "/-1",
			here + "/", here + "/x/y", here + "/1/2/3", strings.Repeat("9", 10_000), epoch + "/" + strings.Repeat("9", 100),
			epoch + "/'", here + "\x00", "\xff/1", epoch + "/1:18446744073709551615:", epoch + "/1:9223372036854775807:",
		} {
			news, err := b.News(t.Context(), token, "")
			require.NoError(t, err, "%q", token)
			require.True(t, news.Gone, "%q", token)
			got, _ := b.since(t, news.Now)
			require.Empty(t, got)
		}
	})
}

func TestRestoredAndCopiedDatabasesHaveAnotherHistory(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	b := setup(t, store.Config{Dir: teststore.DirBeside(t)})
	b.assignment(t, b.user(t, "Ada"), studycircle.Easy, "One", "Text.")
	here := b.here(t)
	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, store.Backup(t.Context(), b.config.Dir, backup))
	restored := store.Config{Dir: t.TempDir()}
	require.NoError(t, store.Restore(t.Context(), restored.Dir, backup))
	copied := setup(t, store.Config{URL: testpg.DB(t)})
	at := copied.here(t)
	_, err := bulk.Copy(t.Context(), b.Store, copied.Store, func() {})
	require.NoError(t, err)
	for _, other := range []*bundle{setup(t, restored), copied} {
		news, err := other.News(t.Context(), here, "")
		require.NoError(t, err)
		require.True(t, news.Gone)
	}
	got, _ := copied.since(t, at)
	require.Equal(t, []studycircle.Event{{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}}, got)
}

// Removed events are missed only by readers whose cursor is before the last removed one.
func TestTheLastRemovedCursorIsNotExpired(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		var places []string
		for i := range 5 {
			b.assignment(t, ada, studycircle.Easy, fmt.Sprint("Number ", i), "Text.")
			places = append(places, b.here(t))
		}
		_, err := b.plain.ExecContext(t.Context(), "UPDATE events SET created_at = 1 WHERE place IN (SELECT place FROM events ORDER BY place LIMIT 3)")
		require.NoError(t, err)
		require.NoError(t, b.TrimEvents(t.Context(), time.Hour, 1000))
		news, err := b.News(t.Context(), places[1], "")
		require.NoError(t, err)
		require.True(t, news.Gone, "the third is missing")
		news, err = b.News(t.Context(), places[2], "")
		require.NoError(t, err)
		// On PostgreSQL a concurrent transaction looks like one whose event was removed.
		require.False(t, news.Gone && b.sqlite)
		require.True(t, news.Gone || len(news.Events) == 2)
	})
}
