package server

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"regexp"
	"strings"
)

// The build's HTML has these marks, each once.
const (
	headStart = "<!--head:start-->"
	headEnd   = "<!--head:end-->"
	bootMark  = "<!--boot-->"
)

// errNotBuilt is said where the binary holds no web app.
var errNotBuilt = errors.New("this binary holds no web app; build it with: make build")

// shell is one HTML file of the build, cut where the server fills it in.
type shell struct {
	*template
	scripts []string // CSP sources of the inline scripts
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// readShell reads an HTML file and fills in the settings that hold for all requests.
func readShell(dist fs.FS, name string, texts map[string]string) (*shell, error) {
	file, err := readBuilt(dist, name)
	if err != nil {
		return nil, err
	}
	before, rest, ok1 := strings.Cut(string(file), headStart)
	_, rest, ok2 := strings.Cut(rest, headEnd)
	between, after, ok3 := strings.Cut(rest, bootMark)
	if !ok1 || !ok2 || !ok3 {
		return nil, fmt.Errorf("the web app's %s lacks one of its marks", name)
	}
	page := before + headStart + "@@page.head@@" + headEnd + between + "@@page.boot@@" + after
	t, err := parseTemplate(page, texts)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := &shell{template: t}
	for _, m := range inlineScript.FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(m[1]))
		s.scripts = append(s.scripts, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return s, nil
}

func readBuilt(dist fs.FS, name string) ([]byte, error) {
	file, err := fs.ReadFile(dist, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotBuilt
	}
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return file, nil
}

// policy is the page's Content-Security-Policy. Thumbnails and photos come from
// anywhere; nothing else does.
func (s *shell) policy() string {
	return "default-src 'self'; script-src 'self' " + strings.Join(s.scripts, " ") +
		"; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; font-src 'self'; connect-src 'self'" +
		"; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// render puts a page together.
func (s *shell) render(v *view) []byte {
	// A list of ten cards is about as long again as the data it shows.
	return s.append(make([]byte, 0, s.size+len(v.head)+3*len(v.boot)), v)
}

// meta is what a page says of itself in its head.
type meta struct {
	title, description, url, image, kind string
	noIndex                              bool
}

// unturned takes out the characters that make what follows run the other way:
// a title has no element that could hold their effect, and our words stand behind.
func unturned(text string) string {
	return strings.Map(func(r rune) rune {
		if (r >= '\u202a' && r <= '\u202e') || (r >= '\u2066' && r <= '\u2069') {
			return -1
		}
		return r
	}, text)
}

func (m meta) html(brand string) string {
	var b strings.Builder
	tag := func(attribute, name, content string) {
		if content != "" {
			fmt.Fprintf(&b, `<meta %s="%s" content="%s">`, attribute, name, html.EscapeString(content))
		}
	}
	m.title, m.description = unturned(m.title), unturned(m.description)
	fmt.Fprintf(&b, "<title>%s</title>", html.EscapeString(m.title))
	tag("name", "description", m.description)
	if m.noIndex {
		tag("name", "robots", "noindex")
		return b.String()
	}
	fmt.Fprintf(&b, `<link rel="canonical" href="%s">`, html.EscapeString(m.url))
	tag("property", "og:site_name", brand)
	tag("property", "og:type", m.kind)
	tag("property", "og:title", m.title)
	tag("property", "og:description", m.description)
	tag("property", "og:url", m.url)
	tag("property", "og:image", m.image)
	tag("name", "twitter:card", "summary_large_image")
	return b.String()
}
