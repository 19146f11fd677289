// Package shell runs the shell blocks of the documentation, as a reader would.
//
// A block says after its language who runs it:
//
//   - `sh run=here`: these tests, with the program built from this tree, in a temporary folder
//   - `sh run=checkout`: commands for a checkout of the source; the tests run what is cheap and name the rest
//   - `sh run=drill-NAME`: the drill of that name, which reads the block from its page
package shell

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// block is a shell block of a page.
type block struct {
	page string // its path in the repository
	line int    // of its first command
	by   string // who runs it
	text string
}

// commands are the block's commands; one over several lines is one.
func (b block) commands() (all []string) {
	for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

var (
	fence     = regexp.MustCompile("^( *)```(.*)$")
	runnable  = regexp.MustCompile(`^sh run=(here|checkout|drill-[a-z]+)$`)
	shellLike = regexp.MustCompile(`(?m)^\s*(\$ |#!|(sudo|make|npm|npx|go|git|apt|apt-get|docker|curl|studycircle|bin/studycircle|systemctl|cd|export) )`)
)

// pages are the README and all pages of the book.
func pages(t *testing.T, root fs.FS) (all []string) {
	t.Helper()
	all = []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}
	require.NoError(t, fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			all = append(all, name)
		}
		return err
	}))
	return all
}

// blocks reads all shell blocks. A block of another kind that looks like commands is an error, as is a shell block that
// does not say who runs it.
func blocks(t *testing.T, root fs.FS) (all []block) {
	t.Helper()
	for _, page := range pages(t, root) {
		text, err := fs.ReadFile(root, page)
		require.NoError(t, err)
		all = append(all, blocksOf(t, page, string(text))...)
	}
	require.NotEmpty(t, all)
	return all
}

func blocksOf(tb testing.TB, page, text string) (all []block) {
	tb.Helper()
	var open *block
	kind := ""
	for i, line := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m == nil && open != nil:
			open.text += line + "\n"
		case m != nil && open == nil:
			open, kind = &block{page: page, line: i + 2}, m[2]
		case m != nil:
			by := runnable.FindStringSubmatch(kind)
			language, _, _ := strings.Cut(kind, " ")
			switch {
			case by != nil:
				open.by = by[1]
				all = append(all, *open)
			case slices.Contains([]string{"sh", "bash", "shell", "console"}, language):
				tb.Errorf("%s:%d: a shell block that does not say who runs it: %q", page, open.line, kind)
			case shellLike.MatchString(open.text):
				tb.Errorf("%s:%d: commands in a block that is not marked as sh", page, open.line)
			}
			open = nil
		}
	}
	if open != nil {
		tb.Errorf("%s:%d: a block without an end", page, open.line)
	}
	return all
}

// recorder collects the complaints of blocksOf.
type recorder struct {
	testing.TB
	said int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.said++ }

func TestBlocksThatNoOneRunsAreFound(t *testing.T) {
	t.Parallel()
	for text, complaints := range map[string]int{
		"```sh run=here\nstudycircle version\n```":   0,
		"```sh\nstudycircle version\n```":            1,
		"```sh run=later\nstudycircle version\n```":  1,
		"```bash\ntrue\n```":                         1,
		"```console\n$ true\n```":                    1,
		"```\nmake test\n```":                        1,
		"```\nfrontend study\n\tbind :443\n```":      0,
		"- item\n\n  ```sh\n  make test\n  ```":      1,
		"```toml\npublic-url = \"https://x\"\n```":   0,
		"```sh run=here\nstudycircle version\n":      1,
		"```yaml\n- x\n```\n\n```sh\ntrue\n```\nend": 1,
	} {
		r := &recorder{TB: t}
		blocksOf(r, "page.md", text)
		require.Equal(t, complaints, r.said, text)
	}
}

// Each block is run by one of the tests below, or by a drill that reads it. The test prints what it does not run.
func TestEveryBlockIsRun(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	makefile, err := fs.ReadFile(root, "Makefile")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, b := range blocks(t, root) {
		switch b.by {
		case "here":
			continue // TestBlocksRunHere
		case "checkout":
			for _, command := range b.commands() {
				name, _, _ := strings.Cut(command, "  #")
				name = strings.TrimSpace(name)
				way, known := inCheckout[name]
				require.True(t, known, "%s:%d: %q is in no list: run it, or say why not", b.page, b.line, command)
				used[name] = true
				if way.run == nil {
					t.Logf("not run: %s:%d: %s: %s", b.page, b.line, name, way.why)
				}
			}
		default:
			require.Regexp(t, `(?m)^`+b.by+`:`, string(makefile), "%s:%d: no such drill", b.page, b.line)
			script, err := fs.ReadFile(root, drillScripts[b.by])
			require.NoError(t, err, b.by)
			require.Contains(t, string(script), b.page, "the drill must read its commands from the page")
			t.Logf("not run here: %s:%d: make %s runs it", b.page, b.line, b.by)
		}
	}
	for name := range inCheckout {
		require.True(t, used[name], "%q is in no page", name)
	}
}

// drillScripts are the scripts of the drills that run blocks.
var drillScripts = map[string]string{"drill-package": "scripts/package-in-debian", "drill-restore": "proof/drills/restore.go"}
