package identity

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"studycircle"
)

const tokenPurpose = "access-token"

// sign makes an access token of the session, its expiry in Unix seconds and the
// HMAC-SHA256 of both.
func (i *Identity) sign(sessionID string) string {
	body := sessionID + "." + strconv.FormatInt(i.clock().Add(TokenLifetime).Unix(), 10)
	return body + "." + base64.RawURLEncoding.EncodeToString(i.mac(tokenPurpose, body))
}

var errToken = studycircle.Errorf(studycircle.CodeUnauthenticated, "Please sign in to do this.")

// Authenticate returns the session of an access token, with its user;
// CodeUnauthenticated. Every node refuses a session that has ended within
// sessionFreshness.
func (i *Identity) Authenticate(ctx context.Context, token string) (studycircle.Session, error) {
	sessionID := i.SignedSession(token)
	if sessionID == "" {
		return studycircle.Session{}, errToken
	}
	session, err := i.sessions.get(ctx, sessionID, i.load)
	if isNotFound(err) || (err == nil && !i.good(session)) {
		return studycircle.Session{}, errToken
	}
	return session, err
}

// SignedSession returns the session of an unexpired access token that this server signed,
// or "". It does not check whether the session is still open: it orders requests and does
// not authenticate them.
func (i *Identity) SignedSession(token string) string {
	cut := strings.LastIndexByte(token, '.')
	if cut < 0 {
		return ""
	}
	body := token[:cut]
	mac, err := base64.RawURLEncoding.Strict().DecodeString(token[cut+1:])
	if err != nil || !hmac.Equal(mac, i.mac(tokenPurpose, body)) {
		return ""
	}
	sessionID, expiry, _ := strings.Cut(body, ".")
	seconds, err := strconv.ParseInt(expiry, 10, 64)
	if err != nil || !i.clock().Before(time.Unix(seconds, 0)) {
		return ""
	}
	return sessionID
}

// load reads a session for the cache, every few seconds while the session is in use.
func (i *Identity) load(ctx context.Context, id string) (studycircle.Session, error) {
	session, err := i.store.Session(ctx, id)
	if err == nil {
		i.seen.note(id, i.clock())
	}
	return session, err
}

func (i *Identity) good(s studycircle.Session) bool {
	return i.clock().Before(s.ExpiresAt) && s.User.SuspendedAt.IsZero()
}

func (i *Identity) grant(sessionID string, u studycircle.User) Grant {
	return Grant{User: u, AccessToken: i.sign(sessionID)}
}
