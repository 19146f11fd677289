package server

import (
	"html"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/api"
)

func TestMarksStandOnlyWhereTheyAreSafe(t *testing.T) {
	t.Parallel()
	for page, safe := range map[string]bool{
		`<p>@@a.title@@</p>`:                         true,
		`@@a.title@@`:                                true,
		`<p title="@@a.title@@">`:                    true,
		`<p aria-label="About @@a.title@@, new">`:    true,
		`<a href="/assignment/@@a.id@@">`:            true,
		`<a href="/assignment/update/@@a.id@@?x=1">`: true,
		`<img src="@@a.thumbnail@@">`:                true,
		`<option value="easy"@@list.level.easy@@>`:   true,
		`<p>@@a.level@@</p>`:                         true,
		`<script>1</script><p>@@a.title@@</p>`:       true,
		`<a href="@@a.title@@">`:                     false,
		`<a href="/@@a.title@@">`:                    false,
		`<a href="//@@a.title@@">`:                   false,
		`<a href="https://example.org/@@a.title@@">`: false,
		`<img src="@@a.thumbnail@@?x">`:              false,
		`<img src="/@@a.thumbnail@@">`:               false,
		`<img alt="@@a.thumbnail@@">`:                false,
		`<img srcset="@@a.thumbnail@@">`:             false,
		`<p>@@a.thumbnail@@</p>`:                     false,
		`<p style="@@a.title@@">`:                    false,
		`<p onclick="@@a.title@@">`:                  false,
		`<iframe srcdoc="@@a.title@@">`:              false,
		`<p class=@@a.title@@>`:                      false,
		`<p @@a.title@@>`:                            false,
		`<p title="@@a.level@@">`:                    false,
		`<p>@@list.level.easy@@</p>`:                 false,
		`<p title="@@list.level.easy@@">`:            false,
		`<script>@@a.title@@</script>`:               false,
		`<style>@@a.title@@</style>`:                 false,
		`<textarea>@@a.title@@</textarea>`:           false,
		`<p>@@nothing.of.the.sort@@</p>`:             false,
	} {
		_, err := parseTemplate(page, nil)
		require.Equal(t, safe, err == nil, "%s: %v", page, err)
	}
}

func TestAddressesLeadToTheWebOrNowhere(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://example.org/a.png?x=1&y": "https://example.org/a.png?x=1&y",
		"HTTP://example.org":              "HTTP://example.org",
		"data:image/svg+xml,%3Csvg":       "data:image/svg+xml,%3Csvg",
		"javascript:alert(1)":             "",
		"\tjavascript:alert(1)":           "",
		"data:text/html,<script>":         "",
		"vbscript:x":                      "",
		"//evil.example":                  "",
		"":                                "",
	} {
		require.Equal(t, want, safeURL(in), in)
	}
}

// FuzzSlots fills a page with any text, which must come out as text and change
// nothing about the page's tags.
func FuzzSlots(f *testing.F) {
	page, err := parseTemplate(`<h1 title="@@a.title@@">@@a.title@@</h1><img src="@@a.thumbnail@@" alt="@@user.name@@">`+
		`<a href="/assignment/@@a.id@@">@@a.creatorEmail@@@@a.dueDay@@@@a.near@@@@a.level@@</a>`, nil)
	require.NoError(f, err)
	word, err := parseTemplate(`<q>@@email.word@@</q>`, nil)
	require.NoError(f, err)
	address, err := parseTemplate(`<q>@@email.local@@<wbr>@@email.domain@@</q>`, nil)
	require.NoError(f, err)
	p := &pieces{emailWord: word, emailAddress: address, levels: map[string]string{"easy": "<b>Easy</b>"}, near: map[int]string{0: "<i>today</i>"}}
	for _, text := range []string{"plain", `"><script>alert(1)</script>`, `' onerror=x`, "@@a.id@@", "a&amp;b\x00\xff", "javascript:x", "https://x/\"", "2026-11-21T", "<b>@</b>"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := &view{
			user: &api.User{DisplayName: text}, pieces: p, today: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
			assignment: &api.Assignment{ID: text, Title: text, Thumbnail: text, CreatorEmail: text, DueDate: text, Level: text},
		}
		got := string(page.append(nil, v))
		escaped := html.EscapeString(text)
		require.NotContains(t, escaped, "<")
		require.NotContains(t, escaped, ">")
		require.NotContains(t, escaped, `"`)
		require.NotContains(t, escaped, `'`)
		require.Equal(t, text, html.UnescapeString(escaped))
		require.True(t, strings.HasPrefix(got, `<h1 title="`+escaped+`">`+escaped+`</h1><img src="`+html.EscapeString(safeURL(text))+`" alt="`+escaped+`"><a href="/assignment/`+escaped+`"><q>`), got)
		for _, sign := range []string{"<", ">", `"`} {
			tags := strings.Count(`<h1 title=""></h1><img src="" alt=""><a href=""><q></q></a>`, sign)
			for _, extra := range []string{"<wbr>", "<b>Easy</b>", "<i>today</i>"} {
				tags += strings.Count(got, extra) * strings.Count(extra, sign)
			}
			require.Equal(t, tags, strings.Count(got, sign), got)
		}
	})
}
