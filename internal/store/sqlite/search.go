package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"strings"
	"unicode/utf8"

	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// searcher is search on FTS5 (migrations/sqlite).
//
// FTS5 walks the list of one word lazily, newest first, and stops when it has enough. A column filter or a prefix
// would make it walk whole lists, which is slow for a common word. So every word is indexed with a letter for its
// location (titleMark, textMark, markerMark) instead of in columns, and a prefix is searched either in FTS5's own
// prefix index (short ones) or as the whole words that begin with it.
type searcher struct {
	// reads has its own connections: a search may take a hundred times as long as other reads.
	reads   *readPool
	indexes map[*engine.Index]*index

	// learn is a statement of the writer's connection: parsing one costs as much as running it. So are those of an
	// index.
	learn, changes *sql.Stmt

	// known are words that are in search_words. Only the writer uses it. Key: the word. It is emptied when it is
	// full.
	known map[string]bool
	// fresh are words written by the running transaction; bounded like known.
	fresh map[string]bool
}

// index is one of the indexes.
type index struct {
	name string
	// common are the words that searches have counted.
	common countedWords

	insert, remove, merge, structure *sql.Stmt

	// mergeDebt is the part of the index that is due for merging, in words.
	mergeDebt int
}

const (
	titleMark  = "t" // the word is in the title
	textMark   = "w" // the word is in title or body
	markerMark = "l" // the word is a marker

	// maxPrefixIndexed is the longest prefix that FTS5 has an index for.
	maxPrefixIndexed = 3
	// maxExpansion is the most words that a longer prefix is expanded to; FTS5 handles a prefix of more words.
	maxExpansion = 64
	// maxKnown bounds known to some 20 MB.
	maxKnown = 200_000
)

// Each write adds a segment to the index, and FTS5 merges four segments of a size into one. By default it does so
// every 64 pages of segments, several hundred pages at once, and small segments fill a page each: with a million
// assignments that takes 100 ms repeatedly, until the largest segments are merged. Here it merges a little at nearly
// every commit, in proportion to the words written: a word and its prefixes fill a thousandth of a page and are
// rewritten at each of some eight sizes.
const (
	wordsAPage   = 128
	wordsACommit = 2 * wordsAPage // for segments of a few documents, whose words do not cover their cost
	wordsRemoved = wordsAPage / 2 // a segment is rewritten once a tenth of its rows is gone
	// The most merged at once: each call makes FTS5 seek its position, and ends the segment that it is collecting,
	// which would leave small segments in a long transaction.
	mergeAtOnce = 16 * wordsAPage
	mergeInBulk = 4096 * wordsAPage
	// usualSegments allows for some two of each size; with more, searches take longer.
	usualSegments = 16
)

func newSearcher(ctx context.Context, writer *sql.DB, reads *readPool) (*searcher, error) {
	s := &searcher{reads: reads, indexes: map[*engine.Index]*index{}, known: map[string]bool{}, fresh: map[string]bool{}}
	statements := map[**sql.Stmt]string{
		&s.learn:   "INSERT INTO search_words (word) VALUES (?) ON CONFLICT DO NOTHING",
		&s.changes: "SELECT total_changes()",
	}
	for _, of := range tables.Indexes {
		i := &index{name: of.Name}
		s.indexes[of] = i
		statements[&i.insert] = "INSERT INTO " + i.name + " (rowid, words) VALUES (?, ?)"
		statements[&i.remove] = "DELETE FROM " + i.name + " WHERE rowid = ?"
		statements[&i.merge] = "INSERT INTO " + i.name + " (" + i.name + ", rank) VALUES ('merge', ?)"
		statements[&i.structure] = "SELECT block FROM " + i.name + "_data WHERE id = 10"
	}
	for statement, text := range statements {
		var err error
		if *statement, err = writer.PrepareContext(ctx, text); err != nil { //nolint:sqlclosecheck // goes with the writer's connection
			return nil, err
		}
	}
	return s, nil
}

// ApplySearch implements engine.TxEngine.
func (d *DB) ApplySearch(ctx context.Context, tx *engine.Tx) error {
	changes := engine.Merged(tx.Search)
	tx.Search = nil
	for _, of := range changes {
		if err := d.search.change(ctx, tx, d.search.indexes[of[0].Index], of); err != nil {
			return err
		}
	}
	return nil
}

