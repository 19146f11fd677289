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

// asset is one file of the build with its forms made at build time.
type asset struct {
	contentType string
	cache       string
	plain       []byte
	encoded     []encoding // best first
}

type encoding struct {
	name string
	body []byte
}

// encodings in the order they are preferred, with the ending of their files.
var encodings = []struct{ name, ending string }{{"br", ".br"}, {"zstd", ".zst"}, {"gzip", ".gz"}}

// assets are all files but HTML, by path. They are read once: they are in the
// binary anyway.
type assets map[string]*asset

func newAssets(dist fs.FS) (assets, error) {
	files := assets{}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir // the build's own notes
		case entry.IsDir(), strings.HasPrefix(entry.Name(), "."), strings.HasSuffix(name, ".html"), encodedForm(name):
			return nil
		}
		body, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		a := &asset{contentType: contentType(name), cache: "public, max-age=3600", plain: body}
		if strings.HasPrefix(name, "assets/") {
			a.cache = "public, max-age=31536000, immutable" // the name holds a hash of the content
		}
		for _, e := range encodings {
			if body, err := fs.ReadFile(dist, name+e.ending); err == nil {
				a.encoded = append(a.encoded, encoding{e.name, body})
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

// contentType does not ask the machine's own tables, which differ.
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
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", a.cache)
	// A picture opened by itself is a document: it may run nothing.
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox")
	body := a.plain
	if len(a.encoded) > 0 {
		h.Set("Vary", "Accept-Encoding")
		accepted := acceptedEncodings(r.Header.Get("Accept-Encoding"))
		for _, e := range a.encoded {
			if accepted[e.name] {
				h.Set("Content-Encoding", e.name)
				body = e.body
				break
			}
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client is gone: there is nobody to tell
	}
}

func acceptedEncodings(header string) map[string]bool {
	accepted := map[string]bool{}
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.ReplaceAll(quality, " ", "") != "q=0" {
			accepted[strings.ToLower(strings.TrimSpace(name))] = true
		}
	}
	return accepted
}
