package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// Submission returns a submission, whatever its status, or ErrNotFound.
func (tx *Tx) Submission(ctx context.Context, id string) (_ studycircle.Submission, err error) {
	defer operation(&err, "Tx.Submission", id)
	row, err := findIn(ctx, tx, tx.viewer, tables.Submissions, tables.SubmissionByID, id)
	return row.Submission, err
}

// PendingSubmissions returns a page of a place's pending list and its length: first a row for each assignment with
// submissions open to review by several users, then all pending submissions, oldest first.
func (s *Store) PendingSubmissions(ctx context.Context, v studycircle.Viewer, circleID string, now time.Time, p studycircle.Page) (_ []studycircle.PendingSubmission, _ int64, err error) {
	defer operation(&err, "Store.PendingSubmissions")
	out, reviews, err := s.pendingReviews(ctx, v, circleID, now, p)
	if err != nil {
		return nil, 0, err
	}
	rows, graded, err := span(ctx, s, v, tables.Submissions, tables.PendingSubmissions, []any{circleID}, pages.Of(tables.PendingScope(circleID)), max(0, p.Skip()-reviews), p.Limit-int64(len(out)))
	if err != nil || len(rows) == 0 {
		return out, reviews + graded, err
	}
	due, err := s.dueDates(ctx, v, rows)
	out = slices.Grow(out, len(rows))
	for i := range rows {
		out = append(out, studycircle.PendingSubmission{Submission: rows[i].Submission, Due: due[rows[i].AssignmentID]})
	}
	return out, reviews + graded, err
}

// dueDates returns, by id, those of the submissions' assignments that live.
func (s *Store) dueDates(ctx context.Context, v studycircle.Viewer, rows []tables.SubmissionRow) (map[string]studycircle.DueDate, error) {
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
	found := tables.Assignments.CollectPage(int64(len(ids)))
	if err := s.engine.Find(ctx, v, tables.AssignmentByID, ids, found); err != nil {
		return nil, s.classify(err)
	}
	for _, a := range found.All {
		due[a.ID] = a.Due
	}
	return due, nil
}

// OwnSubmissions returns a page of a user's submissions, newest first, with the state of their reviews, and their
// number. An empty status selects all.
func (s *Store) OwnSubmissions(ctx context.Context, v studycircle.Viewer, status studycircle.Status, p studycircle.Page) (_ []studycircle.Submission, _ int64, err error) {
	defer operation(&err, "Store.OwnSubmissions")
	userID := v.UserID()
	list, args := tables.OwnSubmissionsOfStatus, []any{userID, string(status)}
	if status == "" {
		list, args = tables.OwnSubmissions, args[:1]
	}
	rows, total, err := ownPage(ctx, s, v, tables.Submissions, list, args, p)
	if err != nil {
		return nil, 0, err
	}
	out := submissionsOf(rows)
	return out, total, errors.Join(s.withReviewing(ctx, v, out), s.withLinks(ctx, v, out))
}

func submissionsOf(rows []tables.SubmissionRow) []studycircle.Submission {
	out := make([]studycircle.Submission, len(rows))
	for i := range rows {
		out[i] = rows[i].Submission
	}
	return out
}

// Submit stores the submission that decide returns for a live assignment, counts u with it, and returns once that is
// durable. If decide fails, it returns that error and neither writes nor counts. ErrNotFound, CodeRateLimited,
// CodeAlreadyPending, ErrAccountGone. decide may run again, concurrently with others, and must keep no state.
func (s *Store) Submit(ctx context.Context, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error)) (err error) {
	defer operation(&err, "Store.Submit", assignmentID)
	return s.admit(ctx, func() error { return s.classify(s.engine.Submit(ctx, v, assignmentID, u, decide)) })
}

// Grade stores the grade that decide returns for a pending submission, counts u with it, and returns once that is
// durable. If decide fails, it returns that error and neither writes nor counts. ErrNotFound, CodeRateLimited,
// CodeAlreadyGraded, ErrAccountGone. decide may run again, concurrently with others, and must keep no state.
func (s *Store) Grade(ctx context.Context, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Gradable) (studycircle.Grade, error)) (err error) {
	defer operation(&err, "Store.Grade", submissionID)
	return s.admit(ctx, func() error { return s.classify(s.engine.Grade(ctx, v, submissionID, u, decide)) })
}

// notPending returns why a submission that was read as pending is not any more: another transaction graded it, or
// removed it.
func (tx *Tx) notPending(ctx context.Context, id string) error {
	if _, err := tx.Submission(ctx, id); err != nil {
		return err
	}
	return tables.ErrGraded
}

// UpdateSubmission changes link and note of a pending submission; CodeAlreadyGraded.
func (tx *Tx) UpdateSubmission(ctx context.Context, id string, in studycircle.SubmissionInput) (err error) {
	defer operation(&err, "Tx.UpdateSubmission", id)
	submitters, err := tx.Queries.UpdateSubmission(ctx, db.UpdateSubmissionParams{ID: id, DocsLink: in.DocsLink, Note: in.Note})
	if err != nil {
		return tx.Classify(err)
	}
	if len(submitters) == 0 {
		return tx.notPending(ctx, id)
	}
	tables.AnnounceSubmission(tx, studycircle.SubmissionChanged, submitters[0].CircleID, id, submitters[0].SubmitterID.String, submitters[0].ReviewsNeeded)
	return nil
}

// WithdrawSubmission removes a pending submission; CodeAlreadyGraded.
func (tx *Tx) WithdrawSubmission(ctx context.Context, id string) (err error) {
	defer operation(&err, "Tx.WithdrawSubmission", id)
	rows, err := tx.Queries.DeletePendingSubmission(ctx, id)
	if err != nil {
		return tx.Classify(err)
	}
	if len(rows) == 0 {
		return tx.notPending(ctx, id)
	}
	gone := tables.SubmissionRow{Seq: rows[0].Seq, No: rows[0].SubmitterNo}
	gone.Submitter.UserID, gone.CircleID = rows[0].SubmitterID.String, rows[0].CircleID
	gone.Reviews = rows[0].ReviewsNeeded
	tables.AnnounceSubmission(tx, studycircle.SubmissionWithdrawn, gone.CircleID, id, gone.Submitter.UserID, gone.Reviews)
	// After the submission, in the order of hiding an assignment.
	if err := tx.share(ctx, tables.AssignmentRow, rows[0].AssignmentID); err != nil {
		return err
	}
	if gone.Basis, err = tables.FindBasis(ctx, tx.Tx, rows[0].AssignmentID.String); err != nil {
		return tx.Classify(err)
	}
	tables.AnnounceResults(tx, gone.CircleID, gone.Basis.ID, gone.Basis.CreatorID)
	tables.CountPending(tx, gone, -1)
	tables.CountWork(tx, gone.Basis, -1)
	return tx.takeAnew(ctx, gone.Submitter.UserID, gone.Basis)
}
