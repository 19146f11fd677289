package migrations_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/store/migrations"
	"studycircle/internal/store/postgres"
	"studycircle/internal/store/sqlite"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
)

// migrateEnv makes the test binary a program that opens this database and exits.
const migrateEnv = "STORE_MIGRATE"

func TestMain(m *testing.M) {
	if where := os.Getenv(migrateEnv); where != "" {
		c := store.Config{Dir: where}
		if where[0] != '/' {
			c = store.Config{URL: where}
		}
		s, err := store.Open(context.Background(), c)
		if err != nil || s.Close() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(testpg.Main(m, nil))
}

// unopened opens a database without migrating it.
func unopened(tb testing.TB, c store.Config) (*sql.DB, migrations.Dialect) {
	tb.Helper()
	dialect, driver, name := sqlite.Dialect(), "sqlite", "file:"+sqlite.FileIn(c.Dir)+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)"
	if c.URL != "" {
		dialect, driver, name = postgres.Dialect(), "pgx", c.URL
	}
	d, err := sql.Open(driver, name)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, d.Close()) })
	return d, dialect
}

func provider(t *testing.T, d *sql.DB, dialect migrations.Dialect) *goose.Provider {
	t.Helper()
	p, err := migrations.Provider(d, dialect)
	require.NoError(t, err)
	return p
}

func onEmptyDatabases(t *testing.T, f func(t *testing.T, c store.Config, where string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		testengine.Need(t, testengine.SQLite)
		dir := t.TempDir()
		f(t, store.Config{Dir: dir}, dir)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := testpg.DB(t)
		f(t, store.Config{URL: url}, url)
	})
}

// Nodes that start together on an empty database migrate it once.
func TestManyStartAtOnce(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		var starting sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			starting.Go(func() {
				s, err := store.Open(t.Context(), c)
				if err == nil {
					err = s.Close()
				}
				errs[i] = err
			})
		}
		starting.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
	})
}

// A program that is killed during a migration leaves each step done or not begun, and the next one continues from
// there.
func TestKilledMigrationIsDoneOrNotBegun(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, where string) {
		// No other code in this process has the database open while a program is killed or a store is closed: closing
		// its files releases this process's locks (POSIX), and the next program believes that it is the first.
		migrations := func(do func(p *goose.Provider)) {
			d, e := unopened(t, c)
			do(provider(t, d, e))
			require.NoError(t, d.Close())
		}
		unfinished := 0
		for range 12 {
			migrations(func(p *goose.Provider) {
				_, err := p.UpTo(t.Context(), 3)
				require.NoError(t, err)
			})
			program := exec.CommandContext(t.Context(), os.Args[0])
			program.Env = append(os.Environ(), migrateEnv+"="+where)
			require.NoError(t, program.Start())
			kill := time.AfterFunc(rand.N(120*time.Millisecond), func() { _ = program.Process.Kill() }) // it may have exited
			_ = program.Wait()                                                                          // killed or not
			kill.Stop()
			migrations(func(p *goose.Provider) {
				current, target, err := p.GetVersions(t.Context())
				require.NoError(t, err)
				if current < target {
					unfinished++
				}
			})
			s, err := store.Open(t.Context(), c)
			require.NoError(t, err)
			require.NoError(t, s.Close())
			migrations(func(p *goose.Provider) {
				_, err := p.DownTo(t.Context(), 3)
				require.NoError(t, err)
			})
		}
		t.Log("killed before the end:", unfinished, "of 12")
	})
}

// An index that was half built when a program was killed is built anew.
func TestHalfMadeIndexIsMadeAnew(t *testing.T) {
	t.Parallel()
	c := store.Config{URL: testpg.DB(t)}
	d, e := unopened(t, c)
	_, err := provider(t, d, e).UpTo(t.Context(), 6)
	require.NoError(t, err)
	for _, statement := range []string{
		"CREATE UNIQUE INDEX submissions_of ON submissions (submitter_id, submitter_no) INCLUDE (status)",
		"UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = to_regclass('submissions_of')",
		"DROP INDEX submissions_own_status",
	} {
		_, err = d.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	s, err := store.Open(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	var valid, old bool
	require.NoError(t, d.QueryRowContext(t.Context(), `SELECT indisvalid, to_regclass('submissions_own') IS NOT NULL
		FROM pg_index WHERE indexrelid = to_regclass('submissions_of')`).Scan(&valid, &old))
	require.True(t, valid)
	require.False(t, old)
}

// The previous release continues on a newer schema, and starts on it, until a migration removes a part that it needs.
func TestNewerSchemaIsRefusedBelowItsFloor(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		d, e := unopened(t, c)
		_, target, err := provider(t, d, e).GetVersions(t.Context())
		require.NoError(t, err)
		_, err = d.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)", target+1)
		require.NoError(t, err)
		s, err = store.Open(t.Context(), c)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		_, err = d.ExecContext(t.Context(), "UPDATE settings SET value = $1 WHERE name = 'schema-floor'", strconv.FormatInt(target+1, 10))
		require.NoError(t, err)
		_, err = store.Open(t.Context(), c)
		require.ErrorContains(t, err, "start a newer studycircle")
	})
}

// A program knows the highest number of all files, in either folder.
func TestTheLastMigrationIsKnown(t *testing.T) {
	t.Parallel()
	d, dialect := unopened(t, store.Config{Dir: t.TempDir()})
	p := provider(t, d, dialect)
	last := int64(0)
	for _, source := range p.ListSources() {
		last = max(last, source.Version)
	}
	_, target, err := p.GetVersions(t.Context())
	require.NoError(t, err)
	require.Equal(t, last, target)
}
