package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// Submission returns a submission, whatever its status, or ErrNotFound.
func (tx *Tx) Submission(ctx context.Context, id string) (_ studycircle.Submission, err error) {
	defer tx.operation(&err, "Tx.Submission", id)
	row, err := findIn(ctx, tx, tx.viewer, tables.Submissions, tables.SubmissionByID, id)
	return row.Submission, err
}

// PendingSubmissions returns a page of a place's pending list and its length: first a row for each assignment with
// submissions open to review by several users, then all pending submissions, oldest first.
func (s *Store) PendingSubmissions(
	ctx context.Context, v studycircle.Viewer, circleID string, now time.Time, p studycircle.Page,
) (_ []studycircle.PendingSubmission, _ int64, err error) {
	defer s.operation(&err, "Store.PendingSubmissions")
	out, reviews, err := s.pendingReviews(ctx, v, circleID, now, p)
	if err != nil {
		return nil, 0, err
	}
	rows, graded, err := span(
		ctx, s, v, tables.Submissions, tables.PendingSubmissions, []any{circleID}, pages.Of(tables.PendingScope(circleID)),
		max(0, p.Skip()-reviews), p.Limit-int64(len(out)),
	)
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
func (s *Store) dueDates(
	ctx context.Context, v studycircle.Viewer, rows []tables.SubmissionRow,
) (map[string]studycircle.DueDate, error) {
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
		return nil, err
	}
	for _, a := range found.All {
		due[a.ID] = a.Due
	}
	return due, nil
}

// OwnSubmissions returns a page of a user's submissions, newest first, with the state of their reviews, and their
// number. An empty status selects all.
func (s *Store) OwnSubmissions(
	ctx context.Context, v studycircle.Viewer, status studycircle.Status, p studycircle.Page,
) (_ []studycircle.Submission, _ int64, err error) {
	defer s.operation(&err, "Store.OwnSubmissions")
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
	return out, total, s.describeOwn(ctx, v, out)
}

// describeOwn adds the state of their reviews and links to a user's submissions.
func (s *Store) describeOwn(ctx context.Context, v studycircle.Viewer, subs []studycircle.Submission) error {
	return errors.Join(s.withReviewing(ctx, v, subs), s.withLinks(ctx, v, subs))
}

func submissionsOf(rows []tables.SubmissionRow) []studycircle.Submission {
	out := make([]studycircle.Submission, len(rows))
	for i := range rows {
		out[i] = rows[i].Submission
	}
	return out
}

// HoldToSubmit returns the live assignment that the viewer is about to hand in for, and the viewer's circle, zero as
// for OwnCircle; ErrNotFound. Until tx ends it locks the viewer's account, whose submissions are numbered, and shares
// the circle, the membership and the assignment: no settings change between the decision and the submission.
func (tx *Tx) HoldToSubmit(
	ctx context.Context, assignmentID string,
) (in studycircle.OwnCircle, a studycircle.Assignment, err error) {
	defer tx.operation(&err, "Tx.HoldToSubmit", assignmentID)
	if err := tx.lock(ctx, tables.UserRow, tx.viewer.UserID()); err != nil {
		return in, a, err
	}
	var s tables.Standing
	if err := tx.Engine.Ask(ctx, tx.Tx, &s, tables.HeldUnderAssignment, assignmentID, tx.viewer.UserID()); err != nil {
		return in, a, err
	}
	if err := tx.share(ctx, tables.AssignmentRow, assignmentID); err != nil {
		return in, a, err
	}
	a, err = tx.Assignment(ctx, assignmentID)
	return s.Own(), a, err
}

// HandIn stores a submission for an assignment, after HoldToSubmit, and returns its position; CodeAlreadyPending,
// ErrAccountGone.
func (tx *Tx) HandIn(ctx context.Context, s studycircle.Submission, a studycircle.Assignment) (seq int64, err error) {
	defer tx.operation(&err, "Tx.HandIn")
	engine.At(ctx, "handing in")
	row, err := tables.HandIn(ctx, tx.Tx, s, tables.BasisOf(a))
	return row.Seq, err
}

