package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"
)

// The audience of each operation. A new operation, or another audience, changes this table too.
func TestEveryOperationHasItsAudience(t *testing.T) {
	r := documented(Config{})
	audiences := map[string]audience{
		"GET /api/assignments":                                 all,
		"POST /api/assignments":                                signedIn,
		"GET /api/assignment/{id}":                             all,
		"PUT /api/assignment/{id}":                             signedIn,
		"POST /api/assignment/{id}/copy":                       signedIn,
		"DELETE /api/assignment/{id}":                          signedIn,
		"GET /api/submissions":                                 signedIn,
		"GET /api/today":                                       signedIn,
		"GET /api/search":                                      signedIn,
		"POST /api/submissions":                                signedIn,
		"PATCH /api/submissions/{id}":                          signedIn,
		"PUT /api/submissions/{id}/own":                        signedIn,
		"DELETE /api/submissions/{id}/own":                     signedIn,
		"GET /api/assignment/{id}/comments":                    allOrSignedIn,
		"POST /api/assignment/{id}/comments":                   signedIn,
		"PUT /api/assignment/{id}/discussion":                  signedIn,
		"GET /api/assignment/{id}/participants":                signedIn,
		"GET /api/comment/{id}":                                allOrSignedIn,
		"PATCH /api/comment/{id}":                              signedIn,
		"DELETE /api/comment/{id}":                             signedIn,
		"GET /api/comment/{id}/replies":                        allOrSignedIn,
		"PUT /api/comment/{id}/reactions/{kind}":               signedIn,
		"DELETE /api/comment/{id}/reactions/{kind}":            signedIn,
		"POST /api/comment/{id}/report":                        signedIn,
		"POST /api/assignment/{id}/report":                     signedIn,
		"POST /api/reviews/{id}/report":                        signedIn,
		"POST /api/submissions/{id}/report":                    signedIn,
		"GET /api/reports":                                     signedIn,
		"POST /api/reports/{id}":                               signedIn,
		"GET /api/moderation":                                  signedIn,
		"POST /api/moderation/restore":                         signedIn,
		"POST /api/preview":                                    signedIn,
		"GET /api/progress":                                    signedIn,
		"GET /api/dashboard":                                   signedIn,
		"GET /api/assignment/{id}/submissions":                 signedIn,
		"GET /api/assignment/{id}/submissions/{submissionId}":  signedIn,
		"GET /api/assignment/{id}/results":                     signedIn,
		"GET /api/assignment/{id}/results.csv":                 signedIn,
		"GET /api/assignment/{id}/reviews.csv":                 signedIn,
		"GET /api/assignment/{id}/owes":                        signedIn,
		"POST /api/assignment/{id}/owes/remind":                signedIn,
		"GET /api/circle/{id}/marks":                           signedIn,
		"GET /api/circle/{id}/marks.csv":                       signedIn,
		"GET /api/circle/{id}/members.csv":                     signedIn,
		"GET /api/circle/{id}/reviews.csv":                     signedIn,
		"POST /api/assignment/{id}/settle":                     signedIn,
		"GET /api/submissions/{id}/own":                        signedIn,
		"PUT /api/assignment/{id}/reminder":                    signedIn,
		"GET /api/notifications":                               signedIn,
		"POST /api/notifications/read":                         signedIn,
		"GET /api/unsubscribe/{token}":                         all,
		"POST /unsubscribe/{token}":                            all,
		"GET /api/settings":                                    signedIn,
		"PUT /api/settings":                                    signedIn,
		"PUT /api/settings/time-zone":                          signedIn,
		"GET /api/calendar":                                    signedIn,
		"POST /api/calendar":                                   signedIn,
		"DELETE /api/calendar":                                 signedIn,
		"GET /api/submissions/{id}/receipt":                    signedIn,
		"GET /.well-known/studycircle-keys":                    all,
		"GET /calendar/{file}":                                 all,
		"GET /api/events":                                      allOrSignedIn,
		"GET /api/admin":                                       allOrSignedIn,
		"POST /api/auth/register":                              all,
		"POST /api/auth/login":                                 all,
		"GET /api/auth/session":                                all,
		"POST /api/auth/logout":                                all,
		"GET /api/auth/account":                                signedIn,
		"DELETE /api/auth/account":                             signedIn,
		"GET /api/auth/export":                                 signedIn,
		"PATCH /api/auth/profile":                              signedIn,
		"POST /api/auth/password/forgot":                       all,
		"POST /api/auth/password/reset":                        all,
		"PATCH /api/auth/password":                             signedIn,
		"POST /api/auth/email":                                 signedIn,
		"POST /api/auth/email/undo":                            all,
		"POST /api/auth/email/verification":                    signedIn,
		"POST /api/auth/email/verify":                          signedIn,
		"GET /api/auth/methods":                                signedIn,
		"DELETE /api/auth/providers/{id}":                      signedIn,
		"GET /api/auth/oidc/{provider}":                        all,
		"GET /api/auth/oidc/{provider}/callback":               all,
		"POST /api/auth/oidc/confirm":                          all,
		"POST /api/auth/oidc/{provider}/invitation":            all,
		"POST /api/auth/oidc/{provider}/link":                  signedIn,
		"POST /api/auth/passkeys":                              signedIn,
		"POST /api/auth/passkeys/options":                      signedIn,
		"PATCH /api/auth/passkeys/{id}":                        signedIn,
		"DELETE /api/auth/passkeys/{id}":                       signedIn,
		"POST /api/auth/passkeys/login":                        all,
		"POST /api/auth/passkeys/login/options":                all,
		"GET /api/auth/sessions":                               signedIn,
		"DELETE /api/auth/sessions":                            signedIn,
		"DELETE /api/auth/sessions/{id}":                       signedIn,
		"POST /api/reviews/next":                               signedIn,
		"GET /api/reviews/lease":                               signedIn,
		"DELETE /api/reviews/lease/{submissionId}":             signedIn,
		"GET /api/reviews":                                     signedIn,
		"GET /api/reviews/{id}":                                signedIn,
		"PUT /api/reviews/{id}":                                signedIn,
		"PUT /api/reviews/{id}/reply":                          signedIn,
		"GET /api/submissions/{id}/corrections":                signedIn,
		"GET /api/submissions/{id}/question":                   signedIn,
		"POST /api/submissions/{id}/question":                  signedIn,
		"POST /api/submissions/{id}/answer":                    signedIn,
		"PUT /api/submissions/{id}/self-assessment":            signedIn,
		"GET /api/rubrics":                                     signedIn,
		"POST /api/rubrics":                                    signedIn,
		"DELETE /api/rubrics/{id}":                             signedIn,
		"GET /api/phrases":                                     signedIn,
		"PUT /api/phrases":                                     signedIn,
		"GET /api/submissions/{id}/reviews":                    signedIn,
		"GET /api/submissions/{id}/mark":                       signedIn,
		"GET /api/submissions/{id}/work":                       signedIn,
		"POST /api/submissions/{id}/settle":                    signedIn,
		"POST /api/submissions/{id}/appeal":                    signedIn,
		"POST /api/submissions/{id}/reopen":                    signedIn,
		"PUT /api/submissions/{id}/known":                      signedIn,
		"GET /api/assignment/{id}/looks":                       signedIn,
		"GET /api/assignment/{id}/exemplars":                   signedIn,
		"POST /api/assignment/{id}/exemplars":                  signedIn,
		"PUT /api/assignment/{id}/exemplars/{submissionId}":    signedIn,
		"DELETE /api/assignment/{id}/exemplars/{submissionId}": signedIn,
		"GET /api/submissions/{id}/link":                       signedIn,
		"GET /api/circles":                                     signedIn,
		"POST /api/circles":                                    signedIn,
		"GET /api/circle/{id}":                                 signedIn,
		"PUT /api/circle/{id}":                                 signedIn,
		"DELETE /api/circle/{id}":                              signedIn,
		"POST /api/circle/{id}/restore":                        signedIn,
		"GET /api/circle/{id}/members":                         signedIn,
		"PATCH /api/circle/{id}/members/{userId}":              signedIn,
		"PUT /api/circle/{id}/members/{userId}":                signedIn,
		"GET /api/assignment/{id}/extensions":                  signedIn,
		"POST /api/submissions/{id}/send-back":                 signedIn,
		"PUT /api/assignment/{id}/extensions/{userId}":         signedIn,
		"DELETE /api/circle/{id}/members/{userId}":             signedIn,
		"POST /api/circle/{id}/leave":                          signedIn,
		"POST /api/circle/{id}/handover":                       signedIn,
		"POST /api/circle/{id}/handover/accept":                signedIn,
		"POST /api/circle/{id}/archive":                        signedIn,
		"POST /api/circle/{id}/unarchive":                      signedIn,
		"GET /api/circle/{id}/invitations":                     signedIn,
		"POST /api/circle/{id}/invitations":                    signedIn,
		"DELETE /api/circle/{id}/invitations/{invitationId}":   signedIn,
		"POST /api/circles/invited":                            signedIn,
		"GET /api/circles/invited":                             signedIn,
		"POST /api/circles/invited/{id}/accept":                signedIn,
		"POST /api/circles/invited/{id}/decline":               signedIn,
		"POST /api/circles/invited/{id}/block":                 signedIn,
		"POST /api/circle/{id}/roster":                         signedIn,
		"POST /api/circles/join":                               signedIn,
		"POST /api/circle/{id}/join":                           signedIn,
		"POST /api/circle/{id}/ask":                            signedIn,
		"GET /api/circle/{id}/asking":                          signedIn,
		"GET /api/circle/{id}/export":                          signedIn,
		"POST /api/circle/{id}/asking/{userId}":                signedIn,
	}
	for name, e := range r.endpoints {
		require.Equal(t, audiences[name], e.audience, "the audience of %s, here and where it is registered", name)
	}
	for name := range audiences {
		require.Contains(t, r.endpoints, name)
	}
	// The document describes exactly these operations.
	described := map[string]bool{}
	for path, item := range r.document.Paths {
		for method, o := range map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		} {
			if o != nil {
				described[method+" "+path] = true
				require.Equal(t, security[r.endpoints[method+" "+path].audience], o.Security, path)
			}
		}
	}
	require.Len(t, described, len(r.endpoints))
	for name := range r.endpoints {
		require.True(t, described[name], name)
	}
}

