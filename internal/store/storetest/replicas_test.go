package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// pair is a primary with a standby.
func pair(t *testing.T) (primary, standby *testpg.Cluster) {
	t.Helper()
	primary, err := testpg.Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, primary.Stop()) })
	standby, err = primary.Standby()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	return primary, standby
}

// on runs a statement on a server and returns its one column.
func on(t *testing.T, c *testpg.Cluster, statement string, args ...any) (out string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), c.URL("postgres"))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	require.NoError(t, conn.QueryRow(t.Context(), statement, args...).Scan(&out))
	return out
}

// pause stops a standby's replay.
func pause(t *testing.T, standby *testpg.Cluster) {
	t.Helper()
	on(t, standby, "SELECT pg_wal_replay_pause()::text")
	require.Eventually(t, func() bool { return on(t, standby, "SELECT pg_get_wal_replay_pause_state()") == "paused" }, time.Minute, 10*time.Millisecond)
}

// shown is everything that readers are shown, in one text.
func (b *bundle) shown(ctx context.Context, u studycircle.User) (string, error) {
	page := studycircle.Page{Number: 1, Limit: 100}
	all, n, err := b.Assignments(ctx, "", page)
	if err != nil {
		return "", err
	}
	text := fmt.Sprint("all ", n)
	for _, a := range all {
		one, err := b.Assignment(ctx, a.ID)
		if err != nil {
			return "", err
		}
		text += " " + one.Title
	}
	easy, n, err := b.Assignments(ctx, studycircle.Easy, page)
	if err != nil {
		return "", err
	}
	text += fmt.Sprint("; easy ", n, len(easy))
	found, n, err := b.SearchAssignments(ctx, "text", "", page)
	if err != nil {
		return "", err
	}
	text += fmt.Sprint("; found ", n, len(found))
	pending, n, err := b.PendingSubmissions(ctx, page)
	if err != nil {
		return "", err
	}
	text += fmt.Sprint("; pending ", n, len(pending))
	own, n, err := b.OwnSubmissions(ctx, u.ID, "", page)
	if err != nil {
		return "", err
	}
	text += fmt.Sprint("; own ", n, len(own))
	ofStatus, n, err := b.OwnSubmissions(ctx, u.ID, studycircle.Pending, page)
	return text + fmt.Sprint("; own pending ", n, len(ofStatus)), err
}

func (b *bundle) mustShow(t *testing.T, u studycircle.User, want string) {
	t.Helper()
	got, err := b.shown(t.Context(), u)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// replicaShows waits until all of shown comes from replicas and is as it should.
func (b *bundle) replicaShows(t *testing.T, u studycircle.User, reads int64, want string) {
	t.Helper()
	require.Eventually(t, func() bool {
		before := b.ReplicaReads()
		b.mustShow(t, u, want) // whoever answers
		return b.ReplicaReads() == before+reads
	}, time.Minute, 10*time.Millisecond)
}

// A replica answers what it is sure to have, and nothing else: not while it is
// behind, frozen, promoted or dead.
func TestReplicaAnswersWhatIsFreshOnly(t *testing.T) {
	t.Parallel()
	primary, standby := pair(t)
	b := setup(t, store.Config{URL: primary.URL("postgres"), Replicas: []string{standby.URL("postgres")}})
	ada := b.user(t, "Ada")
	first := b.assignment(t, ada, studycircle.Easy, "First", "Text.")
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSubmission(ctx, handIn(first, ada)) })
	const one = "all 1 First; easy 1 1; found 1 1; pending 1 1; own 1 1; own pending 1 1"
	b.mustShow(t, ada, one)
	b.replicaShows(t, ada, 7, one)
	_, err := b.Assignment(t.Context(), studycircle.NewID(now))
	require.ErrorIs(t, err, studycircle.ErrNotFound)

	pause(t, standby)
	second := b.assignment(t, ada, studycircle.Easy, "Second", "Text.")
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSubmission(ctx, handIn(second, ada)) })
	const two = "all 2 Second First; easy 2 2; found 2 2; pending 2 2; own 2 2; own pending 2 2"
	answered := b.ReplicaReads()
	b.mustShow(t, ada, two)
	require.Equal(t, answered, b.ReplicaReads(), "a standby that is behind")
	require.Equal(t, "1", on(t, standby, "SELECT COUNT(*)::text FROM assignments"), "it was")
	on(t, standby, "SELECT pg_wal_replay_resume()::text")
	b.replicaShows(t, ada, 8, two)

	require.NoError(t, standby.Freeze())
	answered = b.ReplicaReads()
	b.mustShow(t, ada, two)
	require.Equal(t, answered, b.ReplicaReads(), "a standby that does not answer")
	require.NoError(t, standby.Thaw())
	b.replicaShows(t, ada, 8, two)

	require.NoError(t, standby.Promote())
	on(t, standby, "UPDATE assignments SET title = 'Elsewhere' WHERE title = 'First' RETURNING id")
	answered = b.ReplicaReads()
	b.mustShow(t, ada, two)
	require.Equal(t, answered, b.ReplicaReads(), "a server that went a way of its own")
	require.NoError(t, standby.Kill())
	b.mustShow(t, ada, two)
	require.Equal(t, answered, b.ReplicaReads(), "a server that is gone")
}

