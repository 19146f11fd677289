package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/identity"
)

// pages answers the first request of a browser: HTML with the page's title and
// social tags, and, as data in it, who is signed in and what the page shows, so
// that nothing has to be fetched before it shows.
type pages struct {
	Config
	plain  *shell            // any page; the browser draws it
	drawn  map[string]*shell // by audience and name; drawn at build, filled in here
	pieces *pieces
}

// boot is the data in the first HTML. Its form is the front end's.
type boot struct {
	Brand string `json:"brand"`
	// PublicURL is where pop-ups and passkeys work.
	PublicURL string     `json:"publicURL"`
	Session   *api.User  `json:"session"`
	Demo      []DemoUser `json:"demo"`
	// Providers are the OpenID providers, in the order of their buttons.
	Providers []identity.NamedProvider `json:"providers"`
	// Passkeys is whether the public address can have any.
	Passkeys bool            `json:"passkeys"`
	Site     json.RawMessage `json:"site"`
	Data     *bootData       `json:"data"`
	// Live is a place among the events that is not later than Data.
	Live     string `json:"live,omitempty"`
	NotFound bool   `json:"notFound"`
	// Today is the day in UTC that near due dates were drawn for.
	Today string `json:"today"`
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
	p := &pages{Config: c, drawn: map[string]*shell{}}
	var err error
	if p.plain, err = readShell(c.Web, "index.html", texts); err != nil {
		return nil, err
	}
	files, err := fs.Glob(c.Web, "prerendered/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if p.drawn[name], err = readShell(c.Web, file, texts); err != nil {
			return nil, err
		}
	}
	p.pieces, err = readPieces(c.Web, texts)
	return p, err
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
	b := boot{Brand: p.Brand, PublicURL: p.PublicURL.String(), Demo: p.DemoUsers, Providers: p.Identity.ConfiguredProviders(), Passkeys: p.Identity.PasskeysAvailable(), Site: p.Site.JSON}
	grant, signedIn, err := p.Identity.Renew(r.Context(), p.Cookie.Secret(r))
	if err != nil {
		// The app starts without the database, says so, and asks again by itself.
		slog.Log(r.Context(), api.WarnLevel(r.Context()), "page without session", "error", err)
	}
	if signedIn {
		user := api.UserOf(grant)
		b.Session = &user
	}
	b.Live = p.place(r.Context())
	m := p.describe(r, &b)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	b.Today = today.Format(time.DateOnly)
	form := p.formOf(r.URL.Path, &b)
	data, err := json.Marshal(b)
	if err != nil {
		slog.ErrorContext(r.Context(), "page data", "error", err)
		plain(w, http.StatusInternalServerError, "Something went wrong on our side. Please try again.\n")
		return
	}
	v := &view{head: m.html(p.Brand), boot: bootTag(data), user: b.Session, today: today, pieces: p.pieces}
	if b.Data != nil {
		v.list, v.assignment = b.Data.List, b.Data.Assignment
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
	_, _ = w.Write(form.render(v)) // the client is gone: there is nobody to tell
}

func bootTag(data []byte) string {
	return `<script type="application/json" id="boot">` + string(data) + `</script>`
}

// formOf is the HTML that shows what b holds, or the plain shell where the
// browser has to draw the page: it was not drawn at build, or lacks its data.
func (p *pages) formOf(at string, b *boot) *shell {
	audience := "visitor."
	if b.Session != nil {
		audience = "user."
	}
	if form := p.drawn[audience+nameOf(at, b)]; form != nil {
		return form
	}
	return p.plain
}

// nameOf is what web/src/app/first-html.tsx calls the page.
func nameOf(at string, b *boot) string {
	switch {
	case b.NotFound:
		return "not-found"
	case at == "/":
		return "home"
	case at == "/about-Us":
		return "about-us"
	case at == "/assignments":
		return listName(b)
	case b.Data != nil && b.Data.Assignment != nil:
		if b.Session != nil && b.Session.Email == b.Data.Assignment.CreatorEmail {
			return "assignment-own"
		}
		return "assignment"
	case strings.HasPrefix(at, "/assignment/update/"):
		return "update-assignment"
	case strings.HasPrefix(at, "/auth/"):
		return strings.TrimPrefix(at, "/auth/")
	}
	return strings.TrimPrefix(at, "/")
}

func listName(b *boot) string {
	if b.Data == nil {
		return ""
	}
	l := b.Data.List
	switch {
	case len(l.Answer.Data) > 0:
		return "assignments"
	case l.Answer.Pagination.TotalPages > 0:
		return "" // past the end: the app leads on to the last page
	case l.Search != "" || l.Level != "" || l.Page > 1:
		return "assignments-none"
	}
	return "assignments-empty"
}

// place is "" where the store takes its time: the app then asks for everything
// anew as soon as it listens.
func (p *pages) place(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	place, err := p.Place(ctx)
	if err != nil {
		return ""
	}
	return place
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

// maxPage is the greatest number to which a browser counts exactly.
const maxPage = 1<<53 - 1

// list adds the page of assignments that the address asks for. Where that
// fails, or the address is not right, the app asks the API and shows its answer.
func (p *pages) list(r *http.Request, b *boot) {
	q, problem := api.ListQuery(r.URL.RawQuery)
	if problem != nil || q.Page.Number > maxPage {
		return
	}
	q.Page.Limit = studycircle.DefaultLimit // pages have no other
	found, total, err := p.Service.ListAssignments(r.Context(), q)
	if err != nil {
		slog.Log(r.Context(), api.WarnLevel(r.Context()), "page without data", "error", err)
		return
	}
	b.Data = &bootData{List: &bootList{
		Page: q.Page.Number, Limit: q.Page.Limit, Level: string(q.Level), Search: q.Search,
		Answer: api.AssignmentListOf(found, total, q.Page),
	}}
}

func (p *pages) assignment(r *http.Request, id string, b *boot, m *meta) {
	a, err := p.Service.Assignment(r.Context(), id)
	switch studycircle.CodeOf(err) {
	case "":
	case studycircle.CodeNotFound:
		b.NotFound = true
		return
	default:
		slog.Log(r.Context(), api.WarnLevel(r.Context()), "page without data", "error", err)
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