// Every POST of a signed-in user takes an id, except those here.
func TestEveryCreateAndSendTakesAnID(t *testing.T) {
	t.Parallel()
	with := []string{ // beside the POSTs
		"PATCH /api/submissions/{id}", "PUT /api/reviews/{id}", "PUT /api/reviews/{id}/reply", "PUT /api/submissions/{id}/self-assessment",
	}
	without := map[string]string{
		"POST /api/preview":            "reads",
		"POST /api/circles/invited":    "reads",
		"POST /api/reviews/next":       "gives the same work until it is reviewed or given back",
		"POST /api/notifications/read": "marks the same ones again",
		"POST /api/moderation/restore": "names what it restores by an id",
	}
	r := documented(Config{})
	for name, e := range r.endpoints {
		method, path, _ := strings.Cut(name, " ")
		posts := method == http.MethodPost && e.audience == signedIn && !strings.HasPrefix(path, "/api/auth/")
		require.Equal(t, slices.Contains(with, name) || posts && without[name] == "", e.once, name)
		if !e.once {
			continue
		}
		if e.input.fileType != "" {
			require.True(t, slices.ContainsFunc(e.Parameters, func(p *huma.Param) bool { return p.Name == "id" && p.In == "query" }), name)
			continue
		}
		body := e.RequestBody.Content[contentTypeJSON].Schema
		if body.Ref != "" {
			body = r.document.Components.Schemas.SchemaFromRef(body.Ref)
		}
		require.Equal(t, requestIDSchema(), body.Properties["id"], name)
		require.NotContains(t, body.Required, "id", name)
	}
	// No other operation shares a body with an id.
	for name, e := range r.endpoints {
		if e.once || e.RequestBody == nil || without[name] == "names what it restores by an id" {
			continue
		}
		for _, content := range e.RequestBody.Content {
			if content.Schema.Ref != "" {
				body := r.document.Components.Schemas.SchemaFromRef(content.Schema.Ref)
				require.NotContains(t, body.Properties, "id", "%s shares the type of its body with a POST: give it its own", name)
			}
		}
	}
}

