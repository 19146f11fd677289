package studycircle_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

// anyText prefers troublesome characters: blanks, controls, invalid bytes.
func anyText() *rapid.Generator[string] {
	runes := rapid.RuneFrom([]rune(" \t\n\r\x00\x1b\u0085\u00a0\u200b\u2028\u202e\u3164\ufeffaÄ🎓"), unicode.L, unicode.M, unicode.Cf)
	return rapid.OneOf(rapid.StringOf(runes), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
}

// An accepted single-line text is trimmed, within bounds and readable, and is accepted again unchanged.
func TestNamesThatAreLetIn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sent := anyText().Draw(t, "name")
		kept, err := studycircle.Profile{DisplayName: sent}.Clean()
		if err != nil {
			require.Equal(t, []string{"displayName"}, faults(t, err, studycircle.CodeInvalid))
			return
		}
		name := kept.DisplayName
		require.Equal(t, strings.TrimSpace(sent), name)
		require.True(t, utf8.ValidString(name))
		require.LessOrEqual(t, utf8.RuneCountInString(name), studycircle.MaxName)
		require.True(t, strings.ContainsFunc(name, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }), "%q shows nothing", name)
		require.NotContains(t, strings.ReplaceAll(name, "\t", ""), "\n")
		require.False(t, strings.ContainsFunc(strings.ReplaceAll(name, "\t", ""), unicode.IsControl), "%q", name)
		again, err := kept.Clean()
		require.NoError(t, err)
		require.Equal(t, kept, again)
	})
}

// Several lines keep the blanks that the first one begins with.
func TestTrimmedTexts(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"  one line \n":                        "one line",
		"\n \n    if x:\n        return\n  \n": "    if x:\n        return",
		"\tif x {\n\t}":                        "\tif x {\n\t}",
		"a\n  b":                               "a\n  b",
		" \n ":                                 "",
	} {
		in, err := studycircle.GradeInput{Feedback: sent}.Clean()
		require.NoError(t, err)
		require.Equal(t, want, in.Feedback, "%q", sent)
	}
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"", "a", "a\tb\r\nc", "\u202eabc", "🎓", "\u2028"} {
		require.True(t, studycircle.PlainText(good), "%q", good)
	}
	for _, bad := range []string{"\x00", "a\x1b[31m", "\x7f", "\u0085", "\u009b", "\xff", "a\xc3"} {
		require.False(t, studycircle.PlainText(bad), "%q", bad)
	}
}

func validLink(link string) bool {
	return second(studycircle.Profile{DisplayName: "A", PhotoURL: link}.Clean()) == nil
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"http://a", "HTTPS://EXAMPLE.ORG", "https://example.org:65535/?q=%20#x", "https://[::1]:8080/a", "https://пример.рф/ж", "https://a/@b:c",
		"https://a/" + strings.Repeat("ж", 2038),
	} {
		require.True(t, validLink(good), good)
	}
	for _, bad := range []string{
		" ", "a", "//a", "/a", "http:", "http://", "http:a", "http:///a", "https://:1", "ftp://a", "javascript://a/%0aalert(1)", "data:text/html,a", "https://a:b@c", "https://@a",
		"https://a@", `https:\\a`, `https://a\b`, "https://a b", "https://a/\t", " https://a", "https://a ", "https://a\n", "https://a/\u00a0", "https://a/\u202e", "https://a\u200b",
		"https://a/\x00", "https://a/\xff", "https://a/%", "https://[::1", "https://a:65536", "https://a:-1", "https://a:x", `https://"a`, "https://<a>", "https://%41", "https://a|b",
		"https://a/" + strings.Repeat("ж", 2039),
	} {
		require.False(t, validLink(bad), bad)
	}
}

// Every reader understands an accepted link alike. With a user name and password, a blank or a backslash in it, it is
// refused.
func TestLinksThatAreLetIn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		scheme := rapid.SampledFrom([]string{"http", "https", "HTTP", "ftp", "javascript", ""}).Draw(t, "scheme")
		rest := rapid.StringOf(rapid.RuneFrom([]rune(`abc.:/?#@[]%\ "<>é🎓`))).Draw(t, "rest")
		link := scheme + "://" + rest
		if !validLink(link) {
			return
		}
		u, err := url.Parse(link)
		require.NoError(t, err)
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.NotEmpty(t, u.Hostname())
		require.Nil(t, u.User)
		require.False(t, validLink(scheme+"://me:secret@"+rest))
		at := rapid.IntRange(0, len(link)).Draw(t, "at")
		for _, foreign := range []string{" ", `\`, "\x00", "\u202e"} {
			require.False(t, validLink(link[:at]+foreign+link[at:]), "%q at %d of %q", foreign, at, link)
		}
	})
}
