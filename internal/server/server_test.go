package server_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/identity"
	"studycircle/internal/server"
	"studycircle/internal/site"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
	"studycircle/internal/webtest"
)

// built is a small web app in the form of a build.
func built() fstest.MapFS {
	web := webtest.Built(
		webtest.Page{Name: "home", Path: "/", Title: "home", Audience: "all"},
		webtest.Page{Name: "list", Path: "/assignments", Title: "Assignments", Audience: "all", Data: []string{"list"}},
		webtest.Page{Name: "about", Path: "/about-Us", Title: "About Us | {brand}", Audience: "all"},
		webtest.Page{Name: "about-spelled", Path: "/about-us", RedirectTo: "/about-Us"},
		webtest.Page{Name: "assignment", Path: "/assignment/:id", Title: "{assignment.title} | Assignment Details", Audience: "all", Data: []string{"assignment"}},
		webtest.Page{Name: "update", Path: "/assignment/update/:id", Title: "Update Assignment | {brand}", Audience: "users", Data: []string{"assignment"}},
		webtest.Page{Name: "create", Path: "/create-assignment", Title: "Create Assignment | {brand}", Audience: "users"},
		webtest.Page{Name: "pending", Path: "/pending-assignments", Title: "Pending Assignments | {brand}", Audience: "users", Data: []string{"pending"}},
		webtest.Page{Name: "mine", Path: "/attemded-assignments", Title: "My Submitted Assignments | {brand}", Audience: "users", Data: []string{"mine"}},
		webtest.Page{Name: "dashboard", Path: "/dashboard", Title: "Dashboard | {brand}", Audience: "users", Data: []string{"dashboard"}},
		webtest.Page{Name: "circle", Path: "/circle/:id", Title: "{circle.name} | Circle | {brand}", Audience: "users", Data: []string{"circle"}},
		webtest.Page{Name: "mine-spelled", Path: "/attempted-assignments", RedirectTo: "/attemded-assignments"},
		webtest.Page{Name: "login", Path: "/auth/login", Title: "Login | {brand}", Audience: "visitors"},
		webtest.Page{Name: "auth", Path: "/auth", RedirectTo: "/auth/login"},
		webtest.Page{Name: "forgot", Path: "/auth/forgot", Title: "Forgot password | {brand}", Audience: "all"},
		webtest.NotFound,
	)
	for name, body := range map[string]string{
		"assets/app.js": "plain", "assets/app.js.br": "as br", "assets/app.js.zst": "as zstd", "assets/app.js.gz": "as gzip",
		"art/logo.svg": "<svg/>", ".vite/manifest.json": "{}", "assets/text-abc.woff2": "font", "site.webmanifest": "{}", "assets/nothing-special.bin": "?",
	} {
		web[name] = &fstest.MapFile{Data: []byte(body)}
	}
	const brand = `{{.Brand}} {{.Site.Developer.Name}}`
	for name, body := range map[string]string{
		"home": "", "about": "", "not-found": "",
		"list":       `{{with $.List}}{{template "List" $}}{{end}}`,
		"assignment": `{{with $.Assignment}}{{template "Assignment" $}}{{end}}`,
	} {
		web[".pages/visitor."+name+".html"] = webtest.HTML(body + "drawn " + name + " " + brand)
		web[".pages/user."+name+".html"] = webtest.HTML(body + "drawn " + name + " for a user " + brand)
	}
	web[".pages/visitor.login.html"] = webtest.HTML("drawn login " + brand)
	for _, name := range []string{"create", "pending", "mine", "dashboard", "circle", "update"} {
		web[".pages/user."+name+".html"] = webtest.HTML("drawn " + name + " for a user " + brand)
	}
	return web
}

type node struct {
	*app.App
	url  string
	site site.Settings
}

