package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

// EachAssignmentOf calls f with every assignment of a user, oldest first, those
// they deleted too.
func (s *Store) EachAssignmentOf(ctx context.Context, userID string, f func(studycircle.Assignment) error) error {
	for after := int64(0); ; {
		rows, err := s.query.AssignmentsByCreator(ctx, db.AssignmentsByCreatorParams{CreatorID: optionalText(userID), Seq: after})
		if err != nil || len(rows) == 0 {
			return classify(err)
		}
		for _, r := range rows {
			after = r.Assignment.Seq
			if err := f(toAssignment(r.Assignment, nullText(r.CreatorEmail), nullText(r.CreatorName))); err != nil {
				return err
			}
		}
	}
}

// EachSubmissionOf calls f with every submission that a user handed in, oldest first.
func (s *Store) EachSubmissionOf(ctx context.Context, userID string, f func(studycircle.Submission) error) error {
	return eachSubmission(f, func(after int64) ([]db.Submission, error) {
		return s.query.SubmissionsBySubmitter(ctx, db.SubmissionsBySubmitterParams{SubmitterID: optionalText(userID), SubmitterNo: after})
	}, func(r db.Submission) int64 { return r.SubmitterNo })
}

// EachSubmissionGradedBy calls f with every submission that a user graded,
// oldest first. Who handed it in is left out.
func (s *Store) EachSubmissionGradedBy(ctx context.Context, userID string, f func(studycircle.Submission) error) error {
	return eachSubmission(f, func(after int64) ([]db.Submission, error) {
		return s.query.SubmissionsByGrader(ctx, db.SubmissionsByGraderParams{GraderID: optionalText(userID), Seq: after})
	}, func(r db.Submission) int64 { return r.Seq })
}

func eachSubmission(f func(studycircle.Submission) error, next func(after int64) ([]db.Submission, error), place func(db.Submission) int64) error {
	for after := int64(0); ; {
		rows, err := next(after)
		if err != nil || len(rows) == 0 {
			return classify(err)
		}
		for _, r := range rows {
			after = place(r)
			if err := f(toSubmission(r, nullText(""), nullText(""))); err != nil {
				return err
			}
		}
	}
}
