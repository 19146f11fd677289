package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/api"
	"studycircle/internal/webtest"
)

func anything(string) bool { return true }

func read(body string, named func(string) bool) (*pageTemplate, error) {
	return readTemplate(fstest.MapFS{"page.html": webtest.HTML(body)}, "page.html", named)
}

// show returns the content of a page's root.
func show(t *testing.T, body string, v *view) string {
	t.Helper()
	page, err := read(body, anything)
	require.NoError(t, err, body)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, v))
	_, rest, _ := strings.Cut(b.String(), `<div id="root">`)
	shown, _, _ := strings.Cut(rest, `</div><script type="application/json"`)
	return shown
}

func TestATemplateThatCannotBeFilledIsRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{{$.assignment.shoeSize}}`:                                "$.assignment.shoeSize: there is no shoeSize",
		`{{$.assignment.title.length}}`:                            "there is no length",
		`{{$.assignment.Title}}`:                                   "there is no Title",
		`{{$.nothing}}`:                                            "there is no nothing",
		`{{$.Boot}}`:                                               "there is no Boot",
		`{{$.mine.rows}}`:                                          "$.mine.rows: the page has no data of that name",
		`<p title="{{$.user.shoe}}"></p>`:                          "there is no shoe",
		`{{range $i1, $e1 := $.list.data}}{{$e1.no}}{{end}}`:       "$e1.no: there is no no",
		`{{range $i1, $e1 := $.assignment}}{{end}}`:                "is no list",
		`{{range $.list.data}}{{end}}`:                             "is no list",
		`{{if $.assignment.no}}{{end}}`:                            "there is no no",
		`{{if same $.user.email $.assignment.no}}{{end}}`:          "there is no no",
		`{{if truthy (nearness $.assignment.no $.today)}}{{end}}`:  "there is no no",
		`{{with $.assignment}}{{end}}`:                             "is not allowed in a template",
		`{{.assignment.title}}`:                                    "a path begins with $",
		`{{$.assignment.title | sparkle}}`:                         `function "sparkle" not defined`,
		`{{day $.assignment.marks}}`:                               "takes string, not int64",
		`{{nearness $.today}}`:                                     "takes 2 values",
		`{{if same $.assignment.title 3}}{{end}}`:                  "is never the same as",
		`<p {{$.today}}></p><a {{if $.today}}href="{{end}}x"></a>`: "branches",
	} {
		_, err := read(body, func(name string) bool { return name != "mine" })
		require.ErrorContains(t, err, want, body)
	}
	_, err := readTemplate(fstest.MapFS{"page.html": {Data: []byte("<p></p>")}}, "page.html", anything)
	require.ErrorContains(t, err, "no place for its head")
}

// A template is read with the names of its page's data and for its audience.
func TestATemplateOfAnotherPageIsRefused(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"{{$.site.shoe}}":        "there is no shoe",
		"{{$.assignment.title}}": "$.assignment.title: the page has no data of that name",
		"{{$.user.email}}":       "$.user.email: the page has no data of that name",
	} {
		web := webtest.Built(webtest.Page{Name: "home", Path: "/", Audience: "all"}, webtest.NotFound)
		web[".pages/visitor.home.html"] = webtest.HTML(body)
		all, err := readManifest(web, "StudyCircle")
		require.NoError(t, err)
		_, err = all[0].drawn[visitor]()
		require.ErrorContains(t, err, want)
	}
}

func TestATemplateShowsDataByItsJSONNames(t *testing.T) {
	t.Parallel()
	v := &view{Today: "2026-11-22", User: &api.User{Email: "bo@example.org"}}
	v.List = &api.AssignmentList{Data: []api.Assignment{
		{ID: "1", Title: "One", Level: "easy", DueDate: "2026-11-23T23:59:59+01:00"}, {ID: "2", Title: "Two", Level: "hard", DueDate: "2027-01-01"},
	}}
	v.Assignment = &v.List.Data[0]
	for body, want := range map[string]string{
		`{{$.assignment.title}}`: "One",
		`{{range $i1, $e1 := $.list.data}}<i>{{$i1}}{{$e1.title}}{{$.user.email}}</i>{{end}}`:                 "<i>0Onebo@example.org</i><i>1Twobo@example.org</i>",
		`{{len $.list.data}}{{place 0 (len $.list.data) 1}}`:                                                  "2eager",
		`{{if $.list.pagination.totalPages}}yes{{else}}no{{end}}`:                                             "no",
		`{{day $.assignment.dueDate}}{{nearness $.assignment.dueDate $.user.email}}`:                          "2026/11/23",
		`{{day $.assignment.dueDate}}, {{nearness $.assignment.dueDate $.today}}`:                             "2026/11/23, tomorrow",
		`<option value="easy"{{if same $.assignment.level "easy"}} selected=""{{end}}>`:                       `<option value="easy" selected="">`,
		`{{if truthy $.assignment.html}}{{else}}{{if present $.assignment.rubric}}{{else}}none{{end}}{{end}}`: "none",
		`{{$.user.moderator}}{{$.assignment.rubric}}{{$.assignment.createdAt}}`:                               "0001-01-01T00:00:00Z",
		`one{{comment " "}}two{{comment "$"}}<b></b>{{comment "/$"}}`:                                         `one<!-- -->two<!--$--><b></b><!--/$-->`,
	} {
		require.Equal(t, want, show(t, body, v))
	}
}

// The browser gets inline scripts exactly as their hash was made, comments included.
func TestInlineScriptsKeepTheirHash(t *testing.T) {
	t.Parallel()
	page, err := read("", anything)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, &view{}))
	_, rest, _ := strings.Cut(b.String(), "<script>")
	script, _, _ := strings.Cut(rest, "</script>")
	require.Contains(t, script, "// the reader's theme\n")
	sum := sha256.Sum256([]byte(script))
	require.Contains(t, page.policy, "script-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';")
}

func TestHostileDataStaysData(t *testing.T) {
	t.Parallel()
	const hostile = `</script></title><script>alert("x")</script> ' onerror=x {{$.today}} @@a.title@@`
	v := &view{User: &api.User{DisplayName: hostile, PhotoURL: "javascript:alert(1)"}, Brand: hostile}
	v.Assignment = &api.Assignment{ID: hostile, Title: hostile, Thumbnail: "javascript:alert(1)", Level: hostile, DueDate: hostile, CreatorEmail: new(hostile + "@x")}
	v.Head = head{Title: hostile, Description: hostile, URL: "javascript:alert(1)", Image: `https://example.org/"><script>`}
	v.Boot.Data, v.Boot.Brand = v.pageData, hostile
	page, err := read(`<h1 title="{{$.assignment.title}}" id="title-{{$.assignment._id}}">{{$.assignment.title}}</h1><img src="{{$.user.photoURL}}" alt="{{$.user.displayName}}">`+
		`<a href="{{$.assignment.thumbnail}}">{{localPart $.assignment.creatorEmail}}</a><a href="/assignment/{{$.assignment._id}}">{{initials $.user.displayName}}</a>`+
		`<time datetime="{{$.assignment.dueDate}}">{{day $.assignment.dueDate}}</time>`, anything)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, page.Execute(&b, v))
	got := b.String()
	require.Equal(t, 3, strings.Count(got, "<script"), "the theme's, the data and the app's")
	require.Equal(t, 3, strings.Count(got, "</script>"))
	require.NotRegexp(t, `(src|href)="javascript:`, got)
	require.NotContains(t, got, `onerror=x "`)
	require.Contains(t, got, "<title>"+html.EscapeString(hostile)+"</title>")
	require.Contains(t, got, `<h1 title="`+html.EscapeString(hostile)+`"`)
	require.Contains(t, got, `<img src="#ZgotmplZ"`)
	require.Contains(t, got, `<a href="#ZgotmplZ">`)
	require.Contains(t, got, `<meta property="og:image" content="https://example.org/&#34;&gt;&lt;script&gt;">`)
	require.Contains(t, got, `"title":"\u003c/script\u003e\u003c/title\u003e`)
}

