package store

import (
	"context"
	"hash/fnv"
	"math"
	"time"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

func fixed(x float64) int64 { return int64(math.Round(x * grademodel.Unit)) }

func float(n int64) float64 { return float64(n) / grademodel.Unit }

// totalSlots is the number of rows that hold the sums of one assignment.
const totalSlots = 16

func slotOf(submissionID string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(submissionID)) // never fails
	return int64(h.Sum32() % totalSlots)
}

// Submission returns a submission, whatever its status, or ErrNotFound.
func (s *Store) Submission(ctx context.Context, v studycircle.Viewer, id string) (_ studycircle.Submission, err error) {
	defer s.operation(&err, "Store.Submission", id)
	row, err := find(ctx, s, v, tables.Submissions, tables.SubmissionByID, id)
	return row.Submission, err
}

// Taken reports whether an assignment has a submission. It waits for those that are being handed in, and lets no more
// come until tx ends.
func (tx *Tx) Taken(ctx context.Context, assignmentID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.Taken", assignmentID)
	if err := tx.seal(ctx, tables.AssignmentRow, assignmentID); err != nil {
		return false, err
	}
	n, err := tx.Queries.CountSubmissionsOf(ctx, optionalText(assignmentID))
	return n > 0, err
}

func toReview(r db.Review) studycircle.Review {
	out := studycircle.Review{
		Seq: r.Seq, ID: r.ID, SubmissionID: r.SubmissionID, Reviewer: r.Reviewer, Label: r.Label, Mark: r.Mark,
		Levels: tables.ParseLevels(r.Levels), Feedback: tables.Shown(r.Feedback), GivenAt: instant(r.GivenAt), Reply: r.Reply,
	}
	// The stored HTML is the hidden text's.
	if !r.HiddenFeedback.Valid {
		out.HTML = r.FeedbackHtml
	}
	if r.Helpful.Valid {
		out.Helpful = &r.Helpful.Bool
	}
	return out
}

func toReviews(rows []db.Review, err error) ([]studycircle.Review, error) {
	out := make([]studycircle.Review, len(rows))
	for i, r := range rows {
		out[i] = toReview(r)
	}
	return out, err
}

// reviews returns a submission's reviews, in the order of their labels.
func (tx *Tx) reviews(ctx context.Context, submissionID string) ([]studycircle.Review, error) {
	return toReviews(tx.Queries.ReviewsOf(ctx, submissionID))
}

// Reviews returns a submission's reviews, in the order of their labels.
func (s *Store) Reviews(ctx context.Context, submissionID string) (_ []studycircle.Review, err error) {
	defer s.operation(&err, "Store.Reviews", submissionID)
	return toReviews(s.engine.Queries().ReviewsOf(ctx, submissionID))
}

// Review returns a review by its id, or ErrNotFound.
func (tx *Tx) Review(ctx context.Context, id string) (_ studycircle.Review, err error) {
	defer tx.operation(&err, "Tx.Review", id)
	row, err := tx.Queries.GetReview(ctx, id)
	return toReview(row), err
}

// ReplyToReview stores a submitter's reply to a review.
func (tx *Tx) ReplyToReview(ctx context.Context, id string, in studycircle.ReplyInput) (err error) {
	defer tx.operation(&err, "Tx.ReplyToReview", id)
	return tx.Queries.ReplyToReview(ctx, db.ReplyToReviewParams{ID: id, Helpful: boolean(in.Helpful), Reply: in.Reply})
}

// insertGiven stores the review by a user who held the lease, and returns it with its position.
func (tx *Tx) insertGiven(
	ctx context.Context, r studycircle.Review, of studycircle.Reviewing,
) (studycircle.Review, error) {
	err := tx.Queries.PutTurn(ctx, db.PutTurnParams{
		ReviewerID: r.Reviewer, ID: of.SubmissionID, Turn: string(studycircle.TurnReviewed),
	})
	if err != nil {
		return r, tx.orGone(err)
	}
	err = tx.insertReview(ctx, &r, of, false)
	return r, err
}

