package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/stretchr/testify/require"
)

// plainBodies are those that are read plainly, each with what reads it: as the
// framework would, where that takes it at all.
var plainBodies = map[string]func(t require.TestingT, body []byte) (plain bool){
	`{"title":"A","description":"B\nÄ","thumbnail":"https://example.org/1.jpg","marks":60,"level":"hard","dueDate":"2099-12-31"}`: asFramework(readAssignment),
	`{"assignmentId":"a1","docsLink":"https://docs.example.org/1","note":"Please \"be\" kind."}`:                                  asFramework(readSubmission),
	`{"marks":7,"feedback":"Well done."}`: asFramework(readGrade),
}

func asFramework[I any](read func(*http.Request, []byte, *I) bool) func(require.TestingT, []byte) bool {
	setUpFramework()
	registry := huma.NewMapRegistry("#/", huma.DefaultSchemaNamer)
	field, _ := reflect.TypeFor[I]().FieldByName("Body")
	schema := huma.SchemaFromType(registry, field.Type)
	format := jsonFormat()
	return func(t require.TestingT, body []byte) bool {
		var got, want I
		if !read(&http.Request{}, body, &got) {
			return false
		}
		var loose any
		require.NoError(t, format.Unmarshal(body, &loose), "%s", body)
		found := &huma.ValidateResult{}
		huma.Validate(registry, schema, huma.NewPathBuffer([]byte("body"), 4), huma.ModeWriteToServer, loose, found)
		require.Empty(t, found.Errors, "%s", body)
		require.NoError(t, format.Unmarshal(body, reflect.ValueOf(&want).Elem().FieldByName("Body").Addr().Interface()), "%s", body)
		require.Equal(t, want, got, "%s", body)
		return true
	}
}

// What is read plainly is what the framework lets in, and reads alike.
func FuzzPlainBodies(f *testing.F) {
	for body := range plainBodies {
		f.Add([]byte(body))
		f.Add([]byte(strings.ReplaceAll(body, `":`, "\" : \n")))
	}
	for _, body := range refused() {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, read := range plainBodies {
			read(t, body)
		}
	})
}

func TestOnlyPlainBodiesAreReadPlainly(t *testing.T) {
	t.Parallel()
	for body, read := range plainBodies {
		require.True(t, read(t, []byte(body)), body)
		require.True(t, read(t, []byte(strings.ReplaceAll(body, `":`, "\" : \n"))), body)
		first := body[1:strings.IndexByte(body, ':')]
		for what, other := range map[string]string{
			"a name too many": `{"x":1,` + body[1:], "a field of the server's": `{"status":"pending",` + body[1:], "a name twice": body[:len(body)-1] + "," + body[1:],
			"a name with an escape": strings.Replace(body, first, `"\u00`+fmt.Sprintf("%x", first[1])+first[2:], 1), "other case": strings.Replace(body, first, strings.ToUpper(first), 1),
			"null": strings.Replace(body, first+":", first+`:null,"x":`, 1), "not the kind": strings.Replace(body, first+":", first+`:[],"x":`, 1),
			"none": "{}", "more after it": body + "{}", "no end": body[:len(body)-1], "a list": "[" + body + "]", "a broken character": strings.Replace(body, `:"`, ":\"\xff", 1),
			"half a character": strings.Replace(body, `:"`, `:"\ud800`, 1), "no object": `"` + first, "nothing": "",
		} {
			require.False(t, read(t, []byte(other)), "%s: %s", what, other)
		}
	}
	for body, read := range plainBodies {
		for _, number := range []string{"10.0", "1e2", `"7"`, "null", "1234567890123456", "true"} {
			if at := strings.Index(body, `"marks":`); at >= 0 {
				end := at + strings.IndexByte(body[at:], ',')
				require.False(t, read(t, []byte(body[:at]+`"marks":`+number+body[end:])), number)
			}
		}
	}
}

// A body that is not plain, or cannot be read to its end, is the framework's as
// if nobody had read it.
func TestOtherBodiesStayWhole(t *testing.T) {
	t.Parallel()
	const text = `{"marks":7.0,"feedback":"Well done."}`
	broken := errors.New("broken")
	for what, c := range map[string]struct {
		body io.Reader
		long int
		left string
		err  error
	}{
		"not plain":   {strings.NewReader(text), len(text), text, nil},
		"broken":      {io.MultiReader(strings.NewReader(text[:9]), iotest.ErrReader(broken)), len(text), text[:9], broken},
		"cut off":     {strings.NewReader(text[:9]), len(text), text[:9], io.ErrUnexpectedEOF},
		"long":        {strings.NewReader(text), maxPlain + 1, text, nil},
		"of any size": {strings.NewReader(text), -1, text, nil},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPatch, "/", c.body)
		r.ContentLength = int64(c.long)
		passed := false
		never := func(context.Context, *gradeInput) (*modifiedAnswer, error) { panic(what) }
		plainly(plainBody(readGrade), never, sendModified)[0](humago.NewContext(&huma.Operation{}, r, httptest.NewRecorder()), func(hc huma.Context) {
			left, err := io.ReadAll(hc.BodyReader())
			require.Equal(t, c.left, string(left), what)
			require.ErrorIs(t, err, c.err, what)
			passed = true
		})
		require.True(t, passed, what)
	}
}

// What is read plainly of a query is what the framework reads of it.
func TestPlainQueries(t *testing.T) {
	t.Parallel()
	ask := readsSubmissionList()
	for query, plain := range map[string]bool{
		"status=pending&limit=10&page=3": true, "page=1": true, "limit=100": true, "status=completed&submittedBy=ada%40example.org": true,
		"submittedBy=a+b": true, "submittedBy=%00": true, "page=9223372036854775807": true,
		"": true, "page=%31": true, "page=%2B1": true, "page=1&": true,
		"status=": false, "status=open": false, "Status=pending": false, "page=0": false, "page=+1": false,
		"page=-1": false, "page=1.5": false, "page=9223372036854775808": false, "limit=101": false, "page=1&page=2": false, "page=1&colour=blue": false,
		"page": false, "submittedBy=%zz": false, "page=1;limit=2": false,
	} {
		require.Equal(t, plain, ask(t, query), query)
	}
}

func FuzzPlainQueries(f *testing.F) {
	for _, query := range []string{"status=pending&limit=10&page=3", "submittedBy=ada%40example.org", "page=1&page=2", "page=%31&;"} {
		f.Add(query)
	}
	ask := readsSubmissionList()
	f.Fuzz(func(t *testing.T, query string) { ask(t, query) })
}

// readsSubmissionList tells whether a query is read plainly, and fails where the
// framework reads it otherwise.
func readsSubmissionList() func(t *testing.T, query string) (plain bool) {
	setUpFramework()
	mux := http.NewServeMux()
	var want *listSubmissionsInput
	huma.Register(humago.New(mux, huma.DefaultConfig("Test", "1")), huma.Operation{OperationID: "list", Method: http.MethodGet, Path: "/"},
		func(_ context.Context, in *listSubmissionsInput) (*struct{}, error) {
			want = in
			return &struct{}{}, nil
		})
	return func(t *testing.T, query string) bool {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.URL.RawQuery = query
		r.Header.Set("If-None-Match", `"1"`)
		var got listSubmissionsInput
		if !readSubmissionList(r, &got) {
			return false
		}
		want = nil
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, r)
		require.NotNil(t, want, "%q: %s", query, answer.Body)
		require.Equal(t, *want, got, "%q", query)
		return true
	}
}
