package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/encode"
	"studycircle/internal/identity"
	"studycircle/internal/site"
)

// pages answers a browser's first request: HTML with the page's title and social tags, and with the user and the
// page's data, so that the page shows without further requests.
type pages struct {
	Config
	plain    *pageTemplate // the shell of any page, which the browser renders
	book     *book
	notFound *page
	routes   *http.ServeMux
}

// The audiences for which the build draws pages.
const (
	visitor = "visitor"
	user    = "user"
)

// view is the data of a template.
type view struct {
	Brand string
	Site  site.Content
	User  *api.User // nil for a visitor
	// Access is what the operator allows.
	Access access
	pageData

	Head    head
	Boot    boot
	viewer  studycircle.User
	address *url.URL
}

// PageLink returns the address of the list's page that many pages on.
func (v *view) PageLink(on int64) string {
	values := v.address.Query()
	values.Set("page", strconv.FormatInt(v.List.Pagination.Page+on, 10))
	return v.address.Path + "?" + values.Encode()
}

// Owns reports whether the user created the assignment; its page then has tabs below the title.
func (v *view) Owns() bool {
	return v.User != nil && v.Assignment.CreatorEmail != nil && *v.Assignment.CreatorEmail == v.User.Email
}

// access says who may register, and what the hall is for.
type access struct {
	Registration studycircle.RegistrationMode `json:"registration"`
	Hall         studycircle.HallMode         `json:"hall"`
}

// boot is the data for the script. The web app defines its form.
type boot struct {
	Brand string `json:"brand"`
	// Access is the view's.
	Access access `json:"access"`
	// Documentation reports whether the server has it, at bookRoot.
	Documentation bool `json:"documentation"`
	// PublicURL is the address on which pop-ups and passkeys work.
	PublicURL string `json:"publicURL"`
	// Session is null for a visitor. It is absent if the session could not be read; the
	// app then asks again.
	Session **api.User `json:"session,omitzero"`
	Demo    []DemoUser `json:"demo,omitempty"`
	// Providers are the OpenID providers, in the order of their buttons.
	Providers []identity.NamedProvider `json:"providers"`
	// Passkeys reports whether the public address allows passkeys.
	Passkeys bool            `json:"passkeys"`
	Site     json.RawMessage `json:"site"`
	Data     pageData        `json:"data"`
	// Live is an event cursor that is not later than Data.
	Live     string `json:"live,omitempty"`
	NotFound bool   `json:"notFound"`
}

// Script returns the data for the page's script.
func (v *view) Script() (template.JS, error) { return encode.Script(&v.Boot) }

func newPages(c Config) (*pages, error) {
	p := &pages{Config: c, routes: http.NewServeMux()}
	all, err := readManifest(c.Web, c.Brand)
	if err != nil {
		return nil, err
	}
	if p.book, err = newBook(c.Book, c.Brand); err != nil {
		return nil, err
	}
	p.routes.Handle(bookRoot, p.book)
	p.routes.Handle(bookRoot+"/{page...}", p.book)
	if p.plain, err = readTemplate(c.Web, ".pages/shell.html"); err != nil {
		return nil, err
	}
	paths := map[string]bool{}
	for _, pg := range all {
		if paths[pg.Path] {
			return nil, fmt.Errorf("the web app has the path %s twice", pg.Path)
		}
		paths[pg.Path] = true
		switch {
		case pg.RedirectTo != "":
			p.routes.HandleFunc(pg.pattern(), func(w http.ResponseWriter, r *http.Request) { leadOn(w, r, pg.RedirectTo) })
		case pg.Path == "*":
			p.notFound = pg
			p.routes.HandleFunc("/", p.missing)
		default:
			p.routes.HandleFunc(pg.pattern(), func(w http.ResponseWriter, r *http.Request) { p.answer(w, r, pg) })
		}
	}
	if p.notFound == nil {
		return nil, errors.New("the web app lacks the page for all other paths")
	}
	return p, nil
}

// with returns a handler for the API, the files and the pages.
func (p *pages) with(apiHandler http.Handler, files assets) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if forAPI(r) {
			apiHandler.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			plain(w, http.StatusMethodNotAllowed, "This address can only be read.\n")
			return
		}
		at := r.URL.Path
		if file := files[at]; file != nil {
			file.ServeHTTP(w, r)
			return
		}
		if at == "/favicon.ico" {
			leadOn(w, r, "/favicon.svg")
			return
		}
		if len(at) > 1 && strings.HasSuffix(at, "/") {
			// a backslash could redirect to another host
			leadOn(w, r, (&url.URL{Path: "/" + strings.Trim(at, "/")}).EscapedPath())
			return
		}
		p.routes.ServeHTTP(w, r)
	})
}

