// Package identity lets people in: passwords, sessions and access tokens.
//
// A browser holds a session cookie, a random secret of which the store keeps the
// hash. With it, it gets access tokens, which are the API's only credential: a
// signed statement "this session, until then" that is checked without the
// database while the session is in the cache.
package identity

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"studycircle"
)

// Lifetimes.
const (
	TokenLifetime   = 15 * time.Minute
	SessionLifetime = 30 * 24 * time.Hour
)

// keySetting is the store's setting with the key that signs access tokens. It is
// there rather than in memory so that tokens outlive a restart and hold on every node.
const keySetting = "access-token-key"

// Store is what identity reads and writes.
type Store interface {
	SettingOr(ctx context.Context, name, fallback string) (string, error)
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
	Session(ctx context.Context, id string) (studycircle.Session, error)
	SessionBySecret(ctx context.Context, secretHash string) (studycircle.Session, error)
	Write(ctx context.Context, f func(context.Context, Tx) error) error
}

// Tx is one transaction that writes.
type Tx interface {
	User(ctx context.Context, id string) (studycircle.User, error)
	InsertAccount(ctx context.Context, a studycircle.Account) error
	UpdateProfile(ctx context.Context, userID string, p studycircle.Profile) error
	ReplacePasswordHash(ctx context.Context, userID, oldHash, newHash string) error
	DeleteAccount(ctx context.Context, userID string) error
	InsertSession(ctx context.Context, s NewSession) error
	DeleteSession(ctx context.Context, id string) error
	DeleteSessionsOf(ctx context.Context, userID string) ([]string, error)
}

// NewSession is a session to be stored.
type NewSession struct {
	ID, UserID, SecretHash, UserAgent string
	CreatedAt, ExpiresAt              time.Time
}

// Identity is safe for concurrent use.
type Identity struct {
	store    Store
	now      func() time.Time
	key      []byte
	hasher   *hasher
	sessions *sessionCache
}

// Grant is what somebody who is let in gets.
type Grant struct {
	User        studycircle.User
	AccessToken string
	// Secret is the session cookie's value, empty where the browser has it already.
	Secret    string
	ExpiresAt time.Time
}

// New reads the signing key from the store, or makes it.
func New(ctx context.Context, s Store, now func() time.Time) (*Identity, error) {
	encoded, err := s.SettingOr(ctx, keySetting, studycircle.NewSecret())
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	key, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	h, err := newHasher()
	if err != nil {
		return nil, err
	}
	return &Identity{store: s, now: now, key: key, hasher: h, sessions: newSessionCache()}, nil
}

func (i *Identity) clock() time.Time { return i.now().UTC().Truncate(time.Microsecond) }

// Register opens an account and signs its browser in. CodeInvalid,
// CodeWeakPassword, CodeEmailInUse.
func (i *Identity) Register(ctx context.Context, r studycircle.Registration, userAgent string) (Grant, error) {
	r, err := r.Clean()
	if err != nil {
		return Grant{}, err
	}
	hash, err := i.hasher.hash(ctx, r.Password)
	if err != nil {
		return Grant{}, err
	}
	now := i.clock()
	user := studycircle.User{
		ID: studycircle.NewID(now), Email: r.Email, DisplayName: r.Name, PhotoURL: r.PhotoURL, CreatedAt: now,
	}
	session, secret := i.newSession(user.ID, userAgent)
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.InsertAccount(ctx, studycircle.Account{User: user, PasswordHash: hash}); err != nil {
			return err
		}
		return tx.InsertSession(ctx, session)
	})
	if err != nil {
		return Grant{}, err
	}
	return i.grant(session.ID, user, secret, session.ExpiresAt), nil
}

// errCredential is the same for an unknown address and a wrong password.
var errCredential = studycircle.Errorf(studycircle.CodeInvalidCredential, "The e-mail address or the password is not right.")

// Login signs a browser in. oldSecret, where not empty, is the cookie of the
// session that it leaves. CodeInvalidCredential, in the same time for an unknown
// address and a wrong password.
func (i *Identity) Login(ctx context.Context, email, password, oldSecret, userAgent string) (Grant, error) {
	account, err := i.store.AccountByEmail(ctx, studycircle.NormalizeEmail(email))
	if err != nil && !isNotFound(err) {
		return Grant{}, err
	}
	matches, outdated, err := i.hasher.check(ctx, password, account.PasswordHash)
	if err != nil {
		return Grant{}, err
	}
	if !matches || !account.SuspendedAt.IsZero() {
		return Grant{}, errCredential
	}
	upgraded := ""
	if outdated {
		if upgraded, err = i.hasher.hash(ctx, password); err != nil {
			return Grant{}, err
		}
	}
	session, secret := i.newSession(account.ID, userAgent)
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		if upgraded != "" {
			if err := tx.ReplacePasswordHash(ctx, account.ID, account.PasswordHash, upgraded); err != nil {
				return err
			}
		}
		return tx.InsertSession(ctx, session)
	})
	if isNotFound(err) {
		return Grant{}, errCredential // deleted, or its password changed, a moment ago
	}
	if err != nil {
		return Grant{}, err
	}
	if oldSecret != "" {
		if err := i.Logout(ctx, oldSecret); err != nil {
			return Grant{}, err
		}
	}
	return i.grant(session.ID, account.User, secret, session.ExpiresAt), nil
}

