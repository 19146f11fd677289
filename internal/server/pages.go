package server

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/service"
)

// pages answers the first request of a browser: HTML with the page's title and
// social tags, and, as data in it, who is signed in and what the page shows, so
// that nothing has to be fetched before it shows.
type pages struct {
	Config
	plain       *shell            // any page; the browser draws it
	prerendered map[string]*shell // by path; drawn at build for visitors
}

// boot is the data in the first HTML. Its form is the front end's.
type boot struct {
	Brand     string          `json:"brand"`
	Session   *api.User       `json:"session"`
	Demo      []DemoUser      `json:"demo"`
	Providers []provider      `json:"providers"`
	Site      json.RawMessage `json:"site"`
	Data      *bootData       `json:"data"`
	NotFound  bool            `json:"notFound"`
}

type provider struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

type bootData struct {
	List       *bootList       `json:"list,omitempty"`
	Assignment *api.Assignment `json:"assignment,omitempty"`
}

type bootList struct {
	Page   int64              `json:"page"`
	Limit  int64              `json:"limit"`
	Level  string             `json:"level"`
	Search string             `json:"search"`
	Answer api.AssignmentList `json:"answer"`
}

func newPages(c Config) (*pages, error) {
	texts := map[string]string{"brand": c.Brand}
	for name, text := range c.Site.Texts {
		texts["site."+name] = text
	}
	p := &pages{Config: c, prerendered: map[string]*shell{}}
	var err error
	if p.plain, err = readShell(c.Web, "index.html", texts); err != nil {
		return nil, err
	}
	for at, name := range map[string]string{
		"/": "home", "/about-Us": "about-us", "/auth/login": "login", "/auth/register": "register",
	} {
		if p.prerendered[at], err = readShell(c.Web, "prerendered/"+name+".html", texts); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// redirects are other spellings that people try.
var redirects = map[string]string{
	"/attempted-assignments": "/attemded-assignments",
	"/about-us":              "/about-Us",
	"/auth":                  "/auth/login",
	"/favicon.ico":           "/favicon.svg",
}

// with puts the API, the files and the pages behind one handler.
func (p *pages) with(apiHandler http.Handler, files assets) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := r.URL.Path
		if strings.HasPrefix(at, "/api/") {
			apiHandler.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			plain(w, http.StatusMethodNotAllowed, "This address can only be read.\n")
			return
		}
		if file := files[at]; file != nil {
			file.ServeHTTP(w, r)
			return
		}
		to := redirects[at]
		if to == "" && len(at) > 1 && strings.HasSuffix(at, "/") {
			to = (&url.URL{Path: "/" + strings.Trim(at, "/")}).EscapedPath() // a backslash would lead elsewhere
		}
		if to != "" {
			if r.URL.RawQuery != "" {
				to += "?" + r.URL.RawQuery
			}
			http.Redirect(w, r, to, http.StatusPermanentRedirect) //nolint:gosec // to is an escaped path of this server
			return
		}
		if path.Ext(at) != "" && !strings.HasPrefix(at, "/assignment/") {
			plain(w, http.StatusNotFound, "There is no such file.\n")
			return
		}
		p.page(w, r)
	})
}

// private are pages of signed-in users. The server answers them to anybody: the
// browser leads visitors to the login, and data comes through the API alone.
var private = map[string]string{
	"/create-assignment":    "Create Assignment",
	"/attemded-assignments": "My Submitted Assignments",
	"/pending-assignments":  "Pending Assignments",
	"/profile":              "Profile",
	"/auth/forgot":          "Forgot password",
	"/auth/reset":           "New password",
	"/auth/verify":          "Confirm your e-mail address",
}

