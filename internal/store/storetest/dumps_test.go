package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// A dump of a cluster whose events were all removed begins another history too.
func TestDumpsOfQuietClusters(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	ada := b.user(t, "Ada")
	before := b.here(t)
	_, err := b.plain.ExecContext(t.Context(), `WITH old AS (DELETE FROM events)
		UPDATE event_log SET floor = (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000)::text::xid8`)
	require.NoError(t, err)
	b.beginsAnew(t, ada, before)
}

// beginsAnew requires that the next node on the database ends the history of events that before belongs to, and that
// writes are heard in its own. It returns the place where that begins.
func (b *bundle) beginsAnew(t *testing.T, author studycircle.User, before string) (after string) {
	t.Helper()
	c := setup(t, b.config)
	news, err := c.News(t.Context(), before, "")
	require.NoError(t, err)
	require.True(t, news.Gone)
	after = c.here(t)
	next := c.assignment(t, author, studycircle.Easy, "Written", "After it.")
	heard, _ := c.since(t, after)
	require.Equal(t, []studycircle.Event{{Kind: studycircle.AssignmentCreated, ID: next.ID, Audience: studycircle.Everybody}}, heard)
	return after
}

// A node starts on a PostgreSQL that takes no writes.
func TestReadOnlyPostgresOpens(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	_, err := b.plain.ExecContext(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`)
	require.NoError(t, err)
	s, err := store.Open(t.Context(), b.config)
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// A dump of another PostgreSQL contains numbers of transactions that are still to come here. It begins another history of
// events, and takes writes.
func TestDumpsOfOtherClusters(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	ada := b.user(t, "Ada")
	b.assignment(t, ada, studycircle.Easy, "Before", "The dump.")
	before := b.here(t)
	_, err := b.plain.ExecContext(t.Context(), `INSERT INTO events (place, changes)
		SELECT (n + pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text::xid8, 'from elsewhere' FROM generate_series(0, 200) n`)
	require.NoError(t, err)
	after := b.beginsAnew(t, ada, before)
	again := setup(t, b.config)
	news, err := again.News(t.Context(), after, "")
	require.NoError(t, err)
	require.False(t, news.Gone, "a restart begins no other history")
}
