// Package webtest provides a small web app in the form of a build, for tests of its
// server. It knows nothing of the real app.
package webtest

import (
	"encoding/json"
	"testing/fstest"
)

// Page is an entry of the manifest, as web/src/app/pages.ts writes it.
type Page struct {
	Name       string   `json:"name"`
	Path       string   `json:"path"`
	Title      string   `json:"title,omitempty"`
	Audience   string   `json:"audience"`
	Only       string   `json:"only,omitempty"`
	Data       []string `json:"data,omitempty"`
	RedirectTo string   `json:"redirectTo,omitempty"`
}

// Built returns a web app with these pages, the shell as its only template, and no files.
func Built(pages ...Page) fstest.MapFS {
	manifest, err := json.Marshal(pages)
	if err != nil {
		panic(err) // text always encodes as JSON
	}
	return fstest.MapFS{
		".pages/manifest.json": {Data: manifest},
		".pages/shell.html":    HTML("shell"),
	}
}

// Least returns the smallest web app that a node accepts: a page of each kind.
func Least() fstest.MapFS {
	return Built(
		Page{Name: "home", Path: "/", Title: "home", Audience: "all"},
		Page{Name: "assignments", Path: "/assignments", Title: "Assignments", Audience: "all", Data: []string{"list"}},
		Page{
			Name: "assignment", Path: "/assignment/:id", Title: "{assignment.title} | Assignment Details",
			Audience: "all", Data: []string{"assignment"},
		},
		Page{Name: "reset", Path: "/auth/reset", Title: "New password | {brand}", Audience: "all"},
		NotFound,
	)
}

// NotFound is the page that every app has.
var NotFound = Page{Name: "not-found", Path: "*", Title: "Error !Page not found", Audience: "all"}

// HTML returns a template that shows body.
func HTML(body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(`<!doctype html><html lang="en"><head>{{template "head" $}}<script>
      theme() // the reader's theme
    </script></head><body><div id="root">` + body +
		`</div>{{template "boot" $}}<script type="module" src="/assets/app.js"></script></body></html>`)}
}
