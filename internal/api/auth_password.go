package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

type forgotInput struct {
	Body struct {
		Email string `json:"email"`
	}
}

type resetInput struct {
	Body struct {
		Token    string `json:"token" doc:"From the mailed link."`
		Password string `json:"password" doc:"As at registration."`
	}
}

type changePasswordInput struct {
	Body struct {
		CurrentPassword string `json:"currentPassword"`
		NewPassword     string `json:"newPassword" doc:"As at registration."`
	}
}

type verifyInput struct {
	Body struct {
		Token string `json:"token" doc:"From the mailed link."`
	}
}

type changeEmailInput struct {
	Body struct {
		Email    string `json:"email" doc:"The new address."`
		Password string `json:"password" doc:"Your password."`
	}
}

// registerPasswords registers the operations of passwords and emailed links.
func (o *operations) registerPasswords(r *router) {
	operation(r, all, huma.Operation{
		OperationID: "forgot-password", Method: http.MethodPost, Path: "/api/auth/password/forgot",
		Summary:     "Send a password reset email",
		Description: "The answer is the same whether or not the address has an account.",
		Tags:        accounts.list(), DefaultStatus: http.StatusAccepted, Errors: []int{422, 429},
	}, func(ctx context.Context, in *forgotInput) (*struct{}, error) {
		return nil, o.Identity.ForgotPassword(ctx, in.Body.Email)
	})
	operation(r, all, described(accounts.op("reset-password", "POST /api/auth/password/reset",
		"Reset a password with an emailed code", 422),
		"Ends all sessions of the account. A used, expired or invalid code gets 422 auth/invalid-action-code."),
		func(ctx context.Context, in *resetInput) (*emptyAnswer, error) {
			device, err := o.Identity.ResetPassword(ctx, in.Body.Token, in.Body.Password, visit(ctx))
			return &emptyAnswer{SetCookie: o.Cookie.known(device)}, err
		})
	operation(r, signedIn, described(accounts.op("change-password", "PATCH /api/auth/password",
		"Change your password", 401, 422, 429),
		"Ends all other sessions. A wrong current password gets 401 auth/invalid-credential."),
		func(ctx context.Context, in *changePasswordInput) (*struct{}, error) {
			return nil, o.Identity.ChangePassword(ctx, viewer(ctx), in.Body.CurrentPassword, in.Body.NewPassword, visit(ctx))
		})
	operation(r, signedIn, huma.Operation{
		OperationID: "ask-verification", Method: http.MethodPost, Path: "/api/auth/email/verification",
		Summary: "Send a verification email to your address",
		Tags:    accounts.list(), DefaultStatus: http.StatusAccepted, Errors: []int{401, 429},
	}, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
		return nil, o.Identity.AskVerification(ctx, viewer(ctx))
	})
	operation(r, signedIn, huma.Operation{
		OperationID: "change-email", Method: http.MethodPost, Path: "/api/auth/email",
		Summary: "Send an email to the address that is to be your account's",
		Description: "The emailed code changes it: see verify-email. The answer is the same whether or not another account " +
			"has the address. A wrong password gets 401 auth/invalid-credential.",
		Tags: accounts.list(), DefaultStatus: http.StatusAccepted, Errors: []int{401, 422, 429},
	}, func(ctx context.Context, in *changeEmailInput) (*struct{}, error) {
		return nil, o.Identity.ChangeEmail(ctx, viewer(ctx), in.Body.Email, in.Body.Password, visit(ctx))
	})
	operation(r, all, described(accounts.op("undo-email", "POST /api/auth/email/undo",
		"Undo a change of address with the code emailed to the previous address", 409, 422),
		"Ends all sessions of the account. A used, expired or invalid code gets 422 auth/invalid-action-code; 409 "+
			"auth/email-already-in-use if another account has the address by now."),
		func(ctx context.Context, in *verifyInput) (*struct{}, error) {
			return nil, o.Identity.UndoEmail(ctx, in.Body.Token)
		})
	operation(r, signedIn, described(accounts.op("verify-email", "POST /api/auth/email/verify",
		"Verify your email address, or a new one, with an emailed code", 401, 403, 409, 422),
		"The user is signed in to the account. A code of change-email gives it the new address, to which it was sent; 409 "+
			"auth/email-already-in-use if another account has it. The previous address gets a code that undoes this. A used, "+
			"expired, invalid or other account's code gets 422 auth/invalid-action-code."),
		func(ctx context.Context, in *verifyInput) (*struct{}, error) {
			return nil, o.Identity.VerifyEmail(ctx, viewer(ctx), in.Body.Token)
		})
}
