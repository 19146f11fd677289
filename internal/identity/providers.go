package identity

import (
	"context"
	"encoding/base64"
	"errors"
	"regexp"
	"time"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/limit"
	"studycircle/internal/openid"
)

// Lifetimes of the cookies that a sign-in with a provider sets.
const (
	FlowLifetime    = 10 * time.Minute
	LinkLifetime    = 10 * time.Minute
	InviteLifetime  = 10 * time.Minute
	ConfirmLifetime = 10 * time.Minute
)

// Purposes of tickets.
const (
	flowTicket    = "oidc-flow"
	linkTicket    = "oidc-link"
	inviteTicket  = "oidc-invite"
	confirmTicket = "oidc-confirm"
)

var (
	errState    = openid.ErrState
	errDisabled = studycircle.Errorf(studycircle.CodeUserDisabled, "This account is suspended.")
	errProvider = studycircle.Errorf(studycircle.CodeNotFound, "There is no such way to sign in here.")
)

// NamedProvider is a provider as pages show it.
type NamedProvider struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// ConfiguredProviders lists the providers in the order of their buttons.
func (i *Identity) ConfiguredProviders() []NamedProvider {
	out := make([]NamedProvider, len(i.providers))
	for n, p := range i.providers {
		out[n] = NamedProvider{p.ID, p.Label}
	}
	return out
}

func (i *Identity) provider(id string) *openid.Provider {
	for _, p := range i.providers {
		if p.ID == id {
			return p
		}
	}
	return nil
}

func (i *Identity) providerOf(issuer string) *openid.Provider {
	for _, p := range i.providers {
		if p.Issuer == issuer {
			return p
		}
	}
	return nil
}

// flow is a sign-in under way, stored in the browser's cookie.
type flow struct {
	Secret   string `json:"s"`
	Provider string `json:"p"`
	Attempt  string `json:"a"`
	// Link is the session whose account gets the provider; nil for a sign-in.
	Link *linking `json:"l,omitempty"`
	// By is the invitation with which a new user registers.
	By invitationHash `json:"i,omitempty"`
}

type linking struct {
	UserID, SessionID, Provider string
	Random                      string // so that no two tickets are the same
	TicketHash                  string
	TicketExpires               time.Time
}

// bindings derives the flow's secrets with the server's key, so that a reader of the
// cookie does not learn the verifier.
func (i *Identity) bindings(f flow) openid.Flow {
	text := func(purpose string) string { return base64.RawURLEncoding.EncodeToString(i.mac(purpose, f.Secret)) }
	return openid.Flow{State: text("oidc-state"), Nonce: text("oidc-nonce"), Verifier: text("oidc-verifier")}
}

// FlowID returns the id of the flow that a state belongs to, or "" for an invalid state.
func FlowID(state string) string {
	if !statePattern.MatchString(state) {
		return ""
	}
	return state[:16]
}

