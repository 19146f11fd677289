package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// Settle stores how a submission got its mark, and the mark. A new mark carries the day
// and not the instant, which would reveal when the last review came.
func (tx *Tx) Settle(ctx context.Context, submissionID string, st studycircle.Settlement, feedback studycircle.Feedback) error {
	if err := tx.insertSettlement(ctx, submissionID, st); err != nil {
		return err
	}
	row, err := tx.settled(ctx, submissionID)
	if err != nil {
		return err
	}
	before := row.Grade
	if before == nil {
		tables.CountSubmission(tx, row, studycircle.Pending, -1)
		tables.CountSubmission(tx, row, studycircle.Completed, 1)
	} else {
		tables.CountGrade(tx, row.Basis, row, -1)
	}
	grade := studycircle.Grade{Mark: st.Mark, Feedback: feedback.Text, HTML: feedback.HTML, MarkedAt: studycircle.StartOfDay(studycircle.Day(st.At))}
	if before != nil {
		grade.GraderID = before.GraderID // the first grader is recorded for good
		if grade.Mark == before.Mark {
			grade.MarkedAt = before.MarkedAt
		}
	}
	row.Status, row.Grade = studycircle.Completed, &grade
	values := append(tables.Submissions.Values(&row, tables.GradeColumns), submissionID)
	if _, err := tx.Later.DB.ExecContext(ctx, tables.SettleSubmission(tx.Engine.Placeholder), values...); err != nil {
		return tx.Classify(err)
	}
	tables.CountGrade(tx, row.Basis, row, 1)
	tables.AnnounceSettled(tx, row)
	tx.Notify(tables.SettledNotice(row, before == nil, st.At))
	if before == nil {
		return tx.Classify(tables.PutAttempt(ctx, tx.Tx, row, 0))
	}
	return tx.takeAnew(ctx, row.Submitter.UserID, row.Basis)
}

// settled returns the submission that is about to be settled, without its texts, with
// its assignment's basis, which it shares.
func (tx *Tx) settled(ctx context.Context, id string) (row tables.SubmissionRow, err error) {
	if err := tx.Engine.LockRows(ctx, tx.Tx, "submissions", "id = $1", id); err != nil {
		return row, tx.Classify(err)
	}
	if err := tx.Engine.ShareRows(ctx, tx.Tx, "assignments", "id = (SELECT s.assignment_id FROM submissions s WHERE s.id = $1)", id); err != nil {
		return row, tx.Classify(err)
	}
	r, err := tx.Queries.SubmissionToSettle(ctx, id)
	if err != nil {
		return row, tx.Classify(err)
	}
	row.ID, row.AssignmentID, row.AssignmentTitle, row.Marks, row.Reviews = id, r.AssignmentID, r.AssignmentTitle, r.Marks, r.ReviewsNeeded
	row.Seq, row.No, row.Submitter.UserID, row.Status, row.SubmittedAt = r.Seq, r.SubmitterNo, r.SubmitterID.String, studycircle.Status(r.Status), instant(r.SubmittedAt)
	if r.GivenMark.Valid {
		row.Grade = &studycircle.Grade{Mark: r.GivenMark.Int64, MarkedAt: optionalInstant(r.MarkedAt), GraderID: r.GraderID.String}
	}
	row.Basis = tables.Basis{
		ID: r.AssignmentID, Seq: r.AssignmentSeq, CreatorID: r.CreatorID.String, Level: studycircle.Level(r.Level), DueAt: r.DueAt, Deleted: r.DeletedAt.Valid,
	}
	return row, nil
}

// creatorOf is the id of an assignment's creator, "" where the account is gone or
// nobody knows the assignment.
func (tx *Tx) creatorOf(ctx context.Context, assignmentID string) (string, error) {
	if assignmentID == "" {
		return "", nil
	}
	a, err := tx.AnyAssignment(ctx, assignmentID)
	return a.Creator.UserID, err
}

func (tx *Tx) insertSettlement(ctx context.Context, submissionID string, st studycircle.Settlement) error {
	return tx.Classify(tx.Later.InsertSettlement(ctx, db.InsertSettlementParams{
		SubmissionID: submissionID, At: micros(st.At), DecidedBy: string(st.By), Reason: string(st.Reason), Words: st.Words, Mark: st.Mark, Model: st.Model,
	}))
}

func toSettlements(rows []db.Settlement, err error) ([]studycircle.Settlement, error) {
	out := make([]studycircle.Settlement, len(rows))
	for i, r := range rows {
		out[i] = studycircle.Settlement{
			N: r.N, At: instant(r.At), By: studycircle.SettledBy(r.DecidedBy), Reason: studycircle.SettleReason(r.Reason),
			Words: r.Words, Mark: r.Mark, Model: r.Model,
		}
	}
	return out, err
}

// Settlements returns how a submission got its mark, oldest first.
func (s *Store) Settlements(ctx context.Context, submissionID string) ([]studycircle.Settlement, error) {
	rows, err := toSettlements(s.engine.Queries().SettlementsOf(ctx, submissionID))
	return rows, s.classify(err)
}

// Settlements returns how a submission got its mark, oldest first.
func (tx *Tx) Settlements(ctx context.Context, submissionID string) ([]studycircle.Settlement, error) {
	rows, err := toSettlements(tx.Queries.SettlementsOf(ctx, submissionID))
	return rows, tx.Classify(err)
}
