package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"
)

// bookRoot is the address of the documentation.
const bookRoot = "/docs"

// bookPolicy is the Content-Security-Policy of the documentation. All of it comes from the server.
const bookPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// book is the documentation as a site.
type book struct {
	// files are the answers by address; none if the program was built without documentation.
	files   map[string]*bookFile
	missing []byte // the page for all other addresses
}

type bookFile struct {
	body                    []byte
	contentType, cache, tag string
}

//go:embed nobook.html
var noBook []byte

// hashed matches names that hold a hash of the content.
var hashed = regexp.MustCompile(`\.[0-9a-f]{64}\.`)

// newBook reads the result of `make book`. dist may be nil. brand is the operator's name of the site.
func newBook(dist fs.FS, brand string) (*book, error) {
	b := &book{files: map[string]*bookFile{}, missing: noBook}
	if dist == nil {
		return b, nil
	}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		body, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".html" {
			body = branded(body, brand)
		}
		if name == "404.html" {
			b.missing = body
			return nil
		}
		sum := sha256.Sum256(body)
		f := &bookFile{
			body, contentType(name), "public, max-age=3600", `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
		}
		at := path.Join(bookRoot, name)
		switch {
		case path.Base(name) == "index.html":
			at, f.cache = path.Dir(at), "public, no-cache"
		case hashed.MatchString(name):
			f.cache = "public, max-age=31536000, immutable"
		}
		b.files[at] = f
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the documentation: %w", err)
	}
	return b, nil
}

// branded returns a page with the brand in its title and header. The content, which follows them, may show braces.
func branded(page []byte, brand string) []byte {
	end := max(bytes.Index(page, []byte("<main")), 0)
	head := bytes.ReplaceAll(page[:end], []byte("{brand}"), []byte(html.EscapeString(brand)))
	return append(head, page[end:]...)
}

// built reports whether the program holds the documentation.
func (b *book) built() bool { return b.files[bookRoot] != nil }

// ServeHTTP answers a GET or HEAD of bookRoot and of all addresses below it.
func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", bookPolicy)
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	f := b.files[r.URL.Path]
	if f == nil {
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(b.missing) //nolint:gosec // a file of the build; an error means that the client is gone
		return
	}
	h.Set("Content-Type", f.contentType)
	h.Set("Cache-Control", f.cache)
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}
