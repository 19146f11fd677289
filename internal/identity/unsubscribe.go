package identity

import (
	"crypto/hmac"
	"encoding/base64"
	"strings"

	"studycircle"
)

// unsubscribePurpose is the purpose of signatures in emails' unsubscribe links.
const unsubscribePurpose = "unsubscribe"

// DigestLink is the kind of a digest's unsubscribe link.
const DigestLink = "digest"

// UnsubscribeToken returns the token of an email's unsubscribe link, which needs no
// sign-in. It is valid as long as the account exists.
func (i *Identity) UnsubscribeToken(userID, kind string) string {
	text := userID + "." + kind
	return text + "." + base64.RawURLEncoding.EncodeToString(i.mac(unsubscribePurpose, text))
}

// Unsubscriber returns the user and the kind of emails of a token; ErrNotFound if it was
// altered.
func (i *Identity) Unsubscriber(token string) (userID, kind string, err error) {
	at := strings.LastIndexByte(token, '.')
	if at < 0 {
		return "", "", studycircle.ErrNotFound
	}
	signature, err := base64.RawURLEncoding.Strict().DecodeString(token[at+1:])
	if err != nil || !hmac.Equal(signature, i.mac(unsubscribePurpose, token[:at])) {
		return "", "", studycircle.ErrNotFound
	}
	userID, kind, _ = strings.Cut(token[:at], ".")
	return userID, kind, nil
}
