package store

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// removedAtOnce is the number of assignments or members of a circle that one transaction removes, so that no other
// write waits long behind it.
const removedAtOnce = 50

// CircleToRemove returns the id of a circle that was deleted before a time; ErrNotFound.
func (s *Store) CircleToRemove(ctx context.Context, before time.Time) (_ string, err error) {
	defer s.operation(&err, "Store.CircleToRemove")
	ids, err := s.engine.Queries().CirclesToRemove(ctx, optionalMicros(before))
	if err == nil && len(ids) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// ImportedWith returns the users who are shown as imported in a circle, and nowhere else.
func (s *Store) ImportedWith(ctx context.Context, circleID string) (_ []string, err error) {
	defer s.operation(&err, "Store.ImportedWith", circleID)
	return s.engine.Queries().ImportedWith(ctx, studycircle.ImportedPrefix(circleID))
}

// RemoveImported removes one of the users of ImportedWith like any account that is deleted, if the circle can no longer
// be restored. An account that the import opened for an address stays: it is its owner's to claim.
func (tx *Tx) RemoveImported(ctx context.Context, circleID, userID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.RemoveImported", circleID, userID)
	c, err := tx.LockCircle(ctx, circleID, userID)
	if err == nil && studycircle.CanRemoveCircle(c.Circle, now) {
		err = tx.DeleteAccount(ctx, userID, now)
	}
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return nil // another node has removed it
	}
	return err
}

// RemoveCircle removes some of the assignments and members of a deleted circle that can no longer be restored, and
// after them the circle. It reports whether anything is left. Submissions stay with their submitters, and comments and
// reviews with their authors.
func (tx *Tx) RemoveCircle(ctx context.Context, id string, now time.Time) (left bool, err error) {
	defer tx.operation(&err, "Tx.RemoveCircle", id)
	rows, err := tx.Queries.SomeMembers(ctx, db.SomeMembersParams{CircleID: id, Room: removedAtOnce})
	if err != nil {
		return false, err
	}
	users := make([]string, len(rows))
	for i, m := range rows {
		users[i] = m.UserID
	}
	c, err := tx.LockCircle(ctx, id, users...)
	if isMissing(err) || (err == nil && !studycircle.CanRemoveCircle(c.Circle, now)) {
		return false, nil // another node has removed it, or an owner restored it
	}
	if err != nil {
		return false, err
	}
	assignments, err := tx.Queries.LiveAssignmentsIn(ctx, db.LiveAssignmentsInParams{CircleID: id, Room: removedAtOnce})
	if err != nil {
		return false, err
	}
	for _, assignmentID := range assignments {
		if err := tx.DeleteAssignment(ctx, assignmentID, now); err != nil {
			return false, err
		}
	}
	if len(assignments) > 0 {
		return true, nil // members follow in transactions of their own: see the lock order
	}
	for _, m := range memberships(rows) {
		if err := tx.removeMember(ctx, m); err != nil {
			return false, err
		}
	}
	if len(rows) == removedAtOnce {
		return true, nil
	}
	err = errors.Join(
		tx.Queries.DeleteReportsIn(ctx, id), tx.Queries.DeleteDecisionsIn(ctx, id),
		tx.Queries.DeleteCircle(ctx, id), // with its invitations, requests, removals and refusals
	)
	if err != nil {
		return false, err
	}
	return false, tx.Engine.DropCounts(ctx, tx.Tx, tables.CircleScopes(id)...)
}

// LeaveCircle removes a member who leaves, after LockCircle: no roster puts the user back.
func (tx *Tx) LeaveCircle(ctx context.Context, m studycircle.Membership) (err error) {
	defer tx.operation(&err, "Tx.LeaveCircle", m.CircleID)
	if err := tx.removeMember(ctx, m); err != nil {
		return err
	}
	if err := tx.Queries.PutRefusal(ctx, db.PutRefusalParams{
		CircleID: m.CircleID, UserID: m.UserID, Kind: string(studycircle.RefusedByLeaving),
	}); err != nil {
		return err
	}
	return tx.announceCircle(ctx, m.CircleID, m.UserID)
}

// RemoveMember removes a member whom an organizer removes, after LockCircle: only a new invitation admits the user
// again.
func (tx *Tx) RemoveMember(ctx context.Context, m studycircle.Membership, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.RemoveMember", m.CircleID)
	if err := tx.endMembership(ctx, m, now); err != nil {
		return err
	}
	return tx.announceCircle(ctx, m.CircleID, m.UserID)
}
