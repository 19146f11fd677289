package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle/internal/identity"
)

// Methods are the viewer's ways to sign in.
type Methods struct {
	Password      bool             `json:"password" doc:"Whether there is one."`
	EmailVerified bool             `json:"emailVerified"`
	Providers     []LinkedProvider `json:"providers"`
	Passkeys      []Passkey        `json:"passkeys"`
}

// LinkedProvider is an OpenID provider that is linked to the account.
type LinkedProvider struct {
	ID       string    `json:"id"`
	Label    string    `json:"label" doc:"The id if the provider is no longer configured."`
	Email    string    `json:"email" doc:"As the provider last said; may be empty."`
	LinkedAt time.Time `json:"linkedAt"`
}

func linkedProviderOf(p identity.LinkedProvider) LinkedProvider {
	return LinkedProvider{ID: p.ID, Label: p.Label, Email: p.Link.Email, LinkedAt: p.Link.LinkedAt}
}

type byIDInput struct {
	ID string `path:"id"`
}

func (o *operations) registerMethods(r *router) {
	operation(r, signedIn, huma.Operation{
		OperationID: "get-methods", Method: http.MethodGet, Path: "/api/auth/methods", Summary: "List your sign-in methods",
		Tags: accounts, Errors: []int{401},
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body Methods }, error) {
		m, err := o.Identity.Methods(ctx, viewer(ctx))
		out := Methods{
			Password: m.Account.PasswordHash != "", EmailVerified: !m.Account.EmailVerifiedAt.IsZero(),
			Providers: make([]LinkedProvider, len(m.Providers)), Passkeys: make([]Passkey, len(m.Passkeys)),
		}
		for n, p := range m.Providers {
			out.Providers[n] = linkedProviderOf(p)
		}
		for n, k := range m.Passkeys {
			out.Passkeys[n] = passkeyOf(k)
		}
		return &struct{ Body Methods }{out}, err
	})
	operation(r, signedIn, huma.Operation{
		OperationID: "unlink-provider", Method: http.MethodDelete, Path: "/api/auth/providers/{id}", Summary: "Unlink a provider",
		Description: "409 last-sign-in-method if it is the account's last sign-in method.",
		Tags:        accounts, DefaultStatus: http.StatusNoContent, Errors: []int{401, 404, 409},
	}, func(ctx context.Context, in *byIDInput) (*struct{}, error) {
		return nil, o.Identity.UnlinkProvider(ctx, viewer(ctx), in.ID)
	})
}
