package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sample has a member of every kind.
type sample struct {
	Title string     `json:"title"`
	Level string     `json:"level,omitempty" enum:"easy,hard"`
	Marks whole      `json:"marks"`
	Keep  bool       `json:"keep,omitempty"`
	Proof credential `json:"proof,omitempty"`
	Owned any        `json:"owned,omitempty"`
}

var sampleShape = shapeOf(reflect.TypeFor[sample]())

func readSample(body io.Reader) (in sample, wrong []string, err error) {
	var all faults
	if err = sampleShape.read(jsontext.NewDecoder(body), reflect.ValueOf(&in).Elem(), &all, nil); errors.Is(err, errFaulty) {
		err = nil
	}
	for _, f := range all {
		wrong = append(wrong, f.location)
	}
	return in, wrong, err
}

func TestBodiesAreRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]sample{
		`{"title":"a","marks":1}`: {Title: "a", Marks: 1},
		"\t\r\n{ \"marks\" : 10.0 , \"title\" : \"\\u00e9\\ud83c\\udf93\\n\" }\n": {Title: "é🎓\n", Marks: 10},
		`{"t\u0069tle":"a","marks":-0,"keep":true,"level":"hard"}`:                {Title: "a", Keep: true, Level: "hard"},
		`{"title":"","marks":1e2,"proof":{"a":[1, 2.50],"b":{}}}`:                 {Marks: 100, Proof: credential(`{"a":[1,2.50],"b":{}}`)},
		`{"title":"","marks":1,"owned":null}`:                                     {Marks: 1},
		`{"title":"","marks":1,"owned":[{"x":[1,"2"]}]}`:                          {Marks: 1},
	} {
		for _, body := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			in, wrong, err := readSample(body)
			require.NoError(t, err, text)
			require.Empty(t, wrong, text)
			require.Equal(t, want, in, text)
		}
	}
}

func TestFaultsOfBodiesAreAllNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{}`:                                                          {"body.title", "body.marks"},
		`{"title":null,"marks":null}`:                                 {"body.title", "body.marks"},
		`{"title":5,"marks":"5","colour":[{}]}`:                       {"body.title", "body.marks", "body.colour"},
		`{"title":["a"],"marks":{"a":1}}`:                             {"body.title", "body.marks"},
		`{"title":"a","marks":1,"keep":"true"}`:                       {"body.keep"},
		`{"title":"a","marks":1,"keep":null}`:                         {"body.keep"},
		`{"title":"a","marks":1,"level":""}`:                          {"body.level"},
		`{"title":"a","marks":1,"level":"HARD"}`:                      {"body.level"},
		`{"title":"a","marks":1,"proof":[]}`:                          {"body.proof"},
		`{"title":"a","marks":1,"proof":null}`:                        {"body.proof"},
		`{"title":"a","marks":1,"Title":"a"}`:                         {"body.Title"},
		`{"title":"a","marks":1,"\u0000":0,"":""}`:                    {"body.\x00", "body."},
		`{"title":"a","marks":10.5}`:                                  {"body.marks"},
		`{"title":"a","marks":1,"` + strings.Repeat("é", 50) + `":0}`: {"body." + strings.Repeat("é", 32) + "…"},
	} {
		_, wrong, err := readSample(strings.NewReader(text))
		require.NoError(t, err, text)
		require.ElementsMatch(t, want, wrong, text)
	}
}

func malformed() []string {
	nested := func(depth int, open, end string) string {
		return `{"owned":` + strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth) + "}"
	}
	return []string{
		``, ` `, `null`, `[]`, `[{}]`, `"a"`, `1`, `true`, `{`, `}`, `{}}`, `{}{}`, `{} 1`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{'a':1}`, `{a:1}`, `{"a":01}`, `{"a":+1}`, `{"a":.5}`,
		`{"a":1.}`, `{"a":NaN}`, `{"a":Infinity}`, `{"a":undefined}`, `{"a":tru}`, `{/**/}`, "\ufeff{}", "{\"a\":\"\n\"}", "{\"a\":\"\x00\"}", "{\"a\":\"\xff\"}", "{\"\xff\":1}",
		`{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`, `{"a":"\x"}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{"b":{"a":1,"a":1}}`, `{"b":[{"a":1,"a":1}]}`, `{"a":[1,]}`, `{"a":[}`, `{"a":1]`,
		`{"title":"a","title":"b"}`, `{"title":"a","t\u0069tle":"b"}`, `{"proof":{"a":1,"a":2}}`, `{"owned":{"a":1,"a":2}}`, `{"owned":[1`, `{"marks":1`, `{"title":"a`,
		nested(maxDepth, "[", "]"), nested(maxDepth, `{"a":`, "}"), `{"title":` + strings.Repeat("[", 500_000), strings.Repeat(`{"a":`, 100_000),
		`{"proof":` + strings.Repeat(`{"a":`, maxDepth) + "1" + strings.Repeat("}", maxDepth) + "}", `{"owned":` + names(maxNames+1) + "}", `{"a":[` + names(60_000) + `]}`,
	}
}

