package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// LockAssignment locks an assignment and its exemplars until tx ends.
// It returns ErrNotFound, before it waits for other transactions, if the viewer does not see the assignment.
func (tx *Tx) LockAssignment(ctx context.Context, id string) (err error) {
	defer tx.operation(&err, "Tx.LockAssignment", id)
	if _, _, err := tx.Discussion(ctx, id); err != nil {
		return err
	}
	return tx.lock(ctx, tables.AssignmentRow, id)
}

// ShareAssignment shares an assignment until tx ends: meanwhile it is neither deleted nor hidden. ErrNotFound, as
// LockAssignment.
func (tx *Tx) ShareAssignment(ctx context.Context, id string) (err error) {
	defer tx.operation(&err, "Tx.ShareAssignment", id)
	if _, _, err := tx.Discussion(ctx, id); err != nil {
		return err
	}
	return tx.share(ctx, tables.AssignmentRow, id)
}

// InsertExemplar adds an exemplar of an assignment by its title.
func (tx *Tx) InsertExemplar(ctx context.Context, e studycircle.Exemplar, title string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.InsertExemplar")
	row := tables.SubmissionRow{Submission: studycircle.Submission{
		ID: e.ID, AssignmentTitle: title, Marks: e.Total, DocsLink: e.DocsLink, Note: e.Note, Status: studycircle.Sample,
		SubmittedAt: now, Reviews: 1, CircleID: e.CircleID,
	}}
	if _, err := tx.DB.ExecContext(ctx, tables.InsertSubmission.Text(1, tx.Engine.Placeholder), tables.Submissions.Values(
		&row, tables.Submissions.Inserted,
	)...); err != nil {
		return err
	}
	if err := tx.lockLabels(ctx, e.CircleID, e.AssignmentID); err != nil {
		return tx.orGone(err)
	}
	label, err := tx.newLabel(ctx, e.AssignmentID)
	if err != nil {
		return err
	}
	// Its reviewers see the same state of its link as for a submission.
	tx.LookAtLink(e.ID, now)
	return tx.orGone(tx.Queries.InsertExemplar(ctx, db.InsertExemplarParams{
		ID: e.ID, AssignmentID: e.AssignmentID, Label: label, Mark: e.Mark, Reason: e.Reason,
		Levels: tables.LevelsText(e.Levels),
	}))
}

// Exemplar returns an exemplar, or ErrNotFound.
func (tx *Tx) Exemplar(ctx context.Context, id string) (_ studycircle.Exemplar, err error) {
	defer tx.operation(&err, "Tx.Exemplar", id)
	row, err := tx.Queries.GetExemplar(ctx, id)
	if err != nil {
		return studycircle.Exemplar{}, err
	}
	sub, err := tx.Submission(ctx, id)
	return exemplarOf(row, sub), err
}

func exemplarOf(row db.Exemplar, s studycircle.Submission) studycircle.Exemplar {
	return studycircle.Exemplar{
		ID: row.ID, AssignmentID: row.AssignmentID, CircleID: s.CircleID, Label: row.Label, Total: s.Marks,
		DocsLink: s.DocsLink, Note: s.Note,
		ExemplarMark: studycircle.ExemplarMark{Mark: row.Mark, Reason: row.Reason, Levels: tables.ParseLevels(row.Levels)},
	}
}

// Exemplars returns an assignment's exemplars, in the order of their ids.
func (s *Store) Exemplars(
	ctx context.Context, v studycircle.Viewer, assignmentID string,
) (_ []studycircle.Exemplar, err error) {
	defer s.operation(&err, "Store.Exemplars", assignmentID)
	rows, err := s.engine.Queries().ExemplarsOf(ctx, assignmentID)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return s.exemplarsOf(ctx, v, rows)
}