// FuzzTemplate fills a page with any text, which must appear as text and leave the page's tags unchanged.
func FuzzTemplate(f *testing.F) {
	page, err := read(`<h1 title="{{$.assignment.title}}">{{$.assignment.title}}</h1><img src="{{$.assignment.thumbnail}}" alt="{{$.user.displayName}}">`+
		`<a href="/assignment/{{$.assignment._id}}">{{localPart $.assignment.creatorEmail}}{{domainPart $.assignment.creatorEmail}}{{day $.assignment.dueDate}}</a>`, anything)
	require.NoError(f, err)
	for _, text := range []string{"plain", `"><script>alert(1)</script>`, `' onerror=x`, "{{$.today}}", "a&amp;b\x00\xff", "javascript:x", "https://x/\"", "2026-11-21T", "<b>@</b>", "<!--"} {
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
	filled := func(text string) *view {
		v := &view{User: &api.User{DisplayName: text}, Head: head{Title: text, Description: text, Image: "x" + text}}
		v.Assignment = &api.Assignment{ID: text, Title: text, Thumbnail: text, CreatorEmail: new(text), DueDate: text, Level: text}
		v.Boot.Today = text
		return v
	}
	f.Fuzz(func(t *testing.T, text string) {
		require.Equal(t, tags(t, filled("x")), tags(t, filled(text)))
	})
}

func TestFormats(t *testing.T) {
	t.Parallel()
	for instant, want := range map[string]string{
		"2026-11-22T23:59:59+05:45": "today", "2026-11-23": "tomorrow", "2026-11-21": "yesterday", "2026-11-29": "in 7 days", "2026-11-15": "7 days ago", "2026-11-30": "", "2026-11-14": "", "2025-02-29": "", "x": "", "": "",
	} {
		require.Equal(t, want, nearness(instant, "2026-11-22"), instant)
	}
	require.Empty(t, nearness("2026-11-22", ""))
	for name, want := range map[string]string{"Ada": "A", "ada byron lovelace": "AL", " ": "?", "": "?", "ß": "SS", "éa 日本": "É日", "😀 x": "😀X"} {
		require.Equal(t, want, initials(name), name)
	}
	for address, want := range map[string][2]string{"a@b@c": {"a@b@", "c"}, "unknown": {"unknown", ""}, "@": {"@", ""}, "": {"", ""}} {
		require.Equal(t, want, [2]string{localPart(address), domainPart(address)}, address)
	}
	for _, c := range []struct {
		index, count int
		page         int64
		want         string
	}{
		{0, 1, 1, "eager"}, {0, 4, 1, "lead"}, {1, 4, 1, "eager"}, {3, 4, 1, "later"}, {0, 10, 1, "lead"}, {0, 3, 1, "eager"},
		{0, 10, 2, "eager"},
	} {
		require.Equal(t, c.want, place(c.index, c.count, c.page), c)
	}
}

func TestOperatorsAnswerAsJavaScriptDoes(t *testing.T) {
	t.Parallel()
	zero, one, no := int64(0), int64(1), false
	var none *int64
	for _, c := range []struct {
		v                    any
		truthy, present, set bool
		shown, falsy         any
	}{
		{nil, false, false, false, "", ""},
		{none, false, false, false, "", ""},
		{"", false, true, false, "", ""},
		{"a", true, true, true, "a", ""},
		{zero, false, true, false, zero, "0"},
		{&zero, false, true, true, zero, "0"},
		{&one, true, true, true, one, "0"},
		{1e6, true, true, true, "1000000", "0"},
		{no, false, true, false, "", ""},
		{&no, false, true, true, "", ""},
		{[]string{}, true, true, false, []string{}, ""},
		{[]string(nil), false, false, false, []string(nil), ""},
		{time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC), true, true, true, "2026-11-20T08:30:00Z", ""},
	} {
		require.Equal(t, c.truthy, truthy(c.v), "truthy %#v", c.v)
		require.Equal(t, c.present, present(c.v), "present %#v", c.v)
		require.Equal(t, c.set, given(c.v), "given %#v", c.v)
		require.Equal(t, c.shown, textOf(c.v), "text %#v", c.v)
		require.Equal(t, c.falsy, falsy(c.v), "falsy %#v", c.v)
	}
	require.Equal(t, "false", spelled(no))
	for _, c := range []struct {
		a, b any
		same bool
	}{{"a", "a", true}, {"a", "", false}, {one, 1, true}, {&one, 1, true}, {none, 1, false}, {none, nil, true}, {no, false, true}} {
		got, err := same(c.a, c.b)
		require.NoError(t, err)
		require.Equal(t, c.same, got, c)
	}
	_, err := same("1", 1)
	require.ErrorContains(t, err, "string is never the same as int")
}

func TestTitles(t *testing.T) {
	t.Parallel()
	title, err := parseTitle("{assignment.title} | Assignment Details", "Study & Circle", anything)
	require.NoError(t, err)
	require.Equal(t, "Assignment Details", title.of(&view{}))
	v := &view{}
	v.Assignment = &api.Assignment{Title: "A \u202e<b>"}
	require.Equal(t, "A <b> | Assignment Details", title.of(v))
	title, err = parseTitle("Login | {brand}", "Study & Circle", anything)
	require.NoError(t, err)
	require.Equal(t, "Login | Study & Circle", title.of(&view{Brand: "Study & Circle"}))
	_, err = parseTitle("{assignment.shoe}", "", anything)
	require.ErrorContains(t, err, "there is no shoe")
}
