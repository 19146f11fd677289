package api

import (
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

// Whichever byte stands wherever in a text, it is written as the encoder does.
func TestTextsAreWrittenAsTheEncoderDoes(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		for at := range 17 {
			text := []byte("seventeen letters")
			text[at] = byte(c)
			want, _ := jsontext.AppendQuote(nil, text) // it reports invalid UTF-8, which it has mended
			require.Equal(t, string(want), string(appendText(nil, string(text))))
		}
	}
}

// Lists of assignments are written by hand: with the bytes that the encoder of
// all other answers would write.
func TestListsAreWrittenAsTheEncoderDoes(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", `"\/`, "\x00\x01\x1f\x7f\b\f\n\r\t", "<b>&amp;</b>", "\u2028\u2029\ufffd", "é漢🎓"}))
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		return time.UnixMicro(rapid.Int64Range(0, 253370764800_000000).Draw(t, "micros")).UTC() // to the year 9998
	})
	assignment := rapid.Custom(func(t *rapid.T) studycircle.Assignment {
		a := studycircle.Assignment{
			ID: text.Draw(t, "id"), Title: text.Draw(t, "title"), Description: text.Draw(t, "description"), Thumbnail: text.Draw(t, "thumbnail"),
			Marks: rapid.Int64().Draw(t, "marks"), Level: rapid.SampledFrom(studycircle.Levels).Draw(t, "level"),
			Due:       studycircle.DueDateAt(instant.Draw(t, "due").UnixMicro(), rapid.IntRange(-23*60, 23*60).Draw(t, "offset")),
			CreatedAt: instant.Draw(t, "created"), UpdatedAt: instant.Draw(t, "updated"),
		}
		if rapid.Bool().Draw(t, "has creator") {
			a.Creator = studycircle.Person{UserID: "u", Email: text.Draw(t, "email"), DisplayName: text.Draw(t, "name")}
		}
		return a
	})
	rapid.Check(t, func(t *rapid.T) {
		found := rapid.SliceOfN(assignment, 0, 3).Draw(t, "found")
		p := studycircle.Page{Number: rapid.Int64Min(1).Draw(t, "page"), Limit: rapid.Int64Range(1, 100).Draw(t, "limit")}
		total := rapid.Int64Range(0, 1<<50).Draw(t, "total")
		got := appendList(nil, found, total, p)
		want, err := jsonv2.Marshal(AssignmentListOf(found, total, p))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	})
}
