package studycircle

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxURL is the longest link accepted anywhere, in code points.
const MaxURL = 2048

type lines bool

const (
	singleLine lines = false
	multiLine  lines = true
)

// text checks and trims one text field. Lengths are code points after
// trimming. A minimum above zero also refuses a text in which nothing is visible.
func (p *problems) text(field, label, s string, minimum, maximum int, l lines) string {
	s = trimmed(s)
	if bad := forbiddenRune(s, l); bad != "" {
		p.add(field, "%s must not contain %s.", label, bad)
		return s
	}
	if minimum > 0 && !visible(s) {
		p.add(field, "%s is required.", label)
		return s
	}
	if n := utf8.RuneCountInString(s); n > maximum {
		p.add(field, "%s must be at most %d characters long; it has %d.", label, maximum, n)
	}
	return s
}

// trimmed returns a text without the white space around it. The first of several lines keeps the blanks that it begins
// with, as the others do: they may be code or verse.
func trimmed(s string) string {
	text := strings.TrimSpace(s)
	if !strings.Contains(text, "\n") {
		return text
	}
	before, _, _ := strings.Cut(s, text)
	return before[len(strings.TrimRight(before, " \t")):] + text
}

// forbiddenRune names the kind of character that s must not contain, or returns "".
func forbiddenRune(s string, l lines) string {
	if !utf8.ValidString(s) {
		return "broken characters"
	}
	for _, r := range s {
		switch r {
		case '\t':
		case '\n', '\r', '\u2028', '\u2029':
			if l == singleLine {
				return "line breaks"
			}
		default:
			if unicode.IsControl(r) {
				return "control characters"
			}
		}
	}
	return ""
}

// visible reports whether s contains a visible character. Letters without a glyph (the Hangul fillers, the blank
// Braille cell) do not count.
func visible(s string) bool {
	for _, r := range s {
		switch r {
		case '\u115F', '\u1160', '\u2800', '\u3164', '\uFFA0':
			continue
		}
		if unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) {
			return true
		}
	}
	return false
}

// Unseen reports whether nothing is seen of r: white space, and characters without a width or a glyph, as chats and
// web pages put them around what is copied.
func Unseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) ||
		strings.ContainsRune("\u034f\u115f\u1160\u2800\u3164\uffa0", r)
}

// nameOf names a character that is not seen.
func nameOf(r rune) string {
	name, known := map[rune]string{
		'\u00a0': "a no-break space", '\u00ad': "a soft hyphen", '\u200b': "a zero-width space",
		'\u200c': "a zero-width non-joiner", '\u200d': "a zero-width joiner", '\u200e': "a left-to-right mark",
		'\u200f': "a right-to-left mark", '\u202f': "a narrow no-break space", '\u2060': "a word joiner",
		'\ufeff': "a zero-width no-break space",
	}[r]
	if !known {
		return fmt.Sprintf("U+%04X", r)
	}
	return fmt.Sprintf("%s (U+%04X)", name, r)
}

// Trim removes from the ends of s what is not seen.
func Trim(s string) string { return strings.TrimFunc(s, Unseen) }

// link checks an absolute http or https address. It refuses invalid links rather than repairing them, so that links
// are stored as sent.
func (p *problems) link(field, label, s string) {
	switch {
	case s == "":
		p.add(field, "%s is required.", label)
	case utf8.RuneCountInString(s) > MaxURL:
		p.add(field, "%s must be at most %d characters long.", label, MaxURL)
	case !validLink(s):
		p.add(field, "%s must be a full web address that starts with http:// or https://.", label)
	}
}

func validLink(s string) bool {
	for _, r := range s {
		// Format characters (zero width, bidirectional) disguise a link as another.
		if r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	u, err := url.Parse(s)
	if err != nil || !utf8.ValidString(s) {
		return false
	}
	// The scheme is in lower case after parsing.
	return (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && u.Opaque == "" && validHost(u.Hostname()) &&
		validPort(u.Port())
}

// validHost refuses hosts that Go accepts and browsers do not (WHATWG URL, forbidden host code points), and the
// quotation mark.
func validHost(host string) bool { return host != "" && !strings.ContainsAny(host, `"<>^|%`) }

func validPort(port string) bool {
	if port == "" {
		return true
	}
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

// PlainText reports whether s contains no control characters except line breaks and tabs.
func PlainText(s string) bool { return forbiddenRune(s, multiLine) == "" }

// StripBidiControls removes the characters that change the direction of the text after them: a title or a subject has
// no element to contain their effect, and our own words follow.
func StripBidiControls(text string) string {
	return strings.Map(func(r rune) rune {
		if (r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069') {
			return -1
		}
		return r
	}, text)
}
