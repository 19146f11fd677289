package api

import (
	"bytes"
	"compress/gzip"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// minGzipped is the size from which a body is compressed, in bytes.
const minGzipped = 1024

// gzipWriters are reused: each takes most of a megabyte.
var gzipWriters sync.Pool // of *gzip.Writer

func (a *answer) compressed() gzipped {
	a.gzipOnce.Do(func() {
		var b bytes.Buffer
		w, there := gzipWriters.Get().(*gzip.Writer)
		if !there {
			w = gzip.NewWriter(&b)
		}
		w.Reset(&b)
		_, _ = w.Write(a.body) // a bytes.Buffer returns no error
		_ = w.Close()
		gzipWriters.Put(w)
		a.gzipped = gzipped{b.Bytes(), []string{strconv.Itoa(b.Len())}}
	})
	return a.gzipped
}

// gzipEnding ends the strong tag of a compressed form: a strong tag names exact bytes (RFC
// 9110, section 8.8.3.3).
const gzipEnding = `.gzip"`

// contentTag returns a strong tag without gzipEnding.
func contentTag(tag string) string {
	if content, cut := strings.CutSuffix(tag, gzipEnding); cut {
		return content + `"`
	}
	return tag
}

// etagOf returns a strong tag made of the body's xxHash64, the same on every node. It is
// no defence: a user who makes two contents of one hash misleads readers only of what that
// user writes.
func etagOf(body []byte) string {
	const base = 36
	tag := make([]byte, 1, 16)
	tag[0] = '"'
	tag = strconv.AppendUint(tag, xxhash.Sum64(body), base)
	return string(append(tag, '"'))
}

// Header values that many answers share. They must not be modified.
var (
	contentJSON   = []string{"application/json"}
	contentGzip   = []string{"gzip"}
	varyEncoding  = []string{"Accept-Encoding"}
	varyPersonal  = []string{"Accept-Encoding, Authorization"}
	cachePublic   = []string{"public, no-cache"}
	cachePrivate  = []string{"private, no-cache"}
	headerNosniff = []string{"nosniff"}
	headerNoStore = []string{"no-store"}
)

// send implements sender: it writes a, or 304 if the client has it. It compresses the answers of
// API.Public, which hold no secrets, so that their compressed length reveals none.
func (a *answer) send(w http.ResponseWriter, r *http.Request) error {
	h := w.Header()
	h["Cache-Control"], h["Vary"] = cachePublic, varyEncoding
	public := a.key.kind == assignmentList || a.key.kind == oneAssignment
	if a.key.owner != "" || !public {
		h["Cache-Control"], h["Vary"] = cachePrivate, varyPersonal
	}
	maps.Copy(h, a.header)
	h["Etag"] = a.etag
	compress := public && len(a.body) >= minGzipped && acceptsGzip(r)
	if compress {
		h["Etag"] = a.gzipETag
	}
	if tags := r.Header["If-None-Match"]; tags != nil && anyMatches(tags, a.etag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h["Content-Type"] = contentJSON
	body, length := a.body, a.length
	if compress {
		z := a.compressed()
		h["Content-Encoding"] = contentGzip
		body, length = z.body, z.length
	}
	h["Content-Length"] = length
	_, _ = w.Write(body) // an error means that the client has gone
	return nil
}

// acceptsGzip reports whether Accept-Encoding allows gzip (RFC 9110, section 12.5.3).
func acceptsGzip(r *http.Request) bool {
	for _, header := range r.Header["Accept-Encoding"] {
		for part := range strings.SplitSeq(header, ",") {
			name, quality, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") {
				q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(quality), "q="), 64)
				return quality == "" || (err == nil && q > 0)
			}
		}
	}
	return false
}

// anyMatches reports whether If-None-Match names etag, compared weakly and regardless of
// the form that was sent (RFC 9110, section 13.1.2).
func anyMatches(headers []string, etag string) bool {
	for _, header := range headers {
		for tag := range strings.SplitSeq(header, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || contentTag(strings.TrimPrefix(tag, "W/")) == strings.TrimPrefix(etag, "W/") {
				return true
			}
		}
	}
	return false
}
