package receipt

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"time"
)

// Key is a key of the server that signs receipts.
type Key struct {
	ID   string `json:"id"`
	Seed []byte `json:"seed"`
	Day  string `json:"day"` // when it was made: YYYY-MM-DD, UTC
}

// NewKey returns a random key.
func NewKey(now time.Time) Key {
	seed := make([]byte, ed25519.SeedSize)
	_, _ = rand.Read(seed) // never fails
	k := Key{Seed: seed, Day: now.UTC().Format(time.DateOnly)}
	sum := sha256.Sum256(k.public())
	k.ID = encoding.EncodeToString(sum[:9])
	return k
}

func (k Key) private() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(k.Seed) }

// An ed25519.PrivateKey is the seed followed by the public key.
func (k Key) public() ed25519.PublicKey { return ed25519.PublicKey(k.private()[ed25519.SeedSize:]) }

// PublicKeys are what a server publishes: the key that signs, then those that signed before.
type PublicKeys struct {
	Keys []PublicKey `json:"keys"`
}

// PublicKey verifies the receipts of one key.
type PublicKey struct {
	ID        string `json:"id"`
	Algorithm string `json:"algorithm"`
	Public    string `json:"public"` // base64 for URLs, without padding
	Day       string `json:"day"`
}

func (p PublicKey) key() (ed25519.PublicKey, error) {
	key, err := encoding.DecodeString(p.Public)
	if err != nil || len(key) != ed25519.PublicKeySize || p.Algorithm != "Ed25519" {
		return nil, errors.New("the server's keys are damaged: key " + p.ID)
	}
	return key, nil
}

// setting is the name under which the keys are stored. A copy of the database takes it
// along; an export does not.
const setting = "receipt-keys"

// Settings stores texts of the whole installation.
type Settings interface {
	// SettingOr returns a setting, which becomes fallback if there is none.
	SettingOr(ctx context.Context, name, fallback string) (string, error)
	// ChangeSetting replaces a setting, "" if there is none, by what change returns.
	ChangeSetting(ctx context.Context, name string, change func(old string) (string, error)) error
}

// Keys returns the server's keys, the one that signs first. The first call makes a key.
func Keys(ctx context.Context, s Settings, now time.Time) ([]Key, error) {
	fresh, err := json.Marshal([]Key{NewKey(now)})
	if err != nil {
		return nil, err
	}
	text, err := s.SettingOr(ctx, setting, string(fresh))
	if err != nil {
		return nil, err
	}
	var keys []Key
	err = json.Unmarshal([]byte(text), &keys)
	return keys, err
}

// Rotate makes a new key sign from now on. Earlier receipts stay valid.
func Rotate(ctx context.Context, s Settings, now time.Time) (Key, error) {
	next := NewKey(now)
	return next, s.ChangeSetting(ctx, setting, func(old string) (string, error) {
		keys := []Key{}
		if old != "" {
			if err := json.Unmarshal([]byte(old), &keys); err != nil {
				return "", err
			}
		}
		text, err := json.Marshal(append([]Key{next}, keys...))
		return string(text), err
	})
}

// Published returns the public part of the server's keys.
func Published(keys []Key) PublicKeys {
	var out PublicKeys
	for _, k := range keys {
		out.Keys = append(out.Keys, PublicKey{
			ID: k.ID, Algorithm: "Ed25519", Public: encoding.EncodeToString(k.public()), Day: k.Day,
		})
	}
	return out
}
