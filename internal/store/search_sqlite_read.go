package store

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"zombiezen.com/go/sqlite"

	"studycircle"
	"studycircle/internal/store/db"
)

func (s *sqliteSearch) page(ctx context.Context, _ db.DBTX, m match, p studycircle.Page) (seqs []int64, total int64, err error) {
	err = s.reads.with(ctx, func(c *rowConn, _ uint64) (err error) {
		c.conn.SetInterrupt(ctx.Done())
		defer c.conn.SetInterrupt(nil)
		seqs, total, err = s.search(c, m, p)
		return err
	})
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return seqs, total, err
}

// fewMatches is how many matches are looked at before they are counted.
const fewMatches = 64

// search counts what m finds, up to MaxMatches, and returns the seqs of a page of it.
func (s *sqliteSearch) search(c *rowConn, m match, p studycircle.Page) (seqs []int64, total int64, err error) {
	words, err := c.spell(m)
	if err != nil {
		return nil, 0, err
	}
	single := len(m.words) == 1 && m.level == ""
	common := false
	if single {
		if common, err = s.common.has(c, m.words[0]); err != nil {
			return nil, 0, err
		}
	}
	if common {
		return c.pageOfMany(words, MaxMatches, p)
	}
	newest, err := c.find(words.anywhere, 0, fewMatches+1)
	if err != nil {
		return nil, 0, err
	}
	if len(newest) <= fewMatches {
		return c.pageOfFew(words, newest, p)
	}
	if !single {
		if total, err = c.countMatches(words.anywhere, MaxMatches, dense(newest)); err != nil {
			return nil, 0, err
		}
		return c.pageOfMany(words, total, p)
	}
	if total, err = s.common.learn(c, words, dense(newest)); err != nil {
		return nil, 0, err
	}
	return c.pageOfMany(words, min(total, MaxMatches), p)
}

// pageOfFew is a page of matches of which all are known.
func (c *rowConn) pageOfFew(words spelled, matches []int64, p studycircle.Page) ([]int64, int64, error) {
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
	// A commit between the two may have made them more.
	return seqs[p.Skip():min(p.Skip()+p.Limit, total)], total, nil
}

// pageOfMany is a page of total matches. Those in the title, which come first,
// are counted only where the page itself does not tell how many they are.
func (c *rowConn) pageOfMany(words spelled, total int64, p studycircle.Page) (seqs []int64, _ int64, err error) {
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
		if titles, err = c.countMatches(words.inTitle, MaxMatches, false); err != nil {
			return nil, 0, err
		}
	}
	others, err := c.find(words.notInTitle, max(0, p.Skip()-titles), missing)
	return append(seqs, others...), total, err
}

// dense guesses from some of the newest matches whether there are MaxMatches.
func dense(newest []int64) bool {
	n := len(newest)
	return n > 0 && (newest[0]-newest[n-1])/int64(n)*MaxMatches < newest[0]
}

// countMatches counts up to most. To pass that many is a quarter cheaper than to
// count them, so where there may be as many that is tried first.
func (c *rowConn) countMatches(query string, most int64, many bool) (n int64, err error) {
	if many {
		c.last.BindText(1, query)
		c.last.BindInt64(2, most-1)
		if err := each(c.last, func() { n = most }); err != nil || n == most {
			return n, err
		}
	}
	c.count.BindText(1, query)
	c.count.BindInt64(2, most)
	err = each(c.count, func() { n = c.count.ColumnInt64(0) })
	return n, err
}

// find returns the seqs of matches, newest first.
func (c *rowConn) find(query string, skip, limit int64) (seqs []int64, err error) {
	seqs = make([]int64, 0, limit)
	c.found.BindText(1, query)
	c.found.BindInt64(2, limit)
	c.found.BindInt64(3, skip)
	err = each(c.found, func() { seqs = append(seqs, c.found.ColumnInt64(0)) })
	return seqs, err
}

// spelled is a match in FTS5's language.
type spelled struct {
	anywhere, inTitle, notInTitle string
	// last is the last word as it was asked for, or the one word that begins so.
	last string
}

// spell needs no quoting: words hold letters, digits and marks only.
func (c *rowConn) spell(m match) (spelled, error) {
	last := m.words[len(m.words)-1]
	endings, err := expand(c.endings, last)
	if err != nil {
		return spelled{}, err
	}
	all := func(mark string) string {
		var q strings.Builder
		for _, w := range m.words[:len(m.words)-1] {
			q.WriteString(`"` + mark + w + `" AND `)
		}
		if endings == nil {
			q.WriteString(`"` + mark + last + `" *`)
			return q.String()
		}
		q.WriteString(`("` + mark + strings.Join(endings, `" OR "`+mark) + `")`)
		return q.String()
	}
	level := ""
	if m.level != "" {
		level = `"` + levelMark + string(m.level) + `" AND `
	}
	text, title := level+all(textMark), all(titleMark)
	if len(endings) == 1 {
		last = endings[0]
	}
	return spelled{text, level + title, "(" + text + ") NOT (" + title + ")", last}, nil
}

// expand returns the words that begin with prefix, or nil where FTS5 is to find
// them by itself.
func expand(endings *sqlite.Stmt, prefix string) (words []string, err error) {
	if utf8.RuneCountInString(prefix) <= maxPrefixIndexed {
		return nil, nil
	}
	endings.BindText(1, prefix)
	endings.BindText(2, prefix+"\U0010FFFF") // nothing in a word sorts after this code point
	endings.BindInt64(3, maxExpansion+1)
	err = each(endings, func() { words = append(words, endings.ColumnText(0)) })
	switch len(words) {
	case 0:
		words = []string{prefix} // nothing has it: let FTS5 say so
	case maxExpansion + 1:
		words = nil
	}
	return words, err
}
