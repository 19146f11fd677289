package api

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

// viaLibrary is v as encoding/json writes it for the other operations.
func viaLibrary(t require.TestingT, v any) string {
	var b strings.Builder
	require.NoError(t, jsonFormat().Marshal(&b, v))
	return strings.TrimSuffix(b.String(), "\n")
}

func FuzzStringsAreWrittenAsTheLibraryDoes(f *testing.F) {
	for _, s := range []string{
		"", "plain", `"\/`, "\x00\x01\x1f\x7f\b\f\n\r\t", "<b>&amp;</b>", "\u2028\u2029\u2027\u202a", "\xff\xc3", "\ufffd", "é漢🎓", "a\xed\xa0\x80b", "\xf0\x9f\x8e",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		require.Equal(t, viaLibrary(t, s), string(appendString(nil, s)))
	})
}

// Strings are looked at eight bytes at a time: every byte at every place of them.
func TestEveryByteIsWrittenAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	for b := range 256 {
		for at := range 17 {
			for _, fill := range []string{" ", "~", "\"", "é"} {
				s := strings.Repeat(fill, 17)
				s = s[:at] + string([]byte{byte(b)}) + s[at+1:]
				require.Equal(t, viaLibrary(t, s), string(appendString(nil, s)))
			}
		}
	}
}

func TestListsAreWrittenAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
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
		require.True(t, json.Valid(got))
		require.Equal(t, viaLibrary(t, AssignmentListOf(found, total, p)), string(got))
	})
}