func TestAnOperationWithoutAnAudienceDoesNotStart(t *testing.T) {
	r := register(http.NewServeMux(), Config{}, nil)
	described := huma.Operation{OperationID: "x", Method: http.MethodGet, Path: "/api/x"}
	for _, unknown := range []audience{0, signedIn + 1} {
		require.PanicsWithValue(t, "the operation GET /api/x has no audience", func() {
			operation(r, unknown, described, func(context.Context, *struct{}) (*struct{}, error) { return &struct{}{}, nil })
		})
		require.PanicsWithValue(t, "the operation GET /api/x has no audience", func() {
			operation(r, unknown, described, streamed(func(context.Context, http.ResponseWriter, *struct{}) error { return nil }))
		})
	}
}

// Every operation but the stream of events has a deadline.
func TestOnlyStreamsOfEventsRunForever(t *testing.T) {
	t.Parallel()
	for name, e := range register(http.NewServeMux(), Config{}, nil).endpoints {
		if name == "GET /api/events" {
			require.Zero(t, e.within)
			continue
		}
		require.Positive(t, e.within, name)
		require.LessOrEqual(t, e.within, exportWithin, name)
	}
}

// A read whose answer may be cached waits no longer than others for the version of the database.
func TestCachedReadsHaveADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mux := http.NewServeMux()
		r := register(mux, Config{}, nil)
		r.answers.version = func(ctx context.Context) (uint64, error) { <-ctx.Done(); return 0, ctx.Err() }
		r.answers.wanted(answerKey{kind: oneAssignment, text: "a"})
		began, w := time.Now(), httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/assignment/a", nil))
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, answerWithin, time.Since(began))
	})
}

