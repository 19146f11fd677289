package linkhealth

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
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

// page is the text of an answer that people, or their browsers, read.
type page struct {
	text strings.Builder
	// password and menuPassword report a password field outside and inside of menus.
	password, menuPassword bool
	// letters is the number of letters outside of menus and forms.
	letters int
}

// read reads a page up to the bounds of size and time, and keeps what it got by then.
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
	default: // an encoding that was not requested
		return p
	}
	raw, _ := io.ReadAll(body)
	declared := r.Header.Get("Content-Type")
	if declared == "" {
		declared = http.DetectContentType(raw)
	}
	kind, _, _ := mime.ParseMediaType(declared) // an invalid type matches none of these
	markup := kind == "text/html" || kind == "application/xhtml+xml"
	if !markup && !strings.HasPrefix(kind, "text/") {
		return p
	}
	decoded, err := charset.NewReader(bytes.NewReader(raw), declared)
	switch {
	case err != nil: // nothing to read
	case markup:
		p.markup(decoded)
	default:
		_, _ = io.Copy(&p.text, decoded) // neither returns an error
	}
	return p
}

// markup reads HTML: its text, its attributes, and strings in scripts, where some
// services keep a document's text.
func (p *page) markup(r io.Reader) {
	z, script := html.NewTokenizer(r), false
	var head, menu, form region
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
			if !head.open() && !menu.open() && !form.open() {
				p.letters += lettersIn(t.Data)
			}
		case kind == html.StartTagToken || kind == html.SelfClosingTagToken:
			script = t.DataAtom == atom.Script
			head.start(t, t.DataAtom == atom.Head || t.DataAtom == atom.Style || t.DataAtom == atom.Title)
			menu.start(t, menuLike(t))
			form.start(t, t.DataAtom == atom.Form)
			for _, a := range t.Attr {
				p.text.WriteString(" " + a.Val + " ")
				if t.DataAtom == atom.Input && a.Key == "type" && strings.EqualFold(strings.TrimSpace(a.Val), "password") {
					p.password = p.password || !menu.open()
					p.menuPassword = p.menuPassword || menu.open()
				}
			}
			p.text.WriteByte(' ')
		case kind == html.EndTagToken:
			script = false
			for _, r := range []*region{&head, &menu, &form} {
				r.end(t)
			}
			p.text.WriteByte(' ')
		}
	}
}

// region follows an element from its start tag to its end tag.
type region struct {
	tag   string
	depth int // of elements with this tag; 0 outside
}

func (r *region) open() bool { return r.depth > 0 }

// start notes a start tag. Outside, the region begins with it if begins is set.
func (r *region) start(t html.Token, begins bool) {
	switch {
	case t.Type == html.SelfClosingTagToken:
	case !r.open() && begins:
		*r = region{t.Data, 1}
	case r.open() && t.Data == r.tag:
		r.depth++
	}
}

func (r *region) end(t html.Token) {
	if r.open() && t.Data == r.tag {
		r.depth--
	}
}

// menuWords name, as words in a class or an id, the parts that all pages of a site have.
var menuWords = map[string]bool{
	"nav": true, "navbar": true, "navigation": true, "menu": true, "topbar": true, "toolbar": true, "header": true,
	"footer": true, "sidebar": true, "dropdown": true, "offcanvas": true, "modal": true, "popup": true,
}

// menuLike reports whether an element is one of the parts that all pages of a site have.
func menuLike(t html.Token) bool {
	switch t.DataAtom {
	case atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Dialog, atom.Template:
		return true
	case atom.Div, atom.Ul, atom.Ol, atom.Section, atom.Form, atom.Details:
	default:
		return false
	}
	for _, a := range t.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "role", "class", "id":
			words := strings.FieldsFunc(strings.ToLower(a.Val), func(r rune) bool { return !unicode.IsLetter(r) })
			if slices.ContainsFunc(words, func(w string) bool { return menuWords[w] }) {
				return true
			}
		}
	}
	return false
}

// longPage is the number of letters from which on a page with a password field may be the
// document itself.
const longPage = 500

// result returns what the page's password fields say. One in a menu says nothing, unless
// the page has no text besides.
func (p *page) result() Result {
	switch {
	case p.password && p.letters < longPage, p.menuPassword && p.letters == 0:
		return SignIn
	case p.password:
		return Unknown
	}
	return Reachable
}

func lettersIn(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// names reports whether the page contains one of some names, ignoring case and spacing.
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

// maxFolded bounds what fold returns, in bytes. Normal forms of some characters are eleven times as long.
const maxFolded = 2 * maxRead

// fold normalizes case, form and spacing. It truncates what is longer than maxFolded.
func fold(s string) string {
	normal, _ := io.ReadAll(io.LimitReader(norm.NFKC.Reader(strings.NewReader(s)), maxFolded)) // neither returns an error
	return strings.Join(strings.Fields(cases.Fold().String(string(normal))), " ")
}

// contains reports whether text contains name as whole words.
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

// joined reports whether two adjacent characters belong to one word. Scripts without
// spaces do not tell.
func joined(a, b rune) bool { return spaced(a) && spaced(b) }

func spaced(r rune) bool {
	return unicode.IsDigit(r) ||
		unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Armenian, unicode.Arabic, unicode.Hebrew)
}

var escapes = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|[nrt])`)

// unescape decodes escaped characters in a script's strings.
func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		if e[1] != 'u' {
			return " "
		}
		n, err := strconv.ParseInt(e[2:], 16, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
}
