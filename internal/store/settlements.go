package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// settle stores a settlement and its mark. A new mark carries the day instead of the instant, which would reveal when
// the last review came.
func (tx *Tx) settle(ctx context.Context, c studycircle.ReviewCase, st studycircle.Settlement) error {
	if err := tx.insertSettlement(ctx, c.Submission.ID, st); err != nil {
		return err
	}
	row := tables.SubmissionRow{Submission: c.Submission, Seq: c.Seq, No: c.No, Basis: tables.BasisOf(c.Assignment)}
	row.Basis.Deleted = !c.Live
	before := row.Grade
	if before != nil {
		tables.CountGrade(tx, row.Basis, row, -1)
	}
	said := studycircle.FeedbackOf(c.Reviews)
	grade := studycircle.Grade{
		Mark: st.Mark, Feedback: said.Text, HTML: said.HTML, MarkedAt: studycircle.StartOfDay(studycircle.Day(st.At)),
	}
	if before != nil {
		grade.GraderID = before.GraderID // the first grader stays on record
		if grade.Mark == before.Mark {
			grade.MarkedAt = before.MarkedAt
		}
	}
	row.Status, row.Grade = studycircle.Completed, &grade
	values := append(tables.Submissions.Values(&row, tables.GradeColumns), row.ID)
	if _, err := tx.Later.DB.ExecContext(
		ctx, tables.SettleSubmission.Text(1, tx.Engine.Placeholder), values...,
	); err != nil {
		return err
	}
	tables.AnnounceSettled(tx, row)
	tx.Notify(tables.SettledNotice(row, before == nil, st.At))
	if before == nil {
		return tables.Marked(ctx, tx.Tx, row)
	}
	tables.CountGrade(tx, row.Basis, row, 1)
	return tx.takeAnew(ctx, row.Submitter.UserID, row.Basis)
}

func (tx *Tx) insertSettlement(ctx context.Context, submissionID string, st studycircle.Settlement) error {
	return tx.Later.InsertSettlement(ctx, db.InsertSettlementParams{
		SubmissionID: submissionID, At: micros(st.At), DecidedBy: string(st.By), Reason: string(st.Reason), Words: st.Words,
		Mark: st.Mark, Model: st.Model, DeciderID: optionalText(st.DeciderID), Levels: tables.LevelsText(st.Levels),
	})
}

func toSettlements(rows []db.SettlementsOfRow, err error) ([]studycircle.Settlement, error) {
	out := make([]studycircle.Settlement, len(rows))
	for i, r := range rows {
		out[i] = studycircle.Settlement{
			N: r.N, At: instant(r.At), By: studycircle.SettledBy(r.DecidedBy), Reason: studycircle.SettleReason(r.Reason),
			Words: r.Words, Mark: r.Mark, Model: r.Model, DeciderID: r.DeciderID.String, DeciderName: r.DeciderName,
			Levels: tables.ParseLevels(r.Levels),
		}
	}
	return out, err
}

// Settlements returns how a submission got its mark, oldest first.
func (s *Store) Settlements(ctx context.Context, submissionID string) (_ []studycircle.Settlement, err error) {
	defer s.operation(&err, "Store.Settlements", submissionID)
	return toSettlements(s.engine.Queries().SettlementsOf(ctx, submissionID))
}
