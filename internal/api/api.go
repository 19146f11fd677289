// Package api translates HTTP to use cases and back. The OpenAPI document that it serves
// at /api/openapi.json lists all operations with their inputs and answers.
//
// It decides nothing: rules are in package studycircle, use cases in service and identity.
package api

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/identity"
	"studycircle/internal/live"
	"studycircle/internal/receipt"
	"studycircle/internal/service"
)

// Config configures the API.
type Config struct {
	Service  *service.Service
	Identity *identity.Identity
	// Settings has the keys of receipts.
	Settings receipt.Settings
	// Live publishes events.
	Live *live.Hub
	// Cookie says how cookies are named and protected.
	Cookie Cookie
	// TrustedProxies may name the client's address.
	TrustedProxies []netip.Prefix
	// Version is the program's, for the document.
	Version string
	// WithVersion, if not nil, adds the version that an answer is made for to the context
	// of its reads, so that they do not ask the store again.
	WithVersion func(ctx context.Context, version uint64) context.Context
	// Cached, if not nil, is called after each lookup in the cache of answers.
	Cached func(hit bool)
}

type operations struct {
	Config
	answers *answers
}

// API has the handlers of all paths under /api/.
type API struct {
	http.Handler
	// Public are the handlers of the most frequent requests, by pattern. They are routed
	// apart from the others and compress their answers.
	Public map[string]http.Handler
	// Claim says on whose behalf a request is made, for admission.
	Claim func(*http.Request) admission.Claim
	// Route returns the pattern of a request's path, such as /api/assignment/{id}; "" if no operation matches.
	Route func(*http.Request) string
}

// New makes an API.
func New(c Config) API {
	mux := http.NewServeMux()
	r := register(mux, c, nil)
	registerDocs(mux, c)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) { notRouted(mux, w, r) })
	return API{refuseCrossSite(guarded(mux)), r.public, c.claim, func(r *http.Request) string { return routeOf(mux, r) }}
}

// routeOf returns the path of the operation's pattern that r matches, or "".
func routeOf(mux *http.ServeMux, r *http.Request) string {
	_, pattern := mux.Handler(r)
	_, path, _ := strings.Cut(pattern, " ") // only those of operations begin with a method
	return path
}

// setUpSchemas sets huma's global variable once per process, because tests start several nodes.
var setUpSchemas = sync.OnceFunc(func() { huma.DefaultArrayNullable = false })

// documented returns a router with the document of its operations, and the handlers of its files.
func documented(c Config) *router {
	setUpSchemas()
	config := huma.DefaultConfig("StudyCircle", c.Version)
	config.Info.Description = "Assignments, submissions and grades. Times are RFC 3339 in UTC, except due dates, which " +
		"keep their offset. " +
		"Lengths are Unicode code points after trimming."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = documentPath, "", ""
	config.CreateHooks = nil
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "An access token from /api/auth/*. It lives 15 minutes."},
	}
	mux := http.NewServeMux()
	return register(mux, c, humago.New(mux, config).OpenAPI())
}

// register registers all operations on mux, and describes them in document unless it is nil.
func register(mux *http.ServeMux, c Config, document *huma.OpenAPI) *router {
	r := &router{
		operations: &operations{Config: c, answers: newAnswers(c)},
		mux:        mux, document: document,
		endpoints: map[string]*endpoint{}, public: map[string]http.Handler{},
	}
	r.registerAuth(r)
	r.registerAssignmentReads(r)
	r.registerAssignments(r)
	r.registerExtensions(r)
	r.registerSubmissions(r)
	r.registerReviews(r)
	r.registerCorrections(r)
	r.registerSelfAssessments(r)
	r.registerQuestions(r)
	r.registerSavedRubrics(r)
	r.registerReceipts(r)
	r.registerExemplars(r)
	r.registerKnown(r)
	r.registerLinks(r)
	r.registerProgress(r)
	r.registerSearch(r)
	r.registerResults(r)
	r.registerMarks(r)
	r.registerOwes(r)
	r.registerComments(r)
	r.registerModeration(r)
	r.registerNotifications(r)
	r.registerSettings(r)
	r.registerCalendar(r)
	r.registerCircles(r)
	r.registerCircleExport(r)
	r.registerCircleMembers(r)
	r.registerAdmin(r)
	r.registerEvents(r)
	return r
}

// authorization returns the Authorization header of a request. Two of them are one that is not valid.
func authorization(r *http.Request) string {
	return strings.Join(r.Header.Values("Authorization"), ", ")
}

// accessToken returns the bearer token of an Authorization header, or "".
func accessToken(authorization string) string {
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

// notRouted answers requests that no operation matches.
func notRouted(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := mux.Handler(probe); pattern != "/api/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		WriteProblem(
			w, studycircle.Errorf(studycircle.CodeMethodNotAllowed, "This address takes %s only.", strings.Join(allowed, ", ")),
		)
		return
	}
	WriteProblem(w, studycircle.Errorf(studycircle.CodeNotFound, "There is no such address."))
}

// WriteProblem answers a request outside an operation.
func WriteProblem(w http.ResponseWriter, e *studycircle.Error) {
	write(w, problemOf(context.Background(), e))
}

func write(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", contentTypeProblem)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	setHeaders(w.Header().Set, p)
	w.WriteHeader(p.Status)
	writeJSON(w, p)
}

// guarded sets headers that forbid browsers to guess types and to store answers.
func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["X-Content-Type-Options"], h["Cache-Control"] = headerNosniff, headerNoStore
		if r.ContentLength > maxBody { // the body stays unread, so the connection cannot be reused
			r.Close = true
			h.Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// refuseCrossSite keeps other sites from using the session cookie.
func refuseCrossSite(next http.Handler) http.Handler {
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		WriteProblem(w, studycircle.Errorf(studycircle.CodeCrossSite, "This request came from another site."))
	}))
	ownSite := guard.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/auth/") {
			ownSite.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
