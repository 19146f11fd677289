package store

import (
	"context"
	"strings"

	"studycircle/internal/store/db"
)

// sqliteSearch is search on FTS5 (migrations/sqlite).
type sqliteSearch struct{}

func (sqliteSearch) put(ctx context.Context, raw db.DBTX, seq int64, d searchDoc) error {
	_, err := raw.ExecContext(ctx, "INSERT INTO assignment_search (rowid, title, description, level) VALUES (?, ?, ?, ?)",
		seq, d.title, d.description, string(d.level))
	return err
}

func (sqliteSearch) remove(ctx context.Context, raw db.DBTX, seq int64) error {
	_, err := raw.ExecContext(ctx, "DELETE FROM assignment_search WHERE rowid = ?", seq)
	return err
}

func (sqliteSearch) count(ctx context.Context, raw db.DBTX, m match) (n int64, err error) {
	err = raw.QueryRowContext(ctx,
		"SELECT COUNT(*) FROM (SELECT 1 FROM assignment_search WHERE assignment_search MATCH ? LIMIT ?)",
		ftsQuery(m), MaxMatches).Scan(&n)
	return n, err
}

func (sqliteSearch) find(ctx context.Context, raw db.DBTX, m match, skip, limit int64) ([]int64, error) {
	return scanSeqs(ctx, raw,
		"SELECT rowid FROM assignment_search WHERE assignment_search MATCH ? ORDER BY rowid DESC LIMIT ? OFFSET ?",
		ftsQuery(m), limit, skip)
}

// ftsQuery spells m in FTS5's language. Words hold letters, digits and marks
// only, so quoting them is enough.
func ftsQuery(m match) string {
	var words strings.Builder
	for i, w := range m.words {
		if i > 0 {
			words.WriteString(" AND ")
		}
		words.WriteString(`"` + w + `"`)
	}
	words.WriteString(" *")
	var q string
	switch m.group {
	case inTitle:
		q = "title : (" + words.String() + ")"
	case notInTitle:
		q = "({title description} : (" + words.String() + ")) NOT (title : (" + words.String() + "))"
	case anywhere:
		q = "{title description} : (" + words.String() + ")"
	}
	if m.level != "" {
		q = `(level : "` + string(m.level) + `") AND (` + q + ")"
	}
	return q
}
