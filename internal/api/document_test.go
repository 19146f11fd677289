package api

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The front end's types are generated from the committed document.
func TestDocumentIsFresh(t *testing.T) {
	described := register(http.NewServeMux(), Config{Version: "1"})
	document, err := json.MarshalIndent(described.document.OpenAPI(), "", "  ")
	require.NoError(t, err)
	document = append(document, '\n')
	if *update {
		require.NoError(t, os.WriteFile("openapi.json", document, 0o600))
	}
	committed, err := os.ReadFile("openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(committed), string(document), "run: go test ./internal/api -run TestDocumentIsFresh -update")
}
