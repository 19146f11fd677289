package store

import (
	"context"
	"database/sql"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// mostReviewedWork is the number of an assignment's newest reviews that ReviewedWork returns.
const mostReviewedWork = 50_000

// ReviewedWork returns the newest reviewed submissions and exemplars of an assignment, newest first.
func (s *Store) ReviewedWork(ctx context.Context, assignmentID string) (works []studycircle.ReviewedWork, err error) {
	defer s.operation(&err, "Store.ReviewedWork", assignmentID)
	rows, err := s.engine.Queries().ReviewedWork(ctx, db.ReviewedWorkParams{
		AssignmentID: assignmentID, Most: mostReviewedWork,
	})
	for _, r := range rows {
		if len(works) == 0 || works[len(works)-1].SubmissionID != r.SubmissionID {
			work := studycircle.ReviewedWork{
				SubmissionID: r.SubmissionID, Seq: r.Seq, Total: r.Marks, Settled: r.Phase == string(studycircle.ReviewSettled),
			}
			if r.Known >= 0 {
				work.Known = &r.Known
			}
			works = append(works, work)
		}
		work := &works[len(works)-1]
		work.Reviews = append(work.Reviews, studycircle.Review{Reviewer: r.Reviewer, Mark: r.Mark})
	}
	return works, err
}

// ComparedReviews returns the latest reviews by v of exemplars and settled submissions that v may see.
func (s *Store) ComparedReviews(
	ctx context.Context, v studycircle.Viewer,
) (compared []studycircle.ComparedReview, err error) {
	defer s.operation(&err, "Store.ComparedReviews")
	err = ask(ctx, s, v, tables.ComparedReviews, func(rows *sql.Rows) error {
		var r studycircle.ComparedReview
		err := rows.Scan(&r.Mark, &r.Right, &r.Total)
		compared = append(compared, r)
		return err
	}, v.UserID(), int64(studycircle.MaxForHabit))
	return compared, err
}
