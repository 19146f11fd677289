package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// The most frequent statements of writes.
const (
	savepoint = "SAVEPOINT job"
	release   = "RELEASE job"
)

var (
	insertAssignment = tables.Assignments.Insert(" RETURNING seq").Text(1, question)
	insertSubmission = tables.InsertSubmission.Text(1, question)
	nameOf           = "SELECT display_name FROM users WHERE id = ?"
	insertNotice     = tables.Notices.Insert("").Text(1, question)
	putTaken         = tables.PutTaken.Text(1, question)
	gradeSubmission  = tables.Submissions.Update(tables.GradeColumns, "id = ? AND status = 'pending'").Text(1, question)
	settleSubmission = tables.SettleSubmission.Text(1, question)
)

func question(int) string { return "?" }

// Publish implements engine.Writer.
func (d *DB) Publish(ctx context.Context, a studycircle.Assignment, u limit.Use, may func(studycircle.OwnCircle) error) error {
	doc := tables.AssignmentDoc(a) // here, where requests run concurrently
	return d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		own, err := tables.OwnCircle(ctx, tx, a.CircleID, a.Creator.UserID)
		if err != nil {
			return err
		}
		if err := may(own); err != nil {
			return err
		}
		if err := spend(ctx, tx, u); err != nil {
			return err
		}
		t := tables.Assignments
		err = tx.DB.QueryRowContext(ctx, insertAssignment, t.Values(&a, t.Inserted)...).Scan(&a.Seq)
		if d.Fault(err) == engine.Reference {
			return studycircle.ErrNotFound
		}
		if err != nil {
			return err
		}
		var name string
		err = tx.DB.QueryRowContext(ctx, nameOf, a.Creator.UserID).Scan(&name)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return tables.Published(ctx, tx, a, doc.With(name))
	})
}

// Submit implements engine.Writer.
func (d *DB) Submit(ctx context.Context, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error)) error {
	return d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		a := tables.Assignments.Collect(1)
		if err := tx.Find(ctx, v, tables.AssignmentByID, assignmentID, a); err != nil {
			return err
		}
		if len(a.All) == 0 {
			return studycircle.ErrNotFound
		}
		own, err := tables.OwnCircle(ctx, tx, a.All[0].CircleID, v.UserID())
		if err != nil {
			return err
		}
		s, err := decide(own, a.All[0])
		if err != nil {
			return err
		}
		if err := spend(ctx, tx, u); err != nil {
			return err
		}
		_, err = tables.HandIn(ctx, tx, s, tables.BasisOf(a.All[0]))
		return err
	})
}

// Grade implements engine.Writer.
func (d *DB) Grade(ctx context.Context, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Gradable) (studycircle.Grade, error)) error {
	return d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		found := tables.Submissions.Collect(1)
		if err := tx.Find(ctx, v, tables.SubmissionByID, submissionID, found); err != nil {
			return err
		}
		if len(found.All) == 0 {
			return studycircle.ErrNotFound
		}
		row := found.All[0]
		own, err := tables.OwnCircle(ctx, tx, row.CircleID, v.UserID())
		if err != nil {
			return err
		}
		g, err := decide(own, tables.GradableOf(row))
		if err != nil {
			return err
		}
		if err := spend(ctx, tx, u); err != nil {
			return err
		}
		if row.Status != studycircle.Pending {
			return tables.ErrGraded
		}
		row.Status, row.Grade = studycircle.Completed, &g
		_, err = tx.DB.ExecContext(ctx, gradeSubmission, append(tables.Submissions.Values(&row, tables.GradeColumns), row.ID)...)
		if d.Fault(err) == engine.Reference {
			return studycircle.ErrAccountGone
		}
		if err != nil {
			return err
		}
		if row.Basis, err = tables.FindBasis(ctx, tx, row.AssignmentID); err != nil {
			return err
		}
		return tables.Graded(ctx, tx, row)
	})
}

// spend counts a use, unless u is zero.
func spend(ctx context.Context, tx *engine.Tx, u limit.Use) error {
	if u.None() {
		return nil
	}
	return tx.Spend(ctx, u.Window, u.Subject, u.At)
}