// insertReview stores a review and its position. Lists leave out reviews of exemplars.
func (tx *Tx) insertReview(
	ctx context.Context, r *studycircle.Review, of studycircle.Reviewing, exemplar bool,
) (err error) {
	r.Seq, err = tx.Queries.InsertReview(ctx, db.InsertReviewParams{
		ID: r.ID, SubmissionID: of.SubmissionID, AssignmentID: of.AssignmentID, Reviewer: r.Reviewer, Mark: r.Mark,
		Levels: tables.LevelsText(r.Levels), Feedback: r.Feedback, FeedbackHtml: r.HTML, GivenAt: micros(r.GivenAt),
		Exemplar: exemplar, CircleID: of.CircleID,
	})
	if tx.Engine.Fault(err) == engine.Unique {
		return tables.ErrReviewed
	}
	return tx.orGone(err)
}

// ReviewsGiven returns a page of a user's reviews, newest first, and their number.
func (s *Store) ReviewsGiven(
	ctx context.Context, v studycircle.Viewer, p studycircle.Page,
) (_ []studycircle.GivenReview, _ int64, err error) {
	defer s.operation(&err, "Store.ReviewsGiven")
	rows, total, err := ownPage(ctx, s, v, tables.Reviews, tables.ReviewsGiven, []any{v.UserID()}, p)
	if err != nil || len(rows) == 0 {
		return nil, total, err
	}
	out, err := s.givenReviews(ctx, v, rows)
	return out, total, err
}

