package sqlite

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
)

// openFiles counts this process's open files below dir.
func openFiles(t *testing.T, dir string) (n int) {
	t.Helper()
	const descriptors = "/proc/self/fd"
	open, err := os.ReadDir(descriptors)
	require.NoError(t, err)
	for _, descriptor := range open {
		target, err := os.Readlink(descriptors + "/" + descriptor.Name())
		if err == nil && filepath.Dir(target) == dir {
			n++
		}
	}
	return n
}

// A store that cannot be opened leaves no file open, at whatever step it fails.
func TestHalfOpenedStoreIsClosed(t *testing.T) {
	for n, broken := range []string{
		"",
		"DROP TABLE goose_db_version",
		"UPDATE goose_db_version SET version_id = 99999",
		"DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version WHERE version_id < 82)",
	} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			dir := t.TempDir()
			d, err := Open(t.Context(), dir)
			require.NoError(t, err)
			_, err = d.writes.ExecContext(t.Context(), broken)
			require.NoError(t, err)
			require.NoError(t, d.Close())
			d, err = Open(t.Context(), dir)
			if broken == "" {
				require.NoError(t, err)
				require.Positive(t, openFiles(t, dir))
				require.NoError(t, d.Close())
			} else {
				require.Error(t, err)
			}
			require.Zero(t, openFiles(t, dir))
		})
	}
}

// A commit waits for the disk: with NORMAL, a power cut would lose acknowledged writes.
func TestCommitsWaitForTheDisk(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		var synchronous, secure int
		if err := tx.DB.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&synchronous); err != nil {
			return err
		}
		err := tx.DB.QueryRowContext(ctx, "PRAGMA secure_delete").Scan(&secure)
		require.Equal(t, []int{2, 1}, []int{synchronous, secure}, "FULL, and deleted data is overwritten")
		return err
	}))
}

// If one of two writes in a commit fails, the other one is stored.
func TestOneOfTwoFails(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	held, release := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- d.Write(t.Context(), func(context.Context, *engine.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	put := func(name string, then error, waiting int) chan error {
		t.Helper()
		answer := make(chan error, 1)
		go func() {
			answer <- d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
				if _, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES (?, '')", name); err != nil {
					return err
				}
				return then
			})
		}()
		require.Eventually(t, func() bool { return d.writer.Waiting() == waiting }, 10*time.Second, time.Millisecond)
		return answer
	}
	good, bad := put("good", nil, 1), put("bad", engine.ErrClosed, 2)
	close(release)
	require.NoError(t, <-first)
	require.ErrorIs(t, <-bad, engine.ErrClosed)
	require.NoError(t, <-good)
	var names string
	require.NoError(t, d.reads.QueryRowContext(t.Context(), "SELECT group_concat(name) FROM settings WHERE name IN ('good', 'bad')").Scan(&names))
	require.Equal(t, "good", names)
}

// A commit that hangs in the disk makes the node not ready until it completes.
func TestPingTellsOfAHungDisk(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	hung, heal := make(chan struct{}), make(chan struct{})
	healed := sync.OnceFunc(func() { close(heal) })
	defer healed()
	wrote := make(chan error, 1)
	go func() {
		wrote <- d.Write(t.Context(), func(context.Context, *engine.Tx) error {
			d.writer.commit = func(tx *sql.Tx) error { // the writer alone reads it, and here it runs
				close(hung)
				<-heal
				d.writer.commit = (*sql.Tx).Commit
				return tx.Commit()
			}
			return nil
		})
	}()
	<-hung
	require.NoError(t, d.Ping(t.Context()), "it may just be slow")
	require.Eventually(t, func() bool { return d.Fault(d.Ping(t.Context())) == engine.Unavailable }, 10*time.Second, 50*time.Millisecond)
	healed()
	require.NoError(t, <-wrote)
	require.NoError(t, d.Ping(t.Context()))
}

// A database that answers and accepts no writes is not ready. It is ready again as soon as it accepts them, without a
// client's write.
func TestPingReportsThatWritesFail(t *testing.T) {
	t.Parallel()
	d := openDir(t, t.TempDir())
	write := func() error {
		return d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('a', 'b') ON CONFLICT (name) DO UPDATE SET value = 'c'")
			return err
		})
	}
	full := func(on string) {
		t.Helper()
		_, err := d.writes.ExecContext(t.Context(), "PRAGMA query_only = "+on)
		require.NoError(t, err)
	}
	require.NoError(t, write())
	full("on")
	require.NoError(t, d.Ping(t.Context()), "no write was tried yet")
	require.Equal(t, engine.Unavailable, d.Fault(write()))
	for range 2 {
		require.Equal(t, engine.Unavailable, d.Fault(d.Ping(t.Context())))
	}
	full("off")
	require.NoError(t, d.Ping(t.Context()))
	require.NoError(t, write())
	require.ErrorIs(t, d.Write(t.Context(), func(context.Context, *engine.Tx) error { return engine.ErrClosed }), engine.ErrClosed)
	require.NoError(t, d.Ping(t.Context()), "a write that is refused says nothing of the disk")
}