func start(t *testing.T, change func(*app.Config)) *node {
	t.Helper()
	settings, err := site.Load("")
	require.NoError(t, err)
	c := app.Config{
		Database: store.Config{Dir: teststore.Dir(t)}, Brand: "Study & Circle", Version: "test", Site: settings, Web: built(),
		PublicURL: &url.URL{Scheme: "http", Host: "study.example.org", Path: "/"},
	}
	if change != nil {
		change(&c)
	}
	a, err := app.New(t.Context(), c)
	require.NoError(t, err)
	listener := httptest.NewServer(a.Handler)
	t.Cleanup(func() {
		listener.Close()
		require.NoError(t, a.Close())
	})
	return &node{a, listener.URL, settings}
}

type answer struct {
	*http.Response
	text string
}

func (n *node) ask(t *testing.T, method, path string, header http.Header) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, n.url+path, nil)
	require.NoError(t, err)
	maps.Copy(r.Header, header)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	require.NoError(t, err)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"), path)
	return answer{response, string(text)}
}

func (n *node) get(t *testing.T, path string) answer {
	t.Helper()
	return n.ask(t, http.MethodGet, path, nil)
}

// boot reads the data in a page.
func (a answer) boot(t *testing.T) map[string]any {
	t.Helper()
	_, rest, found := strings.Cut(a.text, `<script type="application/json" id="boot">`)
	require.True(t, found, a.text)
	text, _, _ := strings.Cut(rest, "</script>")
	var data map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &data), text)
	return data
}

// publish registers a user and creates an assignment; it returns both.
func (n *node) publish(t *testing.T, title string) (id, cookie string) {
	t.Helper()
	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: "Ada </script>", Email: "ada@example.org", PhotoURL: "https://example.org/a.png", Password: "Secret1",
	}, "", identity.Visit{})
	require.NoError(t, err)
	id, err = n.Service.CreateAssignment(t.Context(), g.User, studycircle.Hall, studycircle.AssignmentInput{
		Title: title, Description: "First line.\n\nSecond \"line\" " + strings.Repeat("and so on ", 30), Thumbnail: "https://example.org/t.png?a=1&b=2",
		Marks: 10, DueDate: "2199-01-01",
	})
	require.NoError(t, err)
	return id, "session=" + g.Secret
}

func TestPagesHaveTheirTitles(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, _ := n.publish(t, `Angles </title><script>alert("x")</script> & "more"`)
	for path, want := range map[string]struct {
		status      int
		title, body string
	}{
		"/":                              {200, "home", "drawn home"},
		"/assignments":                   {200, "Assignments", "drawn list"},
		"/assignments?page=7&level=hard": {200, "Assignments", "drawn list"},
		"/assignments?page=zero":         {200, "Assignments", "drawn list"},
		"/about-Us":                      {200, "About Us | Study &amp; Circle", "drawn about"},
		"/auth/login":                    {200, "Login | Study &amp; Circle", "drawn login"},
		"/auth/forgot":                   {200, "Forgot password | Study &amp; Circle", "shell"},
		"/create-assignment":             {200, "Create Assignment | Study &amp; Circle", "shell"},
		"/pending-assignments":           {200, "Pending Assignments | Study &amp; Circle", "shell"},
		"/attemded-assignments":          {200, "My Submitted Assignments | Study &amp; Circle", "shell"},
		"/assignment/update/" + id:       {200, "Update Assignment | Study &amp; Circle", "shell"},
		"/assignment/" + id:              {200, "Angles &lt;/title&gt;&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; &amp; &#34;more&#34; | Assignment Details", "drawn assignment"},
		"/assignment/none":               {404, "Error !Page not found", "drawn not-found"},
		"/assignment/a.b":                {404, "Error !Page not found", "drawn not-found"},
		"/nowhere":                       {404, "Error !Page not found", "drawn not-found"},
		"/nowhere/at/all":                {404, "Error !Page not found", "drawn not-found"},
	} {
		got := n.get(t, path)
		require.Equal(t, want.status, got.StatusCode, path)
		require.Contains(t, got.text, "<title>"+want.title+"</title>", path)
		require.Contains(t, got.text, want.body, path)
		if want.body != "shell" {
			require.Contains(t, got.text, want.body+" Study &amp; Circle "+n.site.Developer.Name, path)
		}
		require.Equal(t, want.status == 404, got.boot(t)["notFound"], path)
		require.Equal(t, "no-store", got.Header.Get("Cache-Control"), path)
		policy := got.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'self'; script-src 'self' 'sha256-", path)
		require.Contains(t, policy, "frame-ancestors 'none'", path)
		require.Contains(t, policy, "; frame-src https://docs.google.com https://drive.google.com; ", path)
	}
}

