package store

import (
	"context"
	"database/sql"
	"maps"
	"strings"
	"unicode/utf8"
)

// sqliteSearch is search on FTS5 (migrations/sqlite).
//
// FTS5 walks the list of one word lazily, newest first, and stops when it has
// enough. Two things would make it walk whole lists, and a common word slow: a
// column filter, and a prefix. So every word is indexed with a letter that says
// where it stands (titleMark, textMark, levelMark) instead of in columns, and a
// prefix is asked for either from FTS5's own prefix index (short ones) or as the
// whole words that begin with it.
type sqliteSearch struct {
	// reads are connections of its own: a search may take a hundred times as long
	// as what else is read past database/sql.
	reads *sqliteReads

	// common is what searches have learned.
	common countedWords

	// Statements of the writer's connection: parsing one costs as much as running it.
	insert, remove, learn, merge, changes, structure *sql.Stmt

	// owed is how much of the index is to be merged with what was written before, in words.
	owed int

	// known are words that are in search_words for sure. Only the one writer
	// uses it. Key: the word; it is emptied when it is full.
	known map[string]bool
	// fresh are words written by the transaction under way; bounded like known.
	fresh map[string]bool
}

const (
	titleMark = "t" // the word is in the title
	textMark  = "w" // the word is in title or description
	levelMark = "l" // the word is the level

	// maxPrefixIndexed is the longest prefix that FTS5 has an index for.
	maxPrefixIndexed = 3
	// maxExpansion is how many words a longer prefix is spelled out to; a prefix
	// of more words than that is left to FTS5.
	maxExpansion = 64
	// maxKnown bounds known to some 20 MB.
	maxKnown = 200_000
)

// What is written at once is a piece of the index of its own, and FTS5 merges four
// pieces of a size into one. By itself it does so every 64 pages of pieces, then
// several hundred pages at once, and small pieces fill a page each: with a million
// assignments that is 100 ms again and again, until the largest pieces are merged.
// Here it is told to merge a little at nearly every commit, by what was written: a
// word and its prefixes fill a thousandth of a page and are written anew at each
// of some eight sizes.
const (
	wordsAPage   = 128
	wordsACommit = 2 * wordsAPage // for pieces of a few assignments, which their words do not pay for
	wordsRemoved = wordsAPage / 2 // a piece is written anew once a tenth of its rows is gone
	// What is merged at once: each time FTS5 seeks its place, and ends the piece that
	// it is gathering, which in a long transaction would come out small.
	mergeAtOnce = 16 * wordsAPage
	mergeInBulk = 4096 * wordsAPage
	// usualPieces are some two of each size; with more, searches take longer.
	usualPieces = 16
)

func newSQLiteSearch(ctx context.Context, writer *sql.DB, reads *sqliteReads) (*sqliteSearch, error) {
	s := &sqliteSearch{reads: reads, known: map[string]bool{}, fresh: map[string]bool{}}
	for statement, text := range map[**sql.Stmt]string{
		&s.insert:    "INSERT INTO assignment_search (rowid, words) VALUES (?, ?)",
		&s.remove:    "DELETE FROM assignment_search WHERE rowid = ?",
		&s.learn:     "INSERT INTO search_words (word) VALUES (?) ON CONFLICT DO NOTHING",
		&s.merge:     "INSERT INTO assignment_search (assignment_search, rank) VALUES ('merge', ?)",
		&s.changes:   "SELECT total_changes()",
		&s.structure: "SELECT block FROM assignment_search_data WHERE id = 10",
	} {
		var err error
		if *statement, err = writer.PrepareContext(ctx, text); err != nil { //nolint:sqlclosecheck // goes with the writer's connection
			return nil, err
		}
	}
	return s, nil
}

