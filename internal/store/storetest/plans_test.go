package storetest

import (
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/tables"
	"studycircle/internal/teststore"
)

// imported is ANALYZE's result after an import of 100,000 assignments and 500,000
// submissions. It has nothing about tables that were empty or missing then, which SQLite
// takes to be larger than they are.
const imported = `
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
	('submissions', 'sqlite_autoindex_submissions_1', '500000 1'), ('submissions', 'submissions_one_pending', '100000 1 1'),
	('assignments', 'assignments_in_level', '100000 100000 33334 1'), ('assignments', 'assignments_in', '100000 100000 1'),
	('assignments', 'assignments_creator', '100000 100'), ('assignments', 'sqlite_autoindex_assignments_1', '100000 1'),
	('page_counts', 'sqlite_autoindex_page_counts_1', '9405 5 3 1'), ('users', 'sqlite_autoindex_users_1', '1016 1'), ('users', 'sqlite_autoindex_users_2', '1016 1')`

var (
	parameter = regexp.MustCompile(`sqlc\.n?arg\(\w+\)|\$\d+`)
	locking   = regexp.MustCompile(` FOR (?:NO KEY UPDATE|KEY SHARE)(?: OF \w+)?(?: SKIP LOCKED)?`)
	embedded  = regexp.MustCompile(`sqlc\.embed\((\w+)\)`)
	large     = regexp.MustCompile(`(?i)(?:FROM|JOIN) (assignments|submissions|comments|users|notifications|reminders)(?: AS)?(?: (\w+))?`)
)

// No query scans a large table, with or without statistics of the others.
func TestNoQueryScansALargeTable(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})
	_, err := b.plain.ExecContext(t.Context(), imported)
	require.NoError(t, err)
	fresh := plainDB(t, b.config) // a fresh connection reads the statistics
	defer func() { require.NoError(t, fresh.Close()) }()
	files, err := filepath.Glob("../queries/*.sql")
	require.NoError(t, err)
	queries := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, one := range strings.Split(string(text), "-- name: ")[1:] {
			name, query, _ := strings.Cut(one, "\n")
			name, _, _ = strings.Cut(name, " ")
			queries++
			for _, line := range plan(t, fresh, embedded.ReplaceAllString(parameter.ReplaceAllString(locking.ReplaceAllString(query, ""), "?1"), "$1.*")) {
				table, walks := strings.CutPrefix(line, "SCAN ")
				if of := aliases(query)[table]; walks && of != "" {
					t.Errorf("%s walks through all %s", name, of)
				}
			}
		}
	}
	require.Greater(t, queries, 150)
}

// A user's reactions are found by the comments' ids; none between them is read.
func TestReactionsAreFoundByTheirComments(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})
	query, _ := tables.ReactionsBy.For([]string{"c"})
	text, _ := query.For(studycircle.ViewerOf("u"))
	lines := plan(t, b.plain, parameter.ReplaceAllString(text, "?1"))
	require.NotEmpty(t, lines)
	require.Regexp(t, `^SEARCH t USING .*INDEX \w+ \(.*comment_id=\?`, lines[0])
}

// Notices of a comment are found by the comment's address, and notifications by their comments.
func TestNotificationsOfACommentAreFoundByTheComment(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		queries := map[string]string{"locks of inboxes": "SELECT id FROM inboxes WHERE " + tables.InboxesAboutComment.Where}
		text, err := os.ReadFile("../queries/notifications.sql")
		require.NoError(t, err)
		for _, one := range strings.Split(string(text), "-- name: ")[1:] {
			name, query, _ := strings.Cut(one, "\n")
			if name, _, _ = strings.Cut(name, " "); strings.Contains(query, "url = $2") && !strings.Contains(query, "fanouts") || strings.HasSuffix(name, "Comment") && name != "AdoptComment" {
				queries[name] = query
			}
		}
		require.Len(t, queries, 8)
		index := regexp.MustCompile(`(?:notices|notification_comments)_comment`)
		for name, query := range queries {
			query = strings.NewReplacer("sqlc.arg(deleted)", "TRUE", "t.parked <> $3", "t.parked", "parked = $3", "parked = TRUE").Replace(query)
			query = parameter.ReplaceAllString(query, "'u'")
			if b.sqlite {
				require.Regexp(t, index, strings.Join(plan(t, b.plain, locking.ReplaceAllString(query, "")+" -- ?1"), "\n"), name)
				continue
			}
			conn, err := b.plain.Conn(t.Context())
			require.NoError(t, err)
			_, err = conn.ExecContext(t.Context(), "SET enable_seqscan = off") // the tables are empty
			require.NoError(t, err)
			var lines string
			require.NoError(t, conn.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON, COSTS off) "+query).Scan(&lines))
			require.NoError(t, conn.Close())
			require.Regexp(t, `"Index Name": "`+index.String()+`"`, lines, name)
		}
	})
}

// aliases returns the large tables of a query by their aliases.
func aliases(query string) map[string]string {
	out := map[string]string{}
	for _, found := range large.FindAllStringSubmatch(query, -1) {
		out[found[1]], out[found[2]] = found[1], found[1]
	}
	return out
}

func plan(t *testing.T, d *sql.DB, query string) (lines []string) {
	t.Helper()
	rows, err := d.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, "x")
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		lines = append(lines, detail)
	}
	require.NoError(t, rows.Err())
	return lines
}
