package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/site"
)

// drawing is one page with its data, and what the server sends for them.
type drawing struct {
	Page          string       `json:"page"`
	Path          string       `json:"path"`
	Case          string       `json:"case"`
	Brand         string       `json:"brand"`
	Site          site.Content `json:"site"`
	User          *api.User    `json:"user"`
	Access        access       `json:"access"`
	Documentation bool         `json:"documentation"`
	Today         string       `json:"today"`
	Data          pageData     `json:"data"`
	HTML          string       `json:"html"`
}

// Every page, filled in by the server, is what React draws for the same data:
// with all fields, with each field left empty or absent, with each value of
// domains, and with random combinations. React draws in Node, from the components as they are, without the
// build step that makes templates of them.
func TestTheFirstHTMLIsWhatReactDraws(t *testing.T) {
	t.Parallel()
	pages, err := readManifest(os.DirFS("../../web/dist"), "StudyCircle")
	require.NoError(t, err, "make build writes the pages")
	var cases bytes.Buffer
	out := json.NewEncoder(&cases)
	for _, pg := range pages {
		for audience, read := range pg.drawn {
			drawn, err := read()
			require.NoError(t, err)
			for _, v := range views(pg, audience == user) {
				var html bytes.Buffer
				require.NoError(t, drawn.Execute(&html, v.view), "%s %s: %s", audience, pg.Name, v.name)
				require.NoError(t, out.Encode(drawing{
					Page: pg.Name, Path: pathOf(pg, v.view), Case: audience + " " + pg.Name + ": " + v.name,
					Brand: v.Brand, Site: v.Site, User: v.User, Access: v.Access, Documentation: v.Documentation, Today: v.Today, Data: v.pageData, HTML: html.String(),
				}))
			}
		}
	}
	web, err := filepath.Abs("../../web")
	require.NoError(t, err)
	node := exec.CommandContext(t.Context(), filepath.Join(web, "node_modules", ".bin", "node"), "scripts/compare-first-html.mjs")
	node.Dir = web
	node.Stdin = &cases
	said, err := node.CombinedOutput()
	require.NoError(t, err, string(said))
	t.Log(strings.TrimSpace(string(said)))
}

type namedView struct {
	*view
	name string
}

// Views with random fields, for pages with data of their own and for others.
const (
	randomWithData    = 25
	randomWithoutData = 3
)

// views are the data that a page is drawn with.
func views(pg *page, signedIn bool) []namedView {
	full := func(random *rand.Rand, nth int) *view {
		v := &view{Brand: "StudyCircle", Access: access{studycircle.RegistrationOpen, studycircle.HallOn}, Documentation: true, Today: "2026-11-22", Query: query{Page: 1, Comments: 1}}
		f := filler{random: random, nth: nth, of: pg}
		f.value(reflect.ValueOf(&v.Site).Elem(), "")
		if signedIn {
			f.value(reflect.ValueOf(&v.User).Elem(), "")
		}
		f.value(reflect.ValueOf(&v.pageData).Elem(), "")
		if slices.Contains(pg.Data, "list") {
			v.Query = f.query(signedIn)
		}
		v.agree()
		return v
	}
	all := []namedView{{full(nil, 0), "everything"}}
	for i := range emptyable(reflect.ValueOf(full(nil, 0)), "") {
		v := full(nil, 0)
		fields := emptyable(reflect.ValueOf(v), "")
		fields[i].value.SetZero()
		v.agree()
		all = append(all, namedView{v, "without " + fields[i].path})
	}
	undocumented := full(nil, 0)
	undocumented.Documentation = false
	all = append(all, namedView{undocumented, "without documentation"})
	for _, allowed := range []access{{studycircle.RegistrationInvited, studycircle.HallRead}, {studycircle.RegistrationClosed, studycircle.HallOff}} {
		v := full(nil, 0)
		v.Access = allowed
		all = append(all, namedView{v, fmt.Sprint("access ", allowed)})
	}
	count := randomWithoutData
	if len(pg.Data) > 0 {
		count = randomWithData
		for nth := 1; nth < mostValues(); nth++ {
			all = append(all, namedView{full(nil, nth), "values " + strconv.Itoa(nth)})
		}
	}
	for i := range count {
		all = append(all, namedView{full(rand.New(rand.NewPCG(uint64(i), 0)), 0), "random " + strconv.Itoa(i)})
	}
	return all
}

