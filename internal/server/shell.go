package server

import (
	"bytes"
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
	beforeHead, betweenHeadAndBoot, afterBoot []byte
	scripts                                   []string // CSP sources of the inline scripts
}

var (
	inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	placeholder  = regexp.MustCompile(`@@[A-Za-z0-9.]+@@`)
)

// readShell reads an HTML file and fills in the settings that hold for all requests.
func readShell(dist fs.FS, name string, texts map[string]string) (*shell, error) {
	file, err := fs.ReadFile(dist, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotBuilt
	}
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	var unknown []string
	page := placeholder.ReplaceAllStringFunc(string(file), func(mark string) string {
		text, known := texts[strings.Trim(mark, "@")]
		if !known {
			unknown = append(unknown, mark)
		}
		return html.EscapeString(text)
	})
	if unknown != nil {
		return nil, fmt.Errorf("the web app's %s asks for settings that do not exist: %s", name, strings.Join(unknown, ", "))
	}
	before, rest, ok1 := strings.Cut(page, headStart)
	_, rest, ok2 := strings.Cut(rest, headEnd)
	between, after, ok3 := strings.Cut(rest, bootMark)
	if !ok1 || !ok2 || !ok3 {
		return nil, fmt.Errorf("the web app's %s lacks one of its marks", name)
	}
	s := &shell{beforeHead: []byte(before), betweenHeadAndBoot: []byte(between), afterBoot: []byte(after)}
	for _, m := range inlineScript.FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(m[1]))
		s.scripts = append(s.scripts, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return s, nil
}

// policy is the page's Content-Security-Policy. Thumbnails and photos come from
// anywhere; nothing else does.
func (s *shell) policy() string {
	return "default-src 'self'; script-src 'self' " + strings.Join(s.scripts, " ") +
		"; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; font-src 'self'; connect-src 'self'" +
		"; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// render puts a page together. head and boot are ready to be sent.
func (s *shell) render(head string, boot []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(s.beforeHead) + len(s.betweenHeadAndBoot) + len(s.afterBoot) + len(head) + len(boot) + 100)
	b.Write(s.beforeHead)
	b.WriteString(headStart)
	b.WriteString(head)
	b.WriteString(headEnd)
	b.Write(s.betweenHeadAndBoot)
	b.WriteString(`<script type="application/json" id="boot">`)
	b.Write(boot)
	b.WriteString(`</script>`)
	b.Write(s.afterBoot)
	return b.Bytes()
}

// meta is what a page says of itself in its head.
type meta struct {
	title, description, url, image, kind string
	noIndex                              bool
}

func (m meta) html(brand string) string {
	var b strings.Builder
	tag := func(attribute, name, content string) {
		if content != "" {
			fmt.Fprintf(&b, `<meta %s="%s" content="%s">`, attribute, name, html.EscapeString(content))
		}
	}
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
