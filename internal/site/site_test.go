package site_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/site"
)

func TestOwnSettingsGoOverTheBuiltIn(t *testing.T) {
	t.Parallel()
	builtIn, err := site.Load("")
	require.NoError(t, err)
	require.NotEmpty(t, builtIn.Developer.Social[2].URL)
	file := filepath.Join(t.TempDir(), "site.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"footer":{"tagline":"Our own words."}}`), 0o600))
	own, err := site.Load(file)
	require.NoError(t, err)
	require.Equal(t, "Our own words.", own.Footer.Tagline)
	require.Equal(t, builtIn.Developer.Name, own.Developer.Name)
	require.Contains(t, string(own.JSON), "Our own words.")
	for _, bad := range []string{
		`{"footer":`,
		`{"footer":{"tag":"misspelled"}}`,
		`{"Footer":{}}`,
		`{"footer":{"tagline":"once","tagline":"twice"}}`,
		`{"footer":{"social":[]}}`,
		`{"footer":{}} and more`,
	} {
		require.NoError(t, os.WriteFile(file, []byte(bad), 0o600))
		_, err = site.Load(file)
		require.ErrorContains(t, err, file, bad)
	}
}