// agree makes the view consistent, as a loader's would be.
func (v *view) agree() {
	pages := func(total *int64, rows int, at int64) {
		if rows == 0 {
			*total = 0
		} else {
			*total = max(*total, at)
		}
	}
	if v.List != nil {
		pages(&v.List.Pagination.TotalPages, len(v.List.Data), v.Query.Page)
	}
	if v.Pending != nil {
		for i := range v.Pending.Rows {
			if row := &v.Pending.Rows[i]; row.AssignmentID == "" {
				row.DueDate = "" // the assignment's
			}
		}
		pages(&v.Pending.TotalPages, len(v.Pending.Rows), v.Query.Page)
	}
	if v.Mine != nil {
		pages(&v.Mine.TotalPages, len(v.Mine.Rows), v.Query.Page)
	}
	if v.Comments != nil {
		pages(&v.Comments.Pagination.TotalPages, len(v.Comments.Data), v.Query.Comments)
	}
}

// pathOf is an address by which the page has the view.
func pathOf(pg *page, v *view) string {
	path := pg.Path
	if path == "*" {
		path = "/nowhere"
	}
	id := "none"
	if v.Assignment != nil {
		id = v.Assignment.ID
	}
	if v.Circle != nil {
		id = v.Circle.ID
	}
	path = strings.Replace(path, ":id", id, 1)
	values := url.Values{}
	for name, value := range map[string]string{"search": v.Query.Search, "level": v.Query.Level, "state": v.Query.State} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if v.Query.Page > 1 {
		values.Set("page", strconv.FormatInt(v.Query.Page, 10))
	}
	if v.Query.Comments > 1 {
		values.Set("comments", strconv.FormatInt(v.Query.Comments, 10))
	}
	return (&url.URL{Path: path, RawQuery: values.Encode()}).String()
}

// filler fills a view: at random, or with something everywhere, the nth value of each
// domain.
type filler struct {
	random *rand.Rand
	nth    int
	of     *page
	ids    int
}

const hostile = `<b>"x" &amp; 'y'</b> </script>`

// dueDates are dates near and far from today, which in views is 2026-11-22.
var dueDates = []string{
	"2026-11-23T23:59:59+01:00", "2026-11-20T23:59:59Z", "2026-11-22T08:00:00Z", "2027-03-01T23:59:59-08:00", "2026-11-21T23:59:59-11:00",
	"2026-11-24T00:00:00+14:00", "2026-11-29T23:59:59Z", "2026-11-30T00:00:00Z", "2026-11-15T00:00:00Z", "2026-11-14T23:59:59Z", "2028-02-29T23:59:59Z",
}

// domains are what fields hold, by their JSON names; every other string holds
// any text.
var domains = map[string][]string{
	"assignmentId":   {"work", ""},
	"circleId":       {"circle", ""},
	"level":          {"easy", "medium", "hard"},
	"format":         {"markdown"},
	"status":         {"completed", "pending"},
	"discussion":     {"open", "closed"},
	"appeal":         {"open", ""},
	"role":           {"owner", "organizer", "member"},
	"dueDate":        dueDates,
	"reviewDueDate":  dueDates,
	"email":          {"ada@example.org"},
	"submittedBy":    {"ada@example.org", "bo@example.org", "nobody", "", `"a@b"@example.org`, "ünal@пример.рф"},
	"creatorEmail":   {"ada@example.org", "bo@example.org", "unknown"},
	"thumbnail":      {"https://example.org/t.png?a=1&b=2", ""},
	"photoURL":       {"https://example.org/p.png", ""},
	"photo":          {"https://example.org/p.png"},
	"submitterPhoto": {"https://example.org/s.png", ""},
	"authorPhoto":    {"https://example.org/a.png", ""},
	"docsLink":       {"https://example.org/d", ""},
	"url":            {"https://example.org/"},
	"displayName": {
		"Ada " + hostile, "ada", "Ada Byron King", "ßen ﬁnn", "ǆemal ŉ", "李 小龙", "😀 Smile", "Ada\u2003Lovelace\u00a0", "éa e\u0301b", "ა бб", "Ada\ufeffKing", "İpek ıl",
	},
}

