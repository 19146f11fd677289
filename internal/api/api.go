// Package api turns HTTP into calls of the use cases and back. Which operations
// there are, and what they take and answer, is the OpenAPI document that it
// serves at /api/openapi.json.
//
// It decides nothing: rules are in package studycircle, use cases in service and
// identity.
package api

import (
	"context"
	"encoding/json"
	"mime"
	"net/http"
	"net/netip"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/identity"
	"studycircle/internal/live"
	"studycircle/internal/service"
)

// maxBody is the largest body that is read, in bytes. The framework refuses a
// body that reaches its limit, so that limit is one more.
const maxBody = 1 << 20

// Config is what the API runs on.
type Config struct {
	Service  *service.Service
	Identity *identity.Identity
	// Live has the events.
	Live *live.Hub
	// Cookie names and guards cookies.
	Cookie Cookie
	// TrustedProxies are believed about who the client is.
	TrustedProxies []netip.Prefix
	// Version of the program, for the document.
	Version string
}

type operations struct {
	Config
	answers *answers
}

// bearer marks an operation that needs an access token, maybeBearer one that
// visitors may ask too; what is sent along must be good there as well.
var (
	bearer      = []map[string][]string{{"bearer": {}}}
	maybeBearer = []map[string][]string{{}, {"bearer": {}}}
)

// API has the handlers of everything under /api/.
type API struct {
	http.Handler
	// Public are those of them, by pattern, that nearly all requests are for. They
	// need not be looked for among the others, and compress what they answer.
	Public map[string]http.Handler
	// Claim tells whose a request is, for who comes first where there is little.
	Claim func(*http.Request) admission.Claim
}

// New makes an API.
func New(c Config) API {
	mux := http.NewServeMux()
	o, _ := register(mux, c)
	registerDocs(mux)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) { notRouted(mux, w, r) })
	public := o.public()
	for pattern, handler := range public {
		mux.Handle(pattern, handler)
	}
	return API{refuseCrossSite(limitedBody(mux)), public, c.claim}
}

func register(mux *http.ServeMux, c Config) (*operations, *huma.OpenAPI) {
	setUpFramework()
	config := huma.DefaultConfig("StudyCircle", c.Version)
	config.Info.Description = "Assignments, submissions and grades. Times are RFC 3339 in UTC, but for due dates, which keep the offset they were given in. " +
		"Lengths are Unicode code points after trimming."
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "/api/openapi", "", ""
	config.CreateHooks = nil
	config.Formats = map[string]huma.Format{"application/json": jsonFormat(), "json": jsonFormat()} // the second for problem+json
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {Type: "http", Scheme: "bearer", Description: "An access token from /api/auth/*. It lives 15 minutes."},
	}
	api := humago.New(mux, config)
	o := &operations{Config: c}
	api.UseMiddleware(o.authenticate, requireJSON)
	o.answers = newAnswers(func(ctx context.Context) (uint64, error) { return c.Service.Version(ctx) })
	o.registerAuth(api)
	describePublic(api)
	o.registerAssignments(api)
	o.registerSubmissions(api)
	o.registerEvents(api)
	return o, api.OpenAPI()
}

type viewerKey struct{}

// viewer is the session that asks; operations marked bearer have one, visitors
// have none.
func viewer(ctx context.Context) studycircle.Session {
	session, _ := ctx.Value(viewerKey{}).(studycircle.Session)
	return session
}

// authenticate comes before the body is read: who may not ask learns nothing else.
func (o *operations) authenticate(hc huma.Context, next func(huma.Context)) {
	security := hc.Operation().Security
	if len(security) == 0 || (len(security[0]) == 0 && hc.Header("Authorization") == "") {
		next(hc)
		return
	}
	session, err := o.Identity.Authenticate(hc.Context(), accessToken(hc.Header("Authorization")))
	if err != nil {
		refuse(hc, err)
		return
	}
	next(huma.WithValue(hc, viewerKey{}, session))
}

// accessToken is what an Authorization header carries, "" where that is none.
func accessToken(authorization string) string {
	scheme, token, _ := strings.Cut(authorization, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

func requireJSON(hc huma.Context, next func(huma.Context)) {
	if hc.Operation().RequestBody != nil {
		kind, parameters, err := mime.ParseMediaType(hc.Header("Content-Type"))
		charset := strings.ToLower(parameters["charset"])
		if err != nil || kind != "application/json" || (charset != "" && charset != "utf-8") {
			refuse(hc, studycircle.Errorf(studycircle.CodeUnsupportedMedia, "The request's body must be sent as application/json."))
			return
		}
		r, _ := humago.Unwrap(hc)
		r.Header.Set("Content-Type", "application/json") // the framework knows this spelling only
	}
	next(hc)
}

// refuse answers from a middleware, where the framework has no error return.
func refuse(hc huma.Context, err error) {
	_, w := humago.Unwrap(hc)
	write(w, problemOf(hc.Context(), err))
}

// notRouted answers what no operation matched.
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
		WriteProblem(w, studycircle.Errorf(studycircle.CodeMethodNotAllowed, "This address takes %s only.", strings.Join(allowed, ", ")))
		return
	}
	WriteProblem(w, studycircle.Errorf(studycircle.CodeNotFound, "There is no such address."))
}

// WriteProblem answers outside of an operation.
func WriteProblem(w http.ResponseWriter, e *studycircle.Error) {
	write(w, problemOf(context.Background(), e))
}

func write(w http.ResponseWriter, p *Problem) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	setHeaders(w.Header().Set, p)
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client is gone: there is nobody to tell
}

// limitedBody stops reading a body that is too large, and the connection with it.
func limitedBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["X-Content-Type-Options"], h["Cache-Control"] = headerNosniff, headerNoStore
		if r.ContentLength > maxBody {
			r.Close = true
			w.Header().Set("Connection", "close")
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
	guarded := guard.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/auth/") {
			guarded.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
