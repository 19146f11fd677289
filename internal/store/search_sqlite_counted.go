package store

import (
	"slices"
	"strings"
	"sync"
)

const (
	// countedBeyond is how many matches are counted beyond MaxMatches, and so how
	// many assignments may lose words before it is done again.
	countedBeyond = 2000
	maxCounted    = 1000
)

// countedWords are those of which searches have counted MaxMatches and more, which
// takes 1 to 2 ms. As many are there later, less the assignments that have lost
// words since: these the database itself counts, whoever writes (search_gone).
// Key: a word, or how some begin. Audience: everybody, as a number that stops at
// MaxMatches. Emptied by: countedBeyond assignments that lose words. Bound:
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

// has tells whether MaxMatches or more have a word that begins so.
func (s *countedWords) has(c *rowConn, beginning string) (bool, error) {
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
	return slices.ContainsFunc(known, func(w countedWord) bool { return w.matches-max(0, gone-w.gone) >= MaxMatches }), err
}

// learn counts what a single word finds, somewhat beyond MaxMatches.
func (s *countedWords) learn(c *rowConn, words spelled, many bool) (int64, error) {
	gone, err := c.countGone() // first: what goes meanwhile counts twice, and not never
	if err != nil {
		return 0, err
	}
	matches, err := c.countMatches(words.anywhere, MaxMatches+countedBeyond, many)
	if err != nil || matches < MaxMatches {
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

// countGone tells how many assignments have ever lost words.
func (c *rowConn) countGone() (n int64, err error) {
	err = each(c.gone, func() { n = c.gone.ColumnInt64(0) })
	return n, err
}
