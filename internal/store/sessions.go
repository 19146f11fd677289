package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// Session returns a session by id, with its user; ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (_ studycircle.Session, err error) {
	defer s.operation(&err, "Store.Session")
	row, err := s.engine.Queries().GetSession(ctx, id)
	return studycircle.Session{ID: row.ID, User: toUser(row.User), ExpiresAt: instant(row.ExpiresAt)}, err
}

// SessionBySecret returns a session by the hash of its cookie, with its user; ErrNotFound.
func (s *Store) SessionBySecret(ctx context.Context, secretHash string) (_ studycircle.Session, err error) {
	defer s.operation(&err, "Store.SessionBySecret")
	row, err := s.engine.Queries().GetSessionBySecret(ctx, secretHash)
	return studycircle.Session{ID: row.ID, User: toUser(row.User), ExpiresAt: instant(row.ExpiresAt)}, err
}

// SessionsOf returns a user's unexpired sessions, the last seen first, at most a hundred.
func (s *Store) SessionsOf(ctx context.Context, userID string, now time.Time) (_ []studycircle.OpenSession, err error) {
	defer s.operation(&err, "Store.SessionsOf")
	rows, err := s.engine.Queries().SessionsOfUser(ctx, db.SessionsOfUserParams{UserID: userID, Now: micros(now)})
	out := make([]studycircle.OpenSession, len(rows))
	for i, r := range rows {
		out[i] = studycircle.OpenSession{
			ID: r.ID, UserAgent: r.UserAgent,
			CreatedAt: instant(r.CreatedAt), LastSeenAt: instant(r.LastSeenAt), ExpiresAt: instant(r.ExpiresAt),
		}
	}
	return out, err
}

// NewSession is the input of InsertSession.
type NewSession struct {
	ID, UserID, SecretHash, UserAgent string
	CreatedAt, ExpiresAt              time.Time
}

// InsertSession signs a browser in; ErrNotFound if the user is gone.
func (tx *Tx) InsertSession(ctx context.Context, n NewSession) (err error) {
	defer tx.operation(&err, "Tx.InsertSession")
	return tx.orGone(tx.Queries.InsertSession(ctx, db.InsertSessionParams{
		ID: n.ID, UserID: n.UserID, SecretHash: n.SecretHash, UserAgent: n.UserAgent,
		CreatedAt: micros(n.CreatedAt), LastSeenAt: micros(n.CreatedAt), ExpiresAt: micros(n.ExpiresAt),
	}))
}

// SeeSession records when a session was last used.
func (tx *Tx) SeeSession(ctx context.Context, id string, at time.Time) (err error) {
	defer tx.operation(&err, "Tx.SeeSession")
	return tx.Queries.SeeSession(ctx, db.SeeSessionParams{ID: id, LastSeenAt: micros(at)})
}

// DeleteSessionBySecret signs out the browser with that cookie and returns the session's id, or "" if it was signed
// out before.
func (tx *Tx) DeleteSessionBySecret(ctx context.Context, secretHash string) (_ string, err error) {
	defer tx.operation(&err, "Tx.DeleteSessionBySecret")
	ids, err := tx.Queries.DeleteSessionBySecret(ctx, secretHash)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	return ids[0], nil
}

// DeleteSessionOf ends one session of a user; ErrNotFound if it is not theirs.
func (tx *Tx) DeleteSessionOf(ctx context.Context, userID, id string) (err error) {
	defer tx.operation(&err, "Tx.DeleteSessionOf")
	return mustAffect(tx.Queries.DeleteSessionOfUser(ctx, db.DeleteSessionOfUserParams{ID: id, UserID: userID}))
}

// DeleteSessionsOf signs a user out everywhere, except in the session but, which may be empty, and returns how many
// sessions ended.
func (tx *Tx) DeleteSessionsOf(ctx context.Context, userID, but string) (_ int64, err error) {
	defer tx.operation(&err, "Tx.DeleteSessionsOf")
	return tx.Queries.DeleteSessionsOfUser(ctx, db.DeleteSessionsOfUserParams{UserID: userID, But: but})
}

// DeleteExpired removes expired sessions, codes, tickets, rate limits, invitations to register and requests. It leaves
// rows that another transaction has locked to the next call: waiting for several of them could deadlock.
func (tx *Tx) DeleteExpired(ctx context.Context, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.DeleteExpired")
	for _, expired := range []func(context.Context, int64) error{
		tx.Queries.DeleteExpiredSessions, tx.Queries.DeleteExpiredCodes, tx.Queries.DeleteExpiredTickets,
		tx.Queries.DeleteExpiredLimits, tx.Queries.DeleteExpiredServerInvitations, tx.Queries.DeleteExpiredRequests,
		tx.Queries.DeleteExpiredEmailChanges,
	} {
		if err := expired(ctx, micros(now)); err != nil {
			return err
		}
	}
	return nil
}

// orGone returns ErrNotFound for a row that refers to a missing user.
func (tx *Tx) orGone(err error) error {
	if tx.Engine.Fault(err) == engine.Reference {
		return studycircle.ErrNotFound
	}
	return err
}
