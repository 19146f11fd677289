package api

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/identity"
	"studycircle/internal/service"
)

// User is a signed-in user, as that user's own browser sees them.
type User struct {
	Email       string `json:"email"`
	DisplayName string `json:"displayName"`
	PhotoURL    string `json:"photoURL" doc:"May be empty."`
	AccessToken string `json:"accessToken" doc:"Opaque; send it as Authorization: Bearer. Lives 15 minutes."`
	Moderator   bool   `json:"moderator,omitzero" doc:"Whether the user decides on reports; absent if not."`
	Operator    bool   `json:"operator,omitzero" doc:"Whether the user sees the state of the server; absent if not."`
}

// UserOf maps the user of a grant.
func UserOf(g identity.Grant, s *service.Service) User {
	return User{
		Email: g.User.Email, DisplayName: g.User.DisplayName, PhotoURL: g.User.PhotoURL, AccessToken: g.AccessToken,
		Moderator: s.Moderates(g.User), Operator: s.Operates(g.User),
	}
}

type userAnswer struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      User
}

func (o *operations) granted(g identity.Grant) *userAnswer {
	return &userAnswer{SetCookie: o.Cookie.granted(g), Body: UserOf(g, o.Service)}
}

type emptyAnswer struct {
	SetCookie []string `header:"Set-Cookie"`
}

type registerInput struct {
	Body struct {
		Name     string `json:"name" doc:"1 to 100 characters."`
		Email    string `json:"email"`
		PhotoURL string `json:"photoURL" doc:"An http or https address."`
		Password string `json:"password" doc:"At least 6 characters with an upper-case and a lower-case letter, at most 1,024 bytes."`
		// Invitation is a pointer, so that older pages may leave it out.
		Invitation *string `json:"invitation,omitempty" doc:"The secret of an invitation: of a circle, which the new user then joins, or of the operator."`
	}
}

type loginInput struct {
	Body struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
}

// SessionAnswer names the user of the browser's session.
type SessionAnswer struct {
	User MaybeUser `json:"user" doc:"Null if no user is signed in."`
}

// MaybeUser is a User or null.
type MaybeUser struct{ *User }

// Schema implements huma.SchemaProvider, because huma has no "object or null".
func (MaybeUser) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[User](), true, ""), {Type: "null"}}}
}

// MarshalJSON implements json.Marshaler.
func (m MaybeUser) MarshalJSON() ([]byte, error) { return json.Marshal(m.User) }

const accounts = tag("Accounts")

// registerAuth registers the operations of the session cookie.
func (o *operations) registerAuth(r *router) {
	operation(r, all, created(accounts.op("register", "POST /api/auth/register",
		"Register an account", 403, 409, 422, 429)),
		func(ctx context.Context, in *registerInput) (*userAnswer, error) {
			g, err := o.Identity.Register(ctx, studycircle.Registration{
				Name: in.Body.Name, Email: in.Body.Email, PhotoURL: in.Body.PhotoURL, Password: in.Body.Password,
			}, textOf(in.Body.Invitation), visit(ctx))
			return o.granted(g), err
		})
	operation(r, all, accounts.op("login", "POST /api/auth/login", "Sign in", 401, 403, 422, 429),
		func(ctx context.Context, in *loginInput) (*userAnswer, error) {
			g, err := o.Identity.Login(ctx, in.Body.Email, in.Body.Password, visit(ctx))
			return o.granted(g), err
		})
	operation(r, all, accounts.op("session", "GET /api/auth/session", "Get the signed-in user and a new access token"),
		func(ctx context.Context, _ *struct{}) (*SessionAnswer, error) {
			g, ok, err := o.Identity.Renew(ctx, visit(ctx).Secret)
			answer := &SessionAnswer{}
			if ok {
				user := UserOf(g, o.Service)
				answer.User = MaybeUser{&user}
			}
			return answer, err
		})
	operation(r, all, accounts.op("logout", "POST /api/auth/logout", "Sign out"),
		func(ctx context.Context, _ *struct{}) (*emptyAnswer, error) {
			return &emptyAnswer{SetCookie: o.Cookie.clear()}, o.Identity.Logout(ctx, visit(ctx).Secret)
		})
	o.registerPasswords(r)
	o.registerOIDC(r)
	o.registerBrought(r)
	o.registerMethods(r)
	o.registerPasskeys(r)
	o.registerSessions(r)
	o.registerAccount(r)
}
