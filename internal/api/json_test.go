package api

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestStrictObjectReads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		`{}`:                                map[string]any{},
		"\t\r\n{ }\n":                       map[string]any{},
		`{"a":"b"}`:                         map[string]any{"a": "b"},
		`{"a":"\u00e9\ud83c\udf93\n"}`:      map[string]any{"a": "é🎓\n"},
		`{"a":1,"b":1.5,"c":-0,"d":1e3}`:    map[string]any{"a": 1.0, "b": 1.5, "c": math.Copysign(0, -1), "d": 1000.0},
		`{"a":true,"b":false,"c":null}`:     map[string]any{"a": true, "b": false, "c": explicitNull{}},
		`{"a":[1,[]],"A":{"a":{"a":"b"}}}`:  map[string]any{"a": []any{1.0, []any{}}, "A": map[string]any{"a": map[string]any{"a": "b"}}},
		`{"":""}`:                           map[string]any{"": ""},
		`{"a":1e999,"b":-1e999,"c":1e-999}`: map[string]any{"a": math.Inf(1), "b": math.Inf(-1), "c": 0.0},
	} {
		got, err := strictObject([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func TestStrictObjectRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range append(refused(), strings.Repeat(`{"a":`, maxDepth+1)+"1"+strings.Repeat("}", maxDepth+1), `{"a":`+strings.Repeat("[", 1_000_000)) {
		_, err := strictObject([]byte(text))
		require.Error(t, err, "%.100s", text)
		require.Regexp(t, `^[A-Z].*\.$`, err.Error(), "a sentence for the user")
	}
}

func refused() []string {
	return []string{
		``, ` `, `null`, `[]`, `[{}]`, `"a"`, `1`, `true`, `{`, `}`, `{}}`, `{}{}`, `{} 1`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{'a':1}`, `{a:1}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`,
		`{"a":1.}`, `{"a":NaN}`, `{"a":Infinity}`, `{"a":undefined}`, `{"a":tru}`, `{/**/}`, "\ufeff{}", "{\"a\":\"\n\"}", "{\"a\":\"\x00\"}", "{\"a\":\"\xff\"}", "{\"\xff\":1}",
		`{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`, `{"a":"\x"}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"b":{"a":1,"a":1}}`, `{"b":[{"a":1,"a":1}]}`, `{"a":[1,]}`, `{"a":[}`, `{"a":1]`,
	}
}

func TestDepth(t *testing.T) {
	t.Parallel()
	nested := func(depth int) []byte {
		return []byte(strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth))
	}
	_, err := strictObject(nested(maxDepth))
	require.NoError(t, err)
	_, err = strictObject(nested(maxDepth + 1))
	require.ErrorIs(t, err, errTooDeep)
}

// A body nested ever so deep is given up early: reading on, or a stack that
// grows, would show in what is allocated, on any machine.
func TestNestingIsGivenUpEarly(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 500_000), strings.Repeat(`{"a":`, 150_000), `{"a":` + strings.Repeat("[", 500_000), `{"a":` + strings.Repeat("[", 250_000) + strings.Repeat("]", 250_000) + "}",
	} {
		body := []byte(text)
		require.Less(t, testing.AllocsPerRun(10, func() { _, _ = strictObject(body) }), 500.0, "%.20s", text)
	}
}

// Whatever the standard library writes is read back the same.
func TestStrictObjectReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	values := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-1e15, 1e15), func(f float64) any { return f }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.SliceOfN(rapid.String(), 0, 3), func(list []string) any {
			out := []any{}
			for _, s := range list {
				out = append(out, s)
			}
			return out
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOf(rapid.String(), values).Draw(t, "object")
		text, err := json.Marshal(object)
		require.NoError(t, err)
		got, err := strictObject(text)
		require.NoError(t, err, "%s", text)
		require.Equal(t, any(object), got)
	})
}

// What is let in is also JSON to others, has no name twice, and means the same.
func FuzzStrictObject(f *testing.F) {
	for _, text := range append(refused(), `{"a":[1,{"b":null}],"c":"\ud83c\udf93"}`, `{"marks":10.0,"title":"é"}`) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := strictObject(text)
		if err != nil {
			return
		}
		require.True(t, utf8.Valid(text))
		var loose map[string]any
		if err := json.Unmarshal(text, &loose); err != nil {
			// Numbers beyond float64 are infinities here and an error there.
			require.ErrorContains(t, err, "number")
			return
		}
		object, _ := got.(map[string]any)
		require.Len(t, object, len(loose))
		for name, value := range loose {
			require.Contains(t, object, name)
			require.Equal(t, value == nil, object[name] == any(explicitNull{}))
		}
	})
}

// Every integer up to 2^53 is read exactly, however it is spelled; beyond that
// numbers stay out of every bound.
func TestWhole(t *testing.T) {
	t.Parallel()
	read := func(t require.TestingT, text string) int64 {
		var n whole
		require.NoError(t, n.UnmarshalJSON([]byte(text)), text)
		return int64(n)
	}
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "10.0": 10, "1e2": 100, "-5": -5, "9007199254740992": 1 << 53,
		"1e400": math.MaxInt64, "-1e400": math.MinInt64, "9223372036854775808": math.MaxInt64, "-9223372036854775809": math.MinInt64,
	} {
		require.Equal(t, want, read(t, text), text)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-1<<53, 1<<53).Draw(t, "n")
		text, err := json.Marshal(n)
		require.NoError(t, err)
		require.Equal(t, n, read(t, string(text)))
		require.Equal(t, n, read(t, string(text)+".0"))
		require.Equal(t, n, read(t, string(text)+"e0"))
	})
}
