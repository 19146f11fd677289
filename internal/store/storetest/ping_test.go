package storetest

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func (b *bundle) writeSetting(t *testing.T) error {
	t.Helper()
	return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('a', 'b') ON CONFLICT (name) DO UPDATE SET value = 'c'")
		return err
	})
}

// A database that answers but refuses writes is not ready, and becomes ready again as
// soon as it accepts them, without a write.
func TestPingReportsThatWritesFail(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	check := func(full func(on string)) {
		t.Helper()
		require.NoError(t, b.writeSetting(t))
		full("on")
		require.NoError(t, b.Ping(t.Context()), "no write was tried yet")
		require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(b.writeSetting(t)))
		for range 2 {
			require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(b.Ping(t.Context())))
		}
		full("off")
		require.NoError(t, b.Ping(t.Context()))
		require.NoError(t, b.writeSetting(t))
		require.ErrorIs(t, b.Write(t.Context(), studycircle.System(), func(context.Context, *store.Tx) error { return studycircle.ErrNotFound }), studycircle.ErrNotFound)
		require.NoError(t, b.Ping(t.Context()), "a write that is refused says nothing of the disk")
	}
	check(func(on string) {
		statements := `DROP TRIGGER full_disk ON settings`
		if on == "on" {
			statements = `CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$;
					CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON settings EXECUTE FUNCTION full_disk()`
		}
		_, err := b.plain.ExecContext(t.Context(), statements)
		require.NoError(t, err)
	})
}

// A PostgreSQL that is read-only by a setting answers but refuses writes: after the time
// that a failover would take, the node reports it.
func TestPingReportsThatPostgresIsReadOnly(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	readOnly := func(on string) {
		t.Helper()
		for _, statement := range []string{
			"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = " + on + "', current_database()); END $$",
			// Existing connections keep their setting.
			"SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
		} {
			_, err := b.plain.ExecContext(t.Context(), "SET default_transaction_read_only = off; "+statement)
			require.NoError(t, err)
		}
	}
	readOnly("on")
	require.Eventually(t, func() bool { return studycircle.CodeOf(b.writeSetting(t)) == studycircle.CodeUnavailable }, 10*time.Second, 50*time.Millisecond)
	require.NoError(t, b.Ping(t.Context()), "it may be a standby that takes over")
	require.Eventually(t, func() bool { return studycircle.CodeOf(b.Ping(t.Context())) == studycircle.CodeUnavailable }, 10*time.Second, 50*time.Millisecond)
	readOnly("off")
	require.Eventually(t, func() bool { return b.Ping(t.Context()) == nil && b.writeSetting(t) == nil }, 10*time.Second, 50*time.Millisecond)
}

// If the database's file or folder is removed or overwritten, no write is acknowledged
// and the node is not ready.
func TestRemovedAndOverwrittenDatabases(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]func(t *testing.T, dir string){
		"file removed": func(t *testing.T, dir string) {
			t.Helper()
			require.NoError(t, os.Remove(filepath.Join(dir, "studycircle.db")))
		},
		"folder removed": func(t *testing.T, dir string) { t.Helper(); require.NoError(t, os.RemoveAll(dir)) },
		"another file": func(t *testing.T, dir string) {
			t.Helper()
			file := filepath.Join(dir, "studycircle.db")
			require.NoError(t, os.WriteFile(file+".new", nil, 0o600))
			require.NoError(t, os.Rename(file+".new", file))
		},
		"overwritten": func(t *testing.T, dir string) {
			t.Helper()
			file, err := os.OpenFile(filepath.Join(dir, "studycircle.db"), os.O_WRONLY, 0)
			require.NoError(t, err)
			_, err = file.Write(make([]byte, 64<<10))
			require.NoError(t, err)
			require.NoError(t, file.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "data")
			s, err := store.Open(t.Context(), store.Config{Dir: dir})
			require.NoError(t, err)
			b := &bundle{Store: s}
			require.NoError(t, b.writeSetting(t))
			harm(t, dir)
			require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(b.writeSetting(t)))
			require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(s.Ping(t.Context())))
			_, err = s.Assignment(t.Context(), anyone, "none")
			require.Contains(t, []studycircle.Code{studycircle.CodeUnavailable, studycircle.CodeNotFound}, studycircle.CodeOf(err), "%v", err)
			_ = s.Close() // closes what is left
		})
	}
}

// A lock that is held for long delays a write no longer than a request may take.
func TestWritesGiveUpOnLocks(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	ada := b.user(t, "Ada")
	a := b.assignment(t, ada, studycircle.Easy, "One", "Text.")
	tx, err := b.plain.BeginTx(t.Context(), &sql.TxOptions{})
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback()) }()
	_, err = tx.ExecContext(t.Context(), "LOCK TABLE assignments IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	for name, write := range map[string]func() error{
		"write": func() error {
			return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) })
		},
		"publish": func() error {
			return teststore.Publish(t.Context(), b.Store, sample(ada, studycircle.Easy, "Two", "Text."))
		},
	} {
		began := time.Now()
		require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(write()), name)
		require.Less(t, time.Since(began), 5*time.Second, name)
	}
}
