// Package licences finds the licences of everything that the program contains: Go modules, npm packages and Go itself.
package licences

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// Allowed are the licences under which a dependency may be part of a program under the MIT licence. Most ask for a
// notice; MPL-2.0 also asks that changed files of its own stay open, and none are changed.
var Allowed = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "OFL-1.1", "Unlicense",
}

// shippedByTools are build tools that leave text of their own in the app, as style sheets or helpers.
var shippedByTools = []string{"daisyui", "tailwindcss", "vite"}

// Dependency is a part of the program that others wrote.
type Dependency struct {
	Name, Version string
	// URL is the package's purl, https://github.com/package-url/purl-spec.
	URL string
	// Licences are SPDX identifiers, found in the texts.
	Licences []string
	// Texts are the files with licences, copyrights and notices.
	Texts []string
}

// Find returns the dependencies of the program in the repository at root, in order of their names and versions.
// platforms are pairs of GOOS and GOARCH.
func Find(root string, platforms []string) ([]Dependency, error) {
	known, err := assets.DefaultClassifier()
	if err != nil {
		return nil, fmt.Errorf("load the known licences: %w", err)
	}
	folders, err := goModules(root, platforms)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(root)
	if err != nil {
		return nil, err
	}
	all := make([]Dependency, 0, len(folders)+len(packages))
	for _, f := range append(folders, packages...) {
		d, err := f.read(known)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b Dependency) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return all, nil
}

// folder is where a dependency's files are. kind is its type in a purl.
type folder struct{ kind, name, version, path string }

// url returns the purl. Of all names, only those of npm's scopes need an escape.
func (f folder) url() string {
	return "pkg:" + f.kind + "/" + strings.Replace(f.name, "@", "%40", 1) + "@" + f.version
}

var licenceFile = regexp.MustCompile(`(?i)^(?:un)?(?:licen[cs]e|copying|notice|ofl)(?:[-._].*)?$`)

// read classifies the licence files of a folder.
func (f folder) read(known *classifier.Classifier) (Dependency, error) {
	d := Dependency{Name: f.name, Version: f.version, URL: f.url()}
	files, err := os.ReadDir(f.path)
	if err != nil {
		return d, fmt.Errorf("find the licence of %s: %w", f.name, err)
	}
	for _, file := range files {
		if file.IsDir() || !licenceFile.MatchString(file.Name()) || strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(f.path, file.Name()))
		if err != nil {
			return d, fmt.Errorf("read the licence of %s: %w", f.name, err)
		}
		d.Texts = append(d.Texts, string(bytes.TrimSpace(text)))
		for _, match := range known.Match(text).Matches {
			if match.MatchType == "License" && !slices.Contains(d.Licences, match.Name) {
				d.Licences = append(d.Licences, match.Name)
			}
		}
	}
	if len(d.Texts) == 0 {
		err = d.declared(f.path)
	}
	slices.Sort(d.Licences)
	return d, err
}

// declared reads the licence from an npm package that has it in its description only.
func (d *Dependency) declared(path string) error {
	text, err := os.ReadFile(filepath.Join(path, "package.json"))
	if err != nil {
		return fmt.Errorf("%s has no licence: %w", d.Name, err)
	}
	var about struct {
		License string
		Author  json.RawMessage
	}
	if err := json.Unmarshal(text, &about); err != nil {
		return fmt.Errorf("read the licence of %s: %w", d.Name, err)
	}
	d.Licences = []string{about.License}
	d.Texts = []string{fmt.Sprintf("License: %s\nAuthor: %s", about.License, about.Author)}
	return nil
}

// goModules lists the modules that the program is linked from, and Go itself.
func goModules(root string, platforms []string) ([]folder, error) {
	found := map[folder]bool{}
	for _, platform := range platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		list := exec.Command(
			"go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}",
			"./cmd/studycircle",
		)
		list.Dir = root
		list.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("list the modules for %s: %w", platform, err)
		}
		for line := range strings.Lines(string(out)) {
			if parts := strings.Split(strings.TrimSpace(line), "\t"); len(parts) == 3 {
				found[folder{"golang", parts[0], parts[1], parts[2]}] = true
			}
		}
	}
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	all := []folder{{"golang", "Go", version, goroot}}
	for f := range found {
		all = append(all, f)
	}
	return all, nil
}

// npmPackages lists the packages that the app is built from.
func npmPackages(root string) ([]folder, error) {
	text, err := os.ReadFile(filepath.Join(root, "web", "package-lock.json"))
	if err != nil {
		return nil, fmt.Errorf("list the npm packages: %w", err)
	}
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool
			// Optional packages are for other platforms or for building.
			Optional, DevOptional bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("list the npm packages: %w", err)
	}
	var all []folder
	for path, p := range lock.Packages {
		_, name, installed := strings.Cut(path, "node_modules/")
		built := slices.Contains(shippedByTools, name)
		if installed && (built || !p.Dev && !p.Optional && !p.DevOptional) {
			all = append(all, folder{"npm", name, p.Version, filepath.Join(root, "web", filepath.FromSlash(path))})
		}
	}
	return all, nil
}
