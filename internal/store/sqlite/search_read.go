package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"studycircle"
	"studycircle/internal/store/engine"
)

// search is one search of an index.
type search struct {
	*searcher
	ctx   context.Context //nolint:containedctx // of the one call
	index string
}

// fewMatches is the number of matches that are read before they are counted.
const fewMatches = 64

// Search implements engine.Searcher.
func (d *DB) Search(ctx context.Context, m engine.Match, p studycircle.Page) (seqs []int64, total int64, err error) {
	s := search{d.search, ctx, m.Index.Name}
	words, err := s.spell(m)
	if err != nil {
		return nil, 0, err
	}
	newest, err := s.find(words.anywhere, 0, fewMatches+1)
	if err != nil {
		return nil, 0, err
	}
	if len(newest) <= fewMatches {
		return s.pageOfFew(words, newest, p)
	}
	if total, err = s.countMatches(words.anywhere, dense(newest)); err != nil {
		return nil, 0, err
	}
	return s.pageOfMany(words, total, p)
}

// pageOfFew returns a page of matches that are all known.
func (s search) pageOfFew(words spelled, matches []int64, p studycircle.Page) ([]int64, int64, error) {
	total := int64(len(matches))
	if p.Skip() >= total {
		return nil, total, nil
	}
	seqs, err := s.find(words.inTitle, 0, total)
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
func (s search) pageOfMany(words spelled, total int64, p studycircle.Page) (seqs []int64, _ int64, err error) {
	limit := min(p.Limit, max(0, total-p.Skip()))
	if limit == 0 {
		return nil, total, nil
	}
	if seqs, err = s.find(words.inTitle, p.Skip(), limit); err != nil {
		return nil, 0, err
	}
	missing := limit - int64(len(seqs))
	if missing == 0 {
		return seqs, total, nil
	}
	titles := p.Skip() + int64(len(seqs))
	if len(seqs) == 0 && p.Skip() > 0 {
		if titles, err = s.countMatches(words.inTitle, false); err != nil {
			return nil, 0, err
		}
	}
	others, err := s.find(words.notInTitle, max(0, p.Skip()-titles), missing)
	return append(seqs, others...), total, err
}

// dense estimates from some of the newest matches whether there are engine.MaxMatches.
func dense(newest []int64) bool {
	n := len(newest)
	return n > 0 && (newest[0]-newest[n-1])/int64(n)*engine.MaxMatches < newest[0]
}

// matching is the part of a query that picks the matches.
func (s search) matching() string { return " FROM " + s.index + " WHERE " + s.index + " MATCH ?" }

// countMatches counts up to engine.MaxMatches. Skipping that many is a quarter cheaper than counting them, so it is
// tried first if there may be as many.
func (s search) countMatches(query string, many bool) (int64, error) {
	if many {
		there, err := s.numbers("SELECT 1"+s.matching()+" LIMIT 1 OFFSET ? + 0", query, engine.MaxMatches-1)
		if err != nil || len(there) > 0 {
			return engine.MaxMatches, err
		}
	}
	n, err := s.numbers("SELECT COUNT(*) FROM (SELECT 1"+s.matching()+" LIMIT ? + 0)", query, engine.MaxMatches)
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

// find returns the seqs of matches, newest first. The sums keep SQLite from planning the statement anew for each
// limit.
func (s search) find(query string, skip, limit int64) ([]int64, error) {
	return s.numbers("SELECT rowid"+s.matching()+" ORDER BY rowid DESC LIMIT ? + 0 OFFSET ? + 0", query, limit, skip)
}

// numbers returns the only column of a query's rows.
func (s search) numbers(text string, args ...any) (all []int64, err error) {
	err = s.each(text, func(scan func(...any) error) error {
		var n int64
		err := scan(&n)
		all = append(all, n)
		return err
	}, args...)
	return all, err
}

// each runs a query and calls row with each row's Scan.
func (s search) each(text string, row func(scan func(...any) error) error, args ...any) (err error) {
	rows, err := s.reads.QueryContext(s.ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// spelled is a match as FTS5 queries.
type spelled struct {
	anywhere, inTitle, notInTitle string
}

// spell needs no quoting: words contain only letters, digits and marks.
func (s search) spell(m engine.Match) (spelled, error) {
	last := m.Words[len(m.Words)-1]
	endings, err := s.expand(last)
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
	if len(m.Parts) > 0 {
		narrowed.WriteString(`("` + markerMark + strings.Join(m.Parts, `" OR "`+markerMark) + `") AND `)
	}
	for _, marker := range m.Markers {
		narrowed.WriteString(`"` + markerMark + marker + `" AND `)
	}
	only := narrowed.String()
	text, title := only+all(textMark), all(titleMark)
	return spelled{text, only + title, "(" + text + ") NOT (" + title + ")"}, nil
}

// expand returns the words that begin with prefix, or nil if FTS5 handles the prefix.
func (s search) expand(prefix string) (words []string, err error) {
	if utf8.RuneCountInString(prefix) <= maxPrefixIndexed {
		return nil, nil
	}
	const beginning = "SELECT word FROM search_words WHERE word >= ? AND word < ? LIMIT ? + 0"
	err = s.each(beginning, func(scan func(...any) error) error {
		var word string
		err := scan(&word)
		words = append(words, word)
		return err
	}, prefix, prefix+"\U0010FFFF", maxExpansion+1) // no word has a character above this code point
	switch len(words) {
	case 0:
		words = []string{prefix} // none has it: let FTS5 find nothing
	case maxExpansion + 1:
		words = nil
	}
	return words, err
}
