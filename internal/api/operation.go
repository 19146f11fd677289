package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"
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

// answerWithin is the deadline of an operation unless it declares another, after which the
// answer is 503.
const answerWithin = 10 * time.Second

// router registers operations: each becomes a handler and a part of the document.
type router struct {
	*operations
	mux       *http.ServeMux
	document  *huma.OpenAPI        // nil unless it is asked for
	endpoints map[string]*endpoint // by method and path
	public    map[string]http.Handler
}

// endpoint is an operation as it was declared.
type endpoint struct {
	huma.Operation
	audience audience
	within   time.Duration // 0 for no deadline
	public   bool
	input    *input
	output   *output
	do       func(ctx context.Context, in any) (any, error)
	once     bool // its requests may have an id: see once.go
}

// tag groups operations in the document.
type tag string

func (t tag) list() []string { return []string{string(t)} }

// op describes an operation on a route, such as "GET /api/today", with the statuses of its problems.
func (t tag) op(id, route, summary string, problems ...int) huma.Operation {
	method, path, _ := strings.Cut(route, " ")
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Tags: t.list(), Errors: problems}
}

// created lets an operation answer 201.
func created(o huma.Operation) huma.Operation {
	o.DefaultStatus = http.StatusCreated
	return o
}

// described gives an operation a longer description.
func described(o huma.Operation, description string) huma.Operation {
	o.Description = description
	return o
}

// stricter is an input whose parameters choose the audience of a request. The operation's own
// audience stands in the document.
type stricter interface{ audience() audience }

// option declares what few operations need.
type option func(*endpoint)

// within sets an operation's deadline. 0 lets it run for as long as the client stays.
func within(most time.Duration) option { return func(e *endpoint) { e.within = most } }

// sent gives the requests of an operation an id, as those of a POST have: see once.go.
func sent(e *endpoint) { e.once = true }

// anew is for a POST that creates and sends nothing: its requests have no id.
func anew(e *endpoint) { e.once = false }

// public routes an operation as API.Public.
func public(e *endpoint) { e.public = true }

// operation registers do, which turns an I into an O, pointers to structs: see inputOf and
// outputOf. The types are told apart by reflection, because a generic function is compiled
// once for all pointers.
func operation[I, O any](
	r *router, who audience, about huma.Operation, do func(context.Context, I) (O, error), options ...option,
) {
	e := &endpoint{
		Operation: about, audience: who, within: answerWithin,
		input:  inputOf(reflect.TypeFor[I]().Elem()),
		output: outputOf(reflect.TypeFor[O](), about.DefaultStatus),
		do: func(ctx context.Context, in any) (any, error) {
			return do(ctx, in.(I)) //nolint:errcheck // the router makes inputs of this type
		},
	}
	e.once = e.createsOrSends()
	for _, apply := range options {
		apply(e)
	}
	r.register(e)
}

func (r *router) register(e *endpoint) {
	pattern := e.Method + " " + e.Path
	required, known := security[e.audience]
	if !known {
		panic("the operation " + pattern + " has no audience")
	}
	e.Security = required
	r.endpoints[pattern] = e
	if e.input.body != nil && e.Method == http.MethodPut {
		checkUpdate(e.OperationID, e.input.field("Body").Type)
	}
	if r.document != nil {
		r.describe(e)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		ctx := request.Context()
		if e.within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, e.within)
			defer cancel()
		}
		if err := r.answer(ctx, w, request, e); err != nil {
			write(w, problemOf(ctx, err))
		}
	})
	r.mux.Handle(pattern, handler)
	if e.public {
		r.public[pattern] = guarded(handler)
	}
}

// answer answers a request, or returns the error to answer with.
func (r *router) answer(ctx context.Context, w http.ResponseWriter, request *http.Request, e *endpoint) error {
	value := reflect.New(e.input.of)
	in, wrong := value.Interface(), faults(nil)
	e.input.readParameters(request, value.Elem(), &wrong)
	who := e.audience
	if choice, ok := in.(stricter); ok {
		who = choice.audience()
	}
	// Before the body is read and faults are reported, so that a refused client learns nothing else.
	session, err := r.admit(ctx, who, request)
	if err != nil {
		return err
	}
	id := e.newID()
	if err := e.input.readBody(w, request, value.Elem(), &wrong, id); err != nil {
		return err
	}
	if err := wrong.err(); err != nil {
		return err
	}
	ctx = context.WithValue(ctx, callKey{}, &call{request, session, r.Config})
	if id != nil && id.text != "" {
		return r.once(ctx, w, e, in, id)
	}
	return e.run(ctx, w, request, in)
}

// run runs an operation and writes its answer, or returns the error to answer with.
func (e *endpoint) run(ctx context.Context, w http.ResponseWriter, request *http.Request, in any) error {
	out, err := e.do(ctx, in)
	if err != nil {
		return err
	}
	return e.output.send(w, request, out)
}

// admit returns the session of a request; the zero Session for a visitor. It does not stop
// when the client goes, because a body that breaks off is refused as such.
func (o *operations) admit(ctx context.Context, who audience, request *http.Request) (studycircle.Session, error) {
	given := authorization(request)
	if who == all || (who == allOrSignedIn && given == "") {
		return studycircle.Session{}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	return o.Identity.Authenticate(ctx, accessToken(given))
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
