package migrations_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/store/sqlite"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
)

// releases are the schema versions of the releases so far. testdata has a database of each, with its sample content.
var releases = []int64{9, 20, 26}

// onReleases calls f with a database of each release on each engine.
func onReleases(t *testing.T, f func(t *testing.T, c store.Config)) {
	t.Helper()
	for _, schema := range releases {
		t.Run(fmt.Sprintf("sqlite/%d", schema), func(t *testing.T) {
			t.Parallel()
			testengine.Need(t, testengine.SQLite)
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(sqlite.FileIn(dir), kept(t, fmt.Sprintf("sqlite-v%d.db.gz", schema)), 0o600))
			f(t, store.Config{Dir: dir})
		})
		t.Run(fmt.Sprintf("postgres/%d", schema), func(t *testing.T) {
			t.Parallel()
			url := testpg.DB(t)
			d, err := sql.Open("pgx", url)
			require.NoError(t, err)
			_, err = d.ExecContext(t.Context(), string(kept(t, fmt.Sprintf("postgres-v%d.sql.gz", schema))))
			require.NoError(t, err)
			require.NoError(t, d.Close())
			f(t, store.Config{URL: url})
		})
	}
}

// work is what users have made, as every release stores it.
func work(t *testing.T, d *sql.DB) (all []string) {
	t.Helper()
	for _, query := range []string{
		"SELECT id || email || display_name || photo_url || password_hash FROM users ORDER BY id",
		"SELECT id || COALESCE(creator_id, '') || title || description || thumbnail || level || marks || '/' || due_at || '/' || created_at || '/' || COALESCE(deleted_at, 0) FROM assignments ORDER BY id",
		"SELECT id || COALESCE(submitter_id, '') || assignment_title || docs_link || note || status || submitted_at || '/' || COALESCE(given_mark, -1) || COALESCE(feedback, '') || COALESCE(grader_id, '') FROM submissions ORDER BY id",
	} {
		all = append(all, rowsOf(t, d, query)...)
	}
	require.Greater(t, len(all), 100)
	return all
}

// rowsOf returns the only column of a query's rows.
func rowsOf(t *testing.T, d *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := d.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var row string
		require.NoError(t, rows.Scan(&row))
		all = append(all, row)
	}
	require.NoError(t, rows.Err())
	return all
}

// traffic reads and, on PostgreSQL, writes as nodes of every release do, until the returned function ends it. That one
// requires that nothing failed and that all writes are there. SQLite has one program, which is stopped for an upgrade.
func traffic(t *testing.T, c store.Config) (end func()) {
	t.Helper()
	d, _ := unopened(t, c)
	var done atomic.Bool
	var read atomic.Int64
	var clients sync.WaitGroup
	written, failed := make([]int, 2), make([]error, 2)
	for i := range written {
		clients.Go(func() {
			for !done.Load() && failed[i] == nil {
				var n int
				failed[i] = d.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM assignments WHERE deleted_at IS NULL").Scan(&n)
				read.Add(1)
				if c.URL == "" || failed[i] != nil {
					continue
				}
				_, failed[i] = d.ExecContext(t.Context(), "INSERT INTO rate_limits (name, stamps, expires_at) VALUES ($1, '', $2)",
					fmt.Sprintf("traffic-%d-%d", i, written[i]), time.Now().Add(time.Hour).UnixMicro())
				written[i]++
			}
		})
	}
	return func() {
		done.Store(true)
		clients.Wait()
		total := 0
		for i, n := range written {
			require.NoError(t, failed[i])
			total += n
		}
		require.Positive(t, read.Load())
		var found int
		require.NoError(t, d.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM rate_limits WHERE name LIKE 'traffic-%'").Scan(&found))
		require.Equal(t, total, found)
	}
}

// A database of each release opens, under the writes and reads of nodes of that release: its content is found and
// counted, and users continue to work with it.
func TestDatabasesOfEarlierReleasesUpgrade(t *testing.T) {
	t.Parallel()
	onReleases(t, func(t *testing.T, c store.Config) {
		d, _ := unopened(t, c)
		before := work(t, d)
		end := traffic(t, c)
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		end()
		require.Equal(t, before, work(t, d))
		upgraded(t, c)
	})
}

// The same, with nodes of all releases between: one migration after the other, each with the work of users unchanged.
func TestDatabasesOfEarlierReleasesUpgradeStepByStep(t *testing.T) {
	t.Parallel()
	onReleases(t, func(t *testing.T, c store.Config) {
		d, dialect := unopened(t, c)
		before := work(t, d)
		end := traffic(t, c)
		p := provider(t, d, dialect)
		steps := 0
		for {
			_, err := p.UpByOne(t.Context())
			if errors.Is(err, goose.ErrNoNextVersion) {
				break
			}
			require.NoError(t, err)
			require.Equal(t, before, work(t, d))
			steps++
		}
		end()
		require.Greater(t, steps, 5)
		upgraded(t, c)
	})
}
