// Package identity authenticates users: passwords, OpenID providers and passkeys,
// sessions and access tokens, emailed codes, and the limits that stop guessing.
//
// A browser holds a session cookie, a random secret of which the store keeps the hash.
// With it the browser gets access tokens, the API's only credential: a signed session id
// with an expiry, which is checked without the database while the session is cached.
package identity

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/go-webauthn/webauthn/webauthn"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/limit"
	"studycircle/internal/openid"
	"studycircle/internal/store"
)

// Lifetimes.
const (
	TokenLifetime   = 15 * time.Minute
	SessionLifetime = 30 * 24 * time.Hour
	DeviceLifetime  = 180 * 24 * time.Hour
	ResetLifetime   = 30 * time.Minute
	VerifyLifetime  = 48 * time.Hour
	UndoLifetime    = 7 * 24 * time.Hour
)

// keySetting is the store's setting with the key that signs access tokens. Stored, it
// survives restarts and is the same on every node.
const keySetting = "access-token-key"

// Config is what an Identity needs to know.
type Config struct {
	// Now is the clock.
	Now func() time.Time
	// Limits enables the limits on attempts.
	Limits bool
	// Brand is the product's name in emails, and PublicURL where their links lead.
	Brand     string
	PublicURL *url.URL
	// Registration says who may open an account.
	Registration studycircle.RegistrationMode
	// EnrolDomains are the domains whose verified addresses join the circles of rosters without an answer.
	EnrolDomains studycircle.Domains
	// Params are argon2id's; OWASP's if nil.
	Params *argon2id.Params
	// Providers are the OpenID providers, in the order of their buttons.
	Providers []openid.Entry
	// ProviderTimeout bounds how long a request waits for a provider; openid.Timeout if
	// zero.
	ProviderTimeout time.Duration
	// Cached, if not nil, is called after each lookup in the cache of sessions.
	Cached func(hit bool)
}

// Identity is safe for concurrent use.
type Identity struct {
	Config
	store         *store.Store
	key           []byte
	macs          sync.Pool // of hash.Hash: HMACs with key
	hasher        *hasher
	sessions      *sessionCache
	seen          *lastSeen
	failures      *limit.Memory // of sign-ins, by address
	registrations *limit.Memory // by address
	providers     []*openid.Provider
	asking        map[string]admission.Limit // of requests that wait for a provider, by its id
	webauthn      *webauthn.WebAuthn         // nil if the public address cannot have passkeys
}

// Visit describes the browser that sent a request.
type Visit struct {
	// Address is the client's IP address, read through trusted proxies.
	Address   string
	UserAgent string
	// Secret is the session cookie's value, Device the device cookie's. Both may be
	// empty.
	Secret, Device string
}

// Grant is the result of a successful sign-in.
type Grant struct {
	User        studycircle.User
	AccessToken string
	// Secret and Device are the new values of the cookies, empty if they do not
	// change.
	Secret, Device string
}

// New reads the signing key from the store, or creates it.
func New(ctx context.Context, s *store.Store, c Config) (*Identity, error) {
	encoded, err := s.SettingOr(ctx, keySetting, studycircle.NewSecret())
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	key, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	h, err := newHasher(c.Params)
	if err != nil {
		return nil, err
	}
	i := &Identity{
		Config: c, store: s, key: key, hasher: h, webauthn: newWebAuthn(c),
		sessions: newSessionCache(), seen: newLastSeen(), asking: map[string]admission.Limit{},
		failures: limit.NewMemory(addressFailures), registrations: limit.NewMemory(addressRegistrations),
	}
	i.sessions.looked = c.Cached
	if i.ProviderTimeout == 0 {
		i.ProviderTimeout = openid.Timeout
	}
	for _, e := range c.Providers {
		redirect := c.PublicURL.JoinPath("api/auth/oidc", e.ID, "callback").String()
		i.providers = append(i.providers, openid.New(e, redirect, i.ProviderTimeout, i.clock))
		i.asking[e.ID] = admission.NewLimit(maxAsking)
	}
	return i, nil
}

// write runs f in one transaction. Accounts have no visibility, so it reads as no viewer.
func (i *Identity) write(ctx context.Context, f func(context.Context, *store.Tx) error) error {
	return i.store.Write(ctx, studycircle.Viewer{}, f)
}

func (i *Identity) clock() time.Time { return i.Now().UTC().Truncate(time.Microsecond) }

// mac signs text. Signatures made for different purposes differ.
func (i *Identity) mac(purpose, text string) []byte {
	m, there := i.macs.Get().(hash.Hash)
	if !there {
		m = hmac.New(sha256.New, i.key)
	}
	m.Reset()
	m.Write([]byte(purpose + "\n" + text))
	sum := m.Sum(nil)
	i.macs.Put(m)
	return sum
}

// clip truncates s to n code points and removes characters that are invalid in headers.
func clip(s string, n int) string {
	kept := []rune(strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
	return string(kept[:min(n, len(kept))])
}

// hashSecret needs no salt and no stretching: the secret is 256 random bits.
func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// unauthenticatedIfGone turns ErrNotFound for the viewer's account into
// CodeUnauthenticated: the account was deleted after the request was authenticated.
func unauthenticatedIfGone(err error) error {
	if isNotFound(err) {
		return errToken
	}
	return err
}

func isNotFound(err error) bool { return errors.Is(err, studycircle.ErrNotFound) }
