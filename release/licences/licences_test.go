package licences

import (
	"slices"
	"testing"
)

// The program is under the MIT licence, so every part of it must allow that.
func TestLicencesAllowTheProgramsOwn(t *testing.T) {
	all, err := Find("../..", []string{"linux/amd64", "darwin/arm64", "windows/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Go", "modernc.org/sqlite", "github.com/riverqueue/river", "react", "minisearch", "@fontsource-variable/figtree", "tailwindcss"} {
		if !slices.ContainsFunc(all, func(d Dependency) bool { return d.Name == name }) {
			t.Errorf("%s is not among the dependencies", name)
		}
	}
	for _, d := range all {
		if len(d.Licences) == 0 {
			t.Errorf("%s %s has no known licence", d.Name, d.Version)
		}
		for _, licence := range d.Licences {
			if !slices.Contains(Allowed, licence) {
				t.Errorf("%s %s is under %s", d.Name, d.Version, licence)
			}
		}
	}
}

func TestPackageURLs(t *testing.T) {
	for _, c := range []struct {
		of   folder
		want string
	}{
		{folder{kind: "golang", name: "modernc.org/sqlite", version: "v1.61.1"}, "pkg:golang/modernc.org/sqlite@v1.61.1"},
		{folder{kind: "npm", name: "@fontsource-variable/figtree", version: "5.2.8"}, "pkg:npm/%40fontsource-variable/figtree@5.2.8"},
	} {
		if got := c.of.url(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}
