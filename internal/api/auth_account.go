package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
)

type profileInput struct {
	Body struct {
		DisplayName string `json:"displayName" doc:"1 to 100 characters."`
		PhotoURL    string `json:"photoURL" doc:"An http or https address, or empty."`
	}
}

// Account is the viewer's account, for the profile page.
type Account struct {
	Email         string    `json:"email"`
	EmailVerified bool      `json:"emailVerified" doc:"False also if the address has refused an email since: it gets no emails until it is confirmed again."`
	HasPassword   bool      `json:"hasPassword" doc:"False: the account has no password; choose one through a reset email."`
	DisplayName   string    `json:"displayName"`
	PhotoURL      string    `json:"photoURL" doc:"May be empty."`
	CreatedAt     time.Time `json:"createdAt"`
}

func accountOf(a studycircle.Account) Account {
	return Account{
		Email: a.Email, EmailVerified: !a.EmailVerifiedAt.IsZero() && a.MailsRefusedAt.IsZero(),
		HasPassword: a.PasswordHash != "", DisplayName: a.DisplayName, PhotoURL: a.PhotoURL, CreatedAt: a.CreatedAt,
	}
}

// registerAccount registers the operations of the viewer's account and data.
func (o *operations) registerAccount(r *router) {
	operation(r, signedIn, accounts.op("get-account", "GET /api/auth/account", "Get your account", 401),
		func(ctx context.Context, _ *struct{}) (*Account, error) {
			account, err := o.Identity.Account(ctx, viewer(ctx))
			return new(accountOf(account)), err
		})
	operation(r, signedIn, accounts.op("update-profile", "PATCH /api/auth/profile",
		"Update your name and photo", 401, 422),
		func(ctx context.Context, in *profileInput) (*userAnswer, error) {
			g, err := o.Identity.UpdateProfile(ctx, viewer(ctx), studycircle.Profile{
				DisplayName: in.Body.DisplayName, PhotoURL: in.Body.PhotoURL,
			})
			return o.granted(g), err
		})
	operation(r, signedIn, accounts.op("delete-account", "DELETE /api/auth/account", "Delete your account", 401),
		func(ctx context.Context, _ *struct{}) (*emptyAnswer, error) {
			return &emptyAnswer{SetCookie: o.Cookie.clear()}, o.Identity.DeleteAccount(ctx, viewer(ctx))
		})
	operation(r, signedIn, huma.Operation{
		OperationID: "export-account", Method: http.MethodGet, Path: "/api/auth/export", Summary: "Export your data as JSON",
		Tags: accounts.list(), Errors: []int{401},
		Responses: map[string]*huma.Response{"200": {
			Description: "One object, sent as it is read.",
			Headers:     map[string]*huma.Param{"Content-Disposition": {Schema: &huma.Schema{Type: huma.TypeString}}},
			Content:     map[string]*huma.MediaType{"application/json": {Schema: r.exportSchema()}},
		}},
	}, streamed(o.export), within(exportWithin))
}
