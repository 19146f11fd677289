package identity

import (
	"crypto/hmac"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
)

// A device cookie records that its browser signed in to some accounts before: for each, a
// random id, the time, and a signature that binds both to the account. It does not sign
// in; it only separates this browser's failed attempts from those of others.

const (
	maxDevices     = 5
	maxDeviceBytes = 100
)

// knownDevice returns the id of cookie's browser for an account, or "".
func (i *Identity) knownDevice(cookie, userID string) string {
	for _, entry := range deviceEntries(cookie) {
		if id := i.deviceOf(entry, userID); id != "" {
			return id
		}
	}
	return ""
}

// withDevice returns the cookie's value after a sign-in to an account. id is the
// browser's known id, or "" for a new one without failed attempts.
func (i *Identity) withDevice(cookie, userID, id string) string {
	if !i.Limits {
		return ""
	}
	if id == "" {
		id = studycircle.NewSecret()[:16]
	}
	body := id + "." + strconv.FormatInt(i.clock().Unix(), 36)
	entries := []string{body + "." + i.deviceMAC(body, userID)}
	for _, entry := range deviceEntries(cookie) {
		if i.deviceOf(entry, userID) == "" && len(entries) < maxDevices {
			entries = append(entries, entry)
		}
	}
	return strings.Join(entries, "~")
}

func deviceEntries(cookie string) []string {
	if len(cookie) > maxDevices*maxDeviceBytes {
		return nil
	}
	return slices.DeleteFunc(strings.Split(cookie, "~"), func(e string) bool {
		return strings.Count(e, ".") != 2 || len(e) > maxDeviceBytes
	})
}

func (i *Identity) deviceOf(entry, userID string) string {
	cut := strings.LastIndexByte(entry, '.')
	body := entry[:cut]
	if !hmac.Equal([]byte(entry[cut+1:]), []byte(i.deviceMAC(body, userID))) {
		return ""
	}
	id, stamp, _ := strings.Cut(body, ".")
	seconds, err := strconv.ParseInt(stamp, 36, 64)
	if err != nil || i.clock().After(time.Unix(seconds, 0).Add(DeviceLifetime)) {
		return ""
	}
	return id
}

func (i *Identity) deviceMAC(body, userID string) string {
	return base64.RawURLEncoding.EncodeToString(i.mac("device", userID+"\n"+body)[:18])
}
