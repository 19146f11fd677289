package store

import (
	"context"
	"database/sql"
	"errors"

	"studycircle"
	"studycircle/internal/store/db"
)

// Submission returns a submission, whatever its status, or ErrNotFound.
func (tx *Tx) Submission(ctx context.Context, id string) (studycircle.Submission, error) {
	row, err := tx.query.GetSubmission(ctx, id)
	return toSubmission(row.Submission, row.SubmitterEmail, row.SubmitterName), classify(err)
}

// gradable returns what a grade is decided by, or ErrNotFound.
func (tx *Tx) gradable(ctx context.Context, id string) (studycircle.Gradable, error) {
	row, err := tx.query.GetGradable(ctx, id)
	return studycircle.Gradable{ID: row.ID, SubmitterID: row.SubmitterID, Marks: row.Marks, Status: studycircle.Status(row.Status)}, classify(err)
}

// PendingSubmissions returns a page of everybody's pending submissions, oldest
// first, and how many there are.
func (s *Store) PendingSubmissions(ctx context.Context, p studycircle.Page) (found []studycircle.Submission, total int64, err error) {
	err = s.read(ctx, func(ctx context.Context, src source) (err error) {
		found, total, err = s.pendingSubmissions(ctx, src, p)
		return err
	})
	return found, total, classify(err)
}

func (s *Store) pendingSubmissions(ctx context.Context, src source, p studycircle.Page) ([]studycircle.Submission, int64, error) {
	start, err := s.pages.locate(ctx, src, oldestFirst, p.Skip(), oneScope(scopePending), func(block int64) ([]int64, error) {
		return src.rows.pendingPositions(ctx, block)
	})
	if err != nil || !start.found {
		return nil, start.total, err
	}
	found, err := src.rows.pending(ctx, start, p.Limit)
	return found, start.total, err
}

// OwnSubmissions returns a page of a user's submissions, newest first, and how
// many there are. status may be empty for all.
func (s *Store) OwnSubmissions(ctx context.Context, userID string, status studycircle.Status, p studycircle.Page) (found []studycircle.Submission, total int64, err error) {
	err = s.read(ctx, func(ctx context.Context, src source) (err error) {
		found, total, err = s.ownSubmissions(ctx, src, userID, status, p)
		return err
	})
	return found, total, classify(err)
}

func (s *Store) ownSubmissions(ctx context.Context, src source, userID string, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error) {
	of := oneScope(ownScope(userID, status))
	if status == "" {
		of[0], of[1], of[2] = ownScope(userID, studycircle.Pending), ownScope(userID, studycircle.Completed), ownScope(userID, studycircle.Completed)
	}
	start, err := s.pages.locate(ctx, src, newestFirst, p.Skip(), of, func(block int64) ([]int64, error) {
		return src.rows.ownPositions(ctx, userID, status, block)
	})
	if err != nil || !start.found {
		return nil, start.total, err
	}
	found, err := src.rows.own(ctx, userID, status, start, p.Limit)
	return found, start.total, err
}

func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }

// InsertSubmission hands s in: CodeAlreadyPending where its submitter has one
// pending for the assignment, ErrAccountGone where the submitter is gone.
func (tx *Tx) InsertSubmission(ctx context.Context, s studycircle.Submission) error {
	no, err := tx.nextSubmissionNo(ctx, s.Submitter.UserID)
	if errors.Is(err, sql.ErrNoRows) {
		return studycircle.ErrAccountGone
	}
	if err != nil {
		return classify(err)
	}
	seq, err := tx.insertSubmissionRow(ctx, db.InsertSubmissionParams{
		ID: s.ID, AssignmentID: optionalText(s.AssignmentID), AssignmentTitle: s.AssignmentTitle, Marks: s.Marks,
		SubmitterID: optionalText(s.Submitter.UserID), SubmitterNo: no, DocsLink: s.DocsLink, Note: s.Note,
		SubmittedAt: micros(s.SubmittedAt), Late: s.Late,
	})
	if isUnique(err) {
		return errPending
	}
	if err != nil {
		return classify(err)
	}
	tx.handedIn(s.ID, s.Submitter.UserID, seq, no)
	return nil
}

func (tx *Tx) handedIn(id, submitterID string, seq, no int64) {
	tx.announceSubmission(studycircle.SubmissionPending, id, submitterID)
	tx.countSubmission(seq, submitterID, no, studycircle.Pending, 1)
}

var errPending = studycircle.Errorf(studycircle.CodeAlreadyPending,
	"You have handed this assignment in already. You can take it again once somebody has marked that.")

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
	place, err := tx.gradeRow(ctx, db.GradeSubmissionParams{
		ID: id, GivenMark: sql.NullInt64{Int64: g.Mark, Valid: true}, Feedback: nullText(g.Feedback),
		MarkedAt: optionalMicros(g.MarkedAt), GraderID: optionalText(g.GraderID),
	})
	switch {
	case isForeignKey(err):
		return studycircle.ErrAccountGone
	case errors.Is(err, sql.ErrNoRows):
		return tx.notPending(ctx, id)
	case err != nil:
		return classify(err)
	}
	tx.graded(id, place.SubmitterID.String, place.Seq, place.SubmitterNo)
	return nil
}

func (tx *Tx) graded(id, submitterID string, seq, no int64) {
	tx.announceSubmission(studycircle.SubmissionGraded, id, submitterID)
	tx.countSubmission(seq, submitterID, no, studycircle.Pending, -1)
	tx.countSubmission(seq, submitterID, no, studycircle.Completed, 1)
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
	submitters, err := tx.query.UpdateSubmission(ctx, db.UpdateSubmissionParams{ID: id, DocsLink: in.DocsLink, Note: in.Note})
	if err != nil {
		return classify(err)
	}
	if len(submitters) == 0 {
		return tx.notPending(ctx, id)
	}
	tx.announceSubmission(studycircle.SubmissionChanged, id, submitters[0].String)
	return nil
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
	tx.announceSubmission(studycircle.SubmissionWithdrawn, id, rows[0].SubmitterID.String)
	tx.countSubmission(rows[0].Seq, rows[0].SubmitterID.String, rows[0].SubmitterNo, studycircle.Pending, -1)
	return nil
}
