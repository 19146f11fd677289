package sqlite

import (
	"slices"
	"strings"
	"sync"

	"zombiezen.com/go/sqlite"

	"studycircle/internal/store/engine"
)

const (
	// countedBeyond is how far counting goes beyond engine.MaxMatches, and so how many documents may lose words
	// before the next count.
	countedBeyond = 2000
	maxCounted    = 1000
)

// countedWords are words of which searches have counted engine.MaxMatches and more, which takes 1 to 2 ms. Later at
// least as many remain, less the documents that have lost words since, which the database counts for all writers
// (search_gone). Key: a word, or a prefix, and the markers. Audience: all users, as a number up to engine.MaxMatches. Emptied by:
// countedBeyond documents that lose words. Bound: maxCounted.
type countedWords struct {
	mu  sync.Mutex
	all []countedWord // sorted by word
}

// countedWord records that at least matches, less the documents gone since gone, contain the word and the markers.
type countedWord struct {
	word          string // see countedKey
	matches, gone int64
}

// countedKey returns the key of a word among the markers of a search. Keys of the same markers begin with each other as
// their words do.
func countedKey(m engine.Match, word string) string {
	var key strings.Builder
	for _, marker := range m.Markers {
		key.WriteString("=" + marker)
	}
	return key.String() + " " + word
}

func (w countedWord) compare(word string) int { return strings.Compare(w.word, word) }

// has reports whether at least engine.MaxMatches documents contain a word with this prefix, a countedKey.
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

// learn counts the matches of a single word, somewhat beyond engine.MaxMatches, under a key.
func (s *countedWords) learn(c search, key string, words spelled, many bool) (int64, error) {
	gone, err := c.countGone() // first: a document lost meanwhile counts twice rather than never
	if err != nil {
		return 0, err
	}
	matches, err := c.countMatches(words.anywhere, engine.MaxMatches+countedBeyond, many)
	if err != nil || matches < engine.MaxMatches {
		return matches, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	learned := countedWord{key, matches, gone}
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

// countGone returns how many documents have ever lost words.
func (c *conn) countGone() (n int64, err error) {
	err = c.each(func(s *sqlite.Stmt) { n = s.ColumnInt64(0) }, selectGone)
	return n, err
}