// exemplarsOf adds to exemplars the data in their rows of submissions.
func (s *Store) exemplarsOf(
	ctx context.Context, v studycircle.Viewer, rows []db.Exemplar,
) ([]studycircle.Exemplar, error) {
	ids := make([]any, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	found := tables.Submissions.Collect(int64(len(ids)))
	if err := s.engine.Find(ctx, v, tables.SubmissionByID, ids, found); err != nil {
		return nil, err
	}
	of := map[string]studycircle.Submission{}
	for _, row := range found.All {
		of[row.ID] = row.Submission
	}
	out := make([]studycircle.Exemplar, len(rows))
	for i, r := range rows {
		out[i] = exemplarOf(r, of[r.ID])
	}
	return out, nil
}

// ExemplarIDs returns the ids of an assignment's exemplars.
func (tx *Tx) ExemplarIDs(ctx context.Context, assignmentID string) (_ []string, err error) {
	defer tx.operation(&err, "Tx.ExemplarIDs", assignmentID)
	rows, err := tx.Queries.ExemplarsOf(ctx, assignmentID)
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	return ids, err
}

// UpdateExemplar changes the known mark of an exemplar. Reviews that are being stored, which are measured by the mark,
// are committed first.
func (tx *Tx) UpdateExemplar(ctx context.Context, id string, m studycircle.ExemplarMark) (err error) {
	defer tx.operation(&err, "Tx.UpdateExemplar", id)
	if err := tx.seal(ctx, tables.AssignmentOfSubmission, id); err != nil {
		return err
	}
	return tx.Queries.UpdateExemplar(ctx, db.UpdateExemplarParams{
		ID: id, Mark: m.Mark, Reason: m.Reason, Levels: tables.LevelsText(m.Levels),
	})
}

// DeleteExemplar removes an exemplar with its reviews and leases.
func (tx *Tx) DeleteExemplar(ctx context.Context, id string) (err error) {
	defer tx.operation(&err, "Tx.DeleteExemplar", id)
	// From here on no user reserves or reviews it: see tables.ExemplarRow.
	if err := tx.seal(ctx, tables.ExemplarRow, id); err != nil {
		return err
	}
	if err := tx.lockGiven(ctx, id); err != nil {
		return err
	}
	return tx.Queries.DeleteSample(ctx, id)
}

// ExemplarsFor returns the ids of an assignment's exemplars that a user has not had yet; none for its creator.
func (tx *Tx) ExemplarsFor(ctx context.Context, userID, assignmentID string) (_ []string, err error) {
	defer tx.operation(&err, "Tx.ExemplarsFor", userID, assignmentID)
	return tx.Queries.ExemplarsFor(ctx, db.ExemplarsForParams{AssignmentID: assignmentID, Viewer: userID})
}

// LeaseExemplar leases an exemplar, which any number of users may hold. ErrAskedTwice if the user holds another
// lease.
func (tx *Tx) LeaseExemplar(ctx context.Context, userID, id string, until time.Time) (err error) {
	defer tx.operation(&err, "Tx.LeaseExemplar", userID, id)
	n, err := tx.Queries.InsertLease(ctx, db.InsertLeaseParams{ReviewerID: userID, ID: id, Until: micros(until)})
	if err == nil && n == 0 {
		return studycircle.ErrAskedTwice
	}
	return tx.orGone(err)
}

// InsertExemplarReview stores a user's review of an exemplar, whose turn it was, and
// what it says about them; ErrNotFound if the exemplar is gone, CodeAlreadyReviewed.
func (tx *Tx) InsertExemplarReview(
	ctx context.Context, r studycircle.Review, e studycircle.Exemplar, p grademodel.Part,
) (err error) {
	defer tx.operation(&err, "Tx.InsertExemplarReview", e.ID)
	if err := tx.share(ctx, tables.ExemplarRow, r.SubmissionID); err != nil {
		return err
	}
	if err := tx.lock(ctx, tables.TurnOf, r.Reviewer, r.SubmissionID); err != nil {
		return err
	}
	of := studycircle.Reviewing{SubmissionID: r.SubmissionID, AssignmentID: e.AssignmentID, CircleID: e.CircleID}
	if err := tx.insertReview(ctx, &r, of, true); err != nil {
		return err
	}
	if err := tx.Queries.PutTurn(ctx, db.PutTurnParams{
		ReviewerID: r.Reviewer, ID: r.SubmissionID, Turn: string(studycircle.TurnReviewed),
	}); err != nil {
		return tx.orGone(err)
	}
	return tx.PutParts(ctx, []studycircle.Review{r}, []grademodel.Part{p})
}
