package linkhealth

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// page is what of an answer people, or their browsers, read as text.
type page struct {
	text     strings.Builder
	password bool
}

// read reads a page as far as its bounds and its time go. What comes no further is
// judged by what came.
func read(r *http.Response) *page {
	p := &page{}
	body := io.LimitReader(r.Body, maxRead)
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return p
		}
		body = io.LimitReader(unpacked, maxRead)
	default: // nobody asked for it
		return p
	}
	raw, _ := io.ReadAll(body) //nolint:errcheck // see above
	declared := r.Header.Get("Content-Type")
	if declared == "" {
		declared = http.DetectContentType(raw)
	}
	kind, _, _ := mime.ParseMediaType(declared) //nolint:errcheck // what is no type is none of these
	markup := kind == "text/html" || kind == "application/xhtml+xml"
	if !markup && !strings.HasPrefix(kind, "text/") {
		return p
	}
	decoded, err := charset.NewReader(bytes.NewReader(raw), declared)
	switch {
	case err != nil: // nothing was read
	case markup:
		p.markup(decoded)
	default:
		_, _ = io.Copy(&p.text, decoded) // neither of the two fails
	}
	return p
}

// markup reads HTML: its text, what is said in attributes, and what its scripts
// have as strings, where some services keep a document's text.
func (p *page) markup(r io.Reader) {
	z, script := html.NewTokenizer(r), false
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		t := z.Token()
		switch {
		case kind == html.TextToken && script:
			p.text.WriteString(unescape(t.Data))
		case kind == html.TextToken:
			p.text.WriteString(t.Data)
		case kind == html.StartTagToken || kind == html.SelfClosingTagToken:
			script = t.DataAtom == atom.Script
			for _, a := range t.Attr {
				p.text.WriteString(" " + a.Val + " ")
				p.password = p.password || t.DataAtom == atom.Input && a.Key == "type" && strings.EqualFold(strings.TrimSpace(a.Val), "password")
			}
			p.text.WriteByte(' ')
		case kind == html.EndTagToken:
			script = false
			p.text.WriteByte(' ')
		}
	}
}

// asks is SignIn where the page has a field for a password, or "".
func (p *page) asks() Result {
	if p.password {
		return SignIn
	}
	return ""
}

// names tells whether the page has one of some names, however it is cased and spaced.
func (p *page) names(names []string) bool {
	if len(names) == 0 || p.text.Len() == 0 {
		return false
	}
	text := fold(p.text.String())
	for _, n := range names {
		if n = fold(n); utf8.RuneCountInString(n) > 1 && contains(text, n) {
			return true
		}
	}
	return false
}

// fold makes texts equal that say the same.
func fold(s string) string {
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(s))), " ")
}

// contains finds name in text where it is no part of a longer word.
func contains(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		first, size := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if !joined(before, first) && !joined(last, after) {
			return true
		}
		from = i + size
	}
}

// joined tells whether two characters side by side belong to one word. Scripts that
// are written without spaces say nothing about that.
func joined(a, b rune) bool { return spaced(a) && spaced(b) }

func spaced(r rune) bool {
	return unicode.IsDigit(r) || unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Arabic, unicode.Hebrew)
}

var escapes = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|[nrt])`)

// unescape reads what stands for a character in a script's strings.
func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		if e[1] != 'u' {
			return " "
		}
		n, err := strconv.ParseUint(e[2:], 16, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
}
