package server

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"studycircle"
	"studycircle/internal/api"
)

// headTemplate defines a page's head and its data for the script.
const headTemplate = `{{define "head"}}<title>{{.Head.Title}}</title>` +
	`<meta name="description" content="{{.Head.Description}}">` +
	`{{if .Head.NoIndex}}<meta name="robots" content="noindex">{{else}}` +
	`<link rel="canonical" href="{{.Head.URL}}">` +
	`<meta property="og:site_name" content="{{.Brand}}">` +
	`<meta property="og:type" content="{{.Head.Kind}}">` +
	`<meta property="og:title" content="{{.Head.Title}}">` +
	`<meta property="og:description" content="{{.Head.Description}}">` +
	`<meta property="og:url" content="{{.Head.URL}}">` +
	`{{if .Head.Image}}<meta property="og:image" content="{{.Head.Image}}">{{end}}` +
	`<meta name="twitter:card" content="summary_large_image">{{end}}{{end}}` +
	`{{define "boot"}}<script type="application/json" id="boot">{{.Script}}</script>{{end}}`

// head is the data of a page's head.
type head struct {
	Title, Description, URL, Image, Kind string
	NoIndex                              bool
}

// title is a page's title: words, and paths of its data in braces.
type title struct {
	*template.Template
	// without is the title if there is no data.
	without string
}

var titlePath = regexp.MustCompile(`\{[a-z][A-Za-z.]*\}`)

// parseTitle reads the manifest's `{assignment.title} | Assignment Details`. The page has data of these names.
func parseTitle(text, brand string, data []string) (*title, error) {
	var kept []string
	for part := range strings.SplitSeq(text, " | ") {
		if part = strings.ReplaceAll(part, "{brand}", brand); !titlePath.MatchString(part) {
			kept = append(kept, part)
		}
	}
	source := titlePath.ReplaceAllStringFunc(text, func(path string) string {
		names := strings.Split(strings.Trim(path, "{}"), ".")
		if names[0] != "brand" && !slices.Contains(data, names[0]) {
			return "{{.Nothing}}"
		}
		for i, name := range names {
			names[i] = strings.ToUpper(name[:1]) + name[1:]
		}
		return "{{." + strings.Join(names, ".") + "}}"
	})
	t, err := template.New(text).Parse(source)
	if err == nil {
		err = t.Execute(io.Discard, &view{pageData: pageData{Assignment: &api.Assignment{}, Circle: &api.Circle{}}})
	}
	if err != nil {
		return nil, fmt.Errorf("the title %q: %w", text, err)
	}
	return &title{t, strings.Join(kept, " | ")}, nil
}

// of returns the title of a page that shows v.
func (t *title) of(v *view) string {
	var b strings.Builder
	if err := t.Execute(&b, v); err != nil {
		return t.without // its data is missing
	}
	return studycircle.StripBidiControls(b.String())
}
