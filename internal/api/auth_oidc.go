package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/identity"
	"studycircle/internal/openid"
)

// maxFlows bounds the unfinished provider sign-ins of a browser. Beyond it the oldest are
// dropped, so that a page cannot grow the Cookie header until servers refuse it.
const maxFlows = 8

// popUpWithin is the deadline of the pop-up's requests, the provider's own timeout
// included.
const popUpWithin = 30 * time.Second

const flowPrefix = "flow-"

// registerOIDC registers the steps of a provider sign-in in a pop-up, and the operations
// that follow it.
func (o *operations) registerOIDC(r *router) {
	page := map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}
	inPath := func(name string) *huma.Param {
		return &huma.Param{Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	inQuery := func(name, description string) *huma.Param {
		return &huma.Param{Name: name, In: "query", Description: description, Schema: &huma.Schema{Type: huma.TypeString}}
	}
	operation(r, all, huma.Operation{
		OperationID: "begin-oidc", Method: http.MethodGet, Path: "/api/auth/oidc/{provider}",
		Summary:     "Redirect to a provider to sign in or to link it",
		Description: "A pop-up navigates here. If the sign-in cannot begin, the callback's page says why.",
		Tags:        accounts.list(),
		Parameters: []*huma.Param{
			inPath("provider"),
			inQuery("attempt", "How the opener knows this attempt: 1 to 64 of A-Z a-z 0-9 _ -"),
			inQuery(
				"ticket", "From the link operation, to link rather than sign in, or from the invitation operation, to register.",
			),
		},
		Responses: map[string]*huma.Response{
			"302": {
				Description: "To the provider.",
				Headers:     map[string]*huma.Param{"Location": {Schema: &huma.Schema{Type: huma.TypeString}}},
			},
			"default": {Description: "The page that says why not.", Content: page},
		},
	}, onlyGet(o.beginOIDC), within(popUpWithin))
	operation(r, all, huma.Operation{
		OperationID: "finish-oidc", Method: http.MethodGet, Path: "/api/auth/oidc/{provider}/callback",
		Summary: "Receive a provider's answer",
		Description: "The page tells its opener {attempt, status, code, message, ticket}; status is signed-in, linked, " +
			"confirm or error.",
		Tags: accounts.list(),
		Parameters: []*huma.Param{
			inPath("provider"), inQuery("state", "As it was sent."), inQuery("code", "The provider's."),
			inQuery("error", "The provider's, instead of a code."), inQuery("iss", "The provider's issuer (RFC 9207)."),
		},
		Responses: map[string]*huma.Response{
			"200":     {Description: "The page, after a success.", Content: page},
			"default": {Description: "The page, with an error.", Content: page},
		},
	}, onlyGet(o.finishOIDC), within(popUpWithin))
	operation(r, all, described(accounts.op("confirm-oidc", "POST /api/auth/oidc/confirm",
		"Keep or erase the data of an unverified account", 403, 422, 429),
		"After the status confirm: the user who registered the account with this email address never verified the address."),
		func(ctx context.Context, in *confirmInput) (*userAnswer, error) {
			g, err := o.Identity.ConfirmProvider(
				ctx, in.Body.Ticket, o.Cookie.value(callOf(ctx).request, bindingCookie), in.Body.Keep, visit(ctx),
			)
			if err != nil {
				return nil, err
			}
			answer := o.granted(g)
			answer.SetCookie = append(answer.SetCookie, o.Cookie.cookie(bindingCookie, "", -time.Second))
			return answer, nil
		})
	operation(r, signedIn, described(accounts.op("link-oidc", "POST /api/auth/oidc/{provider}/link",
		"Create a ticket for linking a provider", 401, 404),
		"The ticket is for this browser's session, for 10 minutes and one use."),
		func(ctx context.Context, in *providerInput) (*TicketAnswer, error) {
			ticket, err := o.Identity.LinkProvider(viewer(ctx), in.Provider)
			return &TicketAnswer{ticket}, err
		})
}

// registerBrought registers the operation that takes an invitation into the pop-up.
func (o *operations) registerBrought(r *router) {
	operation(r, all, described(accounts.op("invite-oidc", "POST /api/auth/oidc/{provider}/invitation",
		"Create a ticket for registering with a provider by an invitation", 422),
		"The ticket is for this browser, for 10 minutes. It stands for the invitation in the address of the pop-up, which "+
			"is logged. It is made for any text: the pop-up's outcome says whether the invitation is good."),
		func(_ context.Context, in *broughtInput) (*broughtAnswer, error) {
			ticket, binding, err := o.Identity.BringInvitation(in.Body.Invitation)
			if err != nil {
				return nil, err
			}
			return &broughtAnswer{
				SetCookie: []string{o.Cookie.cookie(invitedCookie, binding, identity.InviteLifetime)}, Body: TicketAnswer{ticket},
			}, nil
		})
}

type broughtInput struct {
	Provider string `path:"provider"`
	Body     struct {
		Invitation string `json:"invitation" doc:"The secret of an invitation."`
	}
}

type broughtAnswer struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      TicketAnswer
}