// Direction characters in a title do not affect the words after it.
func TestDirectionCharactersInTitlesAreRemoved(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, _ := n.publish(t, "Ang\u202eles \u2067and\u2069 \u202amore \u2069\u202d")
	got := n.get(t, "/assignment/"+id).text
	require.Contains(t, got, "<title>Angles and more  | Assignment Details</title>")
	require.Contains(t, got, `<meta property="og:title" content="Angles and more  | Assignment Details">`)
	head, _, _ := strings.Cut(got, "<link")
	for r := range strings.SplitSeq("\u202a \u202b \u202c \u202d \u202e \u2066 \u2067 \u2068 \u2069", " ") {
		require.NotContains(t, head, r)
	}
}

func TestFirstHTMLCarriesTheData(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, cookie := n.publish(t, "Angles </script>")
	got := n.get(t, "/assignment/"+id)
	require.Equal(t, "Angles </script>", got.boot(t)["data"].(map[string]any)["assignment"].(map[string]any)["title"])
	require.Nil(t, got.boot(t)["session"])
	require.Contains(t, got.text, `<meta property="og:image" content="https://example.org/t.png?a=1&amp;b=2">`)
	require.Contains(t, got.text, `<meta name="description" content="First line. Second &#34;line&#34; and so on `)
	require.Contains(t, got.text, `<link rel="canonical" href="http://study.example.org/assignment/`+id+`">`)
	require.Contains(t, n.get(t, "/assignments?page=2&search=angles").text, `<link rel="canonical" href="http://study.example.org/assignments?page=2">`)
	require.Contains(t, n.get(t, "/assignments?page=1").text, `<link rel="canonical" href="http://study.example.org/assignments">`)

	list := n.get(t, "/assignments?search=%20angles&level=easy").boot(t)["data"].(map[string]any)["list"].(map[string]any)
	require.Len(t, list["data"], 1)
	short := n.get(t, "/assignments?limit=1&utm=100%").boot(t)["data"].(map[string]any)["list"].(map[string]any)
	require.InDelta(t, 10, short["pagination"].(map[string]any)["limit"], 0, "pages have one length")
	for _, query := range []string{"level=none", "search=100%", "search=tides;level=easy", "search=%zz", "page=9007199254740993"} {
		require.Empty(t, n.get(t, "/assignments?"+query).boot(t)["data"], query)
	}

	home := n.ask(t, http.MethodGet, "/", http.Header{"Cookie": {cookie}})
	require.Contains(t, home.text, "drawn home for a user")
	session := home.boot(t)["session"].(map[string]any)
	require.Equal(t, "Ada </script>", session["displayName"])
	_, err := n.Identity.Authenticate(t.Context(), session["accessToken"].(string))
	require.NoError(t, err)
	require.Nil(t, n.ask(t, http.MethodGet, "/", http.Header{"Cookie": {"session=made-up"}}).boot(t)["session"])
}

// The API tells where an assignment of a circle is: first HTML would show it as one of the hall.
func TestFirstHTMLHasNoAssignmentsOfCircles(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	_, cookie := n.publish(t, "Angles")
	header := http.Header{"Cookie": {cookie}}
	g, _, err := n.Identity.Renew(t.Context(), strings.TrimPrefix(cookie, "session="))
	require.NoError(t, err)
	in := studycircle.NewCircle
	in.Name = "Readers"
	circle, err := n.Service.CreateCircle(t.Context(), g.User, in)
	require.NoError(t, err)
	id, err := n.Service.CreateAssignment(t.Context(), g.User, circle, studycircle.AssignmentInput{
		Title: "Tides", Description: "Text.", Thumbnail: "https://example.org/t.png", Marks: 10, DueDate: "2199-01-01",
	})
	require.NoError(t, err)
	page := n.ask(t, http.MethodGet, "/assignment/"+id, header)
	require.Equal(t, http.StatusOK, page.StatusCode)
	require.NotContains(t, page.boot(t)["data"], "assignment")
	require.Equal(t, http.StatusNotFound, n.get(t, "/assignment/"+id).StatusCode)
}

