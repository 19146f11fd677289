package nodetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"studycircle"
	"studycircle/internal/store"
)

// hostileLines are titles and names that have broken emails, calendars and pages: each is
// allowed, and must be shown as typed.
func hostileLines() []string {
	return append(strange(),
		`</title><script>window.pwned=1</script>`, `"><img src=x onerror=pwned>`, `<!--`, `-->`, `<![CDATA[`, `]]>`, `<plaintext>`, `<table><td></div></h1></body></html>`,
		`<style>*{display:none}</style>`, `<a href="https://elsewhere.example">Confirm</a>`, `<base href=//elsewhere.example>`, `https://elsewhere.example/confirm`,
		`{{.Unsubscribe}} {{template "boot"}}`, `${7*7} #{7*7} <%= 7*7 %>`, `&lt;b&gt; &amp;amp; &#0; &nbsp`, `</script><script>pwned</script>`, `\u003cscript\u003e`, `\r\nBcc: a@b.org`,
		`=?utf-8?q?=0d=0aBcc:_a@b.org?=`, `Subject: x`, `. .. .`, `--boundary--`, `%0d%0aBcc: a@b.org`, `=0D=0A`, `From here`, `a;b,c:d\n\\,\;`, `END:VEVENT`, `✓ Done`,
		"\u202egnissim si krow ruoy\u202c", "\u202eopen override", "\u2069\u202ebroken out", "\u202d\u2066\u2067\u2068 nested", "\u200f\u200e\u061c marks", "zero\u200bwidth\u200djoiner\u2060",
		"Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢", "\u0600\u06dd١", "ﷺ﷽", "𝕳𝖊𝖑𝖑𝖔", "i\u0307İıſK", "\ufffd\ufffe\uffff", "🏳️\u200d🌈👨\u200d👩\u200d👧", "\U000e0001\U000e0041x", repeated("W", 200), repeated("ﷺ", 100),
		repeated("\u0301", 99)+"a", "'--", `" OR ""="`, "../../etc/passwd", "CON", "-rf", "=1+1", "@SUM(1)", "\\\\unc\\path",
	)
}

// overrides are the characters that change the text direction.
const overrides = "\u202a\u202b\u202c\u202d\u202e"

// skeleton returns a document's elements and attributes in order, without its text.
func skeleton(tb testing.TB, document string) (tags []string, links []string, said string) {
	tb.Helper()
	var text strings.Builder
	for z := html.NewTokenizer(strings.NewReader(document)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			require.ErrorIs(tb, z.Err(), io.EOF)
			return tags, links, text.String()
		case html.TextToken:
			text.WriteString(z.Token().Data)
		default:
			t := z.Token()
			tag := kind.String() + " " + t.Data
			for _, a := range t.Attr {
				tag += " " + a.Key
				if a.Key == "href" || a.Key == "src" {
					links = append(links, a.Val)
				}
			}
			tags = append(tags, tag)
		}
	}
}

// cut returns the first n characters of a line.
func cut(line string, n int) string {
	runes := []rune(line)
	return strings.TrimSpace(string(runes[:min(n, len(runes))]))
}

