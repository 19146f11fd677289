package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// QueuedMail is a mail that is still to be sent.
type QueuedMail struct {
	ID, UserID, Kind string
	CreatedAt        time.Time
	// Attempts counts this one too.
	Attempts int64
}

// QueueMail wants a mail sent once tx is committed; ErrNotFound where the user is gone.
func (tx *Tx) QueueMail(ctx context.Context, userID, kind string, now time.Time) error {
	err := tx.query.InsertMail(ctx, db.InsertMailParams{
		ID: studycircle.NewID(now), UserID: userID, Kind: kind, CreatedAt: micros(now),
	})
	return orGone(err)
}

// NextMailDue is when the first queued mail may be sent; ErrNotFound where there is none.
func (s *Store) NextMailDue(ctx context.Context) (time.Time, error) {
	due, err := s.query.NextMailDue(ctx)
	return instant(due), classify(err)
}

// ClaimMail takes a mail that is due and keeps all others from it until then;
// ErrNotFound where there is none, or another node took it.
func (tx *Tx) ClaimMail(ctx context.Context, now, until time.Time) (QueuedMail, error) {
	rows, err := tx.query.ClaimMail(ctx, db.ClaimMailParams{Now: micros(now), ClaimedUntil: micros(until)})
	if err != nil {
		return QueuedMail{}, classify(err)
	}
	if len(rows) == 0 {
		return QueuedMail{}, studycircle.ErrNotFound
	}
	r := rows[0]
	return QueuedMail{ID: r.ID, UserID: r.UserID, Kind: r.Kind, CreatedAt: instant(r.CreatedAt), Attempts: r.Attempts}, nil
}

// PostponeMail gives a mail back to the queue.
func (tx *Tx) PostponeMail(ctx context.Context, id string, due time.Time) error {
	return classify(tx.query.PostponeMail(ctx, db.PostponeMailParams{ID: id, DueAt: micros(due)}))
}

// DeleteMail takes a mail out of the queue.
func (tx *Tx) DeleteMail(ctx context.Context, id string) error {
	return classify(tx.query.DeleteMail(ctx, id))
}

// DeleteMailsOf takes a user's mails of one kind out of the queue.
func (tx *Tx) DeleteMailsOf(ctx context.Context, userID, kind string) error {
	return classify(tx.query.DeleteMailsOfUser(ctx, db.DeleteMailsOfUserParams{UserID: userID, Kind: kind}))
}
