package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// InsertInvitation adds an invitation with the hash of its secret, after LockCircle.
func (tx *Tx) InsertInvitation(ctx context.Context, i studycircle.Invitation, secretHash string) (err error) {
	defer tx.operation(&err, "Tx.InsertInvitation", i.CircleID)
	p := db.InsertInvitationParams{
		ID: i.ID, CircleID: i.CircleID, SecretHash: optionalText(secretHash), Role: string(i.Role), Label: i.Label,
		OnlyEmail: i.OnlyEmail, OnlyDomain: i.OnlyDomain, CreatedBy: optionalText(tx.viewer.UserID()),
		CreatedAt: micros(i.CreatedAt), ExpiresAt: micros(i.ExpiresAt),
	}
	if i.Uses != nil {
		p.UsesLeft = sql.NullInt64{Int64: *i.Uses, Valid: true}
	}
	if err := tx.Queries.InsertInvitation(ctx, p); err != nil {
		return err
	}
	return tx.announceCircle(ctx, i.CircleID)
}

// RevokeInvitation revokes an invitation to a circle and reports whether it was valid, after LockCircle.
func (tx *Tx) RevokeInvitation(ctx context.Context, circleID, id string, now time.Time) (_ bool, err error) {
	defer tx.operation(&err, "Tx.RevokeInvitation", circleID)
	n, err := tx.Queries.RevokeInvitation(ctx, db.RevokeInvitationParams{
		ID: id, CircleID: circleID, RevokedAt: optionalMicros(now),
	})
	if err != nil || n == 0 {
		return false, err
	}
	invited, err := tx.Queries.UsersInvitedBy(ctx, id)
	if err != nil {
		return false, err
	}
	for _, userID := range invited {
		if err := tx.Withdraw(ctx, userID, studycircle.NotifyInvited, id); err != nil {
			return false, err
		}
	}
	return true, tx.announceCircle(ctx, circleID)
}

// Invitation returns an invitation; ErrNotFound.
func (tx *Tx) Invitation(ctx context.Context, id string) (_ studycircle.Invitation, err error) {
	defer tx.operation(&err, "Tx.Invitation", id)
	return findIn(ctx, tx, tx.viewer, tables.Invitations, tables.InvitationByID, id)
}

// InvitationBySecret returns the ids of the invitation with a secret, by its hash, and of the circle; ErrNotFound.
func (tx *Tx) InvitationBySecret(ctx context.Context, secretHash string) (id, circleID string, err error) {
	defer tx.operation(&err, "Tx.InvitationBySecret")
	row, err := tx.Queries.InvitationBySecret(ctx, optionalText(secretHash))
	return row.ID, row.CircleID, err
}

// JoinBy uses an invitation for the viewer, after LockCircle.
func (tx *Tx) JoinBy(ctx context.Context, i studycircle.Invitation, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.JoinBy", i.CircleID)
	if err := tx.Queries.UseInvitation(ctx, i.ID); err != nil {
		return err
	}
	if err := tx.joinUsed(ctx, i, now); err != nil || i.RosterEmail == "" {
		return err
	}
	return tx.Withdraw(ctx, tx.viewer.UserID(), studycircle.NotifyInvited, i.ID)
}

// joinUsed is JoinBy for an invitation that was used before, for the viewer.
func (tx *Tx) joinUsed(ctx context.Context, i studycircle.Invitation, now time.Time) error {
	if err := tx.Queries.InsertJoin(ctx, db.InsertJoinParams{
		InvitationID: i.ID, UserID: tx.viewer.UserID(), JoinedAt: micros(now),
	}); err != nil {
		return tx.orGone(err)
	}
	return tx.Admit(ctx, studycircle.Membership{
		CircleID: i.CircleID, UserID: tx.viewer.UserID(), Role: i.Role, Label: i.Label, Name: i.Name,
		FamilyName: i.FamilyName, SourceID: i.SourceID, JoinedAt: now,
	})
}

// Admit adds a member, after LockCircle, and removes what kept the user waiting or out.
func (tx *Tx) Admit(ctx context.Context, m studycircle.Membership) (err error) {
	defer tx.operation(&err, "Tx.Admit", m.CircleID)
	if err := tx.admit(ctx, m.CircleID, []studycircle.Membership{m}); err != nil {
		return err
	}
	return tx.announceCircle(ctx, m.CircleID, m.UserID)
}

