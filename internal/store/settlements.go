package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// Settle stores how a submission got its mark, and the mark. A mark that is new is of
// the day: its instant would tell when the last review came. creatorID is the
// assignment's creator, who is told; "" for nobody.
func (tx *Tx) Settle(ctx context.Context, submissionID, creatorID string, st studycircle.Settlement, feedback studycircle.Feedback) error {
	if err := tx.insertSettlement(ctx, submissionID, st); err != nil {
		return err
	}
	row, err := findIn(ctx, tx, tables.Submissions, tables.SubmissionByID, submissionID)
	if err != nil {
		return err
	}
	first := row.Status == studycircle.Pending
	if first {
		tables.CountSubmission(tx, row, studycircle.Pending, -1)
		tables.CountSubmission(tx, row, studycircle.Completed, 1)
	}
	row.CreatorID = creatorID
	row.Status = studycircle.Completed
	grade := studycircle.Grade{Mark: st.Mark, Feedback: feedback.Text, HTML: feedback.HTML, MarkedAt: studycircle.StartOfDay(studycircle.Day(st.At))}
	if row.Grade != nil {
		grade.GraderID = row.Grade.GraderID // who graded it once is recorded for good
		if grade.Mark == row.Grade.Mark {
			grade.MarkedAt = row.Grade.MarkedAt
		}
	}
	row.Grade = &grade
	values := append(tables.Submissions.Values(&row, tables.GradeColumns), submissionID)
	_, err = tx.Later.DB.ExecContext(ctx, tables.SettleSubmission(tx.Engine.Placeholder), values...)
	if err != nil {
		return tx.Classify(err)
	}
	tables.AnnounceSettled(tx, row)
	tx.Notify(tables.SettledNotice(row, first, st.At))
	return nil
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
