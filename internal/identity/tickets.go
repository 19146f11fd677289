package identity

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

// A ticket is a signed statement that a client returns later, to any node. It costs no
// write until it is used; then its hash is stored until it would expire, so that it works
// once.

// maxTicket bounds the length of a ticket in bytes.
const maxTicket = 8 << 10

type ticketBody struct {
	Expires int64           `json:"e"` // Unix seconds
	Value   json.RawMessage `json:"v"`
}

// seal makes a ticket. Tickets made for different purposes are not interchangeable.
func (i *Identity) seal(purpose string, lifetime time.Duration, v any) (string, error) {
	value, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", purpose, err)
	}
	text, err := json.Marshal(ticketBody{i.clock().Add(lifetime).Unix(), value})
	if err != nil {
		return "", fmt.Errorf("seal %s: %w", purpose, err)
	}
	body := base64.RawURLEncoding.EncodeToString(text)
	return body + "." + base64.RawURLEncoding.EncodeToString(i.mac("ticket-"+purpose, body)), nil
}

// opened is a valid ticket of this server.
type opened struct {
	hash    string
	expires time.Time
}

// open reads a ticket into v.
func (i *Identity) open(purpose, ticket string, v any) (opened, bool) {
	body, signature, _ := strings.Cut(ticket, ".")
	mac, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	if len(ticket) > maxTicket || err != nil || !hmac.Equal(mac, i.mac("ticket-"+purpose, body)) {
		return opened{}, false
	}
	// The signature is valid, so seal made the text.
	text, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return opened{}, false
	}
	var b ticketBody
	if json.Unmarshal(text, &b) != nil || json.Unmarshal(b.Value, v) != nil {
		return opened{}, false
	}
	expires := time.Unix(b.Expires, 0)
	return opened{hashSecret(ticket), expires}, i.clock().Before(expires)
}

// use marks tickets as used; refusal is the error if one was used before.
func use(ctx context.Context, tx *store.Tx, refusal error, tickets ...opened) error {
	for _, t := range tickets {
		if err := tx.UseTicket(ctx, t.hash, t.expires); err != nil {
			if isNotFound(err) {
				return refusal
			}
			return err
		}
	}
	return nil
}

// unused returns refusal if a ticket was used before. It is checked before any expensive
// work or write.
func (i *Identity) unused(ctx context.Context, refusal error, t opened) error {
	used, err := i.store.TicketUsed(ctx, t.hash)
	if err == nil && used {
		return refusal
	}
	return err
}

// ways are a user's present sign-in methods.
func (i *Identity) ways(
	ctx context.Context, r credentialReader, account studycircle.Account,
) (studycircle.WaysToSignIn, error) {
	w := studycircle.WaysToSignIn{Password: account.PasswordHash != ""}
	links, err := r.ProviderLinksOf(ctx, account.ID)
	if err != nil {
		return w, err
	}
	for _, l := range links {
		if i.providerOf(l.Issuer) != nil {
			w.Providers++
		}
	}
	passkeys, err := r.PasskeysOf(ctx, account.ID)
	if i.webauthn != nil {
		w.Passkeys = len(passkeys)
	}
	return w, err
}

// credentialReader reads credentials, within a transaction or outside.
type credentialReader interface {
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
	ProviderLink(ctx context.Context, issuer, subject string) (studycircle.ProviderLink, error)
	ProviderLinksOf(ctx context.Context, userID string) ([]studycircle.ProviderLink, error)
	PasskeysOf(ctx context.Context, userID string) ([]studycircle.Passkey, error)
}
