package server

import (
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// asset is a file of the build with its precompressed forms. Its header values are shared
// and must not be modified.
type asset struct {
	contentType []string
	cache       []string
	plain       encoding
	encoded     []encoding // best first
}

type encoding struct {
	name   []string
	body   []byte
	length []string
}

func encodingOf(name string, body []byte) encoding {
	return encoding{[]string{name}, body, []string{strconv.Itoa(len(body))}}
}

// A picture that is opened by itself is a document, which must not run scripts.
var (
	assetPolicy  = []string{"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"}
	varyEncoding = []string{"Accept-Encoding"}
)

// encodings in order of preference, with the suffixes of their files.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"zstd", ".zst"}, {"gzip", ".gz"}}

// assets are all files but HTML, by path.
type assets map[string]*asset

func newAssets(dist fs.FS) (assets, error) {
	files := assets{}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir // notes of the build
		case entry.IsDir(), strings.HasPrefix(entry.Name(), "."), strings.HasSuffix(name, ".html"), encodedForm(name):
			return nil
		}
		body, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		a := &asset{
			contentType: []string{contentType(name)}, cache: []string{"public, max-age=3600"}, plain: encodingOf("", body),
		}
		if strings.HasPrefix(name, "assets/") {
			a.cache = []string{"public, max-age=31536000, immutable"} // the name holds a hash of the content
		}
		for _, e := range encodings {
			if body, err := fs.ReadFile(dist, name+e.ending); err == nil {
				a.encoded = append(a.encoded, encodingOf(e.name, body))
			}
		}
		files["/"+name] = a
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return files, nil
}

func encodedForm(name string) bool {
	for _, e := range encodings {
		if strings.HasSuffix(name, e.ending) {
			return true
		}
	}
	return false
}

// contentType ignores the machine's own tables, which differ.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".webmanifest":
		return "application/manifest+json"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".map":
		return "application/json"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["Content-Type"], h["Cache-Control"], h["Content-Security-Policy"] = a.contentType, a.cache, assetPolicy
	form := &a.plain
	if len(a.encoded) > 0 {
		h["Vary"] = varyEncoding
		header := r.Header.Get("Accept-Encoding")
		for i := range a.encoded {
			if accepts(header, a.encoded[i].name[0]) {
				form = &a.encoded[i]
				h["Content-Encoding"] = form.name
				break
			}
		}
	}
	h["Content-Length"] = form.length
	if r.Method != http.MethodHead {
		_, _ = w.Write(form.body) //nolint:gosec // a file of the build; an error means that the client is gone
	}
}

// accepts reports whether an Accept-Encoding header allows an encoding (RFC 9110, section
// 12.5.3), by its name or by "*".
func accepts(header, encoding string) bool {
	others := false
	for part := range strings.SplitSeq(header, ",") {
		name, parameter, weighed := strings.Cut(part, ";")
		name = strings.TrimSpace(name)
		if name != "*" && !strings.EqualFold(name, encoding) {
			continue
		}
		taken := !weighed || positive(parameter)
		if name != "*" {
			return taken
		}
		others = taken
	}
	return others
}

// positive reports whether a parameter is a weight above zero.
func positive(parameter string) bool {
	name, value, _ := strings.Cut(parameter, "=")
	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return err == nil && strings.EqualFold(strings.TrimSpace(name), "q") && weight > 0 && weight <= 1
}

// ready answers requests for precompressed files at once and passes on all others.
func (files assets) ready(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if file := files[r.URL.Path]; file != nil && file.encoded != nil &&
			(r.Method == http.MethodGet || r.Method == http.MethodHead) {
			file.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
