package nodetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Flags of an authenticator's data (WebAuthn, section 6.1).
const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	attested     = 1 << 6
)

// authenticator holds one passkey, as a phone does. Tests corrupt its fields.
type authenticator struct {
	id     string // of the passkey, at the server
	rawID  []byte
	key    *ecdsa.PrivateKey
	handle string // base64url
	count  uint32
	flags  byte
	origin string
	rpID   string
	kind   string
}

var base64url = base64.RawURLEncoding

func newAuthenticator(t *testing.T, n *node) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	id := make([]byte, 32)
	_, err = rand.Read(id)
	require.NoError(t, err)
	u, err := url.Parse(n.public)
	require.NoError(t, err)
	return &authenticator{rawID: id, key: key, flags: userPresent | userVerified, origin: n.public, rpID: u.Hostname()}
}

func (a *authenticator) clientData(t *testing.T, kind, challenge string) []byte {
	t.Helper()
	if a.kind != "" {
		kind = a.kind
	}
	text, err := json.Marshal(doc{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	require.NoError(t, err)
	return text
}

func (a *authenticator) data(more byte) []byte {
	hash := sha256.Sum256([]byte(a.rpID))
	return binary.BigEndian.AppendUint32(append(hash[:], a.flags|more), a.count)
}

// create creates the passkey: an attestation object of the format "none".
func (a *authenticator) create(t *testing.T, options doc) doc {
	t.Helper()
	a.handle = options["user"].(doc)["id"].(string)
	data := append(a.data(attested), make([]byte, 16)...) // an unknown model
	data = append(binary.BigEndian.AppendUint16(data, uint16(len(a.rawID))), a.rawID...)
	point, err := a.key.PublicKey.Bytes() // 4, x, y
	require.NoError(t, err)
	// CBOR, written by hand: COSE's {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
	data = append(data, 0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20)
	data = append(append(data, point[1:33]...), 0x22, 0x58, 0x20)
	data = append(data, point[33:]...)
	object := append([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), byte(len(data)))
	return doc{
		"id": base64url.EncodeToString(a.rawID), "rawId": base64url.EncodeToString(a.rawID), "type": "public-key", "authenticatorAttachment": nil,
		"response": doc{
			"clientDataJSON":    base64url.EncodeToString(a.clientData(t, "webauthn.create", options["challenge"].(string))),
			"attestationObject": base64url.EncodeToString(append(object, data...)), "transports": []string{"internal"},
		},
		"clientExtensionResults": doc{},
	}
}

// get uses the passkey.
func (a *authenticator) get(t *testing.T, options doc) doc {
	t.Helper()
	a.count++
	client, data := a.clientData(t, "webauthn.get", options["challenge"].(string)), a.data(0)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	require.NoError(t, err)
	return doc{
		"id": base64url.EncodeToString(a.rawID), "rawId": base64url.EncodeToString(a.rawID), "type": "public-key",
		"response": doc{
			"clientDataJSON": base64url.EncodeToString(client), "authenticatorData": base64url.EncodeToString(data),
			"signature": base64url.EncodeToString(signature), "userHandle": a.handle,
		},
		"clientExtensionResults": doc{},
	}
}

// ceremony begins a ceremony; path is that of the options.
func (c *client) ceremony(t *testing.T, path string) (ceremony string, options doc) {
	t.Helper()
	a := c.post(t, path, nil).is(t, http.StatusOK)
	return a.text(t, "ceremony"), a.json(t)["options"].(doc)
}

const (
	makeOptions = "/api/auth/passkeys/options"
	useOptions  = "/api/auth/passkeys/login/options"
	useThem     = "/api/auth/passkeys/login"
)

// addPasskey creates a passkey for c's account.
func (c *client) addPasskey(t *testing.T, name string) *authenticator {
	t.Helper()
	a := newAuthenticator(t, c.n)
	ceremony, options := c.ceremony(t, makeOptions)
	made := c.post(t, "/api/auth/passkeys", doc{"ceremony": ceremony, "name": name, "credential": a.create(t, options)}).is(t, http.StatusCreated)
	a.id = made.text(t, "_id")
	return a
}

// login signs b in with the passkey.
func (a *authenticator) login(t *testing.T, b *client) *answer {
	t.Helper()
	ceremony, options := b.ceremony(t, useOptions)
	answered := b.post(t, useThem, doc{"ceremony": ceremony, "credential": a.get(t, options)})
	if answered.status == http.StatusOK {
		b.token = answered.text(t, "accessToken")
	}
	return answered
}

// withPasskeys runs f on a node of each engine with a host name, which passkeys need, and
// with the browser of a signed-in user.
func withPasskeys(t *testing.T, f func(t *testing.T, w *world, n *node, b *client)) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		f(t, w, n, b)
	})
}

