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

// audience says which clients may call an operation. An operation without an audience
// keeps the program from starting, so none is public by omission.
type audience uint8

const (
	_ audience = iota
	// all admits every client and ignores tokens.
	all
	// allOrSignedIn admits every client; a token that is sent must be valid.
	allOrSignedIn
	// signedIn admits clients with a valid token.
	signedIn
)

// security describes each audience in the document.
var security = map[audience][]map[string][]string{
	all:           nil,
	allOrSignedIn: {{}, {"bearer": {}}},
	signedIn:      {{"bearer": {}}},
}

// answerWithin is the deadline of an operation, after which the answer is 503. Streams
// have deadlines of their own.
const answerWithin = 10 * time.Second

// router registers operations: each becomes a handler and a part of the document. The
// framework only makes the document.
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

// operation registers do, which turns an I into an O.
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

// streaming registers do, which writes the answer itself within its own deadline; 0 means
// for as long as the client stays.
func streaming[I any](r *router, who audience, within time.Duration, described huma.Operation, do func(context.Context, http.ResponseWriter, *I) error) {
	described.Security = r.say(who, described)
	huma.Register(r.document, described, func(context.Context, *I) (*huma.StreamResponse, error) { return &huma.StreamResponse{}, nil })
	handle(r, who, described, within, do)
}

// say records an operation's audience and returns its security for the document.
func (r *router) say(who audience, described huma.Operation) []map[string][]string {
	name := described.Method + " " + described.Path
	required, known := security[who]
	if !known {
		panic("the operation " + name + " has no audience")
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
		// Before the body is read, so that a refused client learns nothing else.
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

// admit returns the session of a request; the zero Session for a visitor. It does not stop
// when the client goes, because a body that breaks off is refused as such.
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

// call is an operation's request.
type call struct {
	request *http.Request
	session studycircle.Session
	config  Config
}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// viewer returns the session of a request; the zero Session for a visitor.
func viewer(ctx context.Context) studycircle.Session { return callOf(ctx).session }

// visit describes the browser that sent a request.
func visit(ctx context.Context) identity.Visit {
	c := callOf(ctx)
	return identity.Visit{
		Address: clientAddress(c.request, c.config.TrustedProxies), UserAgent: c.request.UserAgent(),
		Secret: c.config.Cookie.value(c.request, "session"), Device: c.config.Cookie.value(c.request, "device"),
	}
}