func TestOtherSpellingsLeadOn(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	for path, want := range map[string]string{
		"/attempted-assignments":  "/attemded-assignments",
		"/about-us?x=1":           "/about-Us?x=1",
		"/auth":                   "/auth/login",
		"/assignments/?page=2":    "/assignments?page=2",
		"/%5Cevil.example/":       "/%5Cevil.example",
		"/assignment/with%20sp/":  "/assignment/with%20sp",
		"//evil.example/x/":       "/evil.example/x/",
		"/https:%2F%2Fevil.org/":  "/https:/evil.org",
		"/assignments/..//./auth": "/auth",
	} {
		got := n.get(t, path)
		require.Contains(t, []int{301, 307, 308}, got.StatusCode, path)
		require.Equal(t, want, got.Header.Get("Location"), path)
	}
}

func TestFilesComeAsBuilt(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	for accept, want := range map[string]string{
		"gzip, deflate, br, zstd": "as br", "gzip, zstd": "as zstd", "gzip": "as gzip", "br;q=0, gzip": "as gzip", "br;q=0.0, zstd; Q=0.000 , gzip;q=0.001": "as gzip",
		"*": "as br", "*;q=0, gzip": "as gzip", "br;q=2, gzip": "as gzip", "br;q=, gzip": "as gzip", "identity": "plain", "": "plain",
	} {
		got := n.ask(t, http.MethodGet, "/assets/app.js", http.Header{"Accept-Encoding": {accept}})
		require.Equal(t, want, got.text, accept)
		require.Equal(t, "text/javascript; charset=utf-8", got.Header.Get("Content-Type"))
		require.Equal(t, "public, max-age=31536000, immutable", got.Header.Get("Cache-Control"))
		require.Contains(t, strings.Join(got.Header.Values("Vary"), ", "), "Accept-Encoding")
	}
	require.Equal(t, "image/svg+xml", n.get(t, "/art/logo.svg").Header.Get("Content-Type"))
	require.Equal(t, "font/woff2", n.get(t, "/assets/text-abc.woff2").Header.Get("Content-Type"))
	head := n.ask(t, http.MethodHead, "/assets/app.js", http.Header{"Accept-Encoding": {"br"}})
	require.Equal(t, "5", head.Header.Get("Content-Length"))
	for _, path := range []string{
		"/assets/gone.js", "/llms.txt", "/index.html", "/prerendered/home.html", "/assets/app.js.br", "/.vite/manifest.json", "/../server.go", "/assets/",
	} {
		got := n.get(t, path)
		if got.StatusCode == http.StatusPermanentRedirect || got.StatusCode == http.StatusTemporaryRedirect {
			got = n.get(t, got.Header.Get("Location"))
		}
		require.Equal(t, http.StatusNotFound, got.StatusCode, path)
	}
	post := n.ask(t, http.MethodPost, "/assignments", nil)
	require.Equal(t, http.StatusMethodNotAllowed, post.StatusCode)
	require.Equal(t, "GET, HEAD", post.Header.Get("Allow"))
}

func TestHealthFollowsTheDatabase(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	require.Equal(t, 200, n.get(t, "/livez").StatusCode)
	require.Equal(t, 200, n.get(t, "/readyz").StatusCode)
	require.NoError(t, n.Close())
	require.Equal(t, 200, n.get(t, "/livez").StatusCode)
	require.Equal(t, 503, n.get(t, "/readyz").StatusCode)
	require.Equal(t, 200, n.get(t, "/").StatusCode, "the app starts without the database")
}