// admit adds members of one circle, and removes what kept the users waiting or out. It notifies those whom the viewer
// puts into it.
func (tx *Tx) admit(ctx context.Context, circleID string, all []studycircle.Membership) error {
	if len(all) == 0 {
		return nil
	}
	rows := make([][]any, len(all))
	for i, m := range all {
		rows[i] = []any{circleID, m.UserID}
	}
	if err := engine.RunLater(ctx, tx.Tx, tables.DeleteRequests, rows); err != nil {
		return err
	}
	if err := tx.insertMembers(ctx, circleID, all); err != nil {
		return err
	}
	for _, m := range all {
		tx.Notify(studycircle.JoinedNotice(m, tx.viewer.UserID()))
	}
	if err := engine.RunLater(ctx, tx.Tx, tables.DeleteRemovals, rows); err != nil {
		return err
	}
	return engine.RunLater(ctx, tx.Tx, tables.DeleteRefusals, rows)
}

// InsertRequest records that the viewer asks to join a circle, once, after LockCircle.
func (tx *Tx) InsertRequest(ctx context.Context, circleID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.InsertRequest", circleID)
	n, err := tx.Queries.InsertRequest(ctx, db.InsertRequestParams{
		CircleID: circleID, UserID: tx.viewer.UserID(), AskedAt: micros(now),
	})
	if err != nil || n == 0 {
		return tx.orGone(err)
	}
	return tx.announceCircle(ctx, circleID)
}

// DeleteRequest removes a user's request to join a circle and reports whether there was one, after LockCircle.
func (tx *Tx) DeleteRequest(ctx context.Context, circleID, userID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.DeleteRequest", circleID)
	n, err := tx.Queries.DeleteRequest(ctx, db.DeleteRequestParams{CircleID: circleID, UserID: userID})
	if err != nil || n == 0 {
		return false, err
	}
	return true, tx.announceCircle(ctx, circleID, userID)
}

// Asking returns a page of the users who ask to join a circle, oldest first, and their number. The caller has read the
// circle as an organizer.
func (s *Store) Asking(
	ctx context.Context, v studycircle.Viewer, circleID string, p studycircle.Page,
) (_ []studycircle.Asker, _ int64, err error) {
	defer s.operation(&err, "Store.Asking", circleID)
	return ownPage(ctx, s, v, tables.Requests, tables.RequestsTo, []any{circleID}, p)
}

// joinedShown bounds the users who joined by an invitation that a list shows.
const joinedShown = 20

// Invitations returns a page of the invitations to a circle, newest first, and their number. The caller has read the
// circle as an organizer.
func (s *Store) Invitations(
	ctx context.Context, v studycircle.Viewer, circleID string, p studycircle.Page,
) (_ []studycircle.Invitation, _ int64, err error) {
	defer s.operation(&err, "Store.Invitations", circleID)
	found, total, err := ownPage(ctx, s, v, tables.Invitations, tables.InvitationsTo, []any{circleID}, p)
	if err != nil || len(found) == 0 {
		return found, total, err
	}
	ids, at := make([]string, len(found)), map[string]*studycircle.Invitation{}
	for i := range found {
		ids[i] = found[i].ID
		at[found[i].ID] = &found[i]
	}
	joined, counts := tables.Joins.Collect(joinedShown), tables.JoinCounts.Collect(int64(len(ids)))
	if err := errors.Join(askMany(ctx, s, v, tables.FirstJoins, ids, joined, int64(joinedShown)), askMany(
		ctx, s, v, tables.CountJoins, ids, counts,
	)); err != nil {
		return nil, 0, err
	}
	for _, j := range joined.All {
		at[j.InvitationID].Joined = append(at[j.InvitationID].Joined, j.Account)
	}
	for _, c := range counts.All {
		at[c.InvitationID].Joins = c.N
	}
	return found, total, nil
}

// EachRequestBy calls f with every circle that a user asks to join, in the order of asking.
func (s *Store) EachRequestBy(ctx context.Context, userID string, f func(studycircle.AskedCircle) error) (err error) {
	defer s.operation(&err, "Store.EachRequestBy", userID)
	rows, err := s.engine.Queries().RequestsBy(ctx, userID)
	for _, r := range rows {
		if err := f(studycircle.AskedCircle{CircleID: r.CircleID, AskedAt: instant(r.AskedAt)}); err != nil {
			return err
		}
	}
	return err
}
