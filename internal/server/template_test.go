package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/site"
	"studycircle/internal/webtest"
)

func read(body string) (*pageTemplate, error) {
	return readTemplate(fstest.MapFS{"page.html": webtest.HTML(body)}, "page.html")
}

// filled returns data of every kind, with some text in all of it.
func filled(text string) *view {
	v := &view{Brand: text, User: &api.User{DisplayName: text}, address: &url.URL{Path: "/" + text, RawQuery: text}}
	v.Head = head{Title: text, Description: text, Image: "x" + text}
	v.Assignment = &api.Assignment{
		ID: text, Title: text, Description: text, Thumbnail: text, Level: text, DueDate: text, ReviewDueDate: text, Excerpt: text,
		CreatorName: text, CreatorEmail: new("x" + text), ReviewsNeeded: 2, ReviewsOwed: 1,
		Rubric: &studycircle.Rubric{Criteria: []studycircle.Criterion{{Title: text, Levels: []studycircle.RubricLevel{{Label: text}}}}},
	}
	v.List = &api.AssignmentList{
		Data:       []api.Assignment{*v.Assignment, *v.Assignment, *v.Assignment, *v.Assignment},
		Pagination: api.Pagination{Page: 1, TotalPages: 3},
	}
	v.Circle = &api.Circle{Name: text}
	v.Boot.Data, v.Boot.Brand = v.pageData, text
	return v
}

// Every page of the build can be filled, with data and without, and keeps what it was drawn with.
func TestEveryBuiltPageCanBeFilled(t *testing.T) {
	t.Parallel()
	const brand = "Study & Circle"
	pages, err := readManifest(os.DirFS("../../web/dist"), brand)
	require.NoError(t, err, "make build writes the pages")
	settings, err := site.Load("")
	require.NoError(t, err)
	fill := func(t *testing.T, page *pageTemplate, v *view) string {
		t.Helper()
		v.Brand, v.Site = brand, settings.Content
		v.Access = access{studycircle.RegistrationInvited, studycircle.HallRead}
		var b bytes.Buffer
		require.NoError(t, page.Execute(&b, v))
		return b.String()
	}
	for _, pg := range pages {
		for audience, drawn := range pg.drawn {
			page, err := drawn()
			require.NoError(t, err, "%s %s", audience, pg.Name)
			bare := fill(t, page, &view{})
			require.Contains(t, bare, `data-registration="invited" data-hall="read"`)
			require.Contains(t, bare, "Study &amp; Circle</span>", "the logo")
			require.Contains(t, bare, "<!-- -->", "React finds its texts by comments")
			require.Contains(t, bare, `href="`+settings.Footer.Social[1].URL+`"`)
			require.NotContains(t, bare, "{{")
			require.NotContains(t, bare, "ZgotmplZ")
			require.NotContains(t, bare, "<template")
			frame := audience == user || len(pg.Data) > 0
			if frame {
				require.Contains(t, bare, "data-frame", pg.Name)
				require.NotRegexp(t, `<(button|input|select|textarea) [^d]`, bare, "a frame's controls are off")
			}
			full := fill(t, page, filled("Tides"))
			for name, count := range map[string]int{"assignments": 4, "assignment": 1} {
				if pg.Name == name {
					require.Equal(t, count, strings.Count(full, "<article"), name)
					require.Contains(t, bare, `role="status" aria-label="Loading`)
					require.NotContains(t, full, `aria-label="Loading`)
				}
			}
		}
	}
}

// The browser gets inline scripts exactly as their hash was made, comments included.
func TestInlineScriptsKeepTheirHash(t *testing.T) {
	t.Parallel()
	page, err := read("one<!-- -->two")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, &view{}))
	require.Contains(t, b.String(), "one<!-- -->two")
	_, rest, _ := strings.Cut(b.String(), "<script>")
	script, _, _ := strings.Cut(rest, "</script>")
	require.Contains(t, script, "// the reader's theme\n")
	sum := sha256.Sum256([]byte(script))
	require.Contains(t, page.policy, "script-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';")
}

const everything = `{{template "List" $}}{{template "Assignment" $}}<b title="{{.Brand}}">{{.Brand}}</b>`

func TestHostileDataStaysData(t *testing.T) {
	t.Parallel()
	const hostile = `</script></title><script>alert("x")</script> ' onerror=x {{.Brand}} @@a.title@@`
	v := filled(hostile)
	v.Head.URL = "javascript:alert(1)"
	v.Assignment.Thumbnail = "javascript:alert(1)"
	v.Head.Image = `https://example.org/"><script>`
	page, err := read(everything)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, v))
	got := b.String()
	require.Equal(t, 3, strings.Count(got, "<script"), "the theme's, the data and the app's")
	require.Equal(t, 3, strings.Count(got, "</script>"))
	require.NotRegexp(t, `(src|href)="javascript:`, got)
	require.NotContains(t, got, `onerror=x "`)
	require.Contains(t, got, "<title>"+html.EscapeString(hostile)+"</title>")
	require.Contains(t, got, `<b title="`+html.EscapeString(hostile)+`"`)
	require.Contains(t, got, `<img src="#ZgotmplZ"`)
	require.Contains(t, got, `<meta property="og:image" content="https://example.org/&#34;&gt;&lt;script&gt;">`)
	require.Contains(t, got, `"title":"\u003c/script\u003e\u003c/title\u003e`)
}

// FuzzTemplate fills a page with any text, which must appear as text and leave the page's tags unchanged.
func FuzzTemplate(f *testing.F) {
	page, err := read(everything)
	require.NoError(f, err)
	for _, text := range []string{"plain", `"><script>alert(1)</script>`, `' onerror=x`, "{{.Brand}}", "a&amp;b\x00\xff", "javascript:x", "https://x/\"", "2026-11-21T", "<b>@</b>", "<!--"} {
		f.Add(text)
	}
	tags := func(t *testing.T, v *view) [3]int {
		t.Helper()
		var b bytes.Buffer
		require.NoError(t, page.Execute(&b, v))
		html, rest, _ := strings.Cut(b.String(), `<script type="application/json" id="boot">`)
		data, _, _ := strings.Cut(rest, "<")
		require.True(t, json.Valid([]byte(data)), data)
		return [3]int{strings.Count(html, "<"), strings.Count(html, ">"), strings.Count(html, `"`)}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || text == "easy" || text == "medium" {
			return // these decide what is written
		}
		require.Equal(t, tags(t, filled("x")), tags(t, filled(text)))
	})
}

func TestTitles(t *testing.T) {
	t.Parallel()
	title, err := parseTitle("{assignment.title} | Assignment Details", "Study & Circle", []string{"assignment"})
	require.NoError(t, err)
	require.Equal(t, "Assignment Details", title.of(&view{}))
	v := &view{}
	v.Assignment = &api.Assignment{Title: "A \u202e<b>"}
	require.Equal(t, "A <b> | Assignment Details", title.of(v))
	title, err = parseTitle("Login | {brand}", "Study & Circle", nil)
	require.NoError(t, err)
	require.Equal(t, "Login | Study & Circle", title.of(&view{Brand: "Study & Circle"}))
	_, err = parseTitle("{assignment.shoe}", "", []string{"assignment"})
	require.ErrorContains(t, err, "Shoe")
	_, err = parseTitle("{assignment.title}", "", nil)
	require.ErrorContains(t, err, "the title")
}
