// Package words cuts texts into the words that full-text search goes by. It knows
// neither what is searched nor where.
//
// All engines index exactly these words, so all find the same. A word is a run of
// letters and digits, without regard to case, accents and compatibility forms; of
// scripts written without spaces each character is a word.
package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWord is how many code points of a word are told apart.
const maxWord = 40

// Distinct is words each once and in order, separated by spaces.
func Distinct(words []string) string {
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// unspaced are the scripts that put no space between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// isPlain is a shortcut for most of most texts.
func isPlain(r rune) bool { return (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') }

// Cut cuts s into words.
func Cut(s string) []string {
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