func (p *pages) page(w http.ResponseWriter, r *http.Request) {
	b := boot{Brand: p.Brand, Demo: p.DemoUsers, Providers: []provider{}, Site: p.Site.JSON}
	grant, signedIn, err := p.Identity.Renew(r.Context(), p.Cookie.Secret(r))
	if err != nil {
		// The app starts without the database, says so, and asks again by itself.
		slog.WarnContext(r.Context(), "page without session", "error", err)
	}
	if signedIn {
		user := api.UserOf(grant)
		b.Session = &user
	}
	m := p.describe(r, &b)
	form := p.plain
	if drawn := p.prerendered[r.URL.Path]; drawn != nil && !signedIn {
		form = drawn
	}
	data, err := json.Marshal(b)
	if err != nil {
		slog.ErrorContext(r.Context(), "page data", "error", err)
		plain(w, http.StatusInternalServerError, "Something went wrong on our side. Please try again.\n")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", form.policy())
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Cache-Control", "no-store")
	if b.NotFound {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write(form.render(m.html(p.Brand), data)) // the client is gone: there is nobody to tell
}

// describe fills in what the page shows and returns what it says of itself.
func (p *pages) describe(r *http.Request, b *boot) meta {
	at := r.URL.Path
	m := meta{
		kind: "website", url: p.absolute(at), image: p.absolute("/art/social.png"),
		description: "Create assignments, collaborate with friends, and grade each other's work in a fun and interactive way.",
	}
	switch {
	case at == "/":
		m.title = "home"
	case at == "/assignments":
		m.title = "Assignments"
		p.list(r, b)
	case at == "/about-Us":
		m.title = "About Us | " + p.Brand
	case at == "/auth/login":
		m.title = "Login | " + p.Brand
	case at == "/auth/register":
		m.title = "Register | " + p.Brand
	case private[at] != "":
		m.title = private[at] + " | " + p.Brand
	case strings.HasPrefix(at, "/assignment/update/") && isSegment(strings.TrimPrefix(at, "/assignment/update/")):
		m.title = "Update Assignment | " + p.Brand
	case strings.HasPrefix(at, "/assignment/") && isSegment(strings.TrimPrefix(at, "/assignment/")):
		p.assignment(r, strings.TrimPrefix(at, "/assignment/"), b, &m)
	default:
		b.NotFound = true
	}
	if b.NotFound {
		m.title, m.noIndex = "Error !Page not found", true
	}
	return m
}

func isSegment(s string) bool { return s != "" && !strings.Contains(s, "/") }

func (p *pages) absolute(at string) string { return p.PublicURL.JoinPath(at).String() }

// list adds the page of assignments that the address asks for. Where that
// fails, or the address is not right, the app asks the API and shows its answer.
func (p *pages) list(r *http.Request, b *boot) {
	q, ok := listQuery(r.URL.Query())
	if !ok {
		return
	}
	found, total, err := p.Service.ListAssignments(r.Context(), q)
	if err != nil {
		slog.WarnContext(r.Context(), "page without data", "error", err)
		return
	}
	b.Data = &bootData{List: &bootList{
		Page: q.Page.Number, Limit: q.Page.Limit, Level: string(q.Level), Search: q.Search,
		Answer: api.AssignmentListOf(found, total, q.Page),
	}}
}

func listQuery(v url.Values) (service.AssignmentQuery, bool) {
	q := service.AssignmentQuery{
		Page:  studycircle.Page{Number: 1, Limit: studycircle.DefaultLimit},
		Level: studycircle.Level(v.Get("level")), Search: strings.TrimSpace(v.Get("search")),
	}
	if n := v.Get("page"); n != "" {
		var err error
		if q.Page.Number, err = strconv.ParseInt(n, 10, 64); err != nil || q.Page.Number < 1 {
			return q, false
		}
	}
	return q, (q.Level == "" || q.Level.Valid()) && service.ValidSearch(q.Search)
}

func (p *pages) assignment(r *http.Request, id string, b *boot, m *meta) {
	a, err := p.Service.Assignment(r.Context(), id)
	switch studycircle.CodeOf(err) {
	case "":
	case studycircle.CodeNotFound:
		b.NotFound = true
		return
	default:
		slog.WarnContext(r.Context(), "page without data", "error", err)
		m.title = "Assignment Details"
		return
	}
	view := api.AssignmentOf(a)
	b.Data = &bootData{Assignment: &view}
	m.title = a.Title + " | Assignment Details"
	m.kind, m.image = "article", a.Thumbnail
	m.description = excerpt(a.Description, 160)
}

// excerpt is the first n code points of text on one line.
func excerpt(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return strings.TrimSpace(string(runes[:n-1])) + "…"
}
