package encode_test

import (
	"bytes"
	"encoding/json"
	"html/template"
	"reflect"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle/internal/encode"
)

type level string

type inner struct {
	Text string        `json:"text"`
	HTML template.HTML `json:"html,omitempty"`
}

type option struct{ *inner }

func (o option) MarshalJSON() ([]byte, error) { return json.Marshal(o.inner) }

type everything struct {
	inner
	Level    level            `json:"level"`
	Plain    string           // its Go name is its JSON name
	Hidden   string           `json:"-"`
	Yes      bool             `json:"yes,omitzero"`
	Count    int64            `json:"count,omitzero"`
	Unsigned uint32           `json:"unsigned"`
	Share    float64          `json:"share"`
	At       time.Time        `json:"at"`
	Since    time.Time        `json:"since,omitzero"`
	Until    *time.Time       `json:"until,omitempty"`
	Pointer  *inner           `json:"pointer,omitempty"`
	Twice    **inner          `json:"twice,omitzero"`
	Empty    *string          `json:"empty,omitempty"`
	List     []inner          `json:"list"`
	Numbers  []int64          `json:"numbers,omitempty"`
	Array    [2]bool          `json:"array"`
	Bytes    []byte           `json:"bytes"`
	Any      any              `json:"any"`
	Map      map[string]inner `json:"map"`
	Raw      json.RawMessage  `json:"raw,omitempty"`
	Option   option           `json:"option"`
	hidden   string
}

// requireSame compares with the library, for the value itself and for a pointer to it.
func requireSame(t require.TestingT, v *everything) {
	want, err := jsonv2.Marshal(v, jsonv2.Deterministic(true))
	require.NoError(t, err)
	for _, given := range []any{v, *v} {
		got, err := encode.Append([]byte("before"), given)
		require.NoError(t, err)
		require.Equal(t, "before"+string(want), string(got))
	}
}

func TestValuesAreEncodedAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	requireSame(t, &everything{hidden: "never"})
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", `"\/`, "\x00\x01\x1f\x7f\b\f\n\r\t", "<b>&amp;</b>", "\u2028\u2029\ufffd", "é漢🎓"}))
	instant := rapid.Custom(func(t *rapid.T) time.Time {
		return time.UnixMicro(rapid.Int64Range(0, 253370764800_000000).Draw(t, "micros")).UTC() // to the year 9998
	})
	some := rapid.Custom(func(t *rapid.T) inner {
		return inner{text.Draw(t, "text"), template.HTML(text.Draw(t, "html"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		v := &everything{
			inner: some.Draw(t, "embedded"), Level: level(text.Draw(t, "level")), Plain: text.Draw(t, "plain"), Hidden: "never",
			Yes: rapid.Bool().Draw(t, "yes"), Count: rapid.Int64().Draw(t, "count"), Unsigned: rapid.Uint32().Draw(t, "unsigned"),
			Share: rapid.Float64().Draw(t, "share"), At: instant.Draw(t, "at"), Until: rapid.Ptr(instant, true).Draw(t, "until"),
			Pointer: rapid.Ptr(some, true).Draw(t, "pointer"), Twice: rapid.Ptr(rapid.Ptr(some, true), true).Draw(t, "twice"),
			Empty: rapid.Ptr(text, true).Draw(t, "empty"), List: rapid.SliceOf(some).Draw(t, "list"), Numbers: rapid.SliceOf(rapid.Int64()).Draw(t, "numbers"),
			Bytes: rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"), Map: rapid.MapOf(text, some).Draw(t, "map"), Raw: json.RawMessage(`{"a":[1]}`),
			Option: option{rapid.Ptr(some, true).Draw(t, "option")},
		}
		if rapid.Bool().Draw(t, "has any") {
			v.Any, v.Since = some.Draw(t, "any"), instant.Draw(t, "since")
		}
		requireSame(t, v)
	})
}

func TestInvalidUTF8IsReplaced(t *testing.T) {
	t.Parallel()
	got, err := encode.Append(nil, inner{Text: "a\xffb"})
	require.NoError(t, err)
	require.JSONEq(t, `{"text":"a�b"}`, string(got))
}

func TestScriptIsSafeInAPage(t *testing.T) {
	t.Parallel()
	v := everything{inner: inner{Text: "</script><!-- & \u2028\u2029"}}
	got, err := encode.Script(&v)
	require.NoError(t, err)
	require.NotRegexp(t, "[<>&\u2028\u2029]", string(got))
	var back everything
	require.NoError(t, json.NewDecoder(bytes.NewBufferString(string(got))).Decode(&back))
	require.Equal(t, v.Text, back.Text)
}

func TestTypesThatCannotBeEncodedAreRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, encode.Check(reflect.TypeFor[everything]()))
	require.ErrorContains(t, encode.Check(reflect.TypeFor[struct {
		N int `json:"n,string"`
	}]()), "string is not known")
	require.ErrorContains(t, encode.Check(reflect.TypeFor[struct {
		inner
		Other string `json:"text"`
	}]()), "two members")
}
