package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// Assignment returns an assignment that v may see, or ErrNotFound. A party to an assignment hidden by a moderator
// gets it without its creator's texts: see studycircle.Assignment.Concealed.
func (s *Store) Assignment(ctx context.Context, v studycircle.Viewer, id string) (_ studycircle.Assignment, err error) {
	defer s.operation(&err, "Store.Assignment", id)
	a, err := find(ctx, s, v, tables.Assignments, tables.AssignmentByID, id)
	return concealed(v, a), err
}

// Assignment is Store.Assignment for the transaction's viewer.
func (tx *Tx) Assignment(ctx context.Context, id string) (_ studycircle.Assignment, err error) {
	defer tx.operation(&err, "Tx.Assignment", id)
	return tx.AssignmentAs(ctx, tx.viewer, id)
}

// AnyAssignment is Store.Assignment for the transaction's viewer as a party to the assignment.
func (tx *Tx) AnyAssignment(ctx context.Context, id string) (_ studycircle.Assignment, err error) {
	defer tx.operation(&err, "Tx.AnyAssignment", id)
	return tx.AssignmentAs(ctx, tx.viewer.Party(), id)
}

// AssignmentToReview returns an assignment that the transaction's viewer may see, or finds on the pending list, where a
// deleted one stays as long as submissions of it are open to review; ErrNotFound.
func (tx *Tx) AssignmentToReview(ctx context.Context, id string) (_ studycircle.Assignment, err error) {
	defer tx.operation(&err, "Tx.AssignmentToReview", id)
	a, err := tx.Assignment(ctx, id)
	if studycircle.CodeOf(err) != studycircle.CodeNotFound {
		return a, err
	}
	if _, err := findIn(ctx, tx, tx.viewer, tables.ReviewAssignmentTable, tables.ReviewAssignmentByID, id); err != nil {
		return a, err
	}
	return tx.AnyAssignment(ctx, id)
}

// AssignmentAs is Store.Assignment within the transaction.
func (tx *Tx) AssignmentAs(ctx context.Context, v studycircle.Viewer, id string) (_ studycircle.Assignment, err error) {
	defer tx.operation(&err, "Tx.AssignmentAs", id)
	a, err := findIn(ctx, tx, v, tables.Assignments, tables.AssignmentByID, id)
	return concealed(v, a), err
}

// concealed returns a without its creator's texts if a moderator has hidden it and v reads it as a party.
func concealed(v studycircle.Viewer, a studycircle.Assignment) studycircle.Assignment {
	if a.HiddenReason == "" || v.Role().Base() == studycircle.RoleAuthor || v.Role().Base() == studycircle.RoleModerator {
		return a
	}
	return a.Concealed()
}

// Assignments returns a page of the assignments of a circle, or of the hall, that v may see, newest first, and their
// number. An empty level selects all.
func (s *Store) Assignments(
	ctx context.Context, v studycircle.Viewer, circleID string, level studycircle.Level, p studycircle.Page,
) (_ []studycircle.Assignment, _ int64, err error) {
	defer s.operation(&err, "Store.Assignments")
	if level == "" {
		return page(ctx, s, v, tables.Assignments, tables.AllAssignments, []any{circleID}, tables.AllLevels(circleID), p)
	}
	return page(
		ctx, s, v, tables.Assignments, tables.LevelAssignments, []any{circleID, string(level)},
		pages.Of(tables.LevelScope(circleID, level)), p,
	)
}

// OldestAssignments is Assignments, oldest first. A page costs the same: both orders find its start by the same
// counts.
func (s *Store) OldestAssignments(
	ctx context.Context, v studycircle.Viewer, circleID string, level studycircle.Level, p studycircle.Page,
) (_ []studycircle.Assignment, _ int64, err error) {
	defer s.operation(&err, "Store.OldestAssignments")
	if level == "" {
		return page(ctx, s, v, tables.Assignments, tables.OldestAssignments, []any{circleID}, tables.AllLevels(circleID), p)
	}
	return page(
		ctx, s, v, tables.Assignments, tables.OldestLevelAssignments, []any{circleID, string(level)},
		pages.Of(tables.LevelScope(circleID, level)), p,
	)
}

// HoldToPublish locks the viewer's account and shares the circle and the viewer's membership until tx ends: what
// Publish writes depends on them. It returns what OwnCircle returns.
func (tx *Tx) HoldToPublish(ctx context.Context, circleID string) (_ studycircle.OwnCircle, err error) {
	defer tx.operation(&err, "Tx.HoldToPublish", circleID)
	// The search index has the creator's name, which must not change meanwhile.
	if err := tx.lock(ctx, tables.UserRow, tx.viewer.UserID()); err != nil {
		return studycircle.OwnCircle{}, err
	}
	return tx.HoldOwnCircle(ctx, circleID)
}

