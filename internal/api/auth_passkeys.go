package api

import (
	"context"
	"encoding/json"
	"net/http"
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

type ceremonyAnswer struct{ Body Ceremony }

func ceremonyOf(c identity.Ceremony) *ceremonyAnswer {
	return &ceremonyAnswer{Ceremony{c.Ticket, webJSON{c.Options}}}
}

type passkeyAnswer struct{ Body Passkey }

func (o *operations) registerPasskeys(r *router) {
	operation(r, signedIn, huma.Operation{
		OperationID: "new-passkey", Method: http.MethodPost, Path: "/api/auth/passkeys/options", Summary: "Create the options for adding a passkey",
		Tags: accounts, Errors: []int{401, 409},
	}, func(ctx context.Context, _ *struct{}) (*ceremonyAnswer, error) {
		c, err := o.Identity.NewPasskey(ctx, viewer(ctx))
		return ceremonyOf(c), err
	})
	operation(r, signedIn, huma.Operation{
		OperationID: "add-passkey", Method: http.MethodPost, Path: "/api/auth/passkeys", Summary: "Add a passkey",
		Tags: accounts, DefaultStatus: http.StatusCreated, Errors: []int{401, 409, 422},
	}, func(ctx context.Context, in *newPasskeyInput) (*passkeyAnswer, error) {
		k, err := o.Identity.AddPasskey(ctx, viewer(ctx), in.Body.Ceremony, in.Body.Name, in.Body.Credential)
		return &passkeyAnswer{passkeyOf(k)}, err
	})
	operation(r, signedIn, huma.Operation{
		OperationID: "rename-passkey", Method: http.MethodPatch, Path: "/api/auth/passkeys/{id}", Summary: "Rename a passkey",
		Tags: accounts, Errors: []int{401, 404, 422},
	}, func(ctx context.Context, in *renamePasskeyInput) (*passkeyAnswer, error) {
		k, err := o.Identity.RenamePasskey(ctx, viewer(ctx), in.ID, in.Body.Name)
		return &passkeyAnswer{passkeyOf(k)}, err
	})
	operation(r, signedIn, huma.Operation{
		OperationID: "remove-passkey", Method: http.MethodDelete, Path: "/api/auth/passkeys/{id}", Summary: "Delete a passkey",
		Description: "409 last-sign-in-method if it is the account's last sign-in method.",
		Tags:        accounts, DefaultStatus: http.StatusNoContent, Errors: []int{401, 404, 409},
	}, func(ctx context.Context, in *byIDInput) (*struct{}, error) {
		return nil, o.Identity.RemovePasskey(ctx, viewer(ctx), in.ID)
	})
	operation(r, all, huma.Operation{
		OperationID: "ask-passkey", Method: http.MethodPost, Path: "/api/auth/passkeys/login/options", Summary: "Create the options for signing in with a passkey",
		Tags: accounts, Errors: []int{409},
	}, func(context.Context, *struct{}) (*ceremonyAnswer, error) {
		c, err := o.Identity.AskPasskey()
		return ceremonyOf(c), err
	})
	operation(r, all, huma.Operation{
		OperationID: "passkey-login", Method: http.MethodPost, Path: "/api/auth/passkeys/login", Summary: "Sign in with a passkey",
		Tags: accounts, Errors: []int{401, 409, 422, 429},
	}, func(ctx context.Context, in *passkeyLoginInput) (*userAnswer, error) {
		g, err := o.Identity.LoginByPasskey(ctx, in.Body.Ceremony, in.Body.Credential, visit(ctx))
		return o.granted(g), err
	})
}
