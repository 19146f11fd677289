package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"studycircle"
	"studycircle/internal/store/db"
)

// Words are cut here, in Go, and both engines index exactly these words: so both
// find the same. A word is a run of letters and digits, without regard to case,
// accents and compatibility forms; of scripts written without spaces each
// character is a word.

// maxWord is how many code points of a word are told apart.
const maxWord = 40

// MaxMatches bounds what one search counts and pages through: beyond that many
// matches the total reads MaxMatches. Without a bound, a word in half of all
// assignments would cost a walk over half of the index.
const MaxMatches = 10_000

// searchDoc is the words of one assignment, of its title and of all of it, each
// once, separated by spaces.
type searchDoc struct {
	title, all string
	level      studycircle.Level
}

func searchText(a studycircle.Assignment) searchDoc {
	title, description := searchWords(a.Title), searchWords(a.Description)
	return searchDoc{distinct(title), distinct(append(description, title...)), a.Level}
}

func distinct(words []string) string {
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// unspaced are the scripts that put no space between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// isPlain is a shortcut for most of most texts.
func isPlain(r rune) bool { return (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') }

// searchWords cuts s into words.
func searchWords(s string) []string {
	const usual = 6 // letters of a word and the blank after it, or more
	words := make([]string, 0, len(s)/usual+1)
	var word []byte
	length := 0
	end := func() {
		if length > 0 {
			words = append(words, string(word))
			word, length = word[:0], 0
		}
	}
	for _, r := range folded(s) {
		switch {
		case isPlain(r):
		case r < utf8.RuneSelf:
			end()
			continue
		case isAccent(r):
			continue
		case unicode.IsLetter(r) && unicode.In(r, unspaced...):
			end()
			words = append(words, string(r))
			continue
		case !unicode.In(r, unicode.L, unicode.N) && (length == 0 || !unicode.In(r, unicode.M)):
			end()
			continue
		}
		if length < maxWord {
			word = utf8.AppendRune(word, r)
		}
		length++
	}
	end()
	return words
}

// folded is s without regard to case and compatibility forms, accents apart.
func folded(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			// Forms first: a mathematical 𝔊 becomes a G that has a case. The
			// dotless i is no letter of its own here, as its capital is plain I.
			return strings.ReplaceAll(cases.Fold().String(norm.NFKD.String(s)), "ı", "i")
		}
	}
	return strings.ToLower(s) // the same, much faster
}

// isAccent tells the marks that a search passes over from those that are letters
// in their script, such as the vowel signs of Devanagari.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Inherited, unicode.Hebrew, unicode.Arabic)
}

// searcher is full-text search, the one place where the engines differ.
type searcher interface {
	// change makes changes of different assignments, all in one transaction.
	change(ctx context.Context, tx *Tx, changes []searchChange) error
	// settle tells how the transaction ended in which change was called.
	settle(committed bool)
	// page returns the seqs of a page of matches, those in the title first, and how
	// many matches there are, up to MaxMatches.
	page(ctx context.Context, raw db.DBTX, m match, p studycircle.Page) ([]int64, int64, error)
}

type group int

const (
	anywhere group = iota
	inTitle
	notInTitle
)

// match is what a search asks for: all words, the last one as a prefix.
type match struct {
	words []string
	level studycircle.Level // "" for all
	group group
	// common says that there are MaxMatches of them or more.
	common bool
	// unsampled says that the server does not know what changed since it last took
	// a sample of the words.
	unsampled bool
	// sample is that sample, where it may tell something.
	sample *sample
}

// SearchAssignments returns a page of the live assignments that contain all
// words of text, the last one as a prefix: those with all of them in the title
// first, newest first in each group; and how many there are, MaxMatches at most.
func (s *Store) SearchAssignments(ctx context.Context, text string, level studycircle.Level, p studycircle.Page) (found []studycircle.Assignment, total int64, err error) {
	m := match{words: searchWords(text), level: level}
	if len(m.words) == 0 {
		return nil, 0, nil
	}
	err = s.read(ctx, func(ctx context.Context, src source) (err error) {
		found, total, err = s.searchAssignments(ctx, src, m, p)
		return err
	})
	return found, total, classify(err)
}

func (s *Store) searchAssignments(ctx context.Context, src source, m match, p studycircle.Page) ([]studycircle.Assignment, int64, error) {
	m.unsampled = src.version != 0
	seqs, total, err := s.search.page(ctx, src.raw, m, p)
	if err != nil || len(seqs) == 0 {
		return nil, total, err
	}
	found, err := assignmentsBySeqs(ctx, src.rows, seqs)
	return found, total, err
}

func assignmentsBySeqs(ctx context.Context, from rowReads, seqs []int64) ([]studycircle.Assignment, error) {
	rows, err := from.bySeqs(ctx, seqs)
	if err != nil {
		return nil, err
	}
	bySeq := make(map[int64]studycircle.Assignment, len(rows))
	for _, a := range rows {
		bySeq[a.Seq] = a
	}
	out := make([]studycircle.Assignment, 0, len(seqs))
	for _, seq := range seqs {
		if a, live := bySeq[seq]; live {
			out = append(out, a)
		}
	}
	return out, nil
}

// scanSeqs runs a query of one column of seqs.
func scanSeqs(ctx context.Context, raw db.DBTX, query string, args ...any) (seqs []int64, err error) {
	rows, err := raw.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, err
		}
		seqs = append(seqs, seq)
	}
	return seqs, rows.Err()
}