// numbers and instants are the values of fields of those kinds.
var (
	numbers  = []float64{62.5, 0, 100, 97.5, .1, 33.3, 1}
	counts   = []int64{4, 0, 1, 3, 12, 1000, 12345}
	instants = []time.Time{
		time.Date(2026, 11, 20, 8, 30, 0, 0, time.UTC), time.Date(2026, 12, 31, 23, 59, 59, 999_999_000, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
	}
)

// mostValues is the length of the longest domain.
func mostValues() int {
	most := max(len(numbers), len(counts), len(instants))
	for _, values := range domains {
		most = max(most, len(values))
	}
	return most
}

// alwaysSet are fields that no loader leaves empty.
var alwaysSet = []string{"_id", "level", "format", "role", "status", "discussion", "email", "displayName", "creatorEmail", "creatorName", "dueDate", "createdAt", "updatedAt", "submittedAt", "url"}

func (f *filler) one(values []string) string { return values[f.at(len(values))] }

// at is an index below n.
func (f *filler) at(n int) int {
	if f.random == nil {
		return f.nth % n
	}
	return f.random.IntN(n)
}

// skip reports whether an optional value is left out.
func (f *filler) skip() bool { return f.random != nil && f.random.IntN(3) == 0 }

func (f *filler) value(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Pointer:
		loaded := v.Type().Elem().PkgPath() == reflect.TypeFor[view]().PkgPath() // one of this package
		if v.Type() != reflect.TypeFor[*api.User]() && !loaded && f.optional(v, name) {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		f.value(v.Elem(), name)
	case reflect.Struct:
		f.fields(v)
	case reflect.Slice:
		count := 3
		if f.random != nil {
			count = f.random.IntN(5)
		}
		v.Set(reflect.MakeSlice(v.Type(), count, count))
		for i := range count {
			f.value(v.Index(i), name)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.value(v.Index(i), name)
		}
	case reflect.String:
		v.SetString(f.text(v, name))
	case reflect.Bool:
		v.SetBool(f.random == nil || f.random.IntN(2) == 0)
	case reflect.Int64, reflect.Int:
		v.SetInt(counts[f.at(len(counts))])
	case reflect.Float64:
		v.SetFloat(numbers[f.at(len(numbers))])
	default:
		panic("no value for " + name + " " + v.Type().String())
	}
}

func (f *filler) optional(v reflect.Value, name string) bool {
	top := slices.Contains([]string{"list", "assignment", "comments", "circle", "dashboard", "pending", "mine"}, name)
	if top && v.CanSet() {
		return !slices.Contains(f.of.Data, name)
	}
	return f.skip()
}

func (f *filler) fields(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(instants[f.at(len(instants))]))
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() && !field.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "-" {
			f.value(v.Field(i), name)
		}
	}
}

func (f *filler) text(v reflect.Value, name string) string {
	if name == "_id" {
		f.ids++
		return fmt.Sprintf("id%d", f.ids)
	}
	if v.Type() == reflect.TypeFor[template.HTML]() {
		return f.one([]string{"<p>One <em>two</em></p>", ""})
	}
	if values := domains[name]; values != nil {
		return f.one(values)
	}
	if slices.Contains(alwaysSet, name) {
		return f.one([]string{"Text " + hostile, "x"})
	}
	return f.one([]string{"Text " + hostile, "x", ""})
}

// query returns the query of a list.
func (f *filler) query(signedIn bool) query {
	q := query{Page: 1, Comments: 1}
	if f.random == nil {
		return q
	}
	q.Page = int64(1 + f.random.IntN(2))
	q.Level = f.one([]string{"", "easy", "hard"})
	q.Search = f.one([]string{"", "leaves", hostile})
	if q.Search == "" && signedIn {
		q.State = f.one([]string{"", "open", "pending", "graded", "mine", "due-soon"})
	}
	return q
}

type field struct {
	path  string
	value reflect.Value
}

// emptyable are the fields of a view's data that may be empty.
func emptyable(v reflect.Value, path string) (all []field) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return emptyable(v.Elem(), path)
		}
	case reflect.Slice:
		if v.Len() > 0 {
			return emptyable(v.Index(0), path+"[0]")
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() || v.Type() == reflect.TypeFor[site.Content]() {
			return nil
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.Anonymous && (!f.IsExported() || name == "" || slices.Contains([]string{"today", "query", "brand", "access"}, name)) {
				continue
			}
			at := strings.TrimPrefix(path+"."+name, ".")
			leaf := v.Field(i).Kind() != reflect.Struct && path != ""
			if leaf && !slices.Contains(alwaysSet, name) && v.Field(i).Kind() != reflect.Slice {
				all = append(all, field{at, v.Field(i)})
			}
			all = append(all, emptyable(v.Field(i), strings.TrimSuffix(at, "."))...)
		}
	default:
	}
	return all
}