// names returns an object with n names.
func names(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%x":0`, i)
	}
	return "{" + b.String()[1:] + "}"
}

func TestMalformedBodiesAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range malformed() {
		_, _, err := readSample(strings.NewReader(text))
		require.Error(t, err, "%.100s", text)
		said := problemOf(t.Context(), describe(err)).Detail
		require.Regexp(t, `^[A-Z].*\.$`, said, "a sentence for the user")
		require.Less(t, len(said), 300)
	}
	nested := `{"title":"a","marks":1,"owned":` + strings.Repeat("[", maxDepth-1) + strings.Repeat("]", maxDepth-1) + "}"
	_, wrong, err := readSample(strings.NewReader(nested))
	require.NoError(t, err)
	require.Empty(t, wrong)
}

// Reading any body of a mebibyte takes no more than a few buffers of its longest token, and the answer stays small.
func TestHostileBodiesCostNoMoreThanABuffer(t *testing.T) {
	fill := func(begin, part, end string) string {
		return begin + strings.Repeat(part+",", (maxBody-len(begin)-len(end))/(len(part)+1)-1) + part + end
	}
	unknown := strings.Builder{}
	for i := range 60_000 {
		fmt.Fprintf(&unknown, `"f%d":0,`, i)
	}
	var body struct{ Body sample }
	reader := inputOf(reflect.TypeFor[struct{ Body sample }]())
	for what, c := range map[string]struct {
		text string
		most int // bytes allocated
	}{
		"objects with one name":       {fill(`{"title":[`, `{"":0}`, `]}`), 128 << 10},
		"empty arrays":                {fill(`{"title":[`, `[]`, `]}`), 128 << 10},
		"empty arrays, not an object": {fill(`[`, `[]`, `]`), 128 << 10},
		"objects where one is kept":   {fill(`{"proof":{"a":[`, `{"":0}`, `]}}`), 12 << 20},
		"read over":                   {fill(`{"owned":[`, `{"a":[0,"b"]}`, `]}`), 128 << 10},
		"unknown fields":              {"{" + unknown.String() + `"z":0}`, 512 << 10},
		"unknown fields inside":       {`{"owned":{` + unknown.String() + `"z":0}}`, 512 << 10},
		"one name":                    {`{"` + strings.Repeat("a", maxBody-6) + `":0}`, 8 << 20},
		"one text":                    {`{"title":"` + strings.Repeat("a", maxBody-12) + `"}`, 8 << 20},
		"one number":                  {`{"marks":` + strings.Repeat("1", maxBody-10) + `}`, 8 << 20},
		"nested":                      {`{"a":` + strings.Repeat("[", maxBody-10), 128 << 10},
	} {
		require.LessOrEqual(t, len(c.text), maxBody, what)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(c.text))
		r.Header.Set("Content-Type", "application/json")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var wrong faults
		err := reader.readBody(httptest.NewRecorder(), r, reflect.ValueOf(&body).Elem(), &wrong, &requestID{})
		if err == nil {
			err = wrong.err()
		}
		runtime.ReadMemStats(&after)
		require.Error(t, err, what)
		answer, err := json.Marshal(problemOf(t.Context(), err))
		require.NoError(t, err)
		require.Less(t, len(answer), 8<<10, what)
		require.Less(t, int(after.TotalAlloc-before.TotalAlloc), c.most, what)
	}
}