// Publish stores the viewer's assignment, after HoldToPublish; ErrNotFound if the account is gone.
func (tx *Tx) Publish(ctx context.Context, a studycircle.Assignment) (err error) {
	defer tx.operation(&err, "Tx.Publish")
	if err := tables.Publish(ctx, tx.Tx, a); err != nil {
		return err
	}
	if err := tx.notifyCircle(ctx, studycircle.NotifyPublished, a, a.CreatedAt); err != nil {
		return err
	}
	return tx.moveExtensions(ctx, a)
}

// UpdateAssignment replaces before, the stored version, with after; ErrNotFound if the assignment was changed or
// deleted since. LockAssignment before reading it rules that out.
func (tx *Tx) UpdateAssignment(ctx context.Context, before, after studycircle.Assignment) (err error) {
	defer tx.operation(&err, "Tx.UpdateAssignment")
	engine.At(ctx, "changing an assignment")
	result, err := tx.DB.ExecContext(ctx, tables.UpdateAssignment.Text(1, tx.Engine.Placeholder),
		append(tables.Assignments.Values(&after, tables.AssignmentChanges), before.ID, before.UpdatedAt.UnixMicro())...)
	if err != nil {
		return err
	}
	if err := mustAffect(result.RowsAffected()); err != nil {
		return err
	}
	if !after.Due.Equal(before.Due) || after.LateLinks != before.LateLinks {
		// Work that is being handed in is late by the due date before.
		if err := tx.seal(ctx, tables.AssignmentRow, before.ID); err != nil {
			return err
		}
		if err := tx.moveExtensions(ctx, after); err != nil {
			return err
		}
		if err := tx.judgeLate(ctx, after, ""); err != nil {
			return err
		}
	}
	if !after.Due.Equal(before.Due) {
		if err := tx.lock(ctx, tables.RemindersFor, before.ID); err != nil {
			return err
		}
		if err := tx.Queries.ReviseReminders(ctx, db.ReviseRemindersParams{
			AssignmentID: before.ID, RevisedAt: micros(after.UpdatedAt),
		}); err != nil {
			return err
		}
		if err := tx.Queries.PlanLinks(ctx, db.PlanLinksParams{
			AssignmentID: optionalText(before.ID), Now: micros(after.UpdatedAt),
		}); err != nil {
			return err
		}
		if err := tx.notifyCircle(ctx, studycircle.NotifyMoved, after, after.UpdatedAt); err != nil {
			return err
		}
	}
	if after.ChangesDuty(before) {
		if err := tx.lock(ctx, tables.RemindersFor, before.ID); err != nil {
			return err
		}
		if err := tx.Queries.ReplanRemindersOf(ctx, before.ID); err != nil {
			return err
		}
	}
	tables.AnnounceAssignment(tx, studycircle.AssignmentUpdated, before.CircleID, before.ID)
	tx.Count(tables.LevelScope(before.CircleID, before.Level), before.Seq, -1)
	tx.Count(tables.LevelScope(before.CircleID, after.Level), before.Seq, 1)
	if err := tx.moveWork(ctx, tables.BasisOf(before), tables.BasisOf(after)); err != nil {
		return err
	}
	doc := tables.AssignmentDoc(after)
	if doc.Equal(tables.AssignmentDoc(before)) {
		return nil
	}
	// The name may have changed since before was read.
	if err := tx.Queries.PutStale(ctx, before.Seq); err != nil {
		return err
	}
	return tx.Index(ctx, engine.Change{
		Index: tables.AssignmentIndex(before.CircleID), Place: before.Seq, Old: true, Put: true, Doc: doc,
	})
}

// DeleteAssignment deletes an assignment; submissions for it stay. ErrNotFound.
func (tx *Tx) DeleteAssignment(ctx context.Context, id string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.DeleteAssignment", id)
	return tx.deleteAssignment(ctx, id, now, false)
}

// deleteAssignment also takes whether notifications of submissions still show its title.
func (tx *Tx) deleteAssignment(ctx context.Context, id string, now time.Time, title bool) error {
	row, err := tx.Queries.DeleteAssignment(ctx, db.DeleteAssignmentParams{ID: id, DeletedAt: optionalMicros(now)})
	if err != nil {
		return err
	}
	tables.AnnounceAssignment(tx, studycircle.AssignmentDeleted, row.CircleID, id)
	tx.Count(tables.LevelScope(row.CircleID, studycircle.Level(row.Level)), row.Seq, -1)
	of := tables.Basis{
		ID: id, Seq: row.Seq, CreatorID: row.CreatorID.String, Level: studycircle.Level(row.Level),
		DueAt: row.DueAt, CircleID: row.CircleID,
	}
	if err := tx.moveWork(ctx, of, of.Gone()); err != nil {
		return err
	}
	if err := tx.forgetNotifications(ctx, id, title); err != nil {
		return err
	}
	return tx.Index(ctx, engine.Change{Index: tables.AssignmentIndex(row.CircleID), Place: row.Seq, Old: true})
}
