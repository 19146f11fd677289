package studycircle

import (
	"errors"
	"fmt"
	"time"
)

// Code names a kind of failure. Codes are stable: clients branch on them.
type Code string

// The codes of the API.
const (
	CodeMalformed        Code = "malformed"
	CodeUnauthenticated  Code = "unauthenticated"
	CodeNotFound         Code = "not-found"
	CodeChanged          Code = "changed"
	CodeInvalid          Code = "invalid"
	CodeRateLimited      Code = "rate-limited"
	CodeUnavailable      Code = "unavailable"
	CodeInternal         Code = "internal"
	CodeTooLarge         Code = "too-large"
	CodeUnsupportedMedia Code = "unsupported-media-type"
	CodeMethodNotAllowed Code = "method-not-allowed"
	CodeCrossSite        Code = "cross-site"
	CodeAlreadySent      Code = "already-sent"

	CodeNotYourAssignment  Code = "not-your-assignment"
	CodeOwnAssignment      Code = "own-assignment"
	CodeAlreadyPending     Code = "already-pending"
	CodeAlreadyGraded      Code = "already-graded"
	CodeOwnSubmission      Code = "own-submission"
	CodeNotYourSubmissions Code = "not-your-submissions"
	CodeAlreadyTaken       Code = "already-taken"
	CodeAlreadyReviewed    Code = "already-reviewed"
	CodeAlreadySettled     Code = "already-settled"
	CodeAlreadyAsked       Code = "already-asked"
	CodeAlreadyAnswered    Code = "already-answered"
	CodeUnderReview        Code = "under-review"
	CodeNotLeased          Code = "not-leased"
	CodeNotYourReview      Code = "not-your-review"
	CodeNoReviews          Code = "no-reviews"
	CodeAlreadyAppealed    Code = "already-appealed"
	CodeNotGraded          Code = "not-graded"
	CodeTooManyExemplars   Code = "too-many-exemplars"

	CodeNotYourComment   Code = "not-your-comment"
	CodeDiscussionClosed Code = "discussion-closed"
	CodeNotModerator     Code = "not-a-moderator"
	CodeOperatorDecides  Code = "operator-decides"

	CodeNotPublisher   Code = "not-a-publisher"
	CodeNotGrader      Code = "not-a-grader"
	CodeNotOrganizer   Code = "not-an-organizer"
	CodeNotOwner       Code = "not-an-owner"
	CodeCircleArchived Code = "circle-archived"
	CodeTooManyCircles Code = "too-many-circles"
	CodeTooManyRubrics Code = "too-many-rubrics"
	CodeTooManyOwners  Code = "too-many-owners"
	CodeLastOwner      Code = "last-owner"

	CodeRegistrationClosed Code = "registration-closed"
	CodeHallClosed         Code = "hall-closed"

	CodeEmailInUse        Code = "auth/email-already-in-use"
	CodeWeakPassword      Code = "auth/weak-password"
	CodeInvalidCredential Code = "auth/invalid-credential"
	CodeInvalidActionCode Code = "auth/invalid-action-code"

	CodeAccountExists      Code = "auth/account-exists-with-different-credential"
	CodeProviderAway       Code = "auth/provider-unavailable"
	CodeCancelled          Code = "auth/cancelled"
	CodeInvalidState       Code = "auth/invalid-state"
	CodeInvalidIDToken     Code = "auth/invalid-id-token"
	CodeUserDisabled       Code = "auth/user-disabled"
	CodeAlreadyLinked      Code = "auth/provider-already-linked"
	CodeNoEmail            Code = "auth/no-email"
	CodeLastSignInMethod   Code = "last-sign-in-method"
	CodePasskeyUnavailable Code = "passkeys-unavailable"
	CodeTooManyPasskeys    Code = "too-many-passkeys"
)

// FieldError describes the fault of one field. Field is the field's name in the API.
type FieldError struct {
	Field   string
	Message string // as in Error
	Args    []any
}

// Error is the one error type that crosses package borders on purpose: a message for the user and a Code for
// programs. An error of any other type is a fault of the server or its database.
type Error struct {
	Code Code
	// Message is a sentence in English, and with Args a format. Its text is made where it leaves the program.
	Message string
	Args    []any
	Fields  []FieldError
	// RetryAfter is the time to wait before another attempt; set with CodeRateLimited and CodeUnavailable.
	RetryAfter time.Duration
	// Err is the cause, for logs; it never reaches a client.
	Err error
}

// Error implements error.
func (e *Error) Error() string {
	text := Text(e.Message, e.Args)
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, text, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, text)
}

// Text returns a message with its arguments, in English.
func Text(message string, args []any) string {
	if len(args) == 0 {
		return message
	}
	return fmt.Sprintf(message, args...)
}

// Wait is the time until another attempt, as an argument of a message.
type Wait time.Duration

// String implements fmt.Stringer. It rounds up, so that a retry after that time succeeds.
func (w Wait) String() string {
	minutes := (time.Duration(w) + time.Minute - 1) / time.Minute
	if minutes <= 1 {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", minutes)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error with a message for the user.
func Errorf(code Code, format string, args ...any) *Error {
	if false {
		_ = fmt.Sprintf(format, args...) // so that vet checks the format
	}
	return &Error{Code: code, Message: format, Args: args}
}

// CodeOf returns the code of the first Error in err's chain, CodeInternal if there is none, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// ErrNotFound is a store's error for a missing row.
var ErrNotFound = &Error{Code: CodeNotFound, Message: "This no longer exists. It may have been deleted."}

// ErrAccountGone is the error of a request whose user's account was deleted meanwhile.
var ErrAccountGone = &Error{Code: CodeUnauthenticated, Message: "This account no longer exists. Please sign in again."}

// ErrNotLeased refuses a review or a question by a user who does not hold the submission's lease.
var ErrNotLeased = Errorf(CodeNotLeased, "This submission is not reserved for you. Ask for the next one to review.")

// ErrAlreadyAsked refuses a second question of a reviewer about a submission.
var ErrAlreadyAsked = Errorf(CodeAlreadyAsked, "You have already asked your question about this submission.")

// ErrAskedTwice is the error of a request for a lease while another request of the same user takes one; the caller
// repeats the whole request.
var ErrAskedTwice = &Error{
	Code: CodeUnavailable, Message: "You asked for something to review twice at once. Please try again.",
	RetryAfter: time.Second,
}

// problems collects field errors and turns them into one Error.
type problems []FieldError

func (p *problems) add(field, format string, args ...any) {
	if false {
		_ = fmt.Sprintf(format, args...) // so that vet checks the format
	}
	*p = append(*p, FieldError{Field: field, Message: format, Args: args})
}

func (p problems) err(code Code) error {
	if len(p) == 0 {
		return nil
	}
	return &Error{Code: code, Message: p[0].Message, Args: p[0].Args, Fields: p}
}
