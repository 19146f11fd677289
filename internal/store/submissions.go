package store

import (
	"context"
	"database/sql"

	"studycircle"
	"studycircle/internal/store/db"
)

// Submission returns a submission, whatever its status, or ErrNotFound.
func (tx *Tx) Submission(ctx context.Context, id string) (studycircle.Submission, error) {
	row, err := tx.query.GetSubmission(ctx, id)
	return toSubmission(row.Submission, row.SubmitterEmail, row.SubmitterName), classify(err)
}

// PendingSubmissions returns a page of everybody's pending submissions, oldest
// first, and how many there are.
func (s *Store) PendingSubmissions(ctx context.Context, p studycircle.Page) ([]studycircle.Submission, int64, error) {
	start, err := locate(ctx, s.query, oldestFirst, p.Skip(), scopePending)
	if err != nil || !start.found {
		return nil, start.total, classify(err)
	}
	rows, err := s.query.PendingSubmissionsUpFrom(ctx, db.PendingSubmissionsUpFromParams{
		Seq: start.from, RowSkip: start.skip, RowLimit: p.Limit,
	})
	out := make([]studycircle.Submission, len(rows))
	for i, r := range rows {
		out[i] = toSubmission(r.Submission, r.SubmitterEmail, r.SubmitterName)
	}
	return out, start.total, classify(err)
}

// OwnSubmissions returns a page of a user's submissions, newest first, and how
// many there are. status may be empty for all.
func (s *Store) OwnSubmissions(ctx context.Context, userID string, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error) {
	scopes := []scope{ownScope(userID, studycircle.Pending), ownScope(userID, studycircle.Completed)}
	if status != "" {
		scopes = []scope{ownScope(userID, status)}
	}
	start, err := locate(ctx, s.query, newestFirst, p.Skip(), scopes...)
	if err != nil || !start.found {
		return nil, start.total, classify(err)
	}
	if status == "" {
		rows, err := s.query.OwnSubmissionsDownFrom(ctx, db.OwnSubmissionsDownFromParams{
			SubmitterID: optionalText(userID), SubmitterNo: start.from, RowSkip: start.skip, RowLimit: p.Limit,
		})
		out := make([]studycircle.Submission, len(rows))
		for i, r := range rows {
			out[i] = toSubmission(r.Submission, nullText(r.SubmitterEmail), nullText(r.SubmitterName))
		}
		return out, start.total, classify(err)
	}
	rows, err := s.query.OwnSubmissionsOfStatusDownFrom(ctx, db.OwnSubmissionsOfStatusDownFromParams{
		SubmitterID: optionalText(userID), Status: string(status), SubmitterNo: start.from, RowSkip: start.skip, RowLimit: p.Limit,
	})
	out := make([]studycircle.Submission, len(rows))
	for i, r := range rows {
		out[i] = toSubmission(r.Submission, nullText(r.SubmitterEmail), nullText(r.SubmitterName))
	}
	return out, start.total, classify(err)
}

func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }

// InsertSubmission hands s in: CodeAlreadyPending where its submitter has one
// pending for the assignment, ErrNotFound where the submitter is gone.
func (tx *Tx) InsertSubmission(ctx context.Context, s studycircle.Submission) error {
	no, err := tx.query.NextSubmissionNo(ctx, s.Submitter.UserID)
	if err != nil {
		return classify(err)
	}
	seq, err := tx.query.InsertSubmission(ctx, db.InsertSubmissionParams{
		ID: s.ID, AssignmentID: optionalText(s.AssignmentID), AssignmentTitle: s.AssignmentTitle, Marks: s.Marks,
		SubmitterID: optionalText(s.Submitter.UserID), SubmitterNo: no, DocsLink: s.DocsLink, Note: s.Note,
		SubmittedAt: micros(s.SubmittedAt), Late: s.Late,
	})
	if isUnique(err) {
		return &studycircle.Error{
			Code: studycircle.CodeAlreadyPending, Err: err,
			Message: "You have handed this assignment in already. You can take it again once somebody has marked that.",
		}
	}
	if err != nil {
		return classify(err)
	}
	tx.countSubmission(seq, s.Submitter.UserID, no, studycircle.Pending, 1)
	return nil
}

