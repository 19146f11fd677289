package studycircle_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// The browser's forms accept and refuse the same input as the server: the web app's test reads the same cases
// (web/src/lib/alike.test.ts).
func TestTheBrowserHasTheSameRules(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/alike.json")
	require.NoError(t, err)
	var cases struct{ WebAddresses, Endings, Notes, Passwords, Titles [][]any }
	require.NoError(t, json.Unmarshal(text, &cases))

	const fine = "https://example.org/"
	for _, c := range cases.WebAddresses {
		_, err := studycircle.SubmissionInput{DocsLink: c[0].(string)}.Clean()
		require.Equal(t, c[1], err == nil, "%q: %v", c[0], err)
	}
	for _, c := range cases.Endings {
		_, err := studycircle.SubmissionInput{DocsLink: fine + strings.Repeat(c[0].(string), int(c[1].(float64)))}.Clean()
		require.Equal(t, c[2], err == nil, "%v times %q: %v", c[1], c[0], err)
	}
	for _, c := range cases.Notes {
		note := strings.Repeat(c[0].(string), int(c[1].(float64)))
		_, err := studycircle.SubmissionInput{DocsLink: fine, Note: note}.Clean()
		require.Equal(t, c[2], err == nil, "%v times %q: %v", c[1], c[0], err)
	}
	faults := map[string]string{
		"upper": "Password must have at least one uppercase letter", "lower": "Password must have at least one lowercase letter",
		"short": "Password must be at least 6 characters",
	}
	for _, c := range cases.Passwords {
		err := studycircle.CheckPassword(c[0].(string))
		missing := c[1].([]any)
		if len(missing) == 0 {
			require.NoError(t, err, "%q", c[0])
			continue
		}
		// The server reports the first fault.
		require.ErrorContains(t, err, faults[missing[0].(string)], "%q", c[0])
	}
	for _, c := range cases.Titles {
		require.Equal(t, c[1], studycircle.StripBidiControls(c[0].(string)), "%q", c[0])
	}
}
