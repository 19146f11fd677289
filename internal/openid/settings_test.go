package openid

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "oidc.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

const school = `{"id":"school","label":"School","issuer":"https://login.example.org","clientId":"a","clientSecret":"b"}`

func TestEntries(t *testing.T) {
	none, err := Entries("", "", "")
	require.NoError(t, err)
	assert.Empty(t, none)

	two, err := Entries("id", "secret", written(t, "["+school+"]"))
	require.NoError(t, err)
	assert.Equal(t, []Entry{
		{ID: "google", Label: "Google", Issuer: "https://accounts.google.com", ClientID: "id", ClientSecret: "secret"},
		{ID: "school", Label: "School", Issuer: "https://login.example.org", ClientID: "a", ClientSecret: "b"},
	}, two)

	own := `{"id":"google","label":"Ours","issuer":"http://127.0.0.1:9000","clientId":"a","clientSecret":"b"}`
	replaced, err := Entries("id", "secret", written(t, "["+school+","+own+"]"))
	require.NoError(t, err)
	require.Len(t, replaced, 2)
	assert.Equal(t, "Ours", replaced[0].Label, "first, and in place of Google's own")
	assert.Equal(t, "school", replaced[1].ID)
}

func TestEntriesRefused(t *testing.T) {
	entry := func(id, label, issuer string) string {
		return `[{"id":"` + id + `","label":"` + label + `","issuer":"` + issuer + `","clientId":"a","clientSecret":"b"}]`
	}
	for says, text := range map[string]string{
		"not a JSON array":                       `{"id":"a"}`,
		"entry 2: the id \"school\" is taken":    "[" + school + "," + school + "]",
		"not a JSON array but null":              `null`,
		"unknown object member name \"secret\"":  `[{"id":"a","secret":"b"}]`,
		"unknown object member name \"Label\"":   "[" + strings.Replace(school, `"label"`, `"Label"`, 1) + "]",
		"duplicate object member name \"label\"": "[" + strings.Replace(school, `"label"`, `"label":"Other","label"`, 1) + "]",
		"entry 1: \"label\" is missing":          entry("a", " ", "https://example.org"),
		"entry 1: \"clientId\" is missing":       `[{"id":"a","label":"A","issuer":"https://example.org"}]`,
		"must be 1 to 32 small letters":          entry("A/b", "A", "https://example.org"),
		"must be an address like":                entry("a", "A", "login.example.org"),
		"must start with https://":               entry("a", "A", "http://login.example.org"),
		"after top-level value":                  "[" + school + "] []",
		"have the same issuer":                   "[" + school + `,{"id":"b","label":"B","issuer":"https://login.example.org","clientId":"a","clientSecret":"b"}]`,
	} {
		_, err := Entries("", "", written(t, text))
		require.ErrorContains(t, err, says)
	}
	for _, issuer := range []string{"https://a:b@example.org", "https://example.org?tenant=1", "https://example.org#a", "ftp://example.org", "http://127.0.0.1.example.org"} {
		_, err := Entries("", "", written(t, entry("a", "A", issuer)))
		require.Error(t, err, issuer)
	}
	for _, issuer := range []string{"http://localhost:3000", "http://[::1]:3000/realms/a", "https://example.org/tenant/v2.0"} {
		_, err := Entries("", "", written(t, entry("a", "A", issuer)))
		require.NoError(t, err, issuer)
	}
	_, err := Entries("", "", filepath.Join(t.TempDir(), "missing.json"))
	require.ErrorContains(t, err, "missing.json: no such file")
	_, err = Entries("id", "", "")
	require.ErrorContains(t, err, "--google-client-secret")
	_, err = Entries("", "secret", "")
	require.ErrorContains(t, err, "--google-client-id")
	_, err = Entries("", "", written(t, string(make([]byte, maxSettings+1))))
	require.ErrorContains(t, err, "larger than 1 MiB")
	_, err = Entries("id", "secret", written(t, entry("ours", "A", "https://accounts.google.com")))
	require.ErrorContains(t, err, "have the same issuer")
}