// leadOn redirects to another spelling of an address, an escaped path of this server.
func leadOn(w http.ResponseWriter, r *http.Request, to string) {
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	http.Redirect(w, r, to, http.StatusPermanentRedirect) //nolint:gosec // to is an escaped path of this server
}

// missing answers an unknown address.
func (p *pages) missing(w http.ResponseWriter, r *http.Request) {
	if path.Ext(r.URL.Path) != "" {
		plain(w, http.StatusNotFound, "There is no such file.\n")
		return
	}
	p.answer(w, r, p.notFound)
}

// buffers hold pages until they are complete, because a page or an error is sent as a whole.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// answer sends a page for its viewer. Visitors get a page for users without data: the browser redirects them to the
// login.
func (p *pages) answer(w http.ResponseWriter, r *http.Request, pg *page) {
	v := p.newView(r)
	audience := p.audienceOf(r, v)
	v.Boot.Live = p.liveCursor(r.Context())
	if !pg.existsFor(audience, v.User) {
		pg = p.notFound
	}
	t := p.plain
	switch {
	case v.Access.Hall == studycircle.HallOff && !pg.withoutHallFor(audience): // the browser leads on
	case pg.Audience != "users" || audience == user:
		err := p.load(r, v, pg)
		switch {
		case studycircle.CodeOf(err) == studycircle.CodeNotFound:
			pg = p.notFound
		case err != nil:
			slog.Log(r.Context(), api.WarnLevel(r.Context()), "page without data", "error", err)
		}
		t = p.templateFor(r.Context(), pg, audience)
	}
	v.Boot.Data, v.Boot.NotFound = v.pageData, pg == p.notFound
	v.Head.Title, v.Head.NoIndex = pg.title.of(v), pg == p.notFound
	b, _ := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := t.Execute(b, v); err != nil {
		slog.ErrorContext(r.Context(), "page", "path", r.URL.Path, "error", err)
		plain(w, http.StatusInternalServerError, "Something went wrong on our side. Please try again.\n")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", t.policy)
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Cache-Control", "no-store")
	if pg == p.notFound {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write(b.Bytes()) // an error means that the client has gone
}

func (p *pages) newView(r *http.Request) *view {
	allowed := access{p.Identity.Registration, p.Service.Hall}
	return &view{
		Brand: p.Brand, Site: p.Site.Content, Access: allowed, address: r.URL,
		Head: head{
			Kind: "website", URL: p.absolute(r.URL.Path), Image: p.absolute("/art/social.png"),
			Description: "Create assignments, collaborate with friends, and grade each other's work in a fun and interactive " +
				"way.",
		},
		Boot: boot{
			Brand: p.Brand, Access: allowed, Documentation: p.book.built(), PublicURL: p.PublicURL.String(),
			Demo: p.DemoUsers, Site: p.Site.JSON, Providers: p.Identity.ConfiguredProviders(),
			Passkeys: p.Identity.PasskeysAvailable(),
		},
	}
}

func (p *pages) absolute(at string) string { return p.PublicURL.JoinPath(at).String() }

// audienceOf returns the audience of r's cookie; "" if the session could not be read. The app then reads it again.
func (p *pages) audienceOf(r *http.Request, v *view) string {
	grant, signedIn, err := p.Identity.Renew(r.Context(), p.Cookie.Secret(r))
	if err != nil {
		slog.Log(r.Context(), api.WarnLevel(r.Context()), "page without session", "error", err)
		return ""
	}
	v.Boot.Session = &v.User
	if !signedIn {
		return visitor
	}
	somebody := api.UserOf(grant, p.Service)
	v.User, v.viewer = &somebody, grant.User
	return user
}

// liveCursor returns an event cursor, or "" if the store is slow: the app then fetches everything again as soon as it
// listens.
func (p *pages) liveCursor(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	cursor, err := p.Cursor(ctx)
	if err != nil {
		return ""
	}
	return cursor
}

// load adds the page's data to v.
func (p *pages) load(r *http.Request, v *view, pg *page) error {
	for _, name := range pg.Data {
		if err := loaders[name](p, r, v); err != nil {
			return err
		}
	}
	return nil
}

// templateFor returns the page as drawn for the audience; the plain shell if the build drew none.
func (p *pages) templateFor(ctx context.Context, pg *page, audience string) *pageTemplate {
	drawn := pg.drawn[audience]
	if drawn == nil {
		return p.plain
	}
	t, err := drawn()
	if err != nil {
		slog.ErrorContext(ctx, "a page is drawn by the browser alone", "error", err)
		return p.plain
	}
	return t
}
