// Package words splits texts into the words of full-text search. It knows neither documents nor indexes.
//
// All engines index exactly these words, so all find the same. A word is a run of letters and digits, without regard
// to case, accents and compatibility forms; in scripts written without spaces each character is a word.
package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWord is the number of code points by which words are distinguished.
const maxWord = 40

// Distinct returns words, each once and in order, separated by spaces.
func Distinct(words []string) string {
	slices.Sort(words)
	return strings.Join(slices.Compact(words), " ")
}

// unspaced are the scripts that put no space between words.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// isPlain reports whether r needs no folding, as most runes do.
func isPlain(r rune) bool { return (r >= 'a' && r <= 'z') || (r >= '0' && r <= '9') }

// Cut splits s into words.
func Cut(s string) []string {
	const usual = 6 // the usual length of a word with its blank, or more
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

// Match reports whether text has all wanted words, of which there is at least one, the last as a prefix.
func Match(text string, wanted []string) bool {
	if len(wanted) == 0 {
		return false
	}
	has, last := Cut(text), len(wanted)-1
	for _, w := range wanted[:last] {
		if !slices.Contains(has, w) {
			return false
		}
	}
	return slices.ContainsFunc(has, func(word string) bool { return strings.HasPrefix(word, wanted[last]) })
}

// plainLetters are letters that Unicode does not take apart, and what users without them on the keyboard type: those of
// the transliteration from Latin to ASCII. The dotless i counts as i, because its capital is plain I. Apostrophes that
// are letters do not part words.
var plainLetters = strings.NewReplacer(
	"ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "æ", "ae", "œ", "oe", "ħ", "h", "ŧ", "t", "ŋ", "n",
	"ı", "i", "ĸ", "k", "ƀ", "b", "ɓ", "b", "ƃ", "b", "ƈ", "c", "ȼ", "c", "ɖ", "d", "ɗ", "d", "ƌ", "d",
	"ɇ", "e", "ə", "e", "ǝ", "e", "ɛ", "e", "ƒ", "f", "ɠ", "g", "ǥ", "g", "ɣ", "g", "ɨ", "i", "ɩ", "i",
	"ɉ", "j", "ƙ", "k", "ƚ", "l", "ɫ", "l", "ɲ", "n", "ƞ", "n", "ɵ", "o", "ɔ", "o", "ƥ", "p", "ɋ", "q",
	"ɍ", "r", "ɽ", "r", "ƭ", "t", "ʈ", "t", "ⱦ", "t", "ʉ", "u", "ʋ", "v", "ƴ", "y", "ɏ", "y", "ƶ", "z",
	"ȥ", "z", "ʻ", "", "ʼ", "",
)

// folded returns s without case, compatibility forms and letters of their own; it leaves accents.
func folded(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			// Forms first: a mathematical 𝔊 becomes a G that has a case.
			return plainLetters.Replace(cases.Fold().String(norm.NFKD.String(s)))
		}
	}
	return strings.ToLower(s) // the same result, much faster
}

// isAccent reports whether r is a mark that a search ignores, as opposed to marks that are letters in their script,
// such as the vowel signs of Devanagari.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Inherited, unicode.Hebrew, unicode.Arabic)
}
