package store

import (
	"context"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// Submission returns a submission, whatever its status, or ErrNotFound.
func (tx *Tx) Submission(ctx context.Context, id string) (studycircle.Submission, error) {
	row, err := findIn(ctx, tx, tables.Submissions, tables.SubmissionByID, id)
	return row.Submission, err
}

// PendingSubmissions returns a page of everybody's pending submissions, oldest
// first, and how many there are.
func (s *Store) PendingSubmissions(ctx context.Context, p studycircle.Page) ([]studycircle.PendingSubmission, int64, error) {
	rows, total, err := page(ctx, s, tables.Submissions, tables.PendingSubmissions, nil, pages.Of(tables.PendingScope), p)
	if err != nil || len(rows) == 0 {
		return nil, total, err
	}
	due, err := s.dueDates(ctx, rows)
	out := make([]studycircle.PendingSubmission, len(rows))
	for i := range rows {
		out[i] = studycircle.PendingSubmission{Submission: rows[i].Submission, Due: due[rows[i].AssignmentID]}
	}
	return out, total, err
}

// dueDates returns, by id, those of the submissions' assignments that live.
func (s *Store) dueDates(ctx context.Context, rows []tables.SubmissionRow) (map[string]studycircle.DueDate, error) {
	due := make(map[string]studycircle.DueDate, len(rows))
	var ids []any
	for i := range rows {
		id := rows[i].AssignmentID
		if _, asked := due[id]; !asked && id != "" {
			due[id], ids = studycircle.DueDate{}, append(ids, id)
		}
	}
	if len(ids) == 0 {
		return due, nil
	}
	found := tables.Assignments.Collect(int64(len(ids)))
	if err := s.engine.Find(ctx, tables.AssignmentByID, ids, found); err != nil {
		return nil, s.classify(err)
	}
	for _, a := range found.All {
		due[a.ID] = a.Due
	}
	return due, nil
}

// OwnSubmissions returns a page of a user's submissions, newest first, and how
// many there are. status may be empty for all.
func (s *Store) OwnSubmissions(ctx context.Context, userID string, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error) {
	list, args, in := tables.OwnSubmissionsOfStatus, []any{userID, string(status)}, pages.Of(tables.OwnScope(userID, status))
	if status == "" {
		list, args = tables.OwnSubmissions, args[:1]
		in = pages.Of(tables.OwnScope(userID, studycircle.Pending), tables.OwnScope(userID, studycircle.Completed))
	}
	rows, total, err := page(ctx, s, tables.Submissions, list, args, in, p)
	return submissionsOf(rows), total, err
}

func submissionsOf(rows []tables.SubmissionRow) []studycircle.Submission {
	out := make([]studycircle.Submission, len(rows))
	for i := range rows {
		out[i] = rows[i].Submission
	}
	return out
}

// Submit hands in what decide makes of a live assignment, counts u with it and
// returns once that is durable. An error of decide is returned, and nothing is
// written or counted; ErrNotFound, CodeRateLimited, CodeAlreadyPending,
// ErrAccountGone. decide may run again, beside others, and must keep nothing.
func (s *Store) Submit(ctx context.Context, assignmentID string, u limit.Use, decide func(studycircle.Assignment) (studycircle.Submission, error)) error {
	return s.classify(s.engine.Submit(ctx, assignmentID, u, decide))
}

// Grade grades a pending submission as decide says, counts u with it and returns
// once that is durable. An error of decide is returned, and nothing is written or
// counted; ErrNotFound, CodeRateLimited, CodeAlreadyGraded, ErrAccountGone. decide
// may run again, beside others, and must keep nothing.
func (s *Store) Grade(ctx context.Context, submissionID string, u limit.Use, decide func(studycircle.Gradable) (studycircle.Grade, error)) error {
	return s.classify(s.engine.Grade(ctx, submissionID, u, decide))
}

// notPending tells why a submission that was read as pending is so no longer:
// another transaction graded it, or removed it.
func (tx *Tx) notPending(ctx context.Context, id string) error {
	if _, err := tx.Submission(ctx, id); err != nil {
		return err
	}
	return tables.ErrGraded
}

// UpdateSubmission changes link and note of what is still pending; CodeAlreadyGraded.
func (tx *Tx) UpdateSubmission(ctx context.Context, id string, in studycircle.SubmissionInput) error {
	submitters, err := tx.Queries.UpdateSubmission(ctx, db.UpdateSubmissionParams{ID: id, DocsLink: in.DocsLink, Note: in.Note})
	if err != nil {
		return tx.Classify(err)
	}
	if len(submitters) == 0 {
		return tx.notPending(ctx, id)
	}
	tables.AnnounceSubmission(tx, studycircle.SubmissionChanged, id, submitters[0].String)
	return nil
}

// WithdrawSubmission removes what is still pending; CodeAlreadyGraded.
func (tx *Tx) WithdrawSubmission(ctx context.Context, id string) error {
	rows, err := tx.Queries.DeletePendingSubmission(ctx, id)
	if err != nil {
		return tx.Classify(err)
	}
	if len(rows) == 0 {
		return tx.notPending(ctx, id)
	}
	gone := tables.SubmissionRow{Seq: rows[0].Seq, No: rows[0].SubmitterNo}
	gone.Submitter.UserID = rows[0].SubmitterID.String
	tables.AnnounceSubmission(tx, studycircle.SubmissionWithdrawn, id, gone.Submitter.UserID)
	tables.AnnounceResults(tx, rows[0].AssignmentID.String, rows[0].CreatorID.String)
	tables.CountSubmission(tx, gone, studycircle.Pending, -1)
	return nil
}
