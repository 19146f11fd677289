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
)

const html = `<!doctype html><html lang="en"><head><!--head:start--><title>x</title><!--head:end-->` +
	`<script>theme()</script></head><body><div id="root">%s @@brand@@ @@site.developer.name@@</div><!--boot--><script type="module" src="/assets/app.js"></script></body></html>`

// built is a small web app as the build leaves it.
func built() fstest.MapFS {
	page := func(what string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Replace(html, "%s", what, 1))}
	}
	web := fstest.MapFS{
		"index.html":                 page("shell"),
		".pieces.json":               {Data: []byte(pieces)},
		"assets/app.js":              {Data: []byte("plain")},
		"assets/app.js.br":           {Data: []byte("as br")},
		"assets/app.js.zst":          {Data: []byte("as zstd")},
		"assets/app.js.gz":           {Data: []byte("as gzip")},
		"art/logo.svg":               {Data: []byte("<svg/>")},
		".vite/manifest.json":        {Data: []byte("{}")},
		"assets/text-abc.woff2":      {Data: []byte("font")},
		"site.webmanifest":           {Data: []byte("{}")},
		"assets/nothing-special.bin": {Data: []byte("?")},
	}
	for name, what := range map[string]string{
		"home": "", "about-us": "", "not-found": "", "assignments-empty": "", "assignments-none": "[@@list.search@@]",
		"assignments": `<input value="@@list.search@@"><option value=""@@list.level.all@@><option value="easy"@@list.level.easy@@>@@list.cards@@`,
		"assignment":  `<h1>@@a.title@@</h1><img src="@@a.thumbnail@@"><p>@@a.description@@</p>@@a.level@@@@a.creatorName@@@@a.creatorEmail@@`,
	} {
		web["prerendered/visitor."+name+".html"] = page(what + "drawn " + name)
		web["prerendered/user."+name+".html"] = page(`<img alt="@@user.name@@" src="@@user.photo@@">` + what + "drawn " + name + " for a user")
	}
	for _, name := range []string{"visitor.login", "visitor.register", "user.create-assignment", "user.assignment-own"} {
		_, what, _ := strings.Cut(name, ".")
		web["prerendered/"+name+".html"] = page("drawn " + what)
	}
	return web
}

// pieces are what stands in pages, as small as they come.
const pieces = `{
	"cards": {
		"visitor": {"lead": "<b>@@a.title@@</b>", "eager": "<p>@@a.title@@ @@a.dueDay@@@@a.near@@</p>", "later": "<i>@@a.marks@@</i>"},
		"user": {"lead": "<b>@@a.title@@</b>", "eager": "<a href=\"/assignment/@@a.id@@\">@@a.title@@</a>", "later": "<i>@@a.title@@</i>"}
	},
	"levels": {"easy": "<u>Easy</u>"},
	"near": {"0": " <s>today</s>", "1": " <s>tomorrow</s>"},
	"email": {"address": "<q>@@email.local@@<wbr>@@email.domain@@</q>", "word": "<q>@@email.word@@</q>"},
	"blankFace": "data:image/svg+xml,blank"
}`

type node struct {
	*app.App
	url string
}

func start(t *testing.T, change func(*app.Config)) *node {
	t.Helper()
	settings, err := site.Load("")
	require.NoError(t, err)
	c := app.Config{
		Database: store.Config{Dir: t.TempDir()}, Brand: "Study & Circle", Version: "test", Site: settings, Web: built(),
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
	return &node{a, listener.URL}
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
	}, identity.Visit{})
	require.NoError(t, err)
	id, err = n.Service.CreateAssignment(t.Context(), g.User, studycircle.AssignmentInput{
		Title: title, Description: "First line.\n\nSecond \"line\" " + strings.Repeat("and so on ", 30), Thumbnail: "https://example.org/t.png?a=1&b=2",
		Marks: 10, DueDate: "2199-01-01",
	})
	require.NoError(t, err)
	return id, "session=" + g.Secret
}

func TestPagesSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, _ := n.publish(t, `Angles </title><script>alert("x")</script> & "more"`)
	for path, want := range map[string]struct {
		status      int
		title, body string
	}{
		"/":                              {200, "home", "drawn home"},
		"/assignments":                   {200, "Assignments", "drawn assignments"},
		"/assignments?page=7&level=hard": {200, "Assignments", "drawn assignments-none"},
		"/assignments?page=zero":         {200, "Assignments", "shell"},
		"/about-Us":                      {200, "About Us | Study &amp; Circle", "drawn about-us"},
		"/auth/login":                    {200, "Login | Study &amp; Circle", "drawn login"},
		"/auth/register":                 {200, "Register | Study &amp; Circle", "drawn register"},
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
		require.Contains(t, got.text, want.body+" Study &amp; Circle", path)
		require.NotContains(t, got.text, "@@", path)
		require.Equal(t, want.status == 404, got.boot(t)["notFound"], path)
		require.Equal(t, "no-store", got.Header.Get("Cache-Control"), path)
		policy := got.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'self'; script-src 'self' 'sha256-", path)
		require.Contains(t, policy, "frame-ancestors 'none'", path)
	}
}

// A title's characters that turn the direction of text must not turn ours.
func TestTitlesDoNotTurnWhatStandsBehindThem(t *testing.T) {
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

	list := n.get(t, "/assignments?search=%20angles&level=easy").boot(t)["data"].(map[string]any)["list"].(map[string]any)
	require.Equal(t, "angles", list["search"])
	require.Len(t, list["answer"].(map[string]any)["data"], 1)
	short := n.get(t, "/assignments?limit=1&utm=100%").boot(t)["data"].(map[string]any)["list"].(map[string]any)
	require.InDelta(t, 10, short["limit"], 0, "pages have one length")
	for _, query := range []string{"level=none", "search=100%", "search=tides;level=easy", "search=%zz", "page=9007199254740993"} {
		require.Nil(t, n.get(t, "/assignments?"+query).boot(t)["data"], query)
	}

	home := n.ask(t, http.MethodGet, "/", http.Header{"Cookie": {cookie}})
	require.Contains(t, home.text, "drawn home for a user")
	session := home.boot(t)["session"].(map[string]any)
	require.Equal(t, "Ada </script>", session["displayName"])
	_, err := n.Identity.Authenticate(t.Context(), session["accessToken"].(string))
	require.NoError(t, err)
	require.Nil(t, n.ask(t, http.MethodGet, "/", http.Header{"Cookie": {"session=made-up"}}).boot(t)["session"])
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

// A node that is about to stop asks the balancer for no more and serves on.
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
		"make build": func(web fstest.MapFS) { delete(web, "index.html") },
		"marks":      func(web fstest.MapFS) { web["index.html"] = &fstest.MapFile{Data: []byte("<html></html>")} },
		"@@site.developer.shoe.size@@": func(web fstest.MapFS) {
			web["index.html"] = &fstest.MapFile{Data: []byte(html + "@@site.developer.shoe.size@@")}
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

// Every answer forbids guessing at its type, also what is asked of no page.
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
