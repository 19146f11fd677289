package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"studycircle/internal/api"
)

// errNotBuilt is returned if the binary holds no web app.
var errNotBuilt = errors.New("this binary holds no web app; build it with: make build")

// pageTemplate is an HTML file of the build. A request adds the head, the data and the operator's texts.
type pageTemplate struct {
	*template.Template
	policy string // Content-Security-Policy
}

//go:embed content.html
var contentTemplates string

// common are the templates that files of the build use.
var common = template.Must(template.Must(template.New("").Funcs(template.FuncMap{
	// Each file keeps its own parts.
	"kept":  func(int) template.HTML { return "" },
	"day":   day,
	"leads": leads,
}).Parse(headTemplate)).Parse(contentTemplates))

// day returns the calendar day in the text of an instant, yyyy/MM/dd.
func day(instant string) string {
	date, _, _ := strings.Cut(instant, "T")
	return strings.ReplaceAll(date, "-", "/")
}

// leads reports whether the first card of a list fills its row: it does if otherwise a card would be alone in the last
// of three columns.
func leads(list *api.AssignmentList) bool {
	return list.Pagination.Page == 1 && len(list.Data)%3 == 1 && len(list.Data) > 1
}

// keptParts are inline scripts, whose hashes the policy has, and comments, by which React finds its texts.
var keptParts = regexp.MustCompile(`(?s)<script>(.*?)</script>|<!--.*?-->`)

func readTemplate(dist fs.FS, file string) (*pageTemplate, error) {
	text, err := readBuilt(dist, file)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(text, []byte(`{{template "head" $}}`)) || !bytes.Contains(text, []byte(`{{template "boot" $}}`)) {
		return nil, fmt.Errorf("the web app's %s has no place for its head or its data", file)
	}
	// html/template would remove comments.
	var parts []template.HTML
	var hashes strings.Builder
	source := keptParts.ReplaceAllStringFunc(string(text), func(part string) string {
		if script := keptParts.FindStringSubmatch(part)[1]; script != "" {
			sum := sha256.Sum256([]byte(script))
			hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
		}
		parts = append(parts, template.HTML(part)) //nolint:gosec // of the build
		return "{{kept " + strconv.Itoa(len(parts)-1) + "}}"
	})
	t, err := common.Clone()
	if err == nil {
		t, err = t.Funcs(template.FuncMap{"kept": func(i int) template.HTML { return parts[i] }}).New(file).Parse(source)
	}
	if err == nil {
		err = t.Execute(io.Discard, &view{})
	}
	if err != nil {
		return nil, fmt.Errorf("the web app's %s: %w", file, err)
	}
	return &pageTemplate{t, policy(hashes.String())}, nil
}

// readBuilt reads a file of the build; errNotBuilt if it is missing.
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

// frameHosts may be framed: the hosts of documents that a reviewer can read beside the form.
// web/src/lib/embeddable.ts knows the addresses of their previews.
const frameHosts = "https://docs.google.com https://drive.google.com"

// policy returns a page's Content-Security-Policy. Only thumbnails, photos and the frames
// of frameHosts may come from other origins.
func policy(scripts string) string {
	return "default-src 'self'; script-src 'self'" + scripts +
		"; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; font-src 'self'; connect-src 'self'" +
		"; frame-src " + frameHosts + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}
