package server

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/template"

	"studycircle"
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

var titlePath = regexp.MustCompile(`\{([A-Za-z.]+)\}`)

// parseTitle reads the manifest's `{assignment.title} | Assignment Details`.
func parseTitle(text, brand string, named func(string) bool) (*title, error) {
	var kept []string
	for part := range strings.SplitSeq(text, " | ") {
		if part = strings.ReplaceAll(part, "{brand}", brand); !titlePath.MatchString(part) {
			kept = append(kept, part)
		}
	}
	t, err := template.New(text).Parse(titlePath.ReplaceAllString(text, "{{$$.$1}}"))
	if err == nil {
		err = resolve(t.Tree, named)
	}
	if err == nil {
		err = t.Execute(io.Discard, sample())
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
