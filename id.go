package studycircle

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"time"
)

// idEncoding is Crockford's base32 in lower case: no padding, safe in URLs, sorted like the bytes.
var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// NewID returns an id of 26 characters: 48 bits of milliseconds, so that indexes grow at their end, and 80 random
// bits. Do not read order or dates from it: they have columns of their own.
func NewID(now time.Time) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(now.UnixMilli())<<16)
	_, _ = rand.Read(b[6:]) // never fails: crypto/rand ends the program instead
	return idEncoding.EncodeToString(b[:])
}

// NewBlindID returns a random id of 26 characters, which does not reveal its time.
func NewBlindID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // see NewID
	return idEncoding.EncodeToString(b[:])
}

// ContentID returns the id of imported data without one: the same content always gets the same id.
func ContentID(content []byte) string {
	sum := sha256.Sum256(content)
	return idEncoding.EncodeToString(sum[:16])
}

// MaxID is the longest id, in bytes.
const MaxID = 64

// ValidID reports whether an imported id is usable: 1 to MaxID ASCII letters, digits, _ and -.
func ValidID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '_' && c != '-' {
			return false
		}
	}
	return id != "" && len(id) <= MaxID
}

// NewSecret returns a secret of 256 random bits as 43 characters, safe in URLs and cookies.
func NewSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}