// The parser accepts the same bodies as a library's strict mode, with the same meaning, and refuses the others.
func FuzzBody(f *testing.F) {
	for _, text := range malformed() {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	for _, text := range []string{
		`{"title":"a","marks":1}`, `{"title":"\ud83c\udf93","marks":10.0,"keep":true,"proof":{"a":[1,{"b":null}]},"owned":null,"level":"easy"}`,
		`{"title":"a","marks":10.5}`, `{"title":null,"marks":1}`, `{"Title":"a","marks":1}`, `{"title":"a","marks":1,"x":{}}`, `{"title":"a","marks":1e-1}`,
	} {
		f.Add([]byte(text))
	}
	type reference struct {
		Title *string        `json:"title"`
		Level *string        `json:"level"`
		Marks jsontext.Value `json:"marks"`
		Keep  *bool          `json:"keep"`
		Proof jsontext.Value `json:"proof"`
		Owned jsontext.Value `json:"owned"`
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, wrong, err := readSample(iotest.HalfReader(bytes.NewReader(text)))
		strict := jsontext.Value(text)
		object := strict.IsValid() && strict.Kind() == '{'
		if err != nil {
			require.True(t, !object || errors.Is(err, errTooDeep) || errors.Is(err, errTooMany), "%s: %v", text, err)
			return
		}
		require.True(t, object, "%s", text)
		var given map[string]jsontext.Value
		require.NoError(t, jsonv2.Unmarshal(text, &given))
		var want reference
		fits := jsonv2.Unmarshal(text, &want, jsonv2.RejectUnknownMembers(true)) == nil && want.Title != nil && want.Marks.Kind() == '0' &&
			(given["level"] == nil || (want.Level != nil && (*want.Level == "easy" || *want.Level == "hard"))) &&
			(given["keep"] == nil || want.Keep != nil) && (given["proof"] == nil || want.Proof.Kind() == '{')
		if fits {
			_, fits = parseWhole(string(want.Marks))
		}
		require.Equal(t, fits, len(wrong) == 0, "%s: %v", text, wrong)
		if !fits {
			return
		}
		require.Equal(t, *want.Title, in.Title)
		require.Equal(t, want.Keep != nil && *want.Keep, in.Keep)
		if want.Proof != nil {
			require.JSONEq(t, string(want.Proof), string(in.Proof))
		}
	})
}

// Numbers are read by their digits, in any spelling; numbers beyond int64 exceed every bound.
func TestWhole(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0": 0, "0e-5": 0, "0e99999999999999999999": 0, "10": 10, "10.0": 10, "10.000": 10, "1e2": 100, "1E+2": 100, "-5": -5, "1.5e1": 15, "100e-1": 10,
		"9007199254740993": 1<<53 + 1, "9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"1e400": math.MaxInt64, "-1e400": math.MinInt64, "9223372036854775808": math.MaxInt64, "-9223372036854775809": math.MinInt64,
		"1e99999999999999999999": math.MaxInt64, "0." + strings.Repeat("0", 99) + "7e100": 7, "7" + strings.Repeat("0", 99) + "e-99": 7,
	} {
		got, exact := parseWhole(text)
		require.True(t, exact, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"10.5", "0.1", "1e-1", "1e-999", "-1e-999", "1e-99999999999999999999", "10.0000000000000000001", "9.9999999999999999999", "15e-1", "-0.5", "1e-20", "123.456e2",
	} {
		_, exact := parseWhole(text)
		require.False(t, exact, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		n, zeros := rapid.Int64().Draw(t, "n"), rapid.IntRange(0, 30).Draw(t, "zeros")
		for _, text := range []string{
			fmt.Sprint(n), fmt.Sprintf("%d.%s", n, strings.Repeat("0", zeros+1)), fmt.Sprintf("%de0", n), fmt.Sprintf("%d%se-%d", n, strings.Repeat("0", zeros), zeros),
		} {
			got, exact := parseWhole(text)
			require.True(t, exact, text)
			require.Equal(t, n, got, text)
		}
	})
}