func (s *sqliteSearch) change(ctx context.Context, tx *Tx, changes []searchChange) error {
	// All three are closed when the transaction ends.
	insert := tx.lite.StmtContext(ctx, s.insert) //nolint:sqlclosecheck // see above
	remove := tx.lite.StmtContext(ctx, s.remove) //nolint:sqlclosecheck // see above
	learn := tx.lite.StmtContext(ctx, s.learn)
	for _, c := range changes {
		if c.old {
			if _, err := remove.ExecContext(ctx, c.seq); err != nil {
				return err
			}
			s.owed += wordsRemoved
		}
		if c.put {
			marked, err := s.mark(ctx, learn, c.doc)
			if err != nil {
				return err
			}
			if _, err := insert.ExecContext(ctx, c.seq, marked); err != nil {
				return err
			}
		}
	}
	if s.owed += wordsACommit; s.owed < mergeAtOnce || (len(changes) == maxSearchChanges && s.owed < mergeInBulk) {
		return nil
	}
	return s.pay(ctx, tx)
}

// pay has FTS5 merge what is owed, more where there are many pieces. It cannot
// stop within the list of a word, so with common words it does more than that,
// for which it then rests.
func (s *sqliteSearch) pay(ctx context.Context, tx *Tx) error {
	var structure []byte
	if err := tx.lite.StmtContext(ctx, s.structure).QueryRowContext(ctx).Scan(&structure); err != nil { //nolint:sqlclosecheck // closed when the transaction ends
		return err
	}
	owed := s.owed * pieces(structure) / usualPieces
	merged, err := s.mergePages(ctx, tx, owed/wordsAPage)
	if err != nil {
		return err
	}
	s.owed = min(0, owed-merged*wordsAPage)
	return nil
}

// mergePages has FTS5 merge some pages, and returns how many it did. Pieces of a size
// are merged, or all into one where most is negative.
func (s *sqliteSearch) mergePages(ctx context.Context, tx *Tx, most int) (merged int, err error) {
	merge := tx.lite.StmtContext(ctx, s.merge)     //nolint:sqlclosecheck // closed when the transaction ends
	changes := tx.lite.StmtContext(ctx, s.changes) //nolint:sqlclosecheck // see above
	var before, after int
	if err := changes.QueryRowContext(ctx).Scan(&before); err != nil {
		return 0, err
	}
	if _, err := merge.ExecContext(ctx, most); err != nil {
		return 0, err
	}
	err = changes.QueryRowContext(ctx).Scan(&after)
	return (after - before) / 2, err // a page that is merged is one row written and one removed
}

// pieces reads of how many an index consists in FTS5's structure record (the
// comment at the head of fts5_index.c): a cookie, a mark of the version, then
// numbers of which levels and pieces come first.
func pieces(structure []byte) int {
	const head, varint = 8, 0x80
	if len(structure) < head+3 {
		return usualPieces
	}
	if n := structure[head+1]; n < varint {
		return int(n)
	}
	return varint
}

// mark spells the words of d for the index, and sees to it that search_words has
// those that may be asked for by a longer prefix.
func (s *sqliteSearch) mark(ctx context.Context, learn *sql.Stmt, d searchDoc) (string, error) {
	var marked strings.Builder
	marked.Grow(2*len(d.title) + 2*len(d.all))
	for w := range strings.FieldsSeq(d.title) {
		s.owed++
		marked.WriteString(titleMark)
		marked.WriteString(w)
		marked.WriteByte(' ')
	}
	for w := range strings.FieldsSeq(d.all) {
		s.owed++
		marked.WriteString(textMark)
		marked.WriteString(w)
		marked.WriteByte(' ')
		if s.known[w] || s.fresh[w] || utf8.RuneCountInString(w) <= maxPrefixIndexed {
			continue
		}
		if _, err := learn.ExecContext(ctx, w); err != nil {
			return "", err
		}
		if len(s.fresh) == maxKnown {
			clear(s.fresh)
		}
		s.fresh[w] = true
	}
	marked.WriteString(levelMark + string(d.level))
	return marked.String(), nil
}

func (s *sqliteSearch) settle(committed bool) {
	if committed {
		if len(s.known)+len(s.fresh) > maxKnown {
			clear(s.known)
		}
		maps.Copy(s.known, s.fresh)
	}
	clear(s.fresh)
}
