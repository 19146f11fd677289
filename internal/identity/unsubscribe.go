package identity

import (
	"crypto/hmac"
	"encoding/base64"
	"strings"

	"studycircle"
)

// unsubscribePurpose is what signatures in links of mails are made for.
const unsubscribePurpose = "unsubscribe"

// DigestLink stands for a digest where a kind of notification is named.
const DigestLink = "digest"

// UnsubscribeToken is what a mail's link carries by which its reader, without
// signing in, ends mails of that kind. It is good for as long as the account is.
func (i *Identity) UnsubscribeToken(userID, kind string) string {
	text := userID + "." + kind
	return text + "." + base64.RawURLEncoding.EncodeToString(i.mac(unsubscribePurpose, text))
}

// Unsubscriber is whose mails, and of which kind, a token ends; ErrNotFound where it
// was altered.
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
