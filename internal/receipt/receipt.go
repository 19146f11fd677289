// Package receipt signs the components of a mark, so that they can be verified without the server: canonical JSON
// (RFC 8785) with an Ed25519 signature. docs/receipts.md describes the format.
//
// The package knows no storage and no network.
package receipt

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Receipt is one settlement of a submission. It names no user. Its members are declared in
// the order of their names, which is the canonical order.
type Receipt struct {
	By         string   `json:"by"`  // "model" or "creator"
	Day        string   `json:"day"` // YYYY-MM-DD, UTC
	Estimate   *float64 `json:"estimate,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Key        string   `json:"key"`
	Low        *float64 `json:"low,omitempty"`
	Mark       int64    `json:"mark"`
	Model      string   `json:"model,omitempty"` // absent if the creator set the mark
	N          int64    `json:"n"`               // which settlement of the submission
	Reviews    []Review `json:"reviews"`
	Scale      *Scale   `json:"scale,omitempty"`
	Server     string   `json:"server"`
	Signature  string   `json:"signature,omitempty"`
	Submission string   `json:"submission"`
	Total      int64    `json:"total"`
	Version    int      `json:"version"`
}

// Review is one review of the submission.
type Review struct {
	Label      string  `json:"label"`
	Mark       float64 `json:"mark"`
	Strictness float64 `json:"strictness"`
	Weight     float64 `json:"weight"`
}

// Scale is grademodel.Scale in canonical order.
type Scale struct {
	Kappa float64 `json:"kappa"`
	Noise float64 `json:"noise"`
	Usual float64 `json:"usual"`
}

// Version is the version of the format.
const Version = 1

// Rounded returns a figure with the four decimals that a receipt gives.
func Rounded(x float64) float64 { return math.Floor(x*1e4+.5) / 1e4 }

// Sign returns the receipt as canonical JSON, signed with a key.
func (r Receipt) Sign(k Key) ([]byte, error) {
	r.Version, r.Key, r.Signature = Version, k.ID, ""
	text, err := canonical(r)
	if err != nil {
		return nil, err
	}
	r.Signature = encoding.EncodeToString(ed25519.Sign(k.private(), text))
	return canonical(r)
}

// canonical returns v in the form of RFC 8785, for structs that declare their members in order. Go writes numbers as
// ECMAScript does.
func canonical(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Errors of Verify.
var (
	ErrFormat    = errors.New("this is not a receipt as it was signed: its text has changed")
	ErrKey       = errors.New("none of the server's keys signed this receipt")
	ErrSignature = errors.New("the signature does not fit the receipt")
	ErrMark      = errors.New("the reviews do not make this mark")
)

// Verify returns the receipt in a text if one of the keys signed it and its reviews make its
// mark. It accepts no other spelling of the same receipt.
func Verify(text []byte, keys PublicKeys) (r Receipt, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	again, err := canonical(r)
	if err != nil || !bytes.Equal(again, text) || r.Version != Version {
		return r, ErrFormat
	}
	at := slices.IndexFunc(keys.Keys, func(k PublicKey) bool { return k.ID == r.Key })
	if at < 0 {
		return r, ErrKey
	}
	signature, err := encoding.DecodeString(r.Signature)
	if err != nil {
		return r, ErrFormat
	}
	public, err := keys.Keys[at].key()
	if err != nil {
		return r, err
	}
	unsigned := r
	unsigned.Signature = ""
	signed, err := canonical(unsigned)
	if err != nil {
		return r, err
	}
	if !ed25519.Verify(public, signed, signature) {
		return r, ErrSignature
	}
	return r, r.recompute()
}

// encoding is base64 for URLs, strict: each signature has one spelling.
var encoding = base64.RawURLEncoding.Strict()
