package store

import (
	"context"
	"database/sql"

	"studycircle/internal/store/db"
)

// SQLite makes a table for what RETURNING returns each time, which costs more than
// many a write does. What people do most is told there by other means: the place of
// a row that was just written is known, and nobody else writes between two
// statements of a transaction.

func (tx *Tx) insertAssignmentRow(ctx context.Context, row db.InsertAssignmentParams) (seq int64, err error) {
	if tx.lite == nil {
		return tx.query.InsertAssignment(ctx, row)
	}
	return tx.query.InsertAssignmentLite(ctx, db.InsertAssignmentLiteParams(row))
}

func (tx *Tx) insertSubmissionRow(ctx context.Context, row db.InsertSubmissionParams) (seq int64, err error) {
	if tx.lite == nil {
		return tx.query.InsertSubmission(ctx, row)
	}
	return tx.query.InsertSubmissionLite(ctx, db.InsertSubmissionLiteParams(row))
}

// nextSubmissionNo is sql.ErrNoRows where the user is gone.
func (tx *Tx) nextSubmissionNo(ctx context.Context, userID string) (no int64, err error) {
	if tx.lite == nil {
		return tx.query.NextSubmissionNo(ctx, userID)
	}
	if err := tx.query.NextSubmissionNoLite(ctx, userID); err != nil {
		return 0, err
	}
	return tx.query.SubmissionCount(ctx, userID)
}

// gradeRow returns where the submission is counted, or sql.ErrNoRows where it is
// not pending.
func (tx *Tx) gradeRow(ctx context.Context, row db.GradeSubmissionParams) (of db.SubmissionPlaceRow, err error) {
	if tx.lite == nil {
		of, err := tx.query.GradeSubmission(ctx, row)
		return db.SubmissionPlaceRow(of), err
	}
	graded, err := tx.query.GradeSubmissionLite(ctx, db.GradeSubmissionLiteParams(row))
	if err == nil && graded == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return of, err
	}
	return tx.query.SubmissionPlace(ctx, row.ID)
}