func notAccepted(t *testing.T, a *answer) {
	t.Helper()
	a.refused(t, http.StatusUnauthorized, "auth/invalid-credential")
	assert.Nil(t, a.cookie("session"))
}

func TestPasskeyLifeCycle(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		n, far := w.start(t), w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		_, options := b.ceremony(t, makeOptions)
		assert.Equal(t, "localhost", options["rp"].(doc)["id"])
		selection := options["authenticatorSelection"].(doc)
		assert.Equal(t, "required", selection["residentKey"])
		assert.Equal(t, "required", selection["userVerification"])
		assert.Equal(t, ada, options["user"].(doc)["name"])

		key := b.addPasskey(t, " Phone ")
		_, options = b.ceremony(t, makeOptions)
		assert.Len(t, options["excludeCredentials"], 1)
		listed := b.methods(t)["passkeys"].([]any)[0].(doc)
		assert.Equal(t, "Phone", listed["name"])
		assert.Nil(t, listed["lastUsedAt"])
		assert.Equal(t, key.id, listed["_id"])

		key.origin = n.public
		visitor := n.browser(t)
		_, options = visitor.ceremony(t, useOptions)
		assert.Empty(t, options["allowCredentials"], "any passkey may be used")
		assert.Equal(t, "required", options["userVerification"])
		a := key.login(t, visitor).is(t, http.StatusOK)
		assert.Equal(t, ada, a.text(t, "email"))
		assert.NotNil(t, a.cookie("session"))
		assert.True(t, visitor.signedIn(t))
		assert.NotNil(t, visitor.methods(t)["passkeys"].([]any)[0].(doc)["lastUsedAt"])

		// On another node, with a ceremony from this one. Behind a balancer both have one
		// origin; here each node has its own.
		ceremony, options := visitor.ceremony(t, useOptions)
		notAccepted(t, visitor.at(far).post(t, useThem, doc{"ceremony": ceremony, "credential": key.get(t, options)}))

		path := "/api/auth/passkeys/" + key.id
		assert.Equal(t, "Old phone", b.patch(t, path, doc{"name": "Old phone"}).is(t, http.StatusOK).text(t, "name"))
		for _, name := range []string{"", "  ", "a\nb", string(make([]byte, 101))} {
			b.patch(t, path, doc{"name": name}).refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		eve := n.browser(t)
		eve.register(t, "eve@example.org")
		eve.patch(t, path, doc{"name": "Mine"}).refused(t, http.StatusNotFound, "not-found")
		eve.del(t, path).refused(t, http.StatusNotFound, "not-found")
		b.del(t, "/api/auth/passkeys/%00").refused(t, http.StatusNotFound, "not-found")
		b.del(t, path).is(t, http.StatusNoContent)
		notAccepted(t, key.login(t, n.browser(t)))
	})
}

func TestPasskeyRefused(t *testing.T) {
	withPasskeys(t, func(t *testing.T, _ *world, n *node, b *client) {
		key := b.addPasskey(t, "Phone")
		eve := n.browser(t)
		eve.register(t, "eve@example.org")
		hers := eve.addPasskey(t, "Hers")
		for name, wrong := range map[string]func(a *authenticator){
			"from another origin":      func(a *authenticator) { a.origin = "https://study.example.com" },
			"from a longer origin":     func(a *authenticator) { a.origin = n.public + ".example.com" },
			"from another scheme":      func(a *authenticator) { a.origin = "https" + n.public[len("http"):] },
			"for another party":        func(a *authenticator) { a.rpID = "example.com" },
			"another kind of ceremony": func(a *authenticator) { a.kind = "webauthn.create" },
			"user not verified":        func(a *authenticator) { a.flags = userPresent },
			"user not present":         func(a *authenticator) { a.flags = userVerified },
			"another's key":            func(a *authenticator) { a.key = hers.key },
			"another's handle":         func(a *authenticator) { a.handle = hers.handle },
			"no handle":                func(a *authenticator) { a.handle = "" },
			"an unknown credential":    func(a *authenticator) { a.rawID = []byte("unknown credential of 32 bytes..") },
			"a counter that went back": func(a *authenticator) { a.count = 0 },
		} {
			t.Run(name, func(t *testing.T) {
				key.login(t, n.browser(t)).is(t, http.StatusOK)
				bad := *key
				wrong(&bad)
				visitor := n.browser(t)
				notAccepted(t, bad.login(t, visitor))
				assert.False(t, visitor.renewed(t))
			})
		}
	})
}