// onlyGet refuses HEAD, which the mux routes as GET: it would start or consume a flow.
func onlyGet(
	next func(context.Context, http.ResponseWriter, *http.Request),
) func(context.Context, *struct{}) (stream, error) {
	return streamed(func(ctx context.Context, w http.ResponseWriter, _ *struct{}) error {
		r := callOf(ctx).request
		if r.Method == http.MethodHead {
			w.Header().Set("Allow", http.MethodGet)
			return studycircle.Errorf(studycircle.CodeMethodNotAllowed, "This address takes GET only.")
		}
		next(ctx, w, r)
		return nil
	})
}

type providerInput struct {
	Provider string `path:"provider"`
}

// TicketAnswer lets a pop-up link a provider.
type TicketAnswer struct {
	Ticket string `json:"ticket"`
}

type confirmInput struct {
	Body struct {
		Ticket string `json:"ticket"`
		Keep   bool   `json:"keep" doc:"True keeps the account and its data. False leaves its data as a deleted account's and creates a new account."`
	}
}

const (
	bindingCookie = "confirm"
	invitedCookie = "invited"
)

func (o *operations) beginOIDC(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	var wrong faults
	query := r.URL.Query()
	attempt, ticket := wrong.one(query, "attempt"), wrong.one(query, "ticket")
	if err := wrong.err(); err != nil {
		o.popUp(ctx, w, identity.Outcome{Attempt: attempt}, err)
		return
	}
	begun, err := o.Identity.BeginProvider(
		ctx, r.PathValue("provider"), attempt, ticket, o.Cookie.value(r, invitedCookie), visit(ctx),
	)
	if err != nil {
		o.popUp(ctx, w, identity.Outcome{Attempt: attempt}, err)
		return
	}
	for _, old := range o.tooMany(r) {
		w.Header().Add("Set-Cookie", o.Cookie.cookie(old, "", -time.Second))
	}
	w.Header().Add("Set-Cookie", o.Cookie.cookie(flowPrefix+begun.ID, begun.Cookie, identity.FlowLifetime))
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, begun.URL, http.StatusFound)
}

// tooMany returns the flows to drop for a new one. Browsers send the oldest cookies first
// (RFC 6265, section 5.4).
func (o *operations) tooMany(r *http.Request) []string {
	var flows []string
	for _, c := range r.Cookies() {
		if strings.HasPrefix(c.Name, o.Cookie.prefixed(flowPrefix)) {
			flows = append(flows, strings.TrimPrefix(c.Name, o.Cookie.prefixed("")))
		}
	}
	return flows[:max(0, len(flows)-maxFlows+1)]
}

func (o *operations) finishOIDC(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	var wrong faults
	query := r.URL.Query()
	state := wrong.one(query, "state")
	answer := openid.Answer{
		Code: wrong.one(query, "code"), Issuer: wrong.one(query, "iss"), Error: wrong.one(query, "error"),
	}
	if err := wrong.err(); err != nil {
		o.popUp(ctx, w, identity.Outcome{}, err)
		return
	}
	name := flowPrefix + identity.FlowID(state)
	cookie := o.Cookie.value(r, name)
	if cookie != "" {
		// A flow is answered once, whatever the answer.
		w.Header().Add("Set-Cookie", o.Cookie.cookie(name, "", -time.Second))
	}
	outcome, err := o.Identity.FinishProvider(ctx, r.PathValue("provider"), state, cookie, answer, visit(ctx))
	if err == nil {
		for _, c := range o.Cookie.granted(outcome.Grant) {
			w.Header().Add("Set-Cookie", c)
		}
		if outcome.Binding != "" {
			w.Header().Add("Set-Cookie", o.Cookie.cookie(bindingCookie, outcome.Binding, identity.ConfirmLifetime))
		}
	}
	o.popUp(ctx, w, outcome, err)
}

// popUp sends the page that shows how a provider sign-in ended.
func (o *operations) popUp(ctx context.Context, w http.ResponseWriter, outcome identity.Outcome, err error) {
	result := popUpResult{Status: outcome.Status, Message: popUpSentences[outcome.Status], Ticket: outcome.Ticket}
	if identity.ValidAttempt(outcome.Attempt) {
		result.Attempt = outcome.Attempt
	}
	status := http.StatusOK
	if err != nil {
		p := problemOf(ctx, err)
		setHeaders(w.Header().Set, p)
		result.Status, result.Code, result.Message, result.Ticket = "error", popUpCode(p), p.Detail, ""
		status = p.Status
	}
	if errors.Is(err, context.Canceled) {
		return // the pop-up has been closed
	}
	writePopUp(w, status, o.Identity.Brand, result)
}

// popUpCode returns the code by which pages know a sign-in problem.
func popUpCode(p *Problem) string {
	switch code := studycircle.Code(p.Code); {
	case strings.HasPrefix(p.Code, "auth/"):
		return p.Code
	case code == studycircle.CodeRegistrationClosed:
		return p.Code
	case code == studycircle.CodeRateLimited:
		return "auth/rate-limited"
	case code == studycircle.CodeNotFound, code == studycircle.CodeInvalid:
		return string(studycircle.CodeInvalidState)
	default:
		return "auth/internal-error"
	}
}
