package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
)

type written struct{ header http.Header }

func (w *written) Header() http.Header            { return w.header }
func (w *written) WriteHeader(int)                {}
func (w *written) Write(text []byte) (int, error) { return len(text), nil }

// A cached list and a small write, without what the store does for them.
func BenchmarkOperations(b *testing.B) {
	mux := http.NewServeMux()
	r := register(mux, Config{}, nil)
	r.answers.version = func(context.Context) (uint64, error) { return 1, nil }
	key := answerKey{kind: assignmentList, page: studycircle.Page{Number: 1, Limit: 10}}
	for range 2 {
		_, _ = r.answers.get(b.Context(), key, func(context.Context) (content, error) {
			return content{body: []byte(`{"data":[]}`)}, nil
		})
	}
	operation(r, all, huma.Operation{OperationID: "x", Method: http.MethodPost, Path: "/api/x/{id}"},
		func(_ context.Context, in *changeSubmissionInput) (*Modified, error) {
			return &Modified{len(in.Body.Note)}, nil
		})
	run := func(name, method, target, body string) {
		b.Run(name, func(b *testing.B) {
			request := httptest.NewRequestWithContext(b.Context(), method, target, nil)
			request.Header.Set("Content-Type", "application/json")
			b.ReportAllocs()
			for b.Loop() {
				request.Body = http.NoBody
				if body != "" {
					request.Body = readCloser{strings.NewReader(body)}
				}
				mux.ServeHTTP(&written{http.Header{}}, request)
			}
		})
	}
	run("list", http.MethodGet, "/api/assignments?page=1&limit=10", "")
	run("first", http.MethodGet, "/api/assignments", "")
	run("write", http.MethodPost, "/api/x/06gzhm3b20000", `{"docsLink":"https://docs.google.com/document/d/abc","note":"Please see page 2."}`)
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
