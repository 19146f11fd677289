package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// MayRegisterBy returns nil if the invitation with a secret, by its hash, lets a person with an address register;
// ErrNotFound or CodeCircleArchived otherwise. It only reads.
func (s *Store) MayRegisterBy(ctx context.Context, secretHash, email string, now time.Time) (err error) {
	defer s.operation(&err, "Store.MayRegisterBy")
	q := s.engine.Queries()
	row, err := q.ServerInvitationBySecret(ctx, secretHash)
	if err == nil {
		return studycircle.MayRegisterByServer(toServerInvitation(row), email, now)
	}
	if !isMissing(err) {
		return err
	}
	found, err := q.InvitationBySecret(ctx, optionalText(secretHash))
	if err != nil {
		return err
	}
	circle, err := q.GetCircle(ctx, found.CircleID)
	if err != nil {
		return err
	}
	i, err := find(ctx, s, studycircle.Viewer{}, tables.Invitations, tables.InvitationByID, found.ID)
	if err != nil {
		return err
	}
	return studycircle.MayRegisterBy(i, toCircle(circle), email, now)
}

// RegisterBy uses the invitation with a secret, by its hash, for a user whose account tx has inserted. An invitation to
// a circle makes the user a member, now or once the address is verified. The errors are those of MayRegisterBy.
func (tx *Tx) RegisterBy(ctx context.Context, secretHash string, u studycircle.User, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.RegisterBy")
	row, err := tx.Queries.ServerInvitationBySecret(ctx, secretHash)
	if err == nil {
		return tx.useServerInvitation(ctx, toServerInvitation(row), u, now)
	}
	if !isMissing(err) {
		return err
	}
	id, circleID, err := tx.InvitationBySecret(ctx, secretHash)
	if err != nil {
		return err
	}
	tx = tx.As(u.ID)
	c, err := tx.LockCircle(ctx, circleID)
	if err != nil {
		return err
	}
	i, err := tx.Invitation(ctx, id)
	if err != nil {
		return err
	}
	if err := studycircle.MayRegisterBy(i, c.Circle, u.Email, now); err != nil {
		return err
	}
	switch {
	case i.RosterEmail != "":
		return nil // see JoinOnceVerified
	case i.Admits(u, now):
		return tx.JoinBy(ctx, i, now)
	}
	if err := tx.Queries.UseInvitation(ctx, i.ID); err != nil {
		return err
	}
	return tx.Queries.InsertAwaitedJoin(ctx, db.InsertAwaitedJoinParams{UserID: u.ID, InvitationID: i.ID})
}

// useServerInvitation decides again in the statement: other registrations may have used i meanwhile.
func (tx *Tx) useServerInvitation(
	ctx context.Context, i studycircle.ServerInvitation, u studycircle.User, now time.Time,
) error {
	if err := studycircle.MayRegisterByServer(i, u.Email, now); err != nil {
		return err
	}
	return mustAffect(tx.Queries.UseServerInvitation(ctx, db.UseServerInvitationParams{ID: i.ID, Now: micros(now)}))
}

// joinAwaited makes the viewer u a member of the circle by whose invitation the account was opened, if that is still
// allowed.
func (tx *Tx) joinAwaited(
	ctx context.Context, i studycircle.Invitation, c studycircle.Circle, u studycircle.User, removed, now time.Time,
) error {
	if refused := studycircle.MayJoinAwaited(i, c, u, removed); refused != nil {
		return nil //nolint:nilerr // the account stays without the circle
	}
	if err := tx.Queries.DeleteAwaitedJoin(ctx, u.ID); err != nil {
		return err
	}
	return tx.joinUsed(ctx, i, now)
}

// InsertServerInvitation adds an invitation of the operator with the hash of its secret.
func (tx *Tx) InsertServerInvitation(
	ctx context.Context, i studycircle.ServerInvitation, secretHash string,
) (err error) {
	defer tx.operation(&err, "Tx.InsertServerInvitation")
	p := db.InsertServerInvitationParams{
		ID: i.ID, SecretHash: secretHash, OnlyEmail: i.OnlyEmail, CreatedAt: micros(i.CreatedAt),
		ExpiresAt: micros(i.ExpiresAt),
	}
	if i.Uses != nil {
		p.UsesLeft = sql.NullInt64{Int64: *i.Uses, Valid: true}
	}
	return tx.Queries.InsertServerInvitation(ctx, p)
}

// ServerInvitations returns the operator's invitations, oldest first. DeleteExpired removes those that are over.
func (s *Store) ServerInvitations(ctx context.Context) (_ []studycircle.ServerInvitation, err error) {
	defer s.operation(&err, "Store.ServerInvitations")
	rows, err := s.engine.Queries().ServerInvitations(ctx)
	out := make([]studycircle.ServerInvitation, len(rows))
	for i, r := range rows {
		out[i] = toServerInvitation(r)
	}
	return out, err
}

// DeleteServerInvitation removes an invitation of the operator: once tx is committed, it lets no one register.
// ErrNotFound.
func (tx *Tx) DeleteServerInvitation(ctx context.Context, id string) (err error) {
	defer tx.operation(&err, "Tx.DeleteServerInvitation")
	return mustAffect(tx.Queries.DeleteServerInvitation(ctx, id))
}

func toServerInvitation(r db.ServerInvitation) studycircle.ServerInvitation {
	i := studycircle.ServerInvitation{
		ID: r.ID, OnlyEmail: r.OnlyEmail, CreatedAt: instant(r.CreatedAt), ExpiresAt: instant(r.ExpiresAt),
	}
	if r.UsesLeft.Valid {
		i.Uses = &r.UsesLeft.Int64
	}
	return i
}

// circlesAtOnce bounds a step through all circles.
const circlesAtOnce = 256

// CirclesAfter returns circles with their owners, also deleted ones, in the order of their ids after one; none after
// the last.
func (s *Store) CirclesAfter(
	ctx context.Context, _ studycircle.Viewer, id string,
) (_ []studycircle.OwnedCircle, err error) {
	defer s.operation(&err, "Store.CirclesAfter")
	rows, err := s.engine.Queries().CirclesAfter(ctx, db.CirclesAfterParams{ID: id, Room: circlesAtOnce})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	owners, err := s.engine.Queries().OwnersBetween(ctx, db.OwnersBetweenParams{
		First: rows[0].ID, Last: rows[len(rows)-1].ID,
	})
	of := map[string][]string{}
	for _, o := range owners {
		of[o.CircleID] = append(of[o.CircleID], o.Email)
	}
	out := make([]studycircle.OwnedCircle, len(rows))
	for i, r := range rows {
		out[i] = studycircle.OwnedCircle{Circle: toCircle(r), Owners: of[r.ID]}
	}
	return out, err
}
