package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"studycircle"
	"studycircle/internal/identity"
)

// Cookie says how the session cookie is named and guarded.
type Cookie struct {
	// Secure is set where people reach the server over TLS.
	Secure bool
}

// Name is the cookie's name. The prefix makes browsers refuse it from anywhere
// but this very host.
func (c Cookie) Name() string {
	if c.Secure {
		return "__Host-session"
	}
	return "session"
}

// Secret returns the session secret that r carries, or "".
func (c Cookie) Secret(r *http.Request) string {
	cookie, err := r.Cookie(c.Name())
	if err != nil {
		return ""
	}
	return cookie.Value
}

func (c Cookie) set(secret string, expires time.Time) []string {
	if secret == "" {
		return nil
	}
	return []string{c.cookie(secret, int(time.Until(expires).Seconds()))}
}

func (c Cookie) clear() []string { return []string{c.cookie("", -1)} }

func (c Cookie) cookie(value string, maxAge int) string {
	return (&http.Cookie{
		Name: c.Name(), Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode,
	}).String()
}

// User is somebody to themselves.
type User struct {
	Email       string `json:"email"`
	DisplayName string `json:"displayName"`
	PhotoURL    string `json:"photoURL" doc:"May be empty."`
	AccessToken string `json:"accessToken" doc:"Opaque; send it as Authorization: Bearer. Lives 15 minutes."`
}

// UserOf is what the browser of the granted gets.
func UserOf(g identity.Grant) User {
	return User{Email: g.User.Email, DisplayName: g.User.DisplayName, PhotoURL: g.User.PhotoURL, AccessToken: g.AccessToken}
}

type userAnswer struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      User
}

type emptyAnswer struct {
	SetCookie []string `header:"Set-Cookie"`
}

type registerInput struct {
	UserAgent string `header:"User-Agent" hidden:"true"`
	Body      struct {
		Name     string `json:"name" doc:"1 to 100 characters."`
		Email    string `json:"email"`
		PhotoURL string `json:"photoURL" doc:"An http or https address."`
		Password string `json:"password" doc:"At least 6 characters with an upper-case and a lower-case letter, at most 1,024 bytes."`
	}
}

type loginInput struct {
	UserAgent string `header:"User-Agent" hidden:"true"`
	Body      struct {
		Email    string `json:"email"`
		Password string `json:"password"`
	}
}

type profileInput struct {
	Body struct {
		DisplayName string `json:"displayName" doc:"1 to 100 characters."`
		PhotoURL    string `json:"photoURL" doc:"An http or https address, or empty."`
	}
}

// SessionAnswer says who the browser's cookie stands for.
type SessionAnswer struct {
	User MaybeUser `json:"user" doc:"Null when nobody is signed in."`
}

// MaybeUser is a User or null.
type MaybeUser struct{ *User }

// Schema implements huma.SchemaProvider: the framework cannot say "or null" of an object.
func (MaybeUser) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[User](), true, ""), {Type: "null"}}}
}

// MarshalJSON implements json.Marshaler.
func (m MaybeUser) MarshalJSON() ([]byte, error) { return json.Marshal(m.User) }

type secretKey struct{}

// withCookie hands the session cookie to the operation.
func (o *operations) withCookie(hc huma.Context, next func(huma.Context)) {
	r, _ := humago.Unwrap(hc)
	next(huma.WithValue(hc, secretKey{}, o.Cookie.Secret(r)))
}

func secret(ctx context.Context) string {
	s, _ := ctx.Value(secretKey{}).(string)
	return s
}

func (o *operations) registerAuth(api huma.API) {
	cookies := huma.Middlewares{o.withCookie}
	huma.Register(api, huma.Operation{
		OperationID: "register", Method: http.MethodPost, Path: "/api/auth/register", Summary: "Open an account",
		Tags: []string{"Accounts"}, DefaultStatus: http.StatusCreated, MaxBodyBytes: maxBody + 1, Middlewares: cookies,
		Errors: []int{409, 422, 429},
	}, func(ctx context.Context, in *registerInput) (*userAnswer, error) {
		g, err := o.Identity.Register(ctx, studycircle.Registration{
			Name: in.Body.Name, Email: in.Body.Email, PhotoURL: in.Body.PhotoURL, Password: in.Body.Password,
		}, in.UserAgent)
		return o.granted(g), err
	})
	huma.Register(api, huma.Operation{
		OperationID: "login", Method: http.MethodPost, Path: "/api/auth/login", Summary: "Sign in",
		Tags: []string{"Accounts"}, MaxBodyBytes: maxBody + 1, Middlewares: cookies, Errors: []int{401, 422, 429},
	}, func(ctx context.Context, in *loginInput) (*userAnswer, error) {
		g, err := o.Identity.Login(ctx, in.Body.Email, in.Body.Password, secret(ctx), in.UserAgent)
		return o.granted(g), err
	})
	huma.Register(api, huma.Operation{
		OperationID: "session", Method: http.MethodGet, Path: "/api/auth/session", Summary: "Who is signed in, with a fresh token",
		Tags: []string{"Accounts"}, Middlewares: cookies,
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body SessionAnswer }, error) {
		g, ok, err := o.Identity.Renew(ctx, secret(ctx))
		answer := &struct{ Body SessionAnswer }{}
		if ok {
			user := UserOf(g)
			answer.Body.User = MaybeUser{&user}
		}
		return answer, err
	})
	huma.Register(api, huma.Operation{
		OperationID: "logout", Method: http.MethodPost, Path: "/api/auth/logout", Summary: "Sign out",
		Tags: []string{"Accounts"}, DefaultStatus: http.StatusNoContent, Middlewares: cookies,
	}, func(ctx context.Context, _ *struct{}) (*emptyAnswer, error) {
		if s := secret(ctx); s != "" {
			if err := o.Identity.Logout(ctx, s); err != nil {
				return nil, err
			}
		}
		return &emptyAnswer{SetCookie: o.Cookie.clear()}, nil
	})
	huma.Register(api, huma.Operation{
		OperationID: "update-profile", Method: http.MethodPatch, Path: "/api/auth/profile", Summary: "Change name and photo",
		Tags: []string{"Accounts"}, Security: bearer, MaxBodyBytes: maxBody + 1, Errors: []int{401, 422},
	}, func(ctx context.Context, in *profileInput) (*userAnswer, error) {
		g, err := o.Identity.UpdateProfile(ctx, viewer(ctx), studycircle.Profile{DisplayName: in.Body.DisplayName, PhotoURL: in.Body.PhotoURL})
		return o.granted(g), err
	})
	huma.Register(api, huma.Operation{
		OperationID: "delete-account", Method: http.MethodDelete, Path: "/api/auth/account", Summary: "Delete the account",
		Tags: []string{"Accounts"}, Security: bearer, DefaultStatus: http.StatusNoContent, Errors: []int{401},
	}, func(ctx context.Context, _ *struct{}) (*emptyAnswer, error) {
		return &emptyAnswer{SetCookie: o.Cookie.clear()}, o.Identity.DeleteAccount(ctx, viewer(ctx))
	})
}

func (o *operations) granted(g identity.Grant) *userAnswer {
	return &userAnswer{SetCookie: o.Cookie.set(g.Secret, g.ExpiresAt), Body: UserOf(g)}
}