func TestPasskeyReplayed(t *testing.T) {
	withPasskeys(t, func(t *testing.T, w *world, n *node, b *client) {
		key := b.addPasskey(t, "Phone")
		ceremony, options := b.ceremony(t, useOptions)
		used := doc{"ceremony": ceremony, "credential": key.get(t, options)}
		n.browser(t).post(t, useThem, used).is(t, http.StatusOK)
		notAccepted(t, n.browser(t).post(t, useThem, used))
		// The same signature with a new ceremony; a new one with an old ceremony.
		fresh, freshOptions := b.ceremony(t, useOptions)
		notAccepted(t, n.browser(t).post(t, useThem, doc{"ceremony": fresh, "credential": used["credential"]}))
		notAccepted(t, n.browser(t).post(t, useThem, doc{"ceremony": ceremony, "credential": key.get(t, freshOptions)}))
		// A ceremony of another purpose, altered, too old.
		making, makingOptions := b.ceremony(t, makeOptions)
		notAccepted(t, b.post(t, useThem, doc{"ceremony": making, "credential": key.get(t, makingOptions)}))
		notAccepted(t, b.post(t, useThem, doc{"ceremony": fresh + "x", "credential": key.get(t, freshOptions)}))
		w.clock.advance(6 * time.Minute)
		notAccepted(t, b.post(t, useThem, doc{"ceremony": fresh, "credential": key.get(t, freshOptions)}))
	})
}

func TestPasskeyMalformed(t *testing.T) {
	withPasskeys(t, func(t *testing.T, _ *world, _ *node, b *client) {
		for _, rubbish := range []doc{{}, {"id": 1}, {"id": "a", "rawId": "a", "type": "public-key", "response": doc{}}, {"response": nil}} {
			ceremony, _ := b.ceremony(t, useOptions)
			notAccepted(t, b.post(t, useThem, doc{"ceremony": ceremony, "credential": rubbish}))
			making, _ := b.ceremony(t, makeOptions)
			b.post(t, "/api/auth/passkeys", doc{"ceremony": making, "name": "Phone", "credential": rubbish}).refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		for _, wrong := range []any{"text", 1, nil, []string{}} {
			b.post(t, useThem, doc{"ceremony": "", "credential": wrong}).refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		b.post(t, useThem, doc{"ceremony": "a"}).refused(t, http.StatusUnprocessableEntity, "invalid")
	})
}

func TestPasskeyRegistrationRefused(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		n := w.start(t)
		b, eve := n.browser(t), n.browser(t)
		b.register(t, ada)
		eve.register(t, "eve@example.org")
		add := func(by *client, a *authenticator, ceremony string, options doc, name string) *answer {
			t.Helper()
			return by.post(t, "/api/auth/passkeys", doc{"ceremony": ceremony, "name": name, "credential": a.create(t, options)})
		}
		ceremony, options := b.ceremony(t, makeOptions)
		add(eve, newAuthenticator(t, n), ceremony, options, "Eve's").refused(t, http.StatusUnprocessableEntity, "auth/invalid-action-code")
		add(b, newAuthenticator(t, n), ceremony, options, " ").refused(t, http.StatusUnprocessableEntity, "invalid")
		elsewhere := newAuthenticator(t, n)
		elsewhere.origin = "https://study.example.com"
		add(b, elsewhere, ceremony, options, "Phone").refused(t, http.StatusUnprocessableEntity, "invalid")
		unlocked := newAuthenticator(t, n)
		unlocked.flags = userPresent
		add(b, unlocked, ceremony, options, "Phone").refused(t, http.StatusUnprocessableEntity, "invalid")
		key := newAuthenticator(t, n)
		add(b, key, ceremony, options, "Phone").is(t, http.StatusCreated)
		add(b, newAuthenticator(t, n), ceremony, options, "Twice").refused(t, http.StatusUnprocessableEntity, "auth/invalid-action-code")
		// A credential that another user has already.
		ceremony, options = eve.ceremony(t, makeOptions)
		add(eve, key, ceremony, options, "Copied").refused(t, http.StatusUnprocessableEntity, "invalid")
		n.browser(t).post(t, makeOptions, nil).refused(t, http.StatusUnauthorized, "unauthenticated")
		for range 19 {
			b.addPasskey(t, "Another")
		}
		b.post(t, makeOptions, nil).refused(t, http.StatusConflict, "too-many-passkeys")
	})
}

