package openid

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"studycircle"
)

// maxSubject is OpenID Connect Core's bound of a subject, section 2.
const maxSubject = 255

// maxSkew is how far a provider's clock may be ahead.
const maxSkew = 5 * time.Minute

// claims beside those that the library reads. Untyped fields stay untyped: a provider's
// odd "email_verified" must not become true.
type claims struct {
	Subject           any `json:"sub"`
	AuthorizedParty   any `json:"azp"`
	Email             any `json:"email"`
	EmailVerified     any `json:"email_verified"`
	Name              any `json:"name"`
	PreferredUsername any `json:"preferred_username"`
	Picture           any `json:"picture"`
}

// person checks an ID token (OpenID Connect Core, section 3.1.3.7) and returns the person
// it identifies. If it has no email address, the provider's user info is requested
// (section 5.4). CodeInvalidIDToken, CodeProviderAway.
func (p *Provider) person(
	ctx context.Context, m *metadata, raw string, access *oauth2.Token, nonce string,
) (studycircle.ProviderPerson, error) {
	keys := &watchedKeys{KeySet: m.keys}
	verifier := oidc.NewVerifier(p.Issuer, keys, &oidc.Config{
		ClientID: p.ClientID, SupportedSigningAlgs: algorithms, Now: p.now,
	})
	token, err := verifier.Verify(ctx, raw)
	if keys.away() || ctx.Err() != nil {
		return studycircle.ProviderPerson{}, p.Away(ctx, errors.Join(keys.err, ctx.Err()))
	}
	if err != nil {
		return studycircle.ProviderPerson{}, p.badToken(ctx, err)
	}
	var c claims
	if err := token.Claims(&c); err != nil {
		return studycircle.ProviderPerson{}, p.badToken(ctx, errors.New("its claims cannot be read"))
	}
	if err := p.check(token, c, nonce); err != nil {
		return studycircle.ProviderPerson{}, p.badToken(ctx, err)
	}
	if c.Email == nil && m.userInfo != "" {
		if c, err = p.userInfo(ctx, m.userInfo, access); err != nil {
			return studycircle.ProviderPerson{}, p.Away(ctx, err)
		}
		if c.Subject != token.Subject {
			return studycircle.ProviderPerson{}, p.badToken(ctx, errors.New("its user info is about another subject"))
		}
	}
	verified, isBool := c.EmailVerified.(bool)
	email := studycircle.NormalizeEmail(text(c.Email))
	if !studycircle.ValidEmail(email) {
		email = ""
	}
	name := text(c.Name)
	if name == "" {
		name = text(c.PreferredUsername)
	}
	return studycircle.ProviderPerson{
		Issuer: p.Issuer, Subject: token.Subject, Email: email, EmailVerified: isBool && verified && email != "",
		Name: name, Picture: text(c.Picture),
	}, nil
}

// check does the checks that the library leaves to its caller.
func (p *Provider) check(token *oidc.IDToken, c claims, nonce string) error {
	switch {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1:
		return errors.New("its nonce is not the one that was sent")
	case len(token.Audience) != 1 && c.AuthorizedParty != p.ClientID:
		return errors.New("it is meant for several clients and names none as authorized")
	case c.AuthorizedParty != nil && c.AuthorizedParty != p.ClientID:
		return errors.New("another client is authorized")
	case token.IssuedAt.After(p.now().Add(maxSkew)):
		return errors.New("it was issued in the future")
	case token.Subject == "", len(token.Subject) > maxSubject, strings.ContainsFunc(token.Subject, unicode.IsControl):
		return errors.New("its subject is missing or cannot be one")
	}
	return nil
}

// userInfo requests the user info of an access token's subject.
func (p *Provider) userInfo(ctx context.Context, address string, access *oauth2.Token) (c claims, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return c, err
	}
	access.SetAuthHeader(r)
	response, err := p.client.Do(r)
	if err != nil {
		return c, err
	}
	err = json.NewDecoder(response.Body).Decode(&c)
	if closed := response.Body.Close(); err != nil || closed != nil {
		// The decoder's error may quote what it read.
		return c, errors.New("its user info cannot be read")
	}
	return c, nil
}

func (p *Provider) badToken(ctx context.Context, err error) error {
	slog.WarnContext(ctx, "ID token refused", "provider", p.ID, "error", err)
	return studycircle.Errorf(
		studycircle.CodeInvalidIDToken, "%s's answer could not be trusted, so you were not signed in. Please try again.",
		p.Label,
	)
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// watchedKeys records whether the keys could be fetched: the library's error does not
// tell.
type watchedKeys struct {
	oidc.KeySet
	err error
}

// VerifySignature implements oidc.KeySet.
func (k *watchedKeys) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.KeySet.VerifySignature(ctx, jwt)
	k.err = err
	return payload, err
}

func (k *watchedKeys) away() bool {
	_, network := errors.AsType[*url.Error](k.err)
	return network
}
