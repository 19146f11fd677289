package sqlite

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"studycircle"
	"studycircle/internal/store/engine"
)

// Search implements engine.Searcher.
func (d *DB) Search(ctx context.Context, m engine.Match, p studycircle.Page) (places []int64, total int64, err error) {
	err = d.searches.with(ctx, func(c *conn, _ uint64) (err error) {
		c.raw.SetInterrupt(ctx.Done())
		defer c.raw.SetInterrupt(nil)
		places, total, err = d.search.search(search{c, d.indexTexts(m.Index)}, d.search.indexes[m.Index], m, p)
		return err
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return places, total, err
}

// search is one search of an index on a connection.
type search struct {
	*conn
	texts indexTexts
}

// indexTexts are the statements of an index.
type indexTexts struct{ found, count, last string }

// indexTexts spells the statements once.
func (d *DB) indexTexts(i *engine.Index) indexTexts {
	if known, is := d.lists.Load(i); is {
		return known.(indexTexts) //nolint:errcheck,forcetypeassert // what is stored below
	}
	matching := "FROM " + i.Name + " WHERE " + i.Name + " MATCH ?"
	t := indexTexts{
		found: "SELECT rowid " + matching + " ORDER BY rowid DESC LIMIT ? + 0 OFFSET ? + 0",
		count: "SELECT COUNT(*) FROM (SELECT 1 " + matching + " LIMIT ? + 0)",
		last:  "SELECT 1 " + matching + " LIMIT 1 OFFSET ? + 0",
	}
	d.lists.Store(i, t)
	return t
}

// fewMatches is the number of matches that are read before they are counted.
const fewMatches = 64

// search counts the matches of m, up to engine.MaxMatches, and returns the seqs of a page of them.
func (*searcher) search(c search, i *index, m engine.Match, p studycircle.Page) (seqs []int64, total int64, err error) {
	words, err := c.spell(m)
	if err != nil {
		return nil, 0, err
	}
	single := len(m.Words) == 1
	common := false
	if single {
		if common, err = i.common.has(c, countedKey(m, m.Words[0])); err != nil {
			return nil, 0, err
		}
	}
	if common {
		return c.pageOfMany(words, engine.MaxMatches, p)
	}
	newest, err := c.find(words.anywhere, 0, fewMatches+1)
	if err != nil {
		return nil, 0, err
	}
	if len(newest) <= fewMatches {
		return c.pageOfFew(words, newest, p)
	}
	if !single {
		if total, err = c.countMatches(words.anywhere, engine.MaxMatches, dense(newest)); err != nil {
			return nil, 0, err
		}
		return c.pageOfMany(words, total, p)
	}
	if total, err = i.common.learn(c, countedKey(m, words.last), words, dense(newest)); err != nil {
		return nil, 0, err
	}
	return c.pageOfMany(words, min(total, engine.MaxMatches), p)
}

// pageOfFew returns a page of matches that are all known.
func (c search) pageOfFew(words spelled, matches []int64, p studycircle.Page) ([]int64, int64, error) {
	total := int64(len(matches))
	if p.Skip() >= total {
		return nil, total, nil
	}
	seqs, err := c.find(words.inTitle, 0, total)
	if err != nil {
		return nil, 0, err
	}
	titles := seqs
	for _, seq := range matches {
		if !slices.Contains(titles, seq) {
			seqs = append(seqs, seq)
		}
	}
	// A commit between the two may have added some.
	return seqs[p.Skip():min(p.Skip()+p.Limit, total)], total, nil
}

// pageOfMany returns a page of total matches. Those in the title, which come first, are counted only if the page
// itself does not show their number.
func (c search) pageOfMany(words spelled, total int64, p studycircle.Page) (seqs []int64, _ int64, err error) {
	limit := min(p.Limit, max(0, total-p.Skip()))
	if limit == 0 {
		return nil, total, nil
	}
	if seqs, err = c.find(words.inTitle, p.Skip(), limit); err != nil {
		return nil, 0, err
	}
	missing := limit - int64(len(seqs))
	if missing == 0 {
		return seqs, total, nil
	}
	titles := p.Skip() + int64(len(seqs))
	if len(seqs) == 0 && p.Skip() > 0 {
		if titles, err = c.countMatches(words.inTitle, engine.MaxMatches, false); err != nil {
			return nil, 0, err
		}
	}
	others, err := c.find(words.notInTitle, max(0, p.Skip()-titles), missing)
	return append(seqs, others...), total, err
}

// dense estimates from some of the newest matches whether there are engine.MaxMatches.
func dense(newest []int64) bool {
	n := len(newest)
	return n > 0 && (newest[0]-newest[n-1])/int64(n)*engine.MaxMatches < newest[0]
}

// countMatches counts up to most. Skipping that many is a quarter cheaper than counting them, so it is tried first if
// there may be as many.
func (c search) countMatches(query string, most int64, many bool) (n int64, err error) {
	if many {
		if err := c.each(func(*sqlite.Stmt) { n = most }, c.texts.last, query, most-1); err != nil || n == most {
			return n, err
		}
	}
	err = c.each(func(s *sqlite.Stmt) { n = s.ColumnInt64(0) }, c.texts.count, query, most)
	return n, err
}

// find returns the seqs of matches, newest first.
func (c search) find(query string, skip, limit int64) (seqs []int64, err error) {
	seqs = make([]int64, 0, limit)
	err = c.each(func(s *sqlite.Stmt) { seqs = append(seqs, s.ColumnInt64(0)) }, c.texts.found, query, limit, skip)
	return seqs, err
}

// spelled is a match as FTS5 queries.
type spelled struct {
	anywhere, inTitle, notInTitle string
	// last is the last word, as a prefix or as the only word with it.
	last string
}

// spell needs no quoting: words contain only letters, digits and marks.
func (c search) spell(m engine.Match) (spelled, error) {
	last := m.Words[len(m.Words)-1]
	endings, err := c.expand(last)
	if err != nil {
		return spelled{}, err
	}
	all := func(mark string) string {
		var q strings.Builder
		for _, w := range m.Words[:len(m.Words)-1] {
			q.WriteString(`"` + mark + w + `" AND `)
		}
		if endings == nil {
			q.WriteString(`"` + mark + last + `" *`)
			return q.String()
		}
		q.WriteString(`("` + mark + strings.Join(endings, `" OR "`+mark) + `")`)
		return q.String()
	}
	var narrowed strings.Builder
	for _, marker := range m.Markers {
		narrowed.WriteString(`"` + markerMark + marker + `" AND `)
	}
	only := narrowed.String()
	text, title := only+all(textMark), all(titleMark)
	if len(endings) == 1 {
		last = endings[0]
	}
	return spelled{text, only + title, "(" + text + ") NOT (" + title + ")", last}, nil
}

// expand returns the words that begin with prefix, or nil if FTS5 handles the prefix.
func (c search) expand(prefix string) (words []string, err error) {
	if utf8.RuneCountInString(prefix) <= maxPrefixIndexed {
		return nil, nil
	}
	err = c.each(func(s *sqlite.Stmt) { words = append(words, s.ColumnText(0)) }, selectEndings,
		prefix, prefix+"\U0010FFFF", int64(maxExpansion+1)) // no word has a character above this code point
	switch len(words) {
	case 0:
		words = []string{prefix} // none has it: let FTS5 find nothing
	case maxExpansion + 1:
		words = nil
	}
	return words, err
}
