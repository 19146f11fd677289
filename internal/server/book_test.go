package server_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"studycircle/internal/app"
)

const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// withBook gives a node documentation in the form of a build.
func withBook(c *app.Config) {
	c.Book = fstest.MapFS{
		".keep":                          {},
		"index.html":                     {Data: []byte("<h1>The parts</h1>")},
		"operations/index.html":          {Data: []byte("<h1>Operations</h1>" + strings.Repeat("word ", 1000))},
		"students/hand-in/index.html":    {Data: []byte("<h1>Hand in</h1>")},
		"404.html":                       {Data: []byte("<h1>There is no such page</h1>")},
		"assets/book." + hash + ".css":   {Data: []byte("p{}")},
		"assets/search." + hash + ".js":  {Data: []byte("search()")},
		"assets/index." + hash + ".json": {Data: []byte("[]")},
		"assets/fonts/text.woff2":        {Data: []byte("font")},
		"tour/mark.jpg":                  {Data: []byte("picture")},
	}
}

func TestDocumentationIsServed(t *testing.T) {
	t.Parallel()
	n := start(t, withBook)
	for _, c := range []struct{ path, kind, cache, text string }{
		{"/docs", "text/html; charset=utf-8", "public, no-cache", "The parts"},
		{"/docs/operations", "text/html; charset=utf-8", "public, no-cache", "Operations"},
		{"/docs/students/hand-in", "text/html; charset=utf-8", "public, no-cache", "Hand in"},
		{"/docs/assets/book." + hash + ".css", "text/css; charset=utf-8", "public, max-age=31536000, immutable", "p{}"},
		{"/docs/assets/search." + hash + ".js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "search()"},
		{"/docs/assets/index." + hash + ".json", "application/json", "public, max-age=31536000, immutable", "[]"},
		{"/docs/assets/fonts/text.woff2", "font/woff2", "public, max-age=3600", "font"},
		{"/docs/tour/mark.jpg", "image/jpeg", "public, max-age=3600", "picture"},
	} {
		got := n.ask(t, http.MethodGet, c.path, nil)
		require.Equal(t, http.StatusOK, got.StatusCode, c.path)
		require.Equal(t, c.kind, got.Header.Get("Content-Type"), c.path)
		require.Equal(t, c.cache, got.Header.Get("Cache-Control"), c.path)
		require.Contains(t, got.Header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'self';", c.path)
		require.Contains(t, got.text, c.text)
		head := n.ask(t, http.MethodHead, c.path, nil)
		require.Equal(t, http.StatusOK, head.StatusCode, c.path)
		require.Empty(t, head.text)

		tag := got.Header.Get("ETag")
		require.NotEmpty(t, tag, c.path)
		for known, status := range map[string]int{tag: http.StatusNotModified, `W/"other"`: http.StatusOK, `W/"other", ` + tag: http.StatusNotModified} {
			again := n.ask(t, http.MethodGet, c.path, http.Header{"If-None-Match": {known}})
			require.Equal(t, status, again.StatusCode, c.path)
			require.Equal(t, tag, again.Header.Get("ETag"), c.path)
			require.Equal(t, status == http.StatusNotModified, again.text == "", c.path)
		}
	}
	require.Equal(t, "gzip", n.ask(t, http.MethodGet, "/docs/operations", http.Header{"Accept-Encoding": {"gzip"}}).Header.Get("Content-Encoding"))
	require.Equal(t, http.StatusMethodNotAllowed, n.ask(t, http.MethodPost, "/docs", nil).StatusCode)

	folder := n.ask(t, http.MethodGet, "/docs/operations/?a=b", nil)
	require.Equal(t, http.StatusPermanentRedirect, folder.StatusCode)
	require.Equal(t, "/docs/operations?a=b", folder.Header.Get("Location"))
}

// The operator's name of the site is in the title and in the header, as text; the content keeps its braces. Another name is
// another answer.
func TestDocumentationShowsTheBrand(t *testing.T) {
	t.Parallel()
	const page = `<title>Contents | {brand} documentation</title><a class="brand">{brand}</a><main id="content"><code>{brand}</code></main>`
	branded := func(name string) *node {
		return start(t, func(c *app.Config) {
			c.Brand, c.Book = name, fstest.MapFS{
				"index.html": {Data: []byte(page)}, "404.html": {Data: []byte(page)},
				"assets/search." + hash + ".js": {Data: []byte("{brand}")}, "assets/fonts/text.woff2": {Data: []byte("{brand}")},
			}
		})
	}
	one, other := branded(`Night <School> & "Co"`), branded("StudyCircle")
	const want = `<title>Contents | Night &lt;School&gt; &amp; &#34;Co&#34; documentation</title><a class="brand">Night &lt;School&gt; &amp; &#34;Co&#34;</a>` +
		`<main id="content"><code>{brand}</code></main>`
	for path, status := range map[string]int{"/docs": http.StatusOK, "/docs/nothing": http.StatusNotFound} {
		got := one.ask(t, http.MethodGet, path, nil)
		require.Equal(t, status, got.StatusCode)
		require.Equal(t, want, got.text)
		require.Contains(t, got.Header.Get("Content-Security-Policy"), "default-src 'none'")
	}
	require.Equal(t, "{brand}", one.ask(t, http.MethodGet, "/docs/assets/search."+hash+".js", nil).text)
	tag := func(n *node, path string) string { return n.ask(t, http.MethodGet, path, nil).Header.Get("ETag") }
	require.NotEqual(t, tag(one, "/docs"), tag(other, "/docs"))
	require.Equal(t, tag(one, "/docs/assets/fonts/text.woff2"), tag(other, "/docs/assets/fonts/text.woff2"))
	require.Equal(t, http.StatusOK, one.ask(t, http.MethodGet, "/docs", http.Header{"If-None-Match": {tag(other, "/docs")}}).StatusCode)
}

func TestDocumentationHasNothingElse(t *testing.T) {
	t.Parallel()
	n := start(t, withBook)
	for _, path := range []string{
		"/docs/nothing", "/docs/nothing.jpg", "/docs/404", "/docs/404.html", "/docs/.keep", "/docs/students", "/docs/operations/index.html",
		"/docs/%2e%2e/assets/app.js", "/docs/..%2f..%2fetc/passwd", "/docs/%5c..%5coperations", "/docs/operations%00",
	} {
		got := n.ask(t, http.MethodGet, path, nil)
		if got.StatusCode == http.StatusTemporaryRedirect || got.StatusCode == http.StatusMovedPermanently { // to the shortest spelling
			require.Equal(t, "/docs/%2e%2e/assets/app.js", path)
			require.Equal(t, "/assets/app.js", got.Header.Get("Location"))
			continue
		}
		require.Equal(t, http.StatusNotFound, got.StatusCode, path)
		require.Equal(t, "no-store", got.Header.Get("Cache-Control"), path)
		require.Contains(t, got.text, "There is no such page", path)
	}
	for _, path := range []string{"/docsx", "/document"} {
		require.NotContains(t, n.ask(t, http.MethodGet, path, nil).text, "There is no such page", path)
	}
	require.Equal(t, http.StatusOK, n.ask(t, http.MethodGet, "/api/docs", nil).StatusCode, "the API's own page")
}

func TestPagesKnowOfDocumentation(t *testing.T) {
	t.Parallel()
	require.Contains(t, start(t, withBook).ask(t, http.MethodGet, "/", nil).text, `"documentation":true`)
	bare := start(t, nil)
	require.Contains(t, bare.ask(t, http.MethodGet, "/", nil).text, `"documentation":false`)
	for _, path := range []string{"/docs", "/docs/operations"} {
		got := bare.ask(t, http.MethodGet, path, nil)
		require.Equal(t, http.StatusNotFound, got.StatusCode)
		require.Equal(t, "text/html; charset=utf-8", got.Header.Get("Content-Type"))
		require.Contains(t, got.text, "No documentation in this build")
		require.Contains(t, got.text, "make book build")
	}
}
