package server

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"studycircle/internal/api"
)

// page is a page as web/src/app/pages.ts declares it, with the templates that the build
// made of it.
type page struct {
	Name string `json:"name"`
	// Path is the URL path; `:id` stands for a segment, and '*' for all paths of no other
	// page.
	Path     string `json:"path"`
	Title    string `json:"title"`
	Audience string `json:"audience"` // all, users or visitors
	// Only names those for whom alone the page exists: moderators or operators; everyone if empty.
	Only string `json:"only"`
	// WithoutHall says what the page is where the hall is off: as it is if empty, for users, or the way to their
	// circles.
	WithoutHall string `json:"withoutHall"`
	// Data are the names of its loaders.
	Data       []string `json:"data"`
	RedirectTo string   `json:"redirectTo"`

	title *title
	// drawn are the templates by audience: visitor, user. The first request of one parses it.
	drawn map[string]func() (*pageTemplate, error)
}

// manifestFile lists the pages. It is not served, and neither is any other path with a
// part that begins with a dot.
const manifestFile = ".pages/manifest.json"

// readManifest reads the pages. Their templates are parsed when they are first asked for.
func readManifest(dist fs.FS, brand string) ([]*page, error) {
	text, err := readBuilt(dist, manifestFile)
	if err != nil {
		return nil, err
	}
	var all []*page
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("read the web app's %s: %w", manifestFile, err)
	}
	for _, pg := range all {
		if pg.RedirectTo != "" {
			continue
		}
		if err := pg.read(dist, brand); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// existsFor reports whether there is a page for a user, or for a visitor. Visitors are led from pages of moderators to
// the login. Where the session could not be read, the app asks for it.
func (pg *page) existsFor(audience string, u *api.User) bool {
	switch pg.Only {
	case "moderators":
		return audience != user || u.Moderator
	case "operators":
		return audience == "" || (audience == user && u.Operator)
	default:
		return true
	}
}

func (pg *page) read(dist fs.FS, brand string) (err error) {
	if !slices.Contains([]string{"all", "users", "visitors"}, pg.Audience) {
		return fmt.Errorf("the page %s is for the unknown audience %q", pg.Name, pg.Audience)
	}
	if !slices.Contains([]string{"", "moderators", "operators"}, pg.Only) {
		return fmt.Errorf("the page %s is only for the unknown %q", pg.Name, pg.Only)
	}
	for _, name := range pg.Data {
		if loaders[name] == nil {
			return fmt.Errorf("the page %s wants %q, for which there is no loader", pg.Name, name)
		}
	}
	if pg.title, err = parseTitle(pg.Title, brand, pg.Data); err != nil {
		return fmt.Errorf("the page %s: %w", pg.Name, err)
	}
	pg.drawn = map[string]func() (*pageTemplate, error){}
	for audience, other := range map[string]string{visitor: "users", user: "visitors"} {
		file := ".pages/" + audience + "." + pg.Name + ".html"
		if _, err := fs.Stat(dist, file); err != nil || pg.Audience == other {
			continue // the browser renders it
		}
		pg.drawn[audience] = sync.OnceValues(func() (*pageTemplate, error) { return readTemplate(dist, file) })
	}
	return nil
}

// withoutHallFor reports whether the page is as it is, for an audience, where the hall is off.
func (pg *page) withoutHallFor(audience string) bool {
	return pg.WithoutHall == "" || (pg.WithoutHall == "users" && audience == user)
}

// pattern returns the page's path as a net/http pattern.
func (pg *page) pattern() string {
	segments := strings.Split(pg.Path, "/")
	for i, segment := range segments {
		if name, found := strings.CutPrefix(segment, ":"); found {
			segments[i] = "{" + name + "}"
		}
	}
	switch pattern := strings.Join(segments, "/"); pattern {
	case "/":
		return "/{$}"
	case "*":
		return "/"
	default:
		return pattern
	}
}
