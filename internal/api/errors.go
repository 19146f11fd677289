package api

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"

	"studycircle"
)

// statusOf maps error codes to HTTP statuses.
var statusOf = map[studycircle.Code]int{
	studycircle.CodeMalformed:          http.StatusBadRequest,
	studycircle.CodeUnauthenticated:    http.StatusUnauthorized,
	studycircle.CodeInvalidCredential:  http.StatusUnauthorized,
	studycircle.CodeCrossSite:          http.StatusForbidden,
	studycircle.CodeNotYourAssignment:  http.StatusForbidden,
	studycircle.CodeOwnAssignment:      http.StatusForbidden,
	studycircle.CodeOwnSubmission:      http.StatusForbidden,
	studycircle.CodeNotYourSubmissions: http.StatusForbidden,
	studycircle.CodeNotYourComment:     http.StatusForbidden,
	studycircle.CodeNotModerator:       http.StatusForbidden,
	studycircle.CodeOperatorDecides:    http.StatusForbidden,
	studycircle.CodeDiscussionClosed:   http.StatusConflict,
	studycircle.CodeNotPublisher:       http.StatusForbidden,
	studycircle.CodeNotGrader:          http.StatusForbidden,
	studycircle.CodeNotOrganizer:       http.StatusForbidden,
	studycircle.CodeNotOwner:           http.StatusForbidden,
	studycircle.CodeCircleArchived:     http.StatusConflict,
	studycircle.CodeTooManyCircles:     http.StatusConflict,
	studycircle.CodeTooManyRubrics:     http.StatusConflict,
	studycircle.CodeTooManyOwners:      http.StatusConflict,
	studycircle.CodeLastOwner:          http.StatusConflict,
	studycircle.CodeNotFound:           http.StatusNotFound,
	studycircle.CodeMethodNotAllowed:   http.StatusMethodNotAllowed,
	studycircle.CodeAlreadySent:        http.StatusConflict,
	studycircle.CodeAlreadyPending:     http.StatusConflict,
	studycircle.CodeAlreadyGraded:      http.StatusConflict,
	studycircle.CodeAlreadyTaken:       http.StatusConflict,
	studycircle.CodeAlreadyReviewed:    http.StatusConflict,
	studycircle.CodeAlreadySettled:     http.StatusConflict,
	studycircle.CodeAlreadyAsked:       http.StatusConflict,
	studycircle.CodeAlreadyAnswered:    http.StatusConflict,
	studycircle.CodeUnderReview:        http.StatusConflict,
	studycircle.CodeNoReviews:          http.StatusConflict,
	studycircle.CodeAlreadyAppealed:    http.StatusConflict,
	studycircle.CodeNotGraded:          http.StatusConflict,
	studycircle.CodeTooManyExemplars:   http.StatusConflict,
	studycircle.CodeNotLeased:          http.StatusForbidden,
	studycircle.CodeNotYourReview:      http.StatusForbidden,
	studycircle.CodeRegistrationClosed: http.StatusForbidden,
	studycircle.CodeHallClosed:         http.StatusForbidden,
	studycircle.CodeEmailInUse:         http.StatusConflict,
	studycircle.CodeInvalidState:       http.StatusBadRequest,
	studycircle.CodeInvalidIDToken:     http.StatusBadRequest,
	studycircle.CodeCancelled:          http.StatusBadRequest,
	studycircle.CodeNoEmail:            http.StatusBadRequest,
	studycircle.CodeUserDisabled:       http.StatusForbidden,
	studycircle.CodeAccountExists:      http.StatusConflict,
	studycircle.CodeAlreadyLinked:      http.StatusConflict,
	studycircle.CodeLastSignInMethod:   http.StatusConflict,
	studycircle.CodePasskeyUnavailable: http.StatusConflict,
	studycircle.CodeTooManyPasskeys:    http.StatusConflict,
	studycircle.CodeProviderAway:       http.StatusServiceUnavailable,
	studycircle.CodeChanged:            http.StatusPreconditionFailed,
	studycircle.CodeTooLarge:           http.StatusRequestEntityTooLarge,
	studycircle.CodeUnsupportedMedia:   http.StatusUnsupportedMediaType,
	studycircle.CodeInvalid:            http.StatusUnprocessableEntity,
	studycircle.CodeWeakPassword:       http.StatusUnprocessableEntity,
	studycircle.CodeInvalidActionCode:  http.StatusUnprocessableEntity,
	studycircle.CodeRateLimited:        http.StatusTooManyRequests,
	studycircle.CodeInternal:           http.StatusInternalServerError,
	studycircle.CodeUnavailable:        http.StatusServiceUnavailable,
}

