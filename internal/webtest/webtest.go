// Package webtest has a small web app in the form that the build leaves, for
// tests of what serves it. It knows nothing of the real one.
package webtest

import (
	"encoding/json"
	"testing/fstest"
)

// Page is an entry of the manifest, as web/src/app/pages.ts makes it.
type Page struct {
	Name       string   `json:"name"`
	Path       string   `json:"path"`
	Title      string   `json:"title,omitempty"`
	Audience   string   `json:"audience"`
	Data       []string `json:"data,omitempty"`
	RedirectTo string   `json:"redirectTo,omitempty"`
}

// Built is a web app with these pages and no templates but the shell, and no files.
func Built(pages ...Page) fstest.MapFS {
	manifest, err := json.Marshal(pages)
	if err != nil {
		panic(err) // texts alone can be said in JSON
	}
	return fstest.MapFS{
		".pages/manifest.json": {Data: manifest},
		".pages/shell.html":    HTML("shell"),
	}
}

// Least is the least that a node takes for its front end: a page of each kind.
func Least() fstest.MapFS {
	return Built(
		Page{Name: "home", Path: "/", Title: "home", Audience: "all"},
		Page{Name: "assignments", Path: "/assignments", Title: "Assignments", Audience: "all", Data: []string{"list"}},
		Page{Name: "assignment", Path: "/assignment/:id", Title: "{assignment.title} | Assignment Details", Audience: "all", Data: []string{"assignment"}},
		Page{Name: "reset", Path: "/auth/reset", Title: "New password | {brand}", Audience: "all"},
		NotFound,
	)
}

// NotFound is the page that every app has.
var NotFound = Page{Name: "not-found", Path: "*", Title: "Error !Page not found", Audience: "all"}

// HTML is a template that shows body.
func HTML(body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(`<!doctype html><html lang="en"><head>{{template "head" $}}<script>
      theme() // by the reader's choice
    </script></head><body><div id="root">` + body + `</div>{{template "boot" $}}<script type="module" src="/assets/app.js"></script></body></html>`)}
}
