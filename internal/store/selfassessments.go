package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// PutSelfAssessment stores how a submitter judges their own work.
func (tx *Tx) PutSelfAssessment(ctx context.Context, a studycircle.SelfAssessment) (err error) {
	defer tx.operation(&err, "Tx.PutSelfAssessment", a.SubmissionID)
	return tx.Queries.PutSelfAssessment(ctx, db.PutSelfAssessmentParams{
		SubmissionID: a.SubmissionID, Levels: tables.LevelsText(a.Levels), At: micros(a.At),
	})
}

func toSelfAssessment(row db.SelfAssessment) studycircle.SelfAssessment {
	return studycircle.SelfAssessment{
		SubmissionID: row.SubmissionID, Levels: tables.ParseLevels(row.Levels), At: instant(row.At),
	}
}

// SelfAssessment returns how a submission's submitter judges it; ErrNotFound.
func (s *Store) SelfAssessment(ctx context.Context, submissionID string) (_ studycircle.SelfAssessment, err error) {
	defer s.operation(&err, "Store.SelfAssessment", submissionID)
	row, err := s.engine.Queries().SelfAssessmentOf(ctx, submissionID)
	return toSelfAssessment(row), err
}

// Rubrics returns the rubrics of those of some assignments that have one, by the assignments' ids.
func (s *Store) Rubrics(
	ctx context.Context, v studycircle.Viewer, assignmentIDs []string,
) (_ map[string]studycircle.Rubric, err error) {
	defer s.operation(&err, "Store.Rubrics")
	ids := make([]any, len(assignmentIDs))
	for i, id := range assignmentIDs {
		ids[i] = id
	}
	found, err := s.assignments(ctx, v, ids)
	out := map[string]studycircle.Rubric{}
	for id, a := range found {
		if !a.Rubric.Empty() {
			out[id] = a.Rubric
		}
	}
	return out, err
}

// EachSelfAssessmentBy calls f with every self-assessment of a user, in the order of the submissions' ids.
func (s *Store) EachSelfAssessmentBy(
	ctx context.Context, userID string, f func(studycircle.SelfAssessment) error,
) (err error) {
	defer s.operation(&err, "Store.EachSelfAssessmentBy", userID)
	return eachAfter(func(last db.SelfAssessment) ([]db.SelfAssessment, error) {
		return s.engine.Queries().SelfAssessmentsBy(ctx, db.SelfAssessmentsByParams{
			SubmitterID: optionalText(userID), After: last.SubmissionID,
		})
	}, func(row db.SelfAssessment) error { return f(toSelfAssessment(row)) })
}