// A standby that followed the old primary further than the new one did holds
// what never was, and its place in the log says nothing.
func TestReplicaOfAnotherTimelineIsNotRead(t *testing.T) {
	t.Parallel()
	old, promoted := pair(t)
	left, err := old.Standby()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, left.Stop()) })
	opened, err := store.Open(t.Context(), store.Config{URL: old.URL("postgres")})
	require.NoError(t, err)
	b := &bundle{Store: opened}
	ada := b.user(t, "Ada")
	b.assignment(t, ada, studycircle.Easy, "First", "Text.")
	shows := func(c *testpg.Cluster, n string) {
		require.Eventually(t, func() bool {
			return on(t, c, "SELECT COALESCE(CAST(to_regclass('assignment_search') AS TEXT), '')") != "" &&
				on(t, c, "SELECT CAST(COUNT(*) AS TEXT) FROM assignment_search") == n
		}, time.Minute, 10*time.Millisecond)
	}
	shows(promoted, "1")
	require.NoError(t, promoted.Promote())
	on(t, old, "SELECT CAST(pg_logical_emit_message(false, 'test', repeat('long log', 100000)) AS TEXT)")
	b.assignment(t, ada, studycircle.Easy, "Lost", "Text.")
	require.NoError(t, b.Close())
	shows(left, "2")
	require.NoError(t, old.Kill())

	c := setup(t, store.Config{URL: promoted.URL("postgres"), Replicas: []string{left.URL("postgres")}})
	longer := on(t, left, "SELECT CAST(pg_last_wal_replay_lsn() > CAST($1 AS PG_LSN) AS TEXT)", on(t, promoted, "SELECT CAST(pg_current_wal_insert_lsn() AS TEXT)"))
	require.Equal(t, "true", longer)
	c.assignment(t, ada, studycircle.Easy, "Found", "Text.")
	c.mustShow(t, ada, "all 2 Found First; easy 2 2; found 2 2; pending 0 0; own 0 0; own pending 0 0")
	assert.Zero(t, c.ReplicaReads())
}

// A server that is no copy of the primary, however long its log, is not read.
func TestStrangerIsNoReplica(t *testing.T) {
	t.Parallel()
	stranger, standby := pair(t)
	b := setup(t, store.Config{URL: testpg.DB(t), Replicas: []string{standby.URL("postgres"), stranger.URL("postgres")}})
	ada := b.user(t, "Ada")
	b.assignment(t, ada, studycircle.Easy, "First", "Text.")
	for range 3 {
		b.mustShow(t, ada, "all 1 First; easy 1 1; found 1 1; pending 0 0; own 0 0; own pending 0 0")
	}
	require.Zero(t, b.ReplicaReads())
	_, err := store.Open(t.Context(), store.Config{Dir: t.TempDir(), Replicas: []string{standby.URL("postgres")}})
	require.ErrorContains(t, err, "only PostgreSQL has replicas")
}

// 32 clients on two nodes with a replica, each of whom looks for their own write
// at once, on this node or the other, kept by version or read.
func TestWritersReadTheirOwnWritesBesideReplicas(t *testing.T) {
	t.Parallel()
	primary, standby := pair(t)
	config := store.Config{URL: primary.URL("postgres"), Replicas: []string{standby.URL("postgres")}}
	b := setup(t, config)
	nodes := []*cachingNode{{b: b}, {b: b.another(t)}}
	ada := b.user(t, "Ada")
	var all errgroup.Group
	for client := range clients {
		all.Go(func() error {
			for round := range 3 { // all of them fit a page of 100
				writes, reads := nodes[client%2], nodes[(client+round)%2]
				a := sample(ada, studycircle.Levels[round%3], fmt.Sprint("Words", client, "and", round), "Text.")
				err := writes.b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					if _, err := tx.InsertAssignment(ctx, a); err != nil {
						return err
					}
					return tx.InsertSubmission(ctx, handIn(a, ada))
				})
				if err != nil {
					return err
				}
				if err := reads.mustShow(t.Context(), a.ID); err != nil {
					return err
				}
				if _, err := reads.b.Assignment(t.Context(), a.ID); err != nil {
					return fmt.Errorf("%s: %w", a.Title, err)
				}
				if _, n, err := reads.b.SearchAssignments(t.Context(), a.Title, "", studycircle.Page{Number: 1, Limit: 10}); err != nil || n != 1 {
					return fmt.Errorf("search found %d of %s: %w", n, a.Title, err)
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	for _, n := range nodes {
		require.Eventually(t, func() bool {
			before := n.b.ReplicaReads()
			_, pending, err := n.b.PendingSubmissions(t.Context(), studycircle.Page{Number: 1, Limit: 10})
			return assert.NoError(t, err) && assert.EqualValues(t, 3*clients, pending) && n.b.ReplicaReads() > before
		}, time.Minute, 10*time.Millisecond)
	}
}