// Renew gives a fresh access token to the browser that holds secret. Any number
// of tabs may renew at once. ok is false for a cookie that is not good any more.
func (i *Identity) Renew(ctx context.Context, secret string) (g Grant, ok bool, err error) {
	if secret == "" {
		return Grant{}, false, nil
	}
	session, err := i.store.SessionBySecret(ctx, hashSecret(secret))
	if isNotFound(err) {
		return Grant{}, false, nil
	}
	if err != nil {
		return Grant{}, false, err
	}
	if !i.good(session) {
		return Grant{}, false, nil
	}
	return i.grant(session.ID, session.User, "", session.ExpiresAt), true, nil
}

// Logout ends the session of the browser that holds secret, if there is one.
func (i *Identity) Logout(ctx context.Context, secret string) error {
	session, err := i.store.SessionBySecret(ctx, hashSecret(secret))
	if isNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error { return tx.DeleteSession(ctx, session.ID) })
	i.sessions.drop(session.ID)
	return err
}

// UpdateProfile changes viewer's name and photo. CodeInvalid.
func (i *Identity) UpdateProfile(ctx context.Context, viewer studycircle.Session, p studycircle.Profile) (Grant, error) {
	p, err := p.Clean()
	if err != nil {
		return Grant{}, err
	}
	var user studycircle.User
	err = i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.UpdateProfile(ctx, viewer.User.ID, p); err != nil {
			return err
		}
		user, err = tx.User(ctx, viewer.User.ID)
		return err
	})
	i.sessions.drop(viewer.ID)
	if err != nil {
		return Grant{}, unauthenticatedIfGone(err)
	}
	return i.grant(viewer.ID, user, "", viewer.ExpiresAt), nil
}

// DeleteAccount removes viewer's account, sessions and personal data.
func (i *Identity) DeleteAccount(ctx context.Context, viewer studycircle.Session) error {
	var ended []string
	err := i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		var err error
		if ended, err = tx.DeleteSessionsOf(ctx, viewer.User.ID); err != nil {
			return err
		}
		return tx.DeleteAccount(ctx, viewer.User.ID)
	})
	i.sessions.drop(ended...)
	return unauthenticatedIfGone(err)
}

func (i *Identity) newSession(userID, userAgent string) (NewSession, string) {
	secret := studycircle.NewSecret()
	now := i.clock()
	return NewSession{
		ID: studycircle.NewID(now), UserID: userID, SecretHash: hashSecret(secret),
		UserAgent: clip(strings.ToValidUTF8(userAgent, ""), 300), CreatedAt: now, ExpiresAt: now.Add(SessionLifetime),
	}, secret
}

// clip bounds s to n code points and takes out what no header should hold.
func clip(s string, n int) string {
	kept := []rune(strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, s))
	return string(kept[:min(n, len(kept))])
}

// hashSecret needs no salt and no stretching: the secret is 256 random bits.
func hashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (i *Identity) good(s studycircle.Session) bool {
	return i.clock().Before(s.ExpiresAt) && s.User.SuspendedAt.IsZero()
}

func (i *Identity) grant(sessionID string, u studycircle.User, secret string, expires time.Time) Grant {
	return Grant{User: u, AccessToken: i.sign(sessionID, i.clock().Add(TokenLifetime)), Secret: secret, ExpiresAt: expires}
}

// sign makes an access token: session, expiry in Unix seconds, and the HMAC-SHA256 of both.
func (i *Identity) sign(sessionID string, expires time.Time) string {
	body := sessionID + "." + strconv.FormatInt(expires.Unix(), 10)
	return body + "." + base64.RawURLEncoding.EncodeToString(i.mac(body))
}

func (i *Identity) mac(body string) []byte {
	m := hmac.New(sha256.New, i.key)
	m.Write([]byte("access-token\n" + body))
	return m.Sum(nil)
}

var errToken = studycircle.Errorf(studycircle.CodeUnauthenticated, "Please log in to do this.")

// Authenticate returns the session that an access token stands for, with its
// user; CodeUnauthenticated. A session that has ended is refused within
// sessionFreshness on every node.
func (i *Identity) Authenticate(ctx context.Context, token string) (studycircle.Session, error) {
	cut := strings.LastIndexByte(token, '.')
	if cut < 0 {
		return studycircle.Session{}, errToken
	}
	body := token[:cut]
	mac, err := base64.RawURLEncoding.DecodeString(token[cut+1:])
	if err != nil || !hmac.Equal(mac, i.mac(body)) {
		return studycircle.Session{}, errToken
	}
	sessionID, expiry, _ := strings.Cut(body, ".")
	seconds, err := strconv.ParseInt(expiry, 10, 64)
	now := i.clock()
	if err != nil || !now.Before(time.Unix(seconds, 0)) {
		return studycircle.Session{}, errToken
	}
	session, err := i.sessions.get(ctx, sessionID, i.store.Session)
	if isNotFound(err) || (err == nil && !i.good(session)) {
		return studycircle.Session{}, errToken
	}
	return session, err
}

func unauthenticatedIfGone(err error) error {
	if isNotFound(err) {
		return errToken
	}
	return err
}

func isNotFound(err error) bool { return errors.Is(err, studycircle.ErrNotFound) }