// givenReviews adds to a user's reviews the reviewer's view of their submissions.
func (s *Store) givenReviews(
	ctx context.Context, v studycircle.Viewer, rows []studycircle.Review,
) ([]studycircle.GivenReview, error) {
	ids := make([]any, len(rows))
	for i, r := range rows {
		ids[i] = r.SubmissionID
	}
	states, err := s.reviewings(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	found := tables.Submissions.Collect(int64(len(ids)))
	if err := s.engine.Find(ctx, v, tables.SubmissionByID, ids, found); err != nil {
		return nil, err
	}
	of := map[string]studycircle.Submission{}
	for _, row := range found.All {
		of[row.ID] = row.Submission
	}
	out := make([]studycircle.GivenReview, len(rows))
	for i, r := range rows {
		sub := of[r.SubmissionID]
		of := states[r.SubmissionID]
		out[i] = studycircle.GivenReview{
			Review: r, SubmissionLabel: of.Label, AssignmentTitle: sub.AssignmentTitle, Reviewing: of,
		}
		if sub.Grade != nil {
			out[i].SettledMark = &sub.Grade.Mark
		}
		if sub.Status.Ended() {
			out[i].SubmissionLabel = sub.PastLabel
		}
	}
	return out, nil
}

// reviewings returns, by id, the review states of those submissions that have several reviewers.
func (s *Store) reviewings(
	ctx context.Context, v studycircle.Viewer, ids []any,
) (map[string]studycircle.Reviewing, error) {
	found := tables.Reviewings.Collect(int64(len(ids)))
	if err := s.engine.Find(ctx, v, tables.ReviewingByID, ids, found); err != nil {
		return nil, err
	}
	out := make(map[string]studycircle.Reviewing, len(found.All))
	for _, r := range found.All {
		out[r.SubmissionID] = r
	}
	return out, nil
}

// modelReviews converts reviews for the grade model.
func modelReviews(reviews []studycircle.Review) []grademodel.Review {
	out := make([]grademodel.Review, len(reviews))
	for i, r := range reviews {
		out[i] = grademodel.Review{Reviewer: r.Reviewer, Mark: float64(r.Mark)}
	}
	return out
}

// changeTotals updates the sums of an assignment for a change of a submission's reviews from before to after, on a
// day counted from 1970 in UTC.
func (tx *Tx) changeTotals(
	ctx context.Context, r studycircle.Reviewing, day, total int64, before, after []studycircle.Review,
) error {
	c := grademodel.StoredChange(int(total), modelReviews(before), modelReviews(after))
	return tx.Later.AddToReviewTotals(ctx, db.AddToReviewTotalsParams{
		AssignmentID: r.AssignmentID, Slot: slotOf(r.SubmissionID), Submissions: c.Submissions, Means: c.Means,
		Squares: c.Squares, Free: c.Free, Unsaid: c.Unsaid, Said: c.Said, SaidSquares: c.SaidSquares, Day: day,
	})
}

// ReviewModel returns the grade model's input for a submission's reviews: the sums of its assignment, and the records
// of its reviewers without this submission, by reviewer. A reviewer without other reviews has no record.
func (tx *Tx) ReviewModel(
	ctx context.Context, assignmentID, submissionID string,
) (sums grademodel.Totals, records map[string]grademodel.Record, err error) {
	defer tx.operation(&err, "Tx.ReviewModel", assignmentID, submissionID)
	t, err := tx.Queries.ReviewTotals(ctx, assignmentID)
	if err != nil {
		return sums, nil, err
	}
	sums = grademodel.Stored(t).Totals()
	rows, err := tx.Queries.RecordsWithout(ctx, submissionID)
	records = make(map[string]grademodel.Record, len(rows))
	for _, r := range rows {
		records[r.Reviewer] = grademodel.Record{
			P: float(r.P), M: float(r.M), XX: float(r.Xx), XE: float(r.Xe), XD: float(r.Xd),
		}
	}
	return sums, records, err
}

// ChangedScales returns some assignments whose reviews changed before a day, counted from 1970 in UTC, and whose
// parts are not renewed since, after the first skip.
func (s *Store) ChangedScales(ctx context.Context, day int64, skip int) (_ []string, err error) {
	defer s.operation(&err, "Store.ChangedScales")
	return s.engine.Queries().ChangedScales(ctx, db.ChangedScalesParams{Day: day, Skip: int64(skip)})
}

// ScaleRenewed records that an assignment's parts include all changes of reviews before a day.
func (tx *Tx) ScaleRenewed(ctx context.Context, assignmentID string, day int64) (err error) {
	defer tx.operation(&err, "Tx.ScaleRenewed", assignmentID)
	return tx.Queries.ScaleRenewed(ctx, db.ScaleRenewedParams{AssignmentID: assignmentID, Day: day})
}

// ReviewedAfter returns the ids of some submissions and exemplars of an assignment that have reviews, those after an
// id.
func (s *Store) ReviewedAfter(ctx context.Context, assignmentID, after string) (_ []string, err error) {
	defer s.operation(&err, "Store.ReviewedAfter", assignmentID)
	return s.engine.Queries().ReviewedAfter(ctx, db.ReviewedAfterParams{AssignmentID: assignmentID, SubmissionID: after})
}

// PutParts stores the parts of the grade model from reviews, and the letters of the reviews.
func (tx *Tx) PutParts(ctx context.Context, reviews []studycircle.Review, parts []grademodel.Part) (err error) {
	defer tx.operation(&err, "Tx.PutParts")
	for i, p := range parts {
		err := tx.Later.PutPart(ctx, db.PutPartParams{
			ID: reviews[i].ID, Label: reviews[i].Label, PartP: fixed(p.P), PartM: fixed(p.M), PartXx: fixed(p.XX),
			PartXe: fixed(p.XE), PartXd: fixed(p.XD),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Reviewing returns the state of a submission's reviews, or ErrNotFound if one grade is its mark.
func (s *Store) Reviewing(
	ctx context.Context, v studycircle.Viewer, submissionID string,
) (_ studycircle.Reviewing, err error) {
	defer s.operation(&err, "Store.Reviewing", submissionID)
	found, err := s.reviewings(ctx, v, []any{submissionID})
	if r, there := found[submissionID]; there || err != nil {
		return r, err
	}
	return studycircle.Reviewing{}, studycircle.ErrNotFound
}

// withReviewing adds the state of their reviews to those submissions that have several reviewers.
func (s *Store) withReviewing(ctx context.Context, v studycircle.Viewer, subs []studycircle.Submission) error {
	var ids []any
	for i := range subs {
		if subs[i].Reviews > 0 {
			ids = append(ids, subs[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := s.reviewings(ctx, v, ids)
	for i := range subs {
		if r, there := found[subs[i].ID]; there {
			subs[i].Reviewing = &r
		}
	}
	return err
}

// ReviewAssignments returns the number of rows of a place's pending list that stand for assignments.
func (s *Store) ReviewAssignments(ctx context.Context, circleID string) (_ int64, err error) {
	defer s.operation(&err, "Store.ReviewAssignments")
	start, err := s.engine.Counts().Locate(
		ctx, pages.OldestFirst, math.MaxInt64, pages.Of(tables.ReviewAssignmentScope(circleID)),
	)
	return start.Total, err
}

// pendingReviews returns the part of a page of the pending list that concerns submissions with several reviewers, and
// the number of such rows: one for each assignment with an open submission, then the unattended submissions.
func (s *Store) pendingReviews(
	ctx context.Context, v studycircle.Viewer, circleID string, now time.Time, p studycircle.Page,
) (rows []studycircle.PendingSubmission, total int64, err error) {
	listed, assignments, err := page(
		ctx, s, v, tables.ReviewAssignmentTable, tables.ReviewAssignments, []any{circleID},
		pages.Of(tables.ReviewAssignmentScope(circleID)), p,
	)
	if err != nil {
		return nil, 0, err
	}
	if rows, err = s.reviewable(ctx, v, listed, now); err != nil {
		return nil, 0, err
	}
	skip, room := max(0, p.Skip()-assignments), p.Limit-int64(len(rows))
	unattended, n, err := span(
		ctx, s, v, tables.Reviewings, tables.UnattendedReviews, []any{circleID}, pages.Of(tables.UnattendedScope(circleID)),
		skip, room,
	)
	if err != nil {
		return nil, 0, err
	}
	ids := make([]any, len(unattended))
	for i, r := range unattended {
		ids[i] = r.SubmissionID
	}
	found := tables.Submissions.Collect(int64(len(ids)))
	if len(ids) > 0 {
		if err := s.engine.Find(ctx, v, tables.SubmissionByID, ids, found); err != nil {
			return nil, 0, err
		}
	}
	of := map[string]studycircle.Submission{}
	for _, row := range found.All {
		of[row.ID] = row.Submission
	}
	for _, r := range unattended {
		rows = append(rows, studycircle.PendingSubmission{Submission: of[r.SubmissionID]})
	}
	return rows, assignments + n, nil
}

// reviewable returns the rows that stand for assignments.
func (s *Store) reviewable(
	ctx context.Context, v studycircle.Viewer, listed []tables.ReviewAssignment, now time.Time,
) (rows []studycircle.PendingSubmission, err error) {
	if len(listed) == 0 {
		return nil, nil
	}
	ids, keys := make([]string, len(listed)), make([]any, len(listed))
	for i, l := range listed {
		ids[i], keys[i] = l.ID, l.ID
	}
	of, err := s.assignments(ctx, v.Party(), keys)
	if err != nil {
		return nil, err
	}
	duties, err := s.duties(ctx, v.Party(), ids, now)
	if err != nil {
		return nil, err
	}
	for _, l := range listed {
		a, n := of[l.ID], duties[l.ID].Available
		row := studycircle.PendingSubmission{Due: a.Due, Reviewable: &n}
		row.AssignmentID, row.AssignmentTitle, row.Marks, row.Status = a.ID, a.Title, a.Marks, studycircle.Pending
		rows = append(rows, row)
	}
	return rows, nil
}

// assignments returns those that v may see, as Assignment does, by their ids.
func (s *Store) assignments(
	ctx context.Context, v studycircle.Viewer, ids []any,
) (map[string]studycircle.Assignment, error) {
	of := map[string]studycircle.Assignment{}
	if len(ids) == 0 {
		return of, nil
	}
	found := tables.Assignments.Collect(int64(len(ids)))
	if err := s.engine.Find(ctx, v, tables.AssignmentByID, ids, found); err != nil {
		return nil, err
	}
	for _, a := range found.All {
		of[a.ID] = concealed(v, a)
	}
	return of, nil
}
