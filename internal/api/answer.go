package api

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// minGzipped is the least body that is worth compressing, in bytes.
const minGzipped = 1024

// spareGzips are used again, because each is most of a megabyte.
var spareGzips sync.Pool // of *gzip.Writer

func (a *answer) compressed() gzipped {
	a.gzipOnce.Do(func() {
		var b bytes.Buffer
		w, there := spareGzips.Get().(*gzip.Writer)
		if !there {
			w = gzip.NewWriter(&b)
		}
		w.Reset(&b)
		_, _ = w.Write(a.body) // memory takes everything
		_ = w.Close()
		spareGzips.Put(w)
		a.gzipped = gzipped{b.Bytes(), []string{strconv.Itoa(b.Len())}}
	})
	return a.gzipped
}

// gzipEnding ends a strong tag of what is sent compressed: other bytes need
// another one (RFC 9110, section 8.8.3.3).
const gzipEnding = `.gzip"`

// contentTag is a strong tag without what says in which form it was sent.
func contentTag(tag string) string {
	if content, cut := strings.CutSuffix(tag, gzipEnding); cut {
		return content + `"`
	}
	return tag
}

// etagOf names the exact content of a body by its xxHash64 (Collet), the same on
// every node. It guards nothing: who made two contents of one name would mislead
// readers of what is theirs to write.
func etagOf(body []byte) string {
	const base = 36
	tag := make([]byte, 1, 16)
	tag[0] = '"'
	tag = strconv.AppendUint(tag, xxhash.Sum64(body), base)
	return string(append(tag, '"'))
}

// Header values that many answers share. Nobody may write into them.
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

// send answers with a, or with 304 where the client has it; everybody, or one person
// alone. Nobody's secrets are in it, so its length may tell what it is.
func (a *answer) send(w http.ResponseWriter, r *http.Request, personal bool) {
	h := w.Header()
	h["Cache-Control"], h["Vary"] = cachePublic, varyEncoding
	if personal {
		h["Cache-Control"], h["Vary"] = cachePrivate, varyPersonal
	}
	h["Etag"] = a.etag
	compress := len(a.body) >= minGzipped && acceptsGzip(r)
	if compress {
		h["Etag"] = a.gzipETag
	}
	if tags := r.Header["If-None-Match"]; tags != nil && anyMatches(tags, a.etag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Type"] = contentJSON
	body, length := a.body, a.length
	if compress {
		z := a.compressed()
		h["Content-Encoding"] = contentGzip
		body, length = z.body, z.length
	}
	h["Content-Length"] = length
	_, _ = w.Write(body) // the client is gone: there is nobody to tell
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3) as far as it is
// about gzip.
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

// anyMatches tells whether If-None-Match names etag (RFC 9110, section 13.1.2),
// weak or strong, in whichever form it was sent.
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