func TestSuspendedOwnerOfAPasskey(t *testing.T) {
	withPasskeys(t, func(t *testing.T, _ *world, n *node, b *client) {
		key := b.addPasskey(t, "Phone")
		suspend(t, n, ada)
		notAccepted(t, key.login(t, n.browser(t)))
	})
}

func TestNoPasskeysOnIPAddresses(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		b.post(t, makeOptions, nil).refused(t, http.StatusConflict, "passkeys-unavailable")
		b.post(t, useOptions, nil).refused(t, http.StatusConflict, "passkeys-unavailable")
		assert.Contains(t, string(b.get(t, "/auth/login").body), `"passkeys":false`)
		w.host = "localhost"
		w.provider(t, "school")
		page := string(w.start(t).browser(t).get(t, "/auth/login").body)
		assert.Contains(t, page, `"passkeys":true`)
		assert.Contains(t, page, `"providers":[{"id":"school","label":"The school"}]`)
	})
}

func TestConcurrentUsesOfOneCeremony(t *testing.T) {
	withPasskeys(t, func(t *testing.T, _ *world, n *node, b *client) {
		key := b.addPasskey(t, "Phone")
		ceremony, options := b.ceremony(t, useOptions)
		used := doc{"ceremony": ceremony, "credential": key.get(t, options)}
		statuses := atOnce(t, func(int) (*answer, error) { return n.browser(t).try(t.Context(), http.MethodPost, useThem, used) })
		assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusUnauthorized: crowd - 1}, statuses)
	})
}

func TestFailedPasskeysAreLimitedByAddress(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host, w.limits = "localhost", true
		n := w.start(t)
		b := n.browser(t)
		b.register(t, ada)
		key := b.addPasskey(t, "Phone")
		eve := n.browser(t)
		eve.address = "192.0.2.9"
		for range 100 {
			notAccepted(t, eve.post(t, useThem, doc{"ceremony": "made up", "credential": doc{}}))
		}
		overLimit(t, eve.post(t, useThem, doc{"ceremony": "made up", "credential": doc{}}))
		key.login(t, b).is(t, http.StatusOK)
	})
}

func TestConcurrentPasskeysKeepTheBound(t *testing.T) {
	withPasskeys(t, func(t *testing.T, _ *world, n *node, b *client) {
		bodies := make([]doc, crowd)
		for k := range bodies {
			ceremony, options := b.ceremony(t, makeOptions)
			bodies[k] = doc{"ceremony": ceremony, "name": "Phone", "credential": newAuthenticator(t, n).create(t, options)}
		}
		statuses := atOnce(t, func(k int) (*answer, error) {
			return b.try(t.Context(), http.MethodPost, "/api/auth/passkeys", bodies[k])
		})
		assert.Equal(t, map[int]int{http.StatusCreated: 20, http.StatusConflict: crowd - 20}, statuses)
		passkeys := b.methods(t)["passkeys"].([]any)
		require.Len(t, passkeys, 20)

		path := "/api/auth/passkeys/" + passkeys[0].(doc)["_id"].(string)
		statuses = atOnce(t, func(k int) (*answer, error) {
			return b.try(t.Context(), http.MethodPatch, path, doc{"name": string(rune('A' + k))})
		})
		assert.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		assert.Len(t, b.methods(t)["passkeys"].([]any)[0].(doc)["name"], 1)
	})
}
