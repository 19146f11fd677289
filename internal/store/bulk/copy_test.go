package bulk

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
)

// Copy covers every table. It indexes all assignments anew, so that none is stale.
func TestCopyKnowsAllTables(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	rows, err := s.Engine().Reads().QueryContext(t.Context(), `SELECT name FROM sqlite_schema WHERE type = 'table'
		AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'goose_%' AND name NOT LIKE 'assignment_search%' AND name NOT LIKE 'circle_search%' AND name NOT LIKE 'listing_search%' AND name NOT IN ('search_words', 'search_gone', 'search_stale', 'events', 'event_log', 'nodes')
		AND name NOT LIKE 'river_%'`) // the queue's: see copier.queuedMails
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var tables []string
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		tables = append(tables, name)
	}
	require.NoError(t, rows.Err())
	require.ElementsMatch(t, tables, copiedTables)
}

// Copy continues the numbers of every table that the database numbers.
func TestCopyKnowsAllNumberedTables(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	numbered := func(table string) (n int) {
		require.NoError(t, s.Engine().Reads().QueryRowContext(t.Context(),
			"SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = $1 AND sql LIKE '%AUTOINCREMENT%'", table).Scan(&n))
		return n
	}
	for _, table := range copiedTables {
		require.Equal(t, numbered(table) == 1, serialTables[table] != "", table)
	}
}
