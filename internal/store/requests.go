package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// requestLife is how long a request that is sent again is recognized.
const requestLife = 24 * time.Hour

// Request is a request that its client may send again, under an id of the client's. The first transaction that reads
// as its user claims it, together with what it writes: of any number of equal requests, on any nodes, one commits.
type Request struct {
	// Key stands for the user and the client's id.
	Key    string
	UserID string
	// Asked stands for what the client asks for: the same for an equal request.
	Asked  string
	SentAt time.Time

	claimed bool
}

// Claimed reports whether a transaction of the request has committed.
func (r *Request) Claimed() bool { return r.claimed }

// SentRequest is a request that was claimed.
type SentRequest struct {
	Asked  string
	SentAt time.Time
	// Answer is "" until the request is answered.
	Answer string
}

// ErrSentBefore is the error of a Write for a request that was claimed before.
var ErrSentBefore = studycircle.Errorf(
	studycircle.CodeAlreadySent, "This was sent before, and the answer is lost. Reload the page to see what has changed.",
)

type requestKey struct{}

// WithRequest returns a context for the transactions of a request. One goroutine uses it.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// unclaimed returns the request in ctx that a transaction of v claims; nil if there is none.
func unclaimed(ctx context.Context, v studycircle.Viewer) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	if r == nil || r.claimed || v.UserID() != r.UserID {
		return nil
	}
	return r
}

// claim records a request, if there is one; ErrSentBefore if it was recorded before and has not expired. It is the
// first statement of the transaction, so that an equal request waits here, without locks.
func (tx *Tx) claim(ctx context.Context, r *Request) (err error) {
	if r == nil {
		return nil
	}
	defer tx.operation(&err, "Tx.claim")
	n, err := tx.Queries.ClaimRequest(ctx, db.ClaimRequestParams{
		ID: r.Key, UserID: r.UserID, Asked: r.Asked, SentAt: micros(r.SentAt), ExpiresAt: micros(r.SentAt.Add(requestLife)),
	})
	switch {
	case tx.Engine.Fault(err) == engine.Reference:
		return studycircle.ErrAccountGone
	case err == nil && n == 0:
		return ErrSentBefore
	}
	return err
}

// SentRequest returns a request that was claimed and has not expired; ErrNotFound.
func (s *Store) SentRequest(ctx context.Context, key string, now time.Time) (_ SentRequest, err error) {
	defer s.operation(&err, "Store.SentRequest")
	row, err := s.query.GetSentRequest(ctx, db.GetSentRequestParams{ID: key, Now: micros(now)})
	return SentRequest{row.Asked, instant(row.SentAt), row.Answer}, err
}

// AnswerRequest stores the answer to a claimed request.
func (tx *Tx) AnswerRequest(ctx context.Context, key, answer string) (err error) {
	defer tx.operation(&err, "Tx.AnswerRequest")
	return tx.Queries.AnswerRequest(ctx, db.AnswerRequestParams{ID: key, Answer: answer})
}
