package encode

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
)

func TestAppendTextMatchesTheLibraryForEachByteAtEachPosition(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for at := range 17 {
			text := []byte("seventeen letters")
			text[at] = byte(c)
			want, _ := jsontext.AppendQuote(nil, text) // it reports invalid UTF-8, which it has replaced
			require.Equal(t, string(want), string(AppendText(nil, string(text))))
		}
	}
}
