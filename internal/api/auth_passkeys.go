package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/identity"
)

// Passkey is one of the viewer's passkeys.
type Passkey struct {
	ID         string     `json:"_id"`
	Name       string     `json:"name"`
	CreatedAt  time.Time  `json:"createdAt"`
	LastUsedAt *time.Time `json:"lastUsedAt" doc:"Null until it has been used to sign in."`
}

func passkeyOf(k studycircle.Passkey) Passkey {
	p := Passkey{ID: k.ID, Name: k.Name, CreatedAt: k.CreatedAt}
	if !k.LastUsedAt.IsZero() {
		p.LastUsedAt = &k.LastUsedAt
	}
	return p
}

// Ceremony holds the options with which a browser makes or uses a passkey.
type Ceremony struct {
	Ceremony string  `json:"ceremony" doc:"Opaque; goes back with the credential. 5 minutes, once."`
	Options  webJSON `json:"options" doc:"For PublicKeyCredential.parseCreationOptionsFromJSON or parseRequestOptionsFromJSON."`
}

// webJSON is an object in the form that the WebAuthn standard defines.
type webJSON struct{ value any }

// Schema implements huma.SchemaProvider.
func (webJSON) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// MarshalJSON implements json.Marshaler.
func (j webJSON) MarshalJSON() ([]byte, error) { return json.Marshal(j.value) }

// credential is the JSON of a browser's PublicKeyCredential.
type credential []byte

// Schema implements huma.SchemaProvider.
func (credential) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// form implements bodyValue.
func (*credential) form() (takes, message string) { return "{", "This must be an object." }

// UnmarshalJSON implements bodyValue.
func (c *credential) UnmarshalJSON(b []byte) error {
	*c = append((*c)[:0], b...)
	return nil
}

type newPasskeyInput struct {
	Body struct {
		Ceremony   string     `json:"ceremony"`
		Name       string     `json:"name" doc:"1 to 100 characters."`
		Credential credential `json:"credential"`
	}
}

type passkeyLoginInput struct {
	Body struct {
		Ceremony   string     `json:"ceremony"`
		Credential credential `json:"credential"`
	}
}

type renamePasskeyInput struct {
	ID   string `path:"id"`
	Body struct {
		Name string `json:"name" doc:"1 to 100 characters."`
	}
}

func ceremonyOf(c identity.Ceremony) *Ceremony {
	return &Ceremony{c.Ticket, webJSON{c.Options}}
}

func (o *operations) registerPasskeys(r *router) {
	operation(r, signedIn, accounts.op("new-passkey", "POST /api/auth/passkeys/options",
		"Create the options for adding a passkey", 401, 409),
		func(ctx context.Context, _ *struct{}) (*Ceremony, error) {
			c, err := o.Identity.NewPasskey(ctx, viewer(ctx))
			return ceremonyOf(c), err
		})
	operation(r, signedIn, created(accounts.op("add-passkey", "POST /api/auth/passkeys",
		"Add a passkey", 401, 409, 422)),
		func(ctx context.Context, in *newPasskeyInput) (*Passkey, error) {
			k, err := o.Identity.AddPasskey(ctx, viewer(ctx), in.Body.Ceremony, in.Body.Name, in.Body.Credential)
			return new(passkeyOf(k)), err
		})
	operation(r, signedIn, accounts.op("rename-passkey", "PATCH /api/auth/passkeys/{id}",
		"Rename a passkey", 401, 404, 422),
		func(ctx context.Context, in *renamePasskeyInput) (*Passkey, error) {
			k, err := o.Identity.RenamePasskey(ctx, viewer(ctx), in.ID, in.Body.Name)
			return new(passkeyOf(k)), err
		})
	operation(r, signedIn, described(accounts.op("remove-passkey", "DELETE /api/auth/passkeys/{id}",
		"Delete a passkey", 401, 404, 409),
		"409 last-sign-in-method if it is the account's last sign-in method."),
		func(ctx context.Context, in *byIDInput) (*struct{}, error) {
			return nil, o.Identity.RemovePasskey(ctx, viewer(ctx), in.ID)
		})
	operation(r, all, accounts.op("ask-passkey", "POST /api/auth/passkeys/login/options",
		"Create the options for signing in with a passkey", 409),
		func(context.Context, *struct{}) (*Ceremony, error) {
			c, err := o.Identity.AskPasskey()
			return ceremonyOf(c), err
		})
	operation(r, all, accounts.op("passkey-login", "POST /api/auth/passkeys/login",
		"Sign in with a passkey", 401, 409, 422, 429),
		func(ctx context.Context, in *passkeyLoginInput) (*userAnswer, error) {
			g, err := o.Identity.LoginByPasskey(ctx, in.Body.Ceremony, in.Body.Credential, visit(ctx))
			return o.granted(g), err
		})
}
