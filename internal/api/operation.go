package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/identity"
)

// audience is who may ask for an operation. Every operation says its own, or the
// program does not start: none is open to all because somebody forgot to say so.
type audience uint8

const (
	_ audience = iota
	// all may ask, and nobody's token is looked at.
	all
	// allOrSignedIn may ask; a token that is sent along must be good.
	allOrSignedIn
	// signedIn users may ask.
	signedIn
)

// security is how the document says it.
var security = map[audience][]map[string][]string{
	all:           nil,
	allOrSignedIn: {{}, {"bearer": {}}},
	signedIn:      {{"bearer": {}}},
}

// answerWithin is how long an operation may take; then its context ends, and the
// answer is 503. Streams say a time of their own.
const answerWithin = 10 * time.Second

// router is where operations are registered: each becomes a handler and a part
// of the document. The framework makes the document and nothing else.
type router struct {
	*operations
	mux       *http.ServeMux
	document  huma.API
	audiences map[string]audience // by method and path
	within    time.Duration
}

// documented drops the handlers that the framework would serve.
type documented struct{ huma.API }

// Adapter implements huma.API.
func (d documented) Adapter() huma.Adapter { return noAdapter{d.API.Adapter()} }

type noAdapter struct{ huma.Adapter }

// Handle implements huma.Adapter.
func (noAdapter) Handle(*huma.Operation, func(huma.Context)) {}

// operation serves do: it reads what is asked into an I and sends the O.
func operation[I, O any](r *router, who audience, described huma.Operation, do func(context.Context, *I) (*O, error)) {
	described.Security = r.say(who, described)
	huma.Register(r.document, described, do)
	send := answerOf[O](described.DefaultStatus)
	handle(r, who, described, r.within, func(ctx context.Context, w http.ResponseWriter, in *I) error {
		out, err := do(ctx, in)
		if err == nil {
			send(w, out)
		}
		return err
	})
}

// streaming serves do, which writes the answer itself, within a time of its own;
// 0 is for as long as the client stays.
func streaming[I any](r *router, who audience, within time.Duration, described huma.Operation, do func(context.Context, http.ResponseWriter, *I) error) {
	described.Security = r.say(who, described)
	huma.Register(r.document, described, func(context.Context, *I) (*huma.StreamResponse, error) { return &huma.StreamResponse{}, nil })
	handle(r, who, described, within, do)
}

// say notes who may ask for an operation.
func (r *router) say(who audience, described huma.Operation) []map[string][]string {
	name := described.Method + " " + described.Path
	required, known := security[who]
	if !known {
		panic("the operation " + name + " says no audience")
	}
	r.audiences[name] = who
	return required
}

func handle[I any](r *router, who audience, described huma.Operation, within time.Duration, answer func(context.Context, http.ResponseWriter, *I) error) {
	read := inputOf[I]()
	if body, hasBody := reflect.TypeFor[I]().FieldByName("Body"); hasBody && described.Method == http.MethodPut {
		checkUpdate(described.OperationID, body.Type)
	}
	r.mux.HandleFunc(described.Method+" "+described.Path, func(w http.ResponseWriter, request *http.Request) {
		ctx := request.Context()
		if within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, within)
			defer cancel()
		}
		// Before the body is read: who may not ask learns nothing else.
		session, err := r.admit(ctx, who, request)
		if err != nil {
			write(w, problemOf(ctx, err))
			return
		}
		var in I
		if problem := read(w, request, &in); problem != nil {
			write(w, problem)
			return
		}
		ctx = context.WithValue(ctx, callKey{}, &call{request, session, r.Config})
		if err := answer(ctx, w, &in); err != nil {
			write(w, problemOf(ctx, err))
		}
	})
}

// admit returns the session that asks; visitors have none. A client that has gone
// is looked up nevertheless: what it sent may be cut off, and is then refused as such.
func (r *router) admit(ctx context.Context, who audience, request *http.Request) (studycircle.Session, error) {
	authorization := request.Header.Get("Authorization")
	if who == all || (who == allOrSignedIn && authorization == "") {
		return studycircle.Session{}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	return r.Identity.Authenticate(ctx, accessToken(authorization))
}

type callKey struct{}

// call is what an operation may ask of the request that it serves.
type call struct {
	request *http.Request
	session studycircle.Session
	config  Config
}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// viewer is the session that asks; visitors have none.
func viewer(ctx context.Context) studycircle.Session { return callOf(ctx).session }

// visit is what is known of the browser that asks.
func visit(ctx context.Context) identity.Visit {
	c := callOf(ctx)
	return identity.Visit{
		Address: clientAddress(c.request, c.config.TrustedProxies), UserAgent: c.request.UserAgent(),
		Secret: c.config.Cookie.value(c.request, "session"), Device: c.config.Cookie.value(c.request, "device"),
	}
}