const contentTypeProblem = "application/problem+json"

// Problem is the body of every error answer (RFC 9457).
type Problem struct {
	Type   string         `json:"type" doc:"Always about:blank; decide by code."`
	Title  string         `json:"title" doc:"The status in words."`
	Status int            `json:"status" doc:"The HTTP status."`
	Detail string         `json:"detail" doc:"The error and its remedy, for the user."`
	Code   string         `json:"code" doc:"The error's code, for programs. Stable."`
	Errors []ProblemField `json:"errors,omitempty" doc:"The problems, by field."`

	retryAfter int // seconds; 0 for none
}

// ProblemField says what is wrong with one field.
type ProblemField struct {
	Location string `json:"location" doc:"Where, for example body.title or query.page."`
	Message  string `json:"message" doc:"The problem, for the user."`
	Line     int64  `json:"line,omitzero" doc:"The line of a file, from 1."`
}

func newProblem(code studycircle.Code, detail string) *Problem {
	status := statusOf[code]
	if status == 0 {
		status, code = http.StatusInternalServerError, studycircle.CodeInternal
	}
	return &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: string(code),
	}
}

// problemOf returns err as a client may see it. Here alone the API makes texts of messages and
// their arguments. An error that is not meant for users is logged and answered as an internal
// error.
func problemOf(ctx context.Context, err error) *Problem {
	if r, is := errors.AsType[*refusedParts](err); is {
		p := newProblem(studycircle.CodeInvalid, studycircle.Text(r.message, nil))
		for _, f := range r.faults {
			p.Errors = append(p.Errors, ProblemField{
				Location: f.location, Message: studycircle.Text(f.message, f.args), Line: f.line,
			})
		}
		return p
	}
	e, ok := errors.AsType[*studycircle.Error](err)
	if !ok {
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			// The client has gone, or the deadline has passed.
			e = &studycircle.Error{Code: studycircle.CodeUnavailable, Message: "This took too long. Please try again.", Err: err}
		} else {
			slog.ErrorContext(ctx, "request failed", "error", err)
			e = studycircle.Errorf(studycircle.CodeInternal, "Something went wrong on our side. Please try again.")
		}
	}
	if e.Code == studycircle.CodeUnavailable && e.Err != nil { // without a cause the server refused the request itself
		slog.Log(ctx, WarnLevel(ctx), "unavailable", "error", err)
	}
	p := newProblem(e.Code, studycircle.Text(e.Message, e.Args))
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, ProblemField{Location: "body." + f.Field, Message: studycircle.Text(f.Message, f.Args)})
	}
	if p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests {
		p.retryAfter = max(1, int(math.Ceil(e.RetryAfter.Seconds())))
	}
	return p
}

// reasonOf returns err as one text for the user.
func reasonOf(err error) string {
	e, is := errors.AsType[*studycircle.Error](err)
	if !is {
		return err.Error()
	}
	if len(e.Fields) == 0 {
		return studycircle.Text(e.Message, e.Args)
	}
	all := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		all[i] = studycircle.Text(f.Message, f.Args)
	}
	return strings.Join(all, " ")
}

// WarnLevel is the level at which to log an error of a request: Debug if the client has
// gone, Warn otherwise.
func WarnLevel(ctx context.Context) slog.Level {
	if errors.Is(ctx.Err(), context.Canceled) {
		return slog.LevelDebug
	}
	return slog.LevelWarn
}

// setHeaders sets the headers of a problem.
func setHeaders(set func(name, value string), p *Problem) {
	if p.retryAfter > 0 {
		set("Retry-After", strconv.Itoa(p.retryAfter))
	}
	if p.Status == http.StatusUnauthorized {
		set("WWW-Authenticate", "Bearer")
	}
}