func (s *searcher) change(ctx context.Context, tx *engine.Tx, i *index, changes []engine.Change) error {
	own := native(tx)
	// All three are closed when the transaction ends.
	insert := own.StmtContext(ctx, i.insert) //nolint:sqlclosecheck // see above
	remove := own.StmtContext(ctx, i.remove) //nolint:sqlclosecheck // see above
	learn := own.StmtContext(ctx, s.learn)
	for _, c := range changes {
		if c.Old {
			if _, err := remove.ExecContext(ctx, c.Place); err != nil {
				return err
			}
			i.mergeDebt += wordsRemoved
		}
		if c.Put {
			marked, err := s.mark(ctx, learn, i, c.Doc)
			if err != nil {
				return err
			}
			if _, err := insert.ExecContext(ctx, c.Place, marked); err != nil {
				return err
			}
		}
	}
	if i.mergeDebt += wordsACommit; i.mergeDebt < mergeAtOnce || (len(changes) == engine.MaxChanges && i.mergeDebt < mergeInBulk) {
		return nil
	}
	return s.mergeSome(ctx, own, i)
}

// mergeSome makes FTS5 merge the debt, more if there are many segments. It cannot stop within the list of a word, so
// with common words it does more, which counts against later merges.
func (s *searcher) mergeSome(ctx context.Context, tx *sql.Tx, i *index) error {
	var structure []byte
	if err := tx.StmtContext(ctx, i.structure).QueryRowContext(ctx).Scan(&structure); err != nil { //nolint:sqlclosecheck // closed when the transaction ends
		return err
	}
	owed := i.mergeDebt * segments(structure) / usualSegments
	merged, err := s.mergePages(ctx, tx, i, owed/wordsAPage)
	if err != nil {
		return err
	}
	i.mergeDebt = min(0, owed-merged*wordsAPage)
	return nil
}

// mergePages makes FTS5 merge some pages, and returns their number. It merges segments of one size, or all into one
// if most is negative.
func (s *searcher) mergePages(ctx context.Context, tx *sql.Tx, i *index, most int) (merged int, err error) {
	merge := tx.StmtContext(ctx, i.merge)     //nolint:sqlclosecheck // closed when the transaction ends
	changes := tx.StmtContext(ctx, s.changes) //nolint:sqlclosecheck // see above
	var before, after int
	if err := changes.QueryRowContext(ctx).Scan(&before); err != nil {
		return 0, err
	}
	if _, err := merge.ExecContext(ctx, most); err != nil {
		return 0, err
	}
	err = changes.QueryRowContext(ctx).Scan(&after)
	return (after - before) / 2, err // merging a page writes a row and removes one
}

// FTS5's structure record (the comment at the head of fts5_index.c) is a cookie and a version mark, then the numbers
// of levels, segments and writes; then for each level the number of segments in a running merge, the number of its
// segments, and eight bytes for each segment.
const (
	structureHead   = 8
	segmentsNumbers = 8
)

// segments returns the number of an index's segments.
func segments(structure []byte) int {
	const varint = 0x80
	if len(structure) < structureHead+3 {
		return usualSegments
	}
	if n := structure[structureHead+1]; n < varint {
		return int(n)
	}
	return varint
}

// mergeUnderWay reports whether some segments have been merged in part.
func mergeUnderWay(structure []byte) bool {
	left := structure[min(structureHead, len(structure)):]
	next := func() (n uint64) {
		for at := 0; len(left) > 0; at++ {
			b := left[0]
			left = left[1:]
			if at == 8 { // the ninth byte is the last one, and has eight bits
				return n<<8 | uint64(b)
			}
			if n = n<<7 | uint64(b&0x7f); b < 0x80 {
				return n
			}
		}
		return n
	}
	levels := next()
	next() // segments
	next() // writes
	for ; levels > 0 && len(left) > 0; levels-- {
		if next() > 0 {
			return true
		}
		for numbers := segmentsNumbers * next(); numbers > 0 && len(left) > 0; numbers-- {
			next()
		}
	}
	return false
}

// mark spells the words of d for the index, and adds to search_words those that a longer prefix may find.
func (s *searcher) mark(ctx context.Context, learn *sql.Stmt, i *index, d engine.Doc) (string, error) {
	var marked strings.Builder
	marked.Grow(2*len(d.Title) + 2*len(d.All))
	for w := range strings.FieldsSeq(d.Title) {
		i.mergeDebt++
		marked.WriteString(titleMark)
		marked.WriteString(w)
		marked.WriteByte(' ')
	}
	for w := range strings.FieldsSeq(d.All) {
		i.mergeDebt++
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
	for _, m := range d.Markers {
		marked.WriteString(markerMark + m + " ")
	}
	return marked.String(), nil
}

func (s *searcher) settle(committed bool) {
	if committed {
		if len(s.known)+len(s.fresh) > maxKnown {
			clear(s.known)
		}
		maps.Copy(s.known, s.fresh)
	}
	clear(s.fresh)
}
