package sqlite

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
)

// endless is a statement that never ends.
const endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"

// A write whose function or statement takes too long is ended, and the next one runs.
func TestAWriteHasADeadline(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	d.writer.timeout = 100 * time.Millisecond // before the first write
	for name, f := range map[string]func(context.Context, *engine.Tx) error{
		"function": func(ctx context.Context, _ *engine.Tx) error {
			<-ctx.Done()
			return ctx.Err()
		},
		"statement": func(ctx context.Context, tx *engine.Tx) error {
			var n int
			return tx.DB.QueryRowContext(ctx, endless).Scan(&n)
		},
		"writing statement": func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "UPDATE settings SET value = ("+endless+")")
			return err
		},
	} {
		require.Equal(t, engine.Unavailable, d.Fault(d.Write(t.Context(), f)), name)
		require.NoError(t, d.Write(engine.WithLongWrite(t.Context(), engine.LongCopy), func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('next', '') ON CONFLICT DO NOTHING")
			return err
		}), name)
	}
}

// A long write has a transaction of its own: others, queued at the same time, share none with it, and an error undoes
// all of it and nothing of theirs.
func TestALongWriteIsAlone(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	failure := errors.New("a broken line")
	put := func(ctx context.Context, tx *engine.Tx, name string) error {
		_, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES (?, '')", name)
		return err
	}
	const each = 32
	var group sync.WaitGroup
	for i := range 2 * each {
		group.Go(func() {
			if i%2 == 0 {
				assert.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error { return put(ctx, tx, fmt.Sprint("short", i)) }))
				return
			}
			err := d.Write(engine.WithLongWrite(t.Context(), engine.LongImport), func(ctx context.Context, tx *engine.Tx) error {
				_, inSavepoint := tx.DB.ExecContext(ctx, "RELEASE job")
				if inSavepoint == nil {
					return errors.New("there is a savepoint")
				}
				if err := put(ctx, tx, fmt.Sprint("long", i)); err != nil || i%4 == 1 {
					return errors.Join(err, failure)
				}
				return nil
			})
			if i%4 == 1 {
				assert.ErrorIs(t, err, failure)
			} else {
				assert.NoError(t, err)
			}
		})
	}
	group.Wait()
	for pattern, want := range map[string]int{"short%": each, "long%": each / 2} {
		var n int
		require.NoError(t, d.Reads().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM settings WHERE name LIKE ?", pattern).Scan(&n))
		require.Equal(t, want, n, pattern)
	}
}

// An import or a copy may take any time.
func TestALongWriteHasNoDeadline(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	require.NoError(t, d.Write(engine.WithLongWrite(t.Context(), engine.LongCopy), func(ctx context.Context, _ *engine.Tx) error {
		_, bounded := ctx.Deadline()
		require.False(t, bounded)
		require.True(t, d.writer.IsIdle(), "it is not reported as stuck")
		return nil
	}))
}

// A job sees the notices of those before it in its group: one that deletes what they are about deletes them, too.
func TestNoticesAreStoredBeforeTheNextJob(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('ada', 'ada@example.org', 'Ada', '', '', 0)")
		return err
	}))
	held, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	write := func(f func(context.Context, *engine.Tx) error) {
		all.Go(func() { assert.NoError(t, d.Write(t.Context(), f)) })
	}
	write(func(context.Context, *engine.Tx) error {
		close(held)
		<-release
		return nil
	})
	<-held
	queued := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return d.writer.Waiting() == n }, 10*time.Second, time.Millisecond)
	}
	write(func(_ context.Context, tx *engine.Tx) error {
		tx.Notify(studycircle.Notice{UserID: "ada", Kind: studycircle.NotifyReply, Subject: "thread", Title: "T", URL: "/", At: time.Now()})
		return nil
	})
	queued(1)
	deleted := int64(0)
	write(func(ctx context.Context, tx *engine.Tx) error {
		result, err := tx.DB.ExecContext(ctx, "DELETE FROM notices WHERE subject = 'thread'")
		if err == nil {
			deleted, err = result.RowsAffected()
		}
		return err
	})
	queued(2)
	close(release)
	all.Wait()
	require.EqualValues(t, 1, deleted)
}