// Names and titles are unchanged in emails, single and in digests, in calendars and in
// pages: they add no element, link, line, event or header, and do not turn the
// surrounding text.
func TestHostileTextsAreReturnedUnchanged(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		dan := n.user(t, "Dan").confirmed(t)
		settings := dan.get(t, "/api/settings").json(t)
		dan.put(t, "/api/settings", with(settings, "digest", "daily")).is(t, http.StatusOK)
		titles := append([]string{"Tides"}, hostileLines()...)
		owners, assignments := make([]*client, len(titles)), make([]string, len(titles))
		for i, title := range titles {
			owners[i] = n.user(t, fmt.Sprint("Owner", i)).confirmed(t)
			settings := owners[i].get(t, "/api/settings").json(t)
			channels := with(settings["channels"].(doc), "comment", doc{"app": true, "mail": true})
			owners[i].put(t, "/api/settings", with(settings, "channels", channels)).is(t, http.StatusOK)
			assignments[i] = owners[i].publish(t, "title", title)
			eve := n.user(t, fmt.Sprint("Eve", i))
			eve.patch(t, "/api/auth/profile", doc{"displayName": cut(title, 100), "photoURL": ""}).is(t, http.StatusOK)
			eve.write(t, assignments[i], title)
			owners[i].grade(t, dan.submit(t, assignments[i]), 7)
			dan.put(t, "/api/assignment/"+assignments[i]+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		}
		t.Run("a calendar", func(t *testing.T) {
			address := strings.TrimPrefix(dan.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url"), n.public)
			a := n.visitor().get(t, address).is(t, http.StatusOK)
			c, err := ical.NewDecoder(bytes.NewReader(a.body)).Decode()
			require.NoError(t, err)
			var found []string
			for _, e := range c.Events() {
				summary, err := e.Props.Text(ical.PropSummary)
				require.NoError(t, err)
				found = append(found, strings.TrimPrefix(summary, "✓ "))
			}
			require.ElementsMatch(t, titles, found)
			for line := range strings.SplitSeq(string(a.body), "\r\n") {
				require.LessOrEqual(t, len(line), 75)
				require.NotContains(t, line, "\n")
			}
		})
		t.Run("pages", func(t *testing.T) {
			elements, _, _ := skeleton(t, string(n.visitor().get(t, "/assignment/"+assignments[0]).body))
			for i, title := range titles {
				page := string(n.visitor().get(t, "/assignment/"+assignments[i]).is(t, http.StatusOK).body)
				tags, _, said := skeleton(t, page)
				require.Equal(t, elements, tags, title)
				require.Contains(t, said, studycircle.StripBidiControls(title)+" | Assignment Details")
				_, boot, _ := strings.Cut(page, `id="boot">`)
				boot, _, _ = strings.Cut(boot, "</script>")
				var shell struct {
					Data struct{ Assignment struct{ Title string } }
				}
				require.NoError(t, json.Unmarshal([]byte(boot), &shell))
				require.Equal(t, title, shell.Data.Assignment.Title)
			}
		})
		t.Run("mails", func(t *testing.T) {
			w.clock.advance(store.MailGrace)
			n.looks(t)
			plain := n.getsLetters(t, owners[0].email, 1)[0]
			elements, links, _ := skeleton(t, plain.html)
			for i, title := range titles {
				got := n.getsLetters(t, owners[i].email, 1)[0]
				who, what := studycircle.StripBidiControls(cut(title, 100)), studycircle.StripBidiControls(title)
				first, _, _ := strings.Cut(got.text, "\n")
				require.Equal(t, "\u2068"+who+"\u2069 wrote a comment on your assignment “\u2068"+what+"\u2069”.", first)
				require.Equal(t, who+" wrote a comment on your assignment “"+what+"”", got.subject)
				require.Equal(t, strings.Count(plain.text, "\n"), strings.Count(got.text, "\n"), title)
				require.ElementsMatch(t, slices.Collect(maps.Keys(plain.header)), slices.Collect(maps.Keys(got.header)), title)
				tags, to, said := skeleton(t, got.html)
				require.Equal(t, elements, tags, title)
				require.Len(t, to, len(links))
				require.Contains(t, said, first)
				for _, link := range to {
					require.True(t, strings.HasPrefix(link, n.public+"/"), link)
				}
			}
		})
		t.Run("a digest", func(t *testing.T) {
			w.clock.advance(25 * time.Hour)
			n.looks(t)
			got := n.getsLetters(t, dan.email, 1)[0]
			_, links, said := skeleton(t, got.html)
			for _, link := range links {
				require.True(t, strings.HasPrefix(link, n.public+"/"), link)
			}
			require.False(t, strings.ContainsAny(got.text+got.subject+said, overrides))
			require.Equal(t, strings.Count(got.text, "\u2068"), strings.Count(got.text, "\u2069"))
			for line := range strings.SplitSeq(got.text, "\n") {
				if sentence := "Your work on “"; strings.HasPrefix(line, sentence) {
					require.True(t, strings.HasSuffix(line, "\u2069” was graded."), line)
					require.Contains(t, said, line)
				}
			}
		})
	})
}

