package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Request is a request that its client may send again.
type Request = store.Request

// ErrSentBefore is the error of a request that was sent before.
var ErrSentBefore = store.ErrSentBefore

// WithRequest returns a context for the one use case that a request asks for, whose first transaction claims it;
// ErrSentBefore if an equal one was claimed before.
func WithRequest(ctx context.Context, r *Request) context.Context { return store.WithRequest(ctx, r) }

// SentRequest returns what is known of the first request with the key of r; ErrNotFound.
func (s *Service) SentRequest(ctx context.Context, r *Request) (store.SentRequest, error) {
	return s.store.SentRequest(ctx, r.Key, s.clock())
}

// AnswerRequest stores the answer to a claimed request.
func (s *Service) AnswerRequest(ctx context.Context, r *Request, answer string) error {
	return s.store.Write(ctx, s.as(studycircle.User{ID: r.UserID}), func(ctx context.Context, tx *store.Tx) error {
		return tx.AnswerRequest(ctx, r.Key, answer)
	})
}
