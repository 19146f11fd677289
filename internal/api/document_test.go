package api

import (
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The front end's types are generated from the committed document.
func TestDocumentIsFresh(t *testing.T) {
	document, err := json.MarshalIndent(documented(Config{Version: "1"}).document, "", "  ")
	require.NoError(t, err)
	document = append(document, '\n')
	if *update {
		require.NoError(t, os.WriteFile("openapi.json", document, 0o600))
	}
	committed, err := os.ReadFile("openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(committed), string(document), "run: go test ./internal/api -run TestDocumentIsFresh -update")
}

// An embedded type that is not exported keeps its parameters out of the document.
func TestTheDocumentDeclaresEveryParameterOfAPath(t *testing.T) {
	text, err := os.ReadFile("openapi.json")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &document))
	inPath := regexp.MustCompile(`\{(\w+)\}`)
	for path, operations := range document.Paths {
		var want []string
		for _, m := range inPath.FindAllStringSubmatch(path, -1) {
			want = append(want, m[1])
		}
		for method, o := range operations {
			var declared []string
			for _, p := range o.Parameters {
				if p.In == "path" {
					declared = append(declared, p.Name)
				}
			}
			require.ElementsMatch(t, want, declared, "%s %s", method, path)
		}
	}
}
