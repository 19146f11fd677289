// Package openid identifies users by OpenID providers: the code flow of OpenID Connect
// for a confidential client, with PKCE. It knows nothing of accounts.
package openid

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"studycircle"
)

// Timeout bounds the total time that one request waits for a provider.
const Timeout = 10 * time.Second

// metadataLifetime is how long a provider's metadata is cached.
const metadataLifetime = time.Hour

// maxAnswer bounds a provider's answer, in bytes.
const maxAnswer = 1 << 20

// algorithms that may sign an ID token. "none" and those with a shared secret are never
// accepted, even if a provider announces them.
var algorithms = []string{
	oidc.RS256, oidc.ES256, oidc.PS256, oidc.EdDSA, oidc.RS384, oidc.ES384, oidc.RS512, oidc.ES512,
}

// Provider is one OpenID provider. It is safe for concurrent use. It is not contacted
// before the first sign-in, so that a node starts without it.
type Provider struct {
	Entry
	redirect string
	timeout  time.Duration
	now      func() time.Time
	client   *http.Client

	// The provider's metadata, shared by all sign-ins and replaced after
	// metadataLifetime. A failure is not cached.
	metadata atomic.Pointer[metadata]
	asking   singleflight.Group
}

type metadata struct {
	config   oauth2.Config
	keys     oidc.KeySet
	userInfo string // the user info endpoint, or ""
	iss      bool   // the provider names itself in its answers (RFC 9207)
	readAt   time.Time
}

// New makes a provider. redirect is the address to which it sends browsers back, timeout
// bounds the time per request, and now is the clock by which tokens expire.
func New(e Entry, redirect string, timeout time.Duration, now func() time.Time) *Provider {
	return &Provider{
		Entry: e, redirect: redirect, timeout: timeout, now: now,
		client: &http.Client{
			Timeout: timeout, Transport: guard{http.DefaultTransport},
			// A secret must not follow a redirect to another address.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Flow binds a provider's answer to the browser and the request.
type Flow struct {
	State, Nonce, Verifier string
}

// AuthURL returns the address to redirect the browser to. CodeProviderAway.
func (p *Provider) AuthURL(ctx context.Context, f Flow) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	m, err := p.discover(ctx)
	if err != nil {
		return "", p.Away(ctx, err)
	}
	return m.config.AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)), nil
}

// Answer is the provider's answer as the browser brings it. Its state has been checked.
type Answer struct {
	Code, Issuer, Error string
}