// A node that is about to stop asks the balancer for no more requests and continues to serve.
func TestLeavingNodeServesOn(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	require.False(t, n.get(t, "/").Close)
	n.Leave()
	require.Equal(t, 503, n.get(t, "/readyz").StatusCode)
	require.Equal(t, 200, n.get(t, "/livez").StatusCode)
	got := n.get(t, "/")
	require.Equal(t, 200, got.StatusCode)
	require.True(t, got.Close, "the connection is not kept for another request")
}

func TestABrokenBuildIsRefused(t *testing.T) {
	t.Parallel()
	settings, err := site.Load("")
	require.NoError(t, err)
	for name, change := range map[string]func(fstest.MapFS){
		"make build":       func(web fstest.MapFS) { delete(web, ".pages/manifest.json") },
		"holds no web app": func(web fstest.MapFS) { delete(web, ".pages/shell.html") },
		"no place for":     func(web fstest.MapFS) { web[".pages/shell.html"] = &fstest.MapFile{Data: []byte("<html></html>")} },
		"there is no loader": func(web fstest.MapFS) {
			maps.Copy(web, webtest.Built(webtest.Page{Name: "x", Path: "/x", Audience: "all", Data: []string{"shoes"}}))
		},
		"unknown audience": func(web fstest.MapFS) {
			maps.Copy(web, webtest.Built(webtest.Page{Name: "x", Path: "/x", Audience: "cats"}))
		},
		"the title": func(web fstest.MapFS) {
			maps.Copy(web, webtest.Built(webtest.Page{Name: "x", Path: "/x", Audience: "all", Title: "{assignment.title}"}))
		},
		"lacks the page": func(web fstest.MapFS) { maps.Copy(web, webtest.Built()) },
		"twice": func(web fstest.MapFS) {
			maps.Copy(web, webtest.Built(webtest.NotFound, webtest.NotFound))
		},
	} {
		web := built()
		change(web)
		_, err := server.New(server.Config{Web: web, Site: settings, PublicURL: &url.URL{}})
		require.ErrorContains(t, err, name)
	}
}

func TestTLSIsKeptWhereItIsUsed(t *testing.T) {
	t.Parallel()
	require.Empty(t, start(t, nil).get(t, "/").Header.Get("Strict-Transport-Security"))
	n := start(t, func(c *app.Config) { c.PublicURL = &url.URL{Scheme: "https", Host: "study.example.org", Path: "/"} })
	require.Equal(t, "max-age=31536000", n.get(t, "/livez").Header.Get("Strict-Transport-Security"))
}

func TestDemoSignInsAreShownInDemoOnly(t *testing.T) {
	t.Parallel()
	require.Nil(t, start(t, nil).get(t, "/auth/login").boot(t)["demo"])
	n := start(t, func(c *app.Config) {
		c.DemoUsers = []server.DemoUser{{Email: "ada@studycircle.example", Password: "Circle1", DisplayName: "Ada"}}
	})
	require.Len(t, n.get(t, "/auth/login").boot(t)["demo"], 1)
}

// Every answer forbids content sniffing, also outside of pages.
func TestEveryAnswerForbidsSniffing(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := server.NewHTTP(start(t, nil).Handler, nil)
	served := make(chan error, 1)
	go func() { served <- s.Serve(listener) }()
	t.Cleanup(func() {
		require.NoError(t, s.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	for request, status := range map[string]int{
		"OPTIONS * HTTP/1.1": 204, "GET * HTTP/1.1": 400, "OPTIONS / HTTP/1.1": 405, "OPTIONS /api/assignments HTTP/1.1": 405, "BREW /livez HTTP/1.1": 405,
		"GET /nowhere.txt HTTP/1.0": 404, "GET //x HTTP/1.1": 307,
	} {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
		require.NoError(t, err)
		_, err = fmt.Fprintf(c, "%s\r\nHost: x\r\n\r\n", request)
		require.NoError(t, err)
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err, request)
		require.Equal(t, status, response.StatusCode, request)
		require.Equal(t, []string{"nosniff"}, response.Header.Values("X-Content-Type-Options"), request)
		require.NoError(t, response.Body.Close())
		require.NoError(t, c.Close())
	}
}
