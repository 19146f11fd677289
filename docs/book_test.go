package docs

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// besideTheBook are pages that are read in the repository: this list of parts, and the decisions, which their index
// names (TestDecisionsAreInTheIndex).
func besideTheBook(name string) bool {
	return name == "docs/README.md" || path.Dir(name) == "docs/decisions" && name != "docs/decisions/README.md"
}

func TestEveryPageIsInOnePart(t *testing.T) {
	r := repository(t)
	text := r.read(t, "docs/README.md")
	parts := regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(text, -1)
	var titles []string
	for _, p := range parts {
		titles = append(titles, p[1])
	}
	if want := []string{"Students", "Teachers", "Operators", "Developers"}; !slices.Equal(titles, want) {
		t.Errorf("parts are %q, want %q", titles, want)
	}
	named := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^- \[.+?\]\((.+?)\)$`).FindAllStringSubmatch(text, -1) {
		named[path.Join("docs", m[1])]++
	}
	for _, name := range r.files {
		inBook := strings.HasPrefix(name, "docs/") || slices.Contains([]string{"CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}, name)
		if path.Ext(name) == ".md" && inBook && !besideTheBook(name) && named[name] != 1 {
			t.Errorf("%s is named %d times in docs/README.md, want once", name, named[name])
		}
	}
}

// buildBook builds the site as `make book` does.
func buildBook(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	out, err := exec.CommandContext(t.Context(), "hugo", "--quiet", "--noBuildLock", "--source", "book", "--cacheDir", t.TempDir(), "--destination", to).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("hugo: %v\n%s", err, out)
	}
	return to
}

// siteOf reads a site: its files by address, as the server has them.
func siteOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	site := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		name, _ := filepath.Rel(dir, file)
		at := path.Join("/docs", filepath.ToSlash(name))
		if path.Base(at) == "index.html" {
			at = path.Dir(at)
		}
		site[at] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func TestTheSiteHasNoDeadLink(t *testing.T) {
	site := siteOf(t, buildBook(t))
	address := regexp.MustCompile(`(?:href|src|data-index)="?([^"\s>]+)`)
	links := 0
	for at, text := range site {
		if !strings.Contains(text, "<!doctype html>") {
			continue
		}
		for _, m := range address.FindAllStringSubmatch(text, -1) {
			to := m[1]
			if strings.Contains(to, "://") || to == "/" {
				continue
			}
			links++
			target, anchor, _ := strings.Cut(to, "#")
			if target == "" {
				target = at
			}
			found, ok := site[target]
			if !ok {
				t.Errorf("%s: link to %s, which does not exist", at, to)
			} else if anchor != "" && !strings.Contains(found, `id="`+anchor+`"`) && !strings.Contains(found, "id="+anchor+">") {
				t.Errorf("%s: link to %s, which has no such heading", at, to)
			}
		}
		// The policy of the site refuses these.
		for _, inline := range []string{"<style", " style=", "<script>", " onclick=", "javascript:"} {
			if strings.Contains(text, inline) {
				t.Errorf("%s has %s", at, inline)
			}
		}
	}
	if links < 1000 {
		t.Errorf("only %d links were checked", links)
	}
	for _, r := range []string{"/docs", "/docs/404.html", "/docs/students/hand-in", "/docs/decisions", "/docs/decisions/0001-one-sql-two-engines", "/docs/tour/mark.jpg"} {
		if site[r] == "" {
			t.Errorf("the site lacks %s", r)
		}
	}
}

func TestTheSiteIsReproducible(t *testing.T) {
	first, second := siteOf(t, buildBook(t)), siteOf(t, buildBook(t))
	if len(first) != len(second) {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
	for at, text := range first {
		if sha256.Sum256([]byte(text)) != sha256.Sum256([]byte(second[at])) {
			t.Errorf("%s differs between two builds", at)
		}
	}
}

// Pages for students and teachers name pages, buttons and fields as the app spells them.
func TestNamedButtonsExist(t *testing.T) {
	r := repository(t)
	app := r.all(t, func(name string) bool {
		return strings.HasPrefix(name, "web/src/") && (path.Ext(name) == ".tsx" || path.Ext(name) == ".ts") && !strings.Contains(name, ".test.") && !strings.HasPrefix(name, "web/src/api/")
	})
	app = regexp.MustCompile(`\s+`).ReplaceAllString(app, " ")
	for _, name := range r.files {
		if dir := path.Dir(name); path.Ext(name) != ".md" || dir != "docs/students" && dir != "docs/teachers" {
			continue
		}
		for _, span := range code.FindAllString(fence.ReplaceAllString(r.read(t, name), ""), -1) {
			text := strings.Trim(span, "`")
			if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "studycircle ") {
				continue
			}
			if !regexp.MustCompile(`[>'"` + "`" + `] ?` + regexp.QuoteMeta(text) + ` ?[<'"` + "`" + `{]`).MatchString(app) {
				t.Errorf("%s: the app has no text %q", name, text)
			}
		}
	}
}