var (
	statePattern   = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
	attemptPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// ValidAttempt reports whether s is a valid name of an attempt.
func ValidAttempt(s string) bool { return attemptPattern.MatchString(s) }

// Begun is a flow for the browser's cookie and the address to redirect to.
type Begun struct {
	URL, ID, Cookie string
}

// BeginProvider begins a sign-in with a provider. A ticket makes it the linking of one, if
// it is from LinkProvider, or a sign-in that may register by an invitation, if it is from
// BringInvitation; binding is the cookie that belongs to such a ticket. CodeNotFound,
// CodeInvalidState, CodeProviderAway, CodeRateLimited.
func (i *Identity) BeginProvider(ctx context.Context, id, attempt, ticket, binding string, v Visit) (Begun, error) {
	p := i.provider(id)
	if p == nil {
		return Begun{}, errProvider
	}
	if !ValidAttempt(attempt) {
		return Begun{}, errState
	}
	if err := i.checkAddress(v); err != nil {
		return Begun{}, err
	}
	f := flow{Secret: studycircle.NewSecret(), Provider: id, Attempt: attempt}
	if by, invited := i.openInvitation(ticket, binding); invited {
		f.By = by
	} else if ticket != "" {
		link, err := i.openLink(ctx, id, ticket, v)
		if err != nil {
			return Begun{}, err
		}
		f.Link = &link
	}
	bindings := i.bindings(f)
	var address string
	err := i.ask(ctx, p, func() (err error) {
		address, err = p.AuthURL(ctx, bindings)
		return err
	})
	if err != nil {
		return Begun{}, err
	}
	cookie, err := i.seal(flowTicket, FlowLifetime, f)
	return Begun{URL: address, ID: FlowID(bindings.State), Cookie: cookie}, err
}

// LinkProvider returns the ticket with which viewer's browser may link a provider.
// CodeNotFound.
func (i *Identity) LinkProvider(viewer studycircle.Session, id string) (string, error) {
	if i.provider(id) == nil {
		return "", errProvider
	}
	return i.seal(linkTicket, LinkLifetime, linking{
		UserID: viewer.User.ID, SessionID: viewer.ID, Provider: id, Random: studycircle.NewSecret(),
	})
}

// openLink accepts a ticket only from the browser whose session it was made for, so that
// no user can link a provider to another user's account.
func (i *Identity) openLink(ctx context.Context, provider, ticket string, v Visit) (linking, error) {
	var link linking
	t, ok := i.open(linkTicket, ticket, &link)
	if !ok || link.Provider != provider || v.Secret == "" {
		return linking{}, errState
	}
	session, err := i.store.SessionBySecret(ctx, hashSecret(v.Secret))
	if isNotFound(err) {
		return linking{}, errState
	}
	if err != nil {
		return linking{}, err
	}
	if session.ID != link.SessionID || !i.good(session) {
		return linking{}, errState
	}
	link.TicketHash, link.TicketExpires = t.hash, t.expires
	return link, i.unused(ctx, errState, t)
}

// Statuses of an Outcome.
const (
	SignedIn = "signed-in"
	Linked   = "linked"
	Confirm  = "confirm"
)

// Outcome is how a sign-in with a provider ended.
type Outcome struct {
	Attempt string
	Status  string
	Grant   Grant
	// Ticket and Binding are set with Confirm: what the page sends to
	// ConfirmProvider, and the cookie that has to come with it.
	Ticket, Binding string
}

// FinishProvider handles the redirect back from a provider. cookie is the flow that
// FlowID of state names. The Outcome's Attempt is set as soon as it is known, also with
// an error. CodeNotFound, CodeInvalidState, CodeCancelled, CodeInvalidIDToken,
// CodeProviderAway, CodeRateLimited, CodeAccountExists, CodeUserDisabled,
// CodeAlreadyLinked, CodeNoEmail, CodeRegistrationClosed.
func (i *Identity) FinishProvider(
	ctx context.Context, id, state, cookie string, a openid.Answer, v Visit,
) (Outcome, error) {
	p := i.provider(id)
	if p == nil {
		return Outcome{}, errProvider
	}
	var f flow
	t, ok := i.open(flowTicket, cookie, &f)
	bindings := i.bindings(f)
	if !ok || f.Provider != id || state != bindings.State {
		return Outcome{}, errState
	}
	o := Outcome{Attempt: f.Attempt}
	if err := i.checkAddress(v); err != nil {
		return o, err
	}
	if err := i.unused(ctx, errState, t); err != nil {
		return o, err
	}
	var person studycircle.ProviderPerson
	err := i.ask(ctx, p, func() (err error) {
		person, err = p.Redeem(ctx, a, bindings)
		return err
	})
	if err != nil {
		return o, i.notVouched(err, v)
	}
	if f.Link != nil {
		o.Status = Linked
		return o, i.link(ctx, p, person, *f.Link, t)
	}
	return i.enter(ctx, o, p, person, f.By, t, v)
}

// maxAsking bounds how many requests wait for one provider: a provider that does not
// answer must not block the node.
const maxAsking = 128

// ask runs f, which waits for a provider, and frees the request's admission slot
// meanwhile. CodeProviderAway if too many requests wait for that provider.
func (i *Identity) ask(ctx context.Context, p *openid.Provider, f func() error) error {
	err := i.asking[p.ID].Do(func() error { return admission.WithoutSlot(ctx, f) })
	if errors.Is(err, admission.ErrFull) {
		return p.Away(ctx, err)
	}
	return err
}

func (i *Identity) checkAddress(v Visit) error {
	if !i.Limits {
		return nil
	}
	return i.failures.Check(limit.Network(v.Address), i.clock())
}

// notVouched counts a forged answer as a failed sign-in.
func (i *Identity) notVouched(err error, v Visit) error {
	switch studycircle.CodeOf(err) {
	case studycircle.CodeInvalidState, studycircle.CodeInvalidIDToken:
		return i.failedAt(err, v)
	default:
		return err
	}
}

// failedAt counts a failure of an address, in memory, and returns err.
func (i *Identity) failedAt(err error, v Visit) error {
	if i.Limits {
		if full := i.failures.Spend(limit.Network(v.Address), i.clock()); full != nil {
			return full
		}
	}
	return err
}