// ImportSubmission stores s as it is; one whose id is known is left as it is. It
// tells whether the submission is new. CodeAlreadyPending as InsertSubmission.
func (tx *Tx) ImportSubmission(ctx context.Context, s studycircle.Submission) (bool, error) {
	params := db.ImportSubmissionParams{
		ID: s.ID, AssignmentID: optionalText(s.AssignmentID), AssignmentTitle: s.AssignmentTitle, Marks: s.Marks,
		SubmitterID: optionalText(s.Submitter.UserID), DocsLink: s.DocsLink, Note: s.Note,
		Status: string(s.Status), SubmittedAt: micros(s.SubmittedAt), Late: s.Late,
	}
	if s.Submitter.UserID != "" {
		var err error
		if params.SubmitterNo, err = tx.query.NextSubmissionNo(ctx, s.Submitter.UserID); err != nil {
			return false, classify(err)
		}
	}
	if s.Grade != nil {
		params.GivenMark = sql.NullInt64{Int64: s.Grade.Mark, Valid: true}
		params.Feedback = nullText(s.Grade.Feedback)
		params.MarkedAt = optionalMicros(s.Grade.MarkedAt)
	}
	seqs, err := tx.query.ImportSubmission(ctx, params)
	if isUnique(err) {
		return false, studycircle.Errorf(studycircle.CodeAlreadyPending, "the submitter has another pending submission for this assignment")
	}
	if err != nil || len(seqs) == 0 {
		return false, classify(err)
	}
	tx.countSubmission(seqs[0], s.Submitter.UserID, params.SubmitterNo, s.Status, 1)
	return true, nil
}

func (tx *Tx) countSubmission(seq int64, userID string, no int64, st studycircle.Status, n int64) {
	if st == studycircle.Pending {
		tx.count(scopePending, seq, n)
	}
	if userID != "" {
		tx.count(ownScope(userID, st), no, n)
	}
}

// GradeSubmission stores g if the submission is still pending, in one atomic
// step; CodeAlreadyGraded or ErrNotFound otherwise, ErrAccountGone for the grader's.
func (tx *Tx) GradeSubmission(ctx context.Context, id string, g studycircle.Grade) error {
	rows, err := tx.query.GradeSubmission(ctx, db.GradeSubmissionParams{
		ID: id, GivenMark: sql.NullInt64{Int64: g.Mark, Valid: true}, Feedback: nullText(g.Feedback),
		MarkedAt: optionalMicros(g.MarkedAt), GraderID: optionalText(g.GraderID),
	})
	if isForeignKey(err) {
		return studycircle.ErrAccountGone
	}
	if err != nil {
		return classify(err)
	}
	if len(rows) == 0 {
		return tx.notPending(ctx, id)
	}
	r := rows[0]
	tx.countSubmission(r.Seq, r.SubmitterID.String, r.SubmitterNo, studycircle.Pending, -1)
	tx.countSubmission(r.Seq, r.SubmitterID.String, r.SubmitterNo, studycircle.Completed, 1)
	return nil
}

var errGraded = studycircle.Errorf(studycircle.CodeAlreadyGraded, "Someone has already marked this submission.")

// notPending tells why a submission that was read as pending is so no longer:
// another transaction graded it, or removed it.
func (tx *Tx) notPending(ctx context.Context, id string) error {
	if _, err := tx.Submission(ctx, id); err != nil {
		return err
	}
	return errGraded
}

// UpdateSubmission changes link and note of what is still pending; CodeAlreadyGraded.
func (tx *Tx) UpdateSubmission(ctx context.Context, id string, in studycircle.SubmissionInput) error {
	n, err := tx.query.UpdateSubmission(ctx, db.UpdateSubmissionParams{ID: id, DocsLink: in.DocsLink, Note: in.Note})
	if err == nil && n == 0 {
		return tx.notPending(ctx, id)
	}
	return classify(err)
}

// WithdrawSubmission removes what is still pending; CodeAlreadyGraded.
func (tx *Tx) WithdrawSubmission(ctx context.Context, id string) error {
	rows, err := tx.query.DeletePendingSubmission(ctx, id)
	if err != nil {
		return classify(err)
	}
	if len(rows) == 0 {
		return tx.notPending(ctx, id)
	}
	tx.countSubmission(rows[0].Seq, rows[0].SubmitterID.String, rows[0].SubmitterNo, studycircle.Pending, -1)
	return nil
}
