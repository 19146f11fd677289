package sqlite

import (
	"context"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// searcher is search on FTS5 (migrations/sqlite).
//
// FTS5 walks the list of one word lazily, newest first, and stops when it has enough. A column filter or a prefix
// would make it walk whole lists, which is slow for a common word. So every word is indexed with a letter for its
// location (titleMark, textMark, markerMark) instead of in columns, and a prefix is searched either in FTS5's own
// prefix index (short ones) or as the whole words that begin with it.
type searcher struct {
	reads db.DBTX
	// known are words that are in search_words. Only the writer uses it. Key: the word. It is emptied when it is
	// full.
	known map[string]bool
	// fresh are words written by the running transaction; bounded like known.
	fresh map[string]bool
}

// learnWord adds a word to search_words.
const learnWord = "INSERT INTO search_words (word) VALUES (?) ON CONFLICT DO NOTHING"

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

func newSearcher(reads db.DBTX) *searcher {
	return &searcher{reads: reads, known: map[string]bool{}, fresh: map[string]bool{}}
}

// ApplySearch implements engine.TxEngine.
func (d *DB) ApplySearch(ctx context.Context, tx *engine.Tx) error {
	changes := engine.Merged(tx.Search)
	tx.Search = nil
	for _, of := range changes {
		if err := d.search.change(ctx, tx, of[0].Index.Name, of); err != nil {
			return err
		}
	}
	return nil
}

func (s *searcher) change(ctx context.Context, tx *engine.Tx, index string, changes []engine.Change) error {
	for _, c := range changes {
		if c.Old {
			if _, err := tx.DB.ExecContext(ctx, "DELETE FROM "+index+" WHERE rowid = ?", c.Place); err != nil {
				return err
			}
		}
		if c.Put {
			marked, err := s.mark(ctx, tx, c.Doc)
			if err != nil {
				return err
			}
			insert := "INSERT INTO " + index + " (rowid, words) VALUES (?, ?)"
			if _, err := tx.DB.ExecContext(ctx, insert, c.Place, marked); err != nil {
				return err
			}
		}
	}
	return nil
}

// mergePages is the work of one transaction of optimize, some 15 ms.
const mergePages = 64

// optimize merges all segments of an index into one, a little in each transaction, and calls rest after each with its
// start. A search looks for a word in each segment.
func (d *DB) optimize(ctx context.Context, i *engine.Index, rest func(context.Context, time.Time)) error {
	const changes = "SELECT total_changes()"
	merge := "INSERT INTO " + i.Name + " (" + i.Name + ", rank) VALUES ('merge', ?)"
	// A negative number begins a merge of all segments, and would begin it again with the segments written since.
	for most := -mergePages; ; most = mergePages {
		began := time.Now()
		var before, after int
		err := d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
			if err := tx.DB.QueryRowContext(ctx, changes).Scan(&before); err != nil {
				return err
			}
			if _, err := tx.DB.ExecContext(ctx, merge, most); err != nil {
				return err
			}
			return tx.DB.QueryRowContext(ctx, changes).Scan(&after)
		})
		if err != nil || after-before < 2 { // as FTS5 documents
			return err
		}
		rest(ctx, began)
	}
}

// mark spells the words of d for the index, and adds to search_words those that a longer prefix may find.
func (s *searcher) mark(ctx context.Context, tx *engine.Tx, d engine.Doc) (string, error) {
	var marked strings.Builder
	marked.Grow(2*len(d.Title) + 2*len(d.All))
	for w := range strings.FieldsSeq(d.Title) {
		marked.WriteString(titleMark)
		marked.WriteString(w)
		marked.WriteByte(' ')
	}
	for w := range strings.FieldsSeq(d.All) {
		marked.WriteString(textMark)
		marked.WriteString(w)
		marked.WriteByte(' ')
		if s.known[w] || s.fresh[w] || utf8.RuneCountInString(w) <= maxPrefixIndexed {
			continue
		}
		if _, err := tx.DB.ExecContext(ctx, learnWord, w); err != nil {
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
