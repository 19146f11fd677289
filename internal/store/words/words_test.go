package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Scripts without spaces are split into characters.
func TestUnspacedScriptsAreCutByCharacter(t *testing.T) {
	t.Parallel()
	for script, text := range map[string]string{
		"Han": "学習", "Hiragana": "まな", "Katakana": "テス", "Thai": "กข", "Lao": "ກຂ", "Khmer": "កខ", "Myanmar": "ကခ",
	} {
		letters := []rune(text)
		require.Equal(t, []string{string(letters[0]), string(letters[1])}, Cut(text), script)
	}
	require.Equal(t, []string{"grosse", "cafe", "2026"}, Cut("Große CAFÉ-2026"))
}