// Redeem turns an answer into the person it identifies. CodeCancelled, CodeInvalidState,
// CodeInvalidIDToken, CodeProviderAway.
func (p *Provider) Redeem(ctx context.Context, a Answer, f Flow) (studycircle.ProviderPerson, error) {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	m, err := p.discover(ctx)
	if err != nil {
		return studycircle.ProviderPerson{}, p.Away(ctx, err)
	}
	if (a.Issuer != "" || m.iss) && a.Issuer != p.Issuer {
		return studycircle.ProviderPerson{}, ErrState
	}
	if a.Error != "" {
		return studycircle.ProviderPerson{}, p.refused(ctx, a.Error)
	}
	if a.Code == "" {
		return studycircle.ProviderPerson{}, ErrState
	}
	token, err := m.config.Exchange(
		context.WithValue(ctx, oauth2.HTTPClient, p.client), a.Code, oauth2.VerifierOption(f.Verifier),
	)
	if err != nil {
		return studycircle.ProviderPerson{}, p.notRedeemed(ctx, err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return studycircle.ProviderPerson{}, p.badToken(ctx, errors.New("there is none in the answer"))
	}
	return p.person(ctx, m, raw, token, f.Nonce)
}

// ErrState reports an answer that belongs to no sign-in under way in this browser.
var ErrState = studycircle.Errorf(studycircle.CodeInvalidState,
	"This sign-in took too long, was already finished, or was replaced by newer ones in this browser. Please start again.")

// discover fetches the provider's metadata, once for all concurrent callers. Each caller
// waits until its own ctx ends; the others go on.
func (p *Provider) discover(ctx context.Context) (*metadata, error) {
	if m := p.metadata.Load(); m != nil && time.Since(m.readAt) < metadataLifetime {
		return m, nil
	}
	asked := p.asking.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
		defer cancel()
		m, err := p.ask(ctx)
		if err == nil {
			p.metadata.Store(m)
		}
		return m, err
	})
	select {
	case answer := <-asked:
		m, _ := answer.Val.(*metadata) // nil with an error
		return m, answer.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *Provider) ask(ctx context.Context) (*metadata, error) {
	readAt := time.Now()
	ctx = oidc.ClientContext(ctx, p.client)
	found, err := oidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		return nil, err
	}
	var more struct {
		Keys    string   `json:"jwks_uri"`
		Methods []string `json:"token_endpoint_auth_methods_supported"`
		Iss     bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := found.Claims(&more); err != nil {
		return nil, err
	}
	endpoint := found.Endpoint()
	others := []string{endpoint.TokenURL, more.Keys}
	if found.UserInfoEndpoint() != "" {
		others = append(others, found.UserInfoEndpoint())
	}
	if err := checkEndpoints(endpoint.AuthURL, others...); err != nil {
		return nil, err
	}
	// RFC 8414, section 2: the default is the header.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if len(more.Methods) > 0 && !slices.Contains(more.Methods, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &metadata{
		config: oauth2.Config{
			ClientID: p.ClientID, ClientSecret: p.ClientSecret, Endpoint: endpoint, RedirectURL: p.redirect,
			Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
		},
		keys:     oidc.NewRemoteKeySet(context.WithoutCancel(ctx), more.Keys),
		userInfo: found.UserInfoEndpoint(), iss: more.Iss, readAt: readAt,
	}, nil
}

func checkEndpoints(authorization string, others ...string) error {
	u, err := url.Parse(authorization)
	if err != nil {
		return err
	}
	u.RawQuery = "" // only this address may have one
	for _, address := range append(others, u.String()) {
		if err := checkAddress(address, "an endpoint"); err != nil {
			return err
		}
	}
	return nil
}

// Away reports that a provider did not answer. The logged cause contains addresses of the
// provider and no personal data.
func (p *Provider) Away(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) {
		return err // the browser disconnected
	}
	slog.WarnContext(ctx, "OpenID provider not available", "provider", p.ID, "error", err)
	return &studycircle.Error{
		Code: studycircle.CodeProviderAway, RetryAfter: 10 * time.Second,
		Message: "%s does not answer at the moment. Please try again later, or sign in another way.", Args: []any{p.Label},
	}
}

// refused maps the error code with which the provider sent the browser back (RFC 6749,
// section 4.1.2.1).
func (p *Provider) refused(ctx context.Context, code string) error {
	switch code {
	case "access_denied", "interaction_required", "login_required", "consent_required":
		return studycircle.Errorf(studycircle.CodeCancelled, "The sign-in was canceled.")
	}
	return p.Away(ctx, errors.New("the provider answered with an error"))
}

// notRedeemed maps the refusal of a code. The provider's own words stay out of the log:
// they may contain personal data.
func (p *Provider) notRedeemed(ctx context.Context, err error) error {
	refusal, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		return p.Away(ctx, err)
	}
	if refusal.ErrorCode == "invalid_grant" {
		return ErrState // a code used before, too old, or got with another verifier
	}
	return p.Away(ctx, fmt.Errorf("its token endpoint answered with status %d", refusal.Response.StatusCode))
}

// guard bounds the size of answers and refuses redirects.
type guard struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodGet && response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("status %d", response.StatusCode), response.Body.Close())
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, maxAnswer), response.Body}
	return response, nil
}