// hostileComments are texts that have broken parsers and sanitisers of Markdown.
// TestBombs (markdown) bounds the time for the longest.
func hostileComments() []string {
	const most = studycircle.MaxComment / 20
	fill := func(unit string) string { return repeated(unit, most/len([]rune(unit))) }
	return append(hostileLines(),
		`<script>pwned</script>`, `<svg/onload=pwned>`, `[x](javascript:pwned)`, `[x](JaVa&#115;cript:pwned)`, `[x](data:text/html,pwned)`, `[x](//elsewhere.example)`, `![x](https://elsewhere.example/a.png)`,
		`<https://elsewhere.example" onclick="pwned>`, "```\" onclick=pwned\nx", "~~~<script>\n", "[a]: javascript:pwned\n\n[a]", "| <b> |\n|---|\n| `<i>` |", "# <img src=x>\n===",
		fill("`"), fill(">"), fill("> - "), fill("["), fill("*_"), fill("~~a"), fill("![a]("), fill("|a"), fill("&#1;"), fill("\n"+"- a"), fill("```\n"), fill("\u202e"+"a"), fill("a\u200b"), fill("@[a](b)"),
	)
}

// allowedElements and allowedAttributes are all that a comment's HTML may contain.
var allowedElements = regexp.MustCompile(`^(p|br|hr|h[3-6]|strong|em|del|code|pre|blockquote|ul|ol|li|table|thead|tbody|tr|th|td|span|a|div)( (href|rel|class|start|align|data-mention|role|aria-label|tabindex))*$`)

// 32 users with hostile names write hostile texts concurrently, beyond their limits: each
// text is accepted, refused or rate limited, and the shown HTML contains only what
// comments may contain.
func TestConcurrentHostileTexts(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		users, names, texts := gathered(t, n), hostileLines(), hostileComments()
		for i := range texts {
			texts[i] = strings.TrimSpace(texts[i])
		}
		of := n.user(t, "Host").publish(t)
		const perHour = 30
		together(t, crowd, func(i int) error {
			me, taken := users[i], 0
			a, err := me.persist(t.Context(), http.MethodPatch, "/api/auth/profile", doc{"displayName": cut(names[i], 100), "photoURL": ""})
			if err == nil {
				err = a.expect(http.StatusOK)
			}
			if err != nil {
				return err
			}
			for j := range texts {
				a, err := me.persist(t.Context(), http.MethodPost, "/api/assignment/"+of+"/comments", doc{"text": texts[(i*5+j)%len(texts)], "parentId": nil})
				if err == nil {
					err = a.expect(http.StatusCreated, http.StatusUnprocessableEntity, http.StatusTooManyRequests)
				}
				if err != nil {
					return err
				}
				if a.status == http.StatusCreated {
					taken++
				}
			}
			if taken != perHour {
				return fmt.Errorf("%d were taken of %s", taken, me.name)
			}
			return nil
		})
		seen := 0
		for page := 1; ; page++ {
			threads, rest := n.visitor().threads(t, of, fmt.Sprint("?limit=100&page=", page))
			if len(threads) == 0 {
				require.InDelta(t, crowd*perHour, rest["pagination"].(doc)["total"], 0)
				break
			}
			seen += len(threads)
			for _, c := range threads {
				tags, links, _ := skeleton(t, c["html"].(string))
				for _, tag := range tags {
					_, tag, _ = strings.Cut(tag, " ")
					require.Regexp(t, allowedElements, tag, c["text"])
				}
				for _, link := range links {
					require.Regexp(t, `^(https?://|mailto:)`, link, c["text"])
				}
				require.Contains(t, texts, c["text"])
			}
		}
		require.Equal(t, crowd*perHour, seen)
	})
}
