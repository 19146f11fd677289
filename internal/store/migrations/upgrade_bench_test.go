package migrations_test

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/store/sqlite"
	"studycircle/internal/testpg"
)

// enlarge adds n copies of the first assignment.
func enlarge(b *testing.B, d *sql.DB, columns, series string, n int) {
	b.Helper()
	var names []string
	rows, err := d.QueryContext(b.Context(), columns)
	require.NoError(b, err)
	defer func() { require.NoError(b, rows.Close()) }()
	for rows.Next() {
		var name string
		require.NoError(b, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(b, rows.Err())
	values := strings.ReplaceAll(strings.Join(names, ", "), "id, creator_id", "'copy-' || n, creator_id")
	require.Contains(b, values, "'copy-'")
	_, err = d.ExecContext(b.Context(), fmt.Sprintf(series, n)+" INSERT INTO assignments ("+strings.Join(names, ", ")+") SELECT "+values+
		" FROM (SELECT * FROM assignments ORDER BY seq LIMIT 1) a CROSS JOIN copies")
	require.NoError(b, err)
}

// BenchmarkUpgradeOfAMillion upgrades a database of the newest release with 1,000,000 assignments, all public, and
// reports how long that takes. On PostgreSQL two nodes of that release go on writing: it reports the longest write, in
// seconds. On SQLite no program writes until the upgrade is over.
//
//	go test ./internal/store/migrations -run '^$' -bench Million -benchtime 1x -timeout 1h
func BenchmarkUpgradeOfAMillion(b *testing.B) {
	const assignments = 1_000_000
	newest := releases[len(releases)-1]
	cluster, err := testpg.StartIn(os.TempDir(), "fsync=on", "full_page_writes=on")
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, cluster.Stop()) })
	b.Run("sqlite", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			dir := b.TempDir()
			require.NoError(b, os.WriteFile(sqlite.FileIn(dir), kept(b, fmt.Sprintf("sqlite-v%d.db.gz", newest)), 0o600))
			d, _ := unopened(b, store.Config{Dir: dir})
			enlarge(b, d, "SELECT name FROM pragma_table_info('assignments') WHERE name <> 'seq' ORDER BY cid",
				"WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < %d)", assignments)
			b.StartTimer()
			s, err := store.Open(b.Context(), store.Config{Dir: dir})
			b.StopTimer()
			require.NoError(b, err)
			require.NoError(b, s.Close())
			b.StartTimer()
		}
	})
	b.Run("postgres", func(b *testing.B) {
		longest := time.Duration(0)
		for b.Loop() {
			b.StopTimer()
			name, err := cluster.Create("template1")
			require.NoError(b, err)
			c := store.Config{URL: cluster.URL(name)}
			dumped, _ := unopened(b, c)
			_, err = dumped.ExecContext(b.Context(), string(kept(b, fmt.Sprintf("postgres-v%d.sql.gz", newest))))
			require.NoError(b, err)
			d, _ := unopened(b, c) // the dump has set the search path of its connection
			enlarge(b, d, "SELECT column_name FROM information_schema.columns WHERE table_name = 'assignments' AND column_name <> 'seq' AND is_generated = 'NEVER' ORDER BY ordinal_position",
				"WITH copies AS (SELECT generate_series(1, %d) AS n)", assignments)
			_, err = d.ExecContext(b.Context(), "VACUUM ANALYZE")
			require.NoError(b, err)
			end := writers(b, d)
			b.StartTimer()
			s, err := store.Open(b.Context(), c)
			b.StopTimer()
			require.NoError(b, err)
			require.NoError(b, s.Close())
			longest = max(longest, end())
			b.StartTimer()
		}
		b.ReportMetric(longest.Seconds(), "longest-write-s")
	})
}

// writers let two nodes change assignments, until the returned function ends them; it returns the longest write.
func writers(b *testing.B, d *sql.DB) (end func() time.Duration) {
	b.Helper()
	var done atomic.Bool
	var nodes sync.WaitGroup
	longest, failed, written := make([]time.Duration, 2), make([]error, 2), make([]int, 2)
	for i := range longest {
		nodes.Go(func() {
			for !done.Load() && failed[i] == nil {
				from := time.Now()
				_, failed[i] = d.ExecContext(b.Context(), "UPDATE assignments SET title = title || '.' WHERE id = $1", fmt.Sprintf("copy-%d", 1+written[i]*2+i))
				longest[i] = max(longest[i], time.Since(from))
				written[i]++
			}
		})
	}
	return func() time.Duration {
		done.Store(true)
		nodes.Wait()
		for i, err := range failed {
			require.NoError(b, err)
			require.Positive(b, written[i])
		}
		return max(longest[0], longest[1])
	}
}
