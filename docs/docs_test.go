// Package docs holds the checks of the documentation: what it refers to must exist.
package docs

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// tree is the repository: the paths of all files that are not generated, slash-separated and relative to its root.
type tree struct {
	fsys  fs.FS
	files []string
}

// repository reads the tree around this package, without dependencies and build output.
func repository(t *testing.T) tree {
	t.Helper()
	r := tree{fsys: os.DirFS("..")}
	err := fs.WalkDir(r.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			r.files = append(r.files, name)
			return nil
		}
		base := d.Name()
		if name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "dist" || base == "data" || base == "bin") {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// read returns a file's text.
func (r tree) read(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(r.fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// all returns the concatenated texts of the files whose names match.
func (r tree) all(t *testing.T, match func(name string) bool) string {
	t.Helper()
	var b strings.Builder
	for _, name := range r.files {
		if match(name) {
			b.WriteString(r.read(t, name))
		}
	}
	return b.String()
}

// has reports whether a file or folder ends in the path p, at a slash.
func (r tree) has(p string) bool {
	p = strings.Trim(p, "/")
	return slices.ContainsFunc(r.files, func(name string) bool {
		return strings.Contains("/"+name+"/", "/"+p+"/")
	})
}

// documents calls f with each Markdown file in a subtest.
func documents(t *testing.T, r tree, f func(t *testing.T, name, text string)) {
	t.Helper()
	for _, name := range r.files {
		if path.Ext(name) == ".md" {
			t.Run(name, func(t *testing.T) { f(t, name, r.read(t, name)) })
		}
	}
}

var (
	fence   = regexp.MustCompile("(?ms)^ *```.*?\n *```")
	code    = regexp.MustCompile("`[^`\n]+`")
	heading = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// anchors returns the fragments under which GitHub shows the headings of a text.
func anchors(text string) []string {
	var found []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		found = append(found, strings.Map(func(c rune) rune {
			switch {
			case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
				return unicode.ToLower(c)
			case c == ' ':
				return '-'
			}
			return -1
		}, m[1]))
	}
	return found
}

func TestLinksLeadSomewhere(t *testing.T) {
	r := repository(t)
	documents(t, r, func(t *testing.T, name, text string) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(fence.ReplaceAllString(text, ""), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target, anchor, _ := strings.Cut(m[1], "#")
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := fs.Stat(r.fsys, file); err != nil {
				t.Errorf("link to %s: no such file", m[1])
			} else if anchor != "" && !slices.Contains(anchors(r.read(t, file)), anchor) {
				t.Errorf("link to %s: no such heading", m[1])
			}
		}
	})
}

func TestArchitectureListsEveryPackage(t *testing.T) {
	r := repository(t)
	listed := fence.FindString(r.read(t, "docs/architecture.md"))
	for _, name := range r.files {
		parts := strings.Split(name, "/")
		if path.Ext(name) == ".go" && parts[0] == "internal" && !regexp.MustCompile(`\b`+parts[1]+`\b`).MatchString(listed) {
			t.Errorf("%s: not listed", path.Dir(name))
		}
	}
}

func TestDecisionsAreInTheIndex(t *testing.T) {
	r := repository(t)
	index := r.read(t, "docs/decisions/README.md")
	for _, name := range r.files {
		if dir, file := path.Split(name); dir == "docs/decisions/" && file != "README.md" && !strings.Contains(index, "]("+file+")") {
			t.Errorf("%s: not in the index", file)
		}
	}
}

// superseded reports whether a document describes the past, whose files and tests may be gone.
func superseded(text string) bool { return strings.Contains(text, "uperseded by [") }

// Documents name files by the end of their paths.
func TestNamedFilesExist(t *testing.T) {
	r := repository(t)
	source := regexp.MustCompile(`^[\w@./-]+\.(go|ts|tsx|mjs|sql)$`)
	folder := regexp.MustCompile(`^(internal|web|cmd|e2e|proof|docs|scripts)/[\w/.-]+$`)
	documents(t, r, func(t *testing.T, _, text string) {
		if superseded(text) {
			return
		}
		for _, span := range code.FindAllString(fence.ReplaceAllString(text, ""), -1) {
			span = strings.Trim(span, "`")
			if strings.Contains(span, "NNNN") || strings.Contains(span, "/.") {
				continue
			}
			if (source.MatchString(span) || folder.MatchString(span)) && !r.has(span) && !r.has(path.Join("web", span)) {
				t.Errorf("%s: no such file", span)
			}
		}
	})
}

func TestNamedTestsExist(t *testing.T) {
	r := repository(t)
	tests := r.all(t, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	function := regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	benchmark := regexp.MustCompile(`-bench '?(\w+(?:\|\w+)*)`)
	documents(t, r, func(t *testing.T, _, text string) {
		if superseded(text) {
			return
		}
		for _, f := range function.FindAllString(text, -1) {
			if !strings.Contains(tests, "func "+f+"(") {
				t.Errorf("%s: no such test", f)
			}
		}
		for _, m := range benchmark.FindAllStringSubmatch(text, -1) {
			for part := range strings.SplitSeq(m[1], "|") {
				if !regexp.MustCompile(`func Benchmark\w*` + part).MatchString(tests) {
					t.Errorf("-bench %s: no such benchmark", part)
				}
			}
		}
	})
}

// A browser or component test is named by its file and words of its title, in a row of a table or list.
func TestNamedTitlesExist(t *testing.T) {
	r := repository(t)
	cell := regexp.MustCompile("`([\\w/-]+\\.(?:spec|test)\\.tsx?)` ([^`|]+)")
	documents(t, r, func(t *testing.T, _, text string) {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "- ") {
				continue
			}
			for _, m := range cell.FindAllStringSubmatch(line, -1) {
				file := r.all(t, func(name string) bool { return strings.HasSuffix("/"+name, "/"+m[1]) })
				for title := range strings.SplitSeq(strings.TrimRight(m[2], "; \n"), ";") {
					title = strings.TrimLeft(strings.TrimSpace(title), "… ")
					if title != "" && !strings.Contains(file, title) {
						t.Errorf("%s: no title with %q", m[1], title)
					}
				}
			}
		}
	})
}

func TestNamedCommandsExist(t *testing.T) {
	r := repository(t)
	makefile := r.read(t, "Makefile")
	var npm struct{ Scripts map[string]string }
	if err := json.Unmarshal([]byte(r.read(t, "web/package.json")), &npm); err != nil {
		t.Fatal(err)
	}
	fields := strings.ToLower(r.all(t, func(name string) bool { return path.Dir(name) == "cmd/studycircle" && filepath.Ext(name) == ".go" }))
	declares := func(name string) bool {
		return strings.Contains(fields, `name:"`+name+`"`) ||
			regexp.MustCompile(`(?m)^\s+`+strings.ReplaceAll(name, "-", "")+`\s.*help:"`).MatchString(fields)
	}
	target := regexp.MustCompile(`\bmake ([a-z][a-z0-9-]*)`)
	script := regexp.MustCompile(`\bnpm (?:--prefix web )?run (?:--silent )?([a-z0-9:-]+)`)
	command := regexp.MustCompile(`(?m)(?:^|[^/\w-])(?:bin/)?studycircle ([a-z][a-z-]+)(.*)`)
	flag := regexp.MustCompile("(?:^| )--([a-z][a-z-]+)")
	documents(t, r, func(t *testing.T, _, text string) {
		for _, span := range append(code.FindAllString(fence.ReplaceAllString(text, ""), -1), fence.FindAllString(text, -1)...) {
			for _, m := range target.FindAllStringSubmatch(span, -1) {
				if !regexp.MustCompile(`(?m)^([\w -]+ )?` + m[1] + `( [\w -]+)?:`).MatchString(makefile) {
					t.Errorf("make %s: no such target", m[1])
				}
			}
			for _, m := range script.FindAllStringSubmatch(span, -1) {
				if npm.Scripts[m[1]] == "" {
					t.Errorf("npm run %s: no such script", m[1])
				}
			}
			flags := ""
			for _, m := range command.FindAllStringSubmatch(span, -1) {
				flags += m[2]
				if !declares(m[1]) {
					t.Errorf("studycircle %s: no such command", m[1])
				}
			}
			if span = strings.Trim(span, "`"); strings.HasPrefix(span, "--") {
				flags += " " + span
			}
			for _, m := range flag.FindAllStringSubmatch(flags, -1) {
				if !declares(m[1]) && m[1] != "help" {
					t.Errorf("--%s: no such flag", m[1])
				}
			}
		}
	})
}
