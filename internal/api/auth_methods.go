package api

import (
	"context"
	"time"

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
	operation(r, signedIn, accounts.op("get-methods", "GET /api/auth/methods", "List your sign-in methods", 401),
		func(ctx context.Context, _ *struct{}) (*Methods, error) {
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
			return &out, err
		})
	operation(r, signedIn, described(accounts.op("unlink-provider", "DELETE /api/auth/providers/{id}",
		"Unlink a provider", 401, 404, 409),
		"409 last-sign-in-method if it is the account's last sign-in method."),
		func(ctx context.Context, in *byIDInput) (*struct{}, error) {
			return nil, o.Identity.UnlinkProvider(ctx, viewer(ctx), in.ID)
		})
}
