package sqlite

import (
	"slices"
	"strings"
	"sync"

	"zombiezen.com/go/sqlite"

	"studycircle/internal/store/engine"
)

const (
	// countedBeyond is how many matches are counted beyond engine.MaxMatches, and so how
	// many documents may lose words before it is done again.
	countedBeyond = 2000
	maxCounted    = 1000
)

// countedWords are those of which searches have counted engine.MaxMatches and more, which
// takes 1 to 2 ms. As many are there later, less the documents that have lost
// words since: the database itself counts these for all writers (search_gone).
// Key: a word, or how some begin. Audience: everybody, as a number that stops at
// engine.MaxMatches. Emptied by: countedBeyond documents that lose words. Bound:
// maxCounted.
type countedWords struct {
	mu  sync.Mutex
	all []countedWord // in the order of their words
}

// countedWord says that matches less what has gone since gone have the word.
type countedWord struct {
	word          string
	matches, gone int64
}

func (w countedWord) compare(word string) int { return strings.Compare(w.word, word) }

// has reports whether engine.MaxMatches or more have a word that begins so.
func (s *countedWords) has(c search, beginning string) (bool, error) {
	s.mu.Lock()
	i, _ := slices.BinarySearchFunc(s.all, beginning, countedWord.compare)
	var known []countedWord
	for ; i < len(s.all) && strings.HasPrefix(s.all[i].word, beginning); i++ {
		known = append(known, s.all[i])
	}
	s.mu.Unlock()
	if len(known) == 0 {
		return false, nil
	}
	gone, err := c.countGone()
	return slices.ContainsFunc(known, func(w countedWord) bool { return w.matches-max(0, gone-w.gone) >= engine.MaxMatches }), err
}

// learn counts what a single word finds, somewhat beyond engine.MaxMatches.
func (s *countedWords) learn(c search, words spelled, many bool) (int64, error) {
	gone, err := c.countGone() // first: what goes meanwhile counts twice, and not never
	if err != nil {
		return 0, err
	}
	matches, err := c.countMatches(words.anywhere, engine.MaxMatches+countedBeyond, many)
	if err != nil || matches < engine.MaxMatches {
		return matches, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	learned := countedWord{words.last, matches, gone}
	i, known := slices.BinarySearchFunc(s.all, learned.word, countedWord.compare)
	switch {
	case known:
		s.all[i] = learned
	case len(s.all) == maxCounted:
		s.all = []countedWord{learned}
	default:
		s.all = slices.Insert(s.all, i, learned)
	}
	return matches, nil
}

// countGone tells how many documents have ever lost words.
func (c *conn) countGone() (n int64, err error) {
	err = c.each(func(s *sqlite.Stmt) { n = s.ColumnInt64(0) }, selectGone)
	return n, err
}
