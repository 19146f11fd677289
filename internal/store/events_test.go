package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzEventTokens(f *testing.F) {
	for _, text := range []string{"", "e/1", "e/1:2:/7/1", "/", "e/1/2", "e/1/2/x", "e/1/2/-1", "a/b/c/d/e"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if token, ok := parseEventToken(text); ok {
			again, ok := parseEventToken(token.String())
			require.True(t, ok)
			require.Equal(t, token, again)
		}
	})
}
