package server

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
)

// template is HTML of the build, cut at its marks (@@name@@) once: a page is
// then put together by appending.
type template struct {
	parts []part
	size  int // of what stands between the marks
}

// part is a piece ready to be sent and what follows it; the last one has no slot.
type part struct {
	literal string
	fill    func(b []byte, v *view) []byte
}

// slot is what a mark stands for. Its kind decides how the value is escaped and
// where the mark may stand; a template with a mark elsewhere is refused.
type slot struct {
	kind  slotKind
	value func(v *view) string
}

type slotKind int

const (
	// slotText is any text: between tags, or in an attribute that is no address,
	// script or style. Inside an address it may follow a path of this server.
	slotText slotKind = iota
	// slotURL is a whole src or href.
	slotURL
	// slotHTML is markup of the build or of this server, between tags.
	slotHTML
	// slotFlag is an attribute without a value, inside a tag.
	slotFlag
)

var placeholder = regexp.MustCompile(`@@[A-Za-z0-9.]+@@`)

// parseTemplate fills in the settings, which hold for all requests, and cuts the
// page at the other marks.
func parseTemplate(page string, texts map[string]string) (*template, error) {
	t := &template{}
	var literal strings.Builder
	end := 0
	for _, at := range placeholder.FindAllStringIndex(page, -1) {
		literal.WriteString(page[end:at[0]])
		end = at[1]
		name := strings.Trim(page[at[0]:at[1]], "@")
		if text, known := texts[name]; known {
			literal.WriteString(html.EscapeString(text))
			continue
		}
		s, known := slots[name]
		if !known {
			return nil, fmt.Errorf("the web app asks for settings that do not exist: @@%s@@", name)
		}
		if !s.kind.fits(page[:at[0]], page[at[1]:]) {
			return nil, fmt.Errorf("the web app has @@%s@@ where its text cannot be made safe", name)
		}
		t.add(literal.String(), s)
		literal.Reset()
	}
	literal.WriteString(page[end:])
	t.parts = append(t.parts, part{literal: literal.String()})
	t.size += literal.Len()
	return t, nil
}

func (t *template) add(literal string, s slot) {
	p := part{literal: literal}
	switch s.kind {
	case slotText:
		p.fill = func(b []byte, v *view) []byte { return append(b, html.EscapeString(s.value(v))...) }
	case slotURL:
		p.fill = func(b []byte, v *view) []byte { return append(b, html.EscapeString(safeURL(s.value(v)))...) }
	case slotHTML, slotFlag:
		p.fill = func(b []byte, v *view) []byte { return append(b, s.value(v)...) }
	}
	t.parts = append(t.parts, p)
	t.size += len(literal)
}

func (t *template) append(b []byte, v *view) []byte {
	for _, p := range t.parts {
		b = append(b, p.literal...)
		if p.fill != nil {
			b = p.fill(b, v)
		}
	}
	return b
}

var (
	urlAttributes    = []string{"href", "src", "action", "formaction", "poster", "data", "cite", "xlink:href"}
	unsafeAttributes = regexp.MustCompile(`^(on.*|style|srcdoc|srcset|http-equiv)$`)
)

// fits tells whether a mark of that kind may stand between before and after.
// It relies on how React writes HTML: attributes in double quotes, and no < or >
// but those of tags.
func (k slotKind) fits(before, after string) bool {
	for _, raw := range []string{"script", "style", "textarea", "title"} {
		if strings.LastIndex(before, "<"+raw) > strings.LastIndex(before, "</"+raw) {
			return false
		}
	}
	tag := before[max(strings.LastIndexByte(before, '<'), 0):]
	switch {
	case strings.Contains(tag, ">") || !strings.HasPrefix(tag, "<"):
		return k == slotText || k == slotHTML
	case strings.Count(tag, `"`)%2 == 0:
		return k == slotFlag
	}
	open := strings.LastIndexByte(tag, '"')
	start, value := tag[:open], tag[open+1:]
	name := strings.ToLower(strings.TrimSuffix(start[strings.LastIndexByte(start, ' ')+1:], "="))
	switch {
	case unsafeAttributes.MatchString(name):
		return false
	case !slices.Contains(urlAttributes, name):
		return k == slotText
	case k == slotURL:
		return value == "" && strings.HasPrefix(after, `"`)
	}
	return k == slotText && len(value) > 2 && value[0] == '/' && value[1] != '/'
}

// safeURL is u where it leads to the web, to this server or is a picture of the
// app's own making; nothing else.
func safeURL(u string) string {
	lower := strings.ToLower(u)
	for _, start := range []string{"https://", "http://", "data:image/svg+xml,"} {
		if strings.HasPrefix(lower, start) {
			return u
		}
	}
	return ""
}