// Grade stores the grade of a case that is a pending submission without reviews; CodeAlreadyGraded, ErrAccountGone.
func (tx *Tx) Grade(ctx context.Context, c studycircle.ReviewCase, g studycircle.Grade) (err error) {
	defer tx.operation(&err, "Tx.Grade", c.Submission.ID)
	engine.At(ctx, "grading")
	return tables.Grade(ctx, tx.Tx, tables.SubmissionRow{Submission: c.Submission, Seq: c.Seq, No: c.No}, g)
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
	defer tx.operation(&err, "Tx.UpdateSubmission", id)
	submitters, err := tx.Queries.UpdateSubmission(ctx, db.UpdateSubmissionParams{
		ID: id, DocsLink: in.DocsLink, Note: in.Note,
	})
	if err != nil {
		return err
	}
	if len(submitters) == 0 {
		return tx.notPending(ctx, id)
	}
	engine.At(ctx, "changing a submission")
	tables.AnnounceSubmission(
		tx, studycircle.SubmissionChanged, submitters[0].CircleID, id,
		submitters[0].SubmitterID.String, submitters[0].ReviewsNeeded,
	)
	return nil
}

// WithdrawSubmission removes a pending submission; CodeAlreadyGraded.
func (tx *Tx) WithdrawSubmission(ctx context.Context, id string) (err error) {
	defer tx.operation(&err, "Tx.WithdrawSubmission", id)
	if err := tx.share(ctx, tables.AssignmentOfSubmission, id); err != nil {
		return err
	}
	rows, err := tx.Queries.DeletePendingSubmission(ctx, id)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return tx.notPending(ctx, id)
	}
	engine.At(ctx, "withdrawing a submission")
	return tx.withdrawn(ctx, id, rows[0])
}

// EndSubmission ends a pending submission without a mark, after DiscardReviewing: it stays in its submitter's history.
// CodeAlreadyGraded.
func (tx *Tx) EndSubmission(
	ctx context.Context, id string, as studycircle.Status, reason string, now time.Time,
) (err error) {
	defer tx.operation(&err, "Tx.EndSubmission", id)
	if err := tx.share(ctx, tables.AssignmentOfSubmission, id); err != nil {
		return err
	}
	rows, err := tx.Queries.EndSubmission(ctx, db.EndSubmissionParams{
		ID: id, Status: string(as), EndedAt: optionalMicros(now), EndReason: reason,
	})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return tx.notPending(ctx, id)
	}
	engine.At(ctx, "ending a submission")
	return tx.withdrawn(ctx, id, db.DeletePendingSubmissionRow(rows[0]))
}

// withdrawn records the effects of a pending submission that is no longer one.
func (tx *Tx) withdrawn(ctx context.Context, id string, row db.DeletePendingSubmissionRow) (err error) {
	gone := tables.SubmissionRow{Seq: row.Seq, No: row.SubmitterNo}
	gone.Submitter.UserID, gone.CircleID = row.SubmitterID.String, row.CircleID
	gone.Reviews = row.ReviewsNeeded
	tables.AnnounceSubmission(tx, studycircle.SubmissionWithdrawn, gone.CircleID, id, gone.Submitter.UserID, gone.Reviews)
	if gone.Basis, err = tables.FindBasis(ctx, tx.Tx, row.AssignmentID.String); err != nil {
		return err
	}
	tables.AnnounceResults(tx, gone.CircleID, gone.Basis.ID, gone.Basis.CreatorID)
	tables.CountPending(tx, gone, -1)
	tables.CountWork(tx, gone.Basis, -1)
	return tx.takeAnew(ctx, gone.Submitter.UserID, gone.Basis)
}

// EarlierAttempts returns the attempts of a submission's submitter for its assignment that ended without a mark, oldest
// first.
func (s *Store) EarlierAttempts(
	ctx context.Context, sub studycircle.Submission,
) (out []studycircle.EarlierAttempt, err error) {
	defer s.operation(&err, "Store.EarlierAttempts")
	if sub.AssignmentID == "" || sub.Submitter.UserID == "" {
		return nil, nil
	}
	rows, err := s.engine.Queries().EarlierAttempts(ctx, db.EarlierAttemptsParams{
		AssignmentID: sub.AssignmentID, SubmitterID: sub.Submitter.UserID,
	})
	for _, r := range rows {
		out = append(out, studycircle.EarlierAttempt{
			Status: studycircle.Status(r.Status), HandedInAt: instant(r.SubmittedAt), EndedAt: instantOrNone(r.EndedAt),
			Reason: r.EndReason, Reviews: r.Reviews,
		})
	}
	return out, err
}