// A request that takes too long gets an answer, with the time to retry after.
func TestOperationsHaveADeadline(t *testing.T) {
	mux := http.NewServeMux()
	r := register(mux, Config{}, nil)
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	operation(r, all, huma.Operation{OperationID: "x", Method: http.MethodGet, Path: "/api/x"}, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
		return &struct{}{}, wait(ctx)
	}, within(time.Millisecond))
	operation(r, all, huma.Operation{OperationID: "y", Method: http.MethodGet, Path: "/api/y"}, streamed(func(ctx context.Context, _ http.ResponseWriter, _ *struct{}) error {
		return wait(ctx)
	}), within(time.Millisecond))
	for _, path := range []string{"/api/x", "/api/y"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		require.Equal(t, http.StatusServiceUnavailable, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Contains(t, w.Body.String(), `"code":"unavailable"`)
	}
}

func TestParametersAreRead(t *testing.T) {
	reader := inputOf(reflect.TypeFor[listSubmissionsInput]())
	ask := func(query string) (in listSubmissionsInput, at []string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+query, nil)
		r.Header.Set("If-None-Match", `"a"`)
		r.Header.Add("If-None-Match", `"b"`)
		var wrong faults
		reader.readParameters(r, reflect.ValueOf(&in).Elem(), &wrong)
		for _, f := range wrong {
			at = append(at, f.location)
		}
		return in, at
	}
	in, at := ask("page=3&submittedBy=a%20b&status=&colour=%zz&colour=1")
	require.Empty(t, at)
	require.Equal(t, listSubmissionsInput{SubmittedBy: "a b", Page: 3, Limit: 100, IfNoneMatch: `"a", "b"`}, in)
	for query, want := range map[string]string{
		"page=0": "query.page", "page=x": "query.page", "page=1.0": "query.page", "page=99999999999999999999": "query.page", "limit=101": "query.limit", "limit=-1": "query.limit",
		"status=Pending": "query.status", "page=%zz": "query.page", "status=pending;x": "query.status", "page=3&page=3": "query.page",
	} {
		_, at := ask(query)
		require.Equal(t, []string{want}, at, query)
	}
	_, at = ask(strings.Repeat("page=%zz&", 100))
	require.Len(t, at, maxFaults)
}

// The documentation page has a policy, and names every operation and schema.
func TestDocumentationIsGuarded(t *testing.T) {
	handler := New(Config{})
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	for path, status := range map[string]int{
		"/api/docs": 200, "/api/docs/nothing.html": 404, "/api/docs/a/b": 404, "/api/docs/": 404,
	} {
		w := get(path)
		require.Equal(t, status, w.Code, path)
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"), path)
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/problem+json") {
			continue
		}
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "default-src 'none'", path)
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'", path)
	}
	page := get("/api/docs").Body.String()
	for _, part := range []string{"<code>PUT /api/assignment/{id}</code>", `id="schema-Assignment"`, `href="#schema-Problem"`} {
		require.Contains(t, page, part)
	}
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal(get("/api/openapi.json").Body.Bytes(), &document))
	require.Regexp(t, `^3\.1\.`, document.OpenAPI)
	for path, methods := range document.Paths {
		for method := range methods {
			require.Contains(t, page, "<code>"+strings.ToUpper(method)+" "+path+"</code>")
		}
	}
}

// An optional field that a later release adds to a PUT must be a pointer: nil keeps the stored value, so that a
// client of an earlier release does not erase it.
func TestUpdatesKeepFieldsThatTheirClientsDoNotKnow(t *testing.T) {
	t.Parallel()
	type later struct {
		Body struct {
			Title    string  `json:"title"`
			Note     string  `json:"note,omitempty" absent:"empty"`
			Kept     *string `json:"kept,omitempty"`
			Language string  `json:"language,omitempty"`
		}
	}
	body, _ := reflect.TypeFor[later]().FieldByName("Body")
	require.PanicsWithValue(t, "put-later: the optional field Language must be a pointer, so that a client that does not know it keeps it",
		func() { checkUpdate("put-later", body.Type) })
}
