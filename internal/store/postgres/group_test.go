package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/testpg"
)

// A write that fails undoes its own work and nothing of its group's, whose members commit once.
func TestWritesShareATransaction(t *testing.T) {
	t.Parallel()
	d := openAt(t, testpg.DB(t))
	failure := errors.New("a broken write")
	var ids sync.Map
	put := func(i int) func(context.Context, *engine.Tx) error {
		return func(ctx context.Context, tx *engine.Tx) error {
			var id string
			err := tx.DB.QueryRowContext(
				ctx, "INSERT INTO settings (name, value) VALUES ($1, '') RETURNING pg_current_xact_id()", fmt.Sprint("shared", i),
			).Scan(&id)
			ids.Store(id, true)
			switch i % 4 {
			case 0:
				return errors.Join(err, failure)
			case 1:
				_, err = tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ($1, '')", fmt.Sprint("shared", i))
			}
			return err
		}
	}
	const many = 24
	answers := inGroup(t, d, many, put)
	for i, err := range answers {
		switch i % 4 {
		case 0:
			require.ErrorIs(t, err, failure)
		case 1:
			require.Equal(t, engine.Unique, d.Fault(err))
		default:
			require.NoError(t, err)
		}
	}
	var n, transactions int
	require.NoError(t, d.pool.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM settings WHERE name LIKE 'shared%'").Scan(&n))
	require.Equal(t, many/2, n)
	ids.Range(func(any, any) bool { transactions++; return true })
	require.Equal(t, 1, transactions)
}

// A write that waits for a lock leaves its group, whose other members do not wait.
func TestAWriteThatWaitsLeavesItsGroup(t *testing.T) {
	t.Parallel()
	d := openAt(t, testpg.DB(t))
	require.NoError(t, d.Write(t.Context(), set("locked", "0")))
	other, err := d.pool.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	_, err = other.ExecContext(t.Context(), "UPDATE settings SET value = '1' WHERE name = 'locked'")
	require.NoError(t, err)
	waited := make(chan error, 1)
	go func() { waited <- d.Write(t.Context(), set("locked", "2")) }()
	for i := range 10 {
		require.NoError(t, d.Write(t.Context(), set(fmt.Sprint("free", i), "1")))
	}
	select {
	case err := <-waited:
		require.Failf(t, "it did not wait", "%v", err)
	default:
	}
	require.NoError(t, other.Commit())
	require.NoError(t, <-waited)
	var value string
	require.NoError(t, d.pool.QueryRowContext(t.Context(), "SELECT value FROM settings WHERE name = 'locked'").Scan(&value))
	require.Equal(t, "2", value)
}

// Groups of two nodes take the same locks in opposite orders, and every write commits.
func TestGroupsOfTwoNodesDoNotDeadlock(t *testing.T) {
	t.Parallel()
	url := testpg.DB(t)
	nodes := []*DB{openAt(t, url), openAt(t, url)}
	const rows, rounds = 16, 4
	for i := range rows {
		require.NoError(t, nodes[0].Write(t.Context(), set(fmt.Sprint("row", i), "0")))
	}
	began := time.Now()
	var all sync.WaitGroup
	for n, node := range nodes {
		for i := range rows {
			if n == 1 {
				i = rows - 1 - i
			}
			all.Go(func() {
				for range rounds {
					assert.NoError(t, node.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
						_, err := tx.DB.ExecContext(
							ctx, "UPDATE settings SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE name = $1", fmt.Sprint("row", i),
						)
						return err
					}))
				}
			})
		}
	}
	all.Wait()
	var sum int
	require.NoError(t, nodes[0].pool.QueryRowContext(
		t.Context(), "SELECT SUM(CAST(value AS INTEGER)) FROM settings WHERE name LIKE 'row%'",
	).Scan(&sum))
	require.Equal(t, len(nodes)*rows*rounds, sum)
	t.Logf("%d writes in %s", sum, time.Since(began))
}

// A group whose connection is lost before the commit is run again, each write alone.
func TestALostGroupRunsAgain(t *testing.T) {
	t.Parallel()
	d := openAt(t, testpg.DB(t))
	var once sync.Once
	answers := inGroup(t, d, 8, func(i int) func(context.Context, *engine.Tx) error {
		return func(ctx context.Context, tx *engine.Tx) error {
			if err := set(fmt.Sprint("again", i), "1")(ctx, tx); err != nil || i != 5 {
				return err
			}
			var err error
			once.Do(func() { _, err = tx.DB.ExecContext(ctx, "SELECT pg_terminate_backend(pg_backend_pid())") })
			return err
		}
	})
	for _, err := range answers {
		require.NoError(t, err)
	}
	var n int
	require.NoError(t, d.pool.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM settings WHERE name LIKE 'again%'").Scan(&n))
	require.Equal(t, 8, n)
}

// A job sees the notices of those before it in its group: one that deletes what they are about deletes them, too.
func TestNoticesAreStoredBeforeTheNextJob(t *testing.T) {
	t.Parallel()
	d := openAt(t, testpg.DB(t))
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('ada', 'ada@example.org', 'Ada', '', '', 0)")
		return err
	}))
	deleted := int64(0)
	answers := inGroup(t, d, 2, func(i int) func(context.Context, *engine.Tx) error {
		if i == 0 {
			return func(_ context.Context, tx *engine.Tx) error {
				tx.Notify(studycircle.Notice{UserID: "ada", Kind: studycircle.NotifyReply, Subject: "thread", Title: "T", URL: "/", At: time.Now()})
				return nil
			}
		}
		return func(ctx context.Context, tx *engine.Tx) error {
			result, err := tx.DB.ExecContext(ctx, "DELETE FROM notices WHERE subject = 'thread'")
			if err == nil {
				deleted, err = result.RowsAffected()
			}
			return err
		}
	})
	require.NoError(t, errors.Join(answers...))
	require.EqualValues(t, 1, deleted)
}

func openAt(t *testing.T, url string) *DB {
	t.Helper()
	d, err := Open(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func set(name, value string) func(context.Context, *engine.Tx) error {
	return func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.DB.ExecContext(
			ctx, "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
			name, value,
		)
		return err
	}
}

// inGroup runs n writes in one group, in their order, and returns their answers.
func inGroup(t *testing.T, d *DB, n int, write func(int) func(context.Context, *engine.Tx) error) []error {
	t.Helper()
	held, release := make(chan struct{}), make(chan struct{})
	running := sync.OnceFunc(func() { close(held) }) // a slow machine may run it again
	var all sync.WaitGroup
	all.Go(func() {
		assert.NoError(t, d.Write(t.Context(), func(context.Context, *engine.Tx) error {
			running()
			<-release
			return nil
		}))
	})
	<-held
	answers := make([]error, n)
	for i := range n {
		all.Go(func() { answers[i] = d.Write(t.Context(), write(i)) })
		require.Eventually(t, func() bool { return d.group.Waiting() == i+1 }, 10*time.Second, 100*time.Microsecond)
	}
	close(release)
	all.Wait()
	return answers
}

// A write of many rows keeps no other one waiting.
func TestAWriteOfManyRowsIsAlone(t *testing.T) {
	t.Parallel()
	d := openAt(t, testpg.DB(t))
	began, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- d.Write(engine.WithManyRows(t.Context()), func(context.Context, *engine.Tx) error {
			close(began)
			<-release
			return nil
		})
	}()
	<-began
	require.NoError(t, d.Write(t.Context(), set("beside", "1")))
	require.True(t, d.group.IsIdle())
	close(release)
	require.NoError(t, <-ended)
}
