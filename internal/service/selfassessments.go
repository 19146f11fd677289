package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// AssessOwn stores how viewer judges their own submission. A later one replaces it. ErrNotFound, CodeInvalid and the
// errors of MayAssessOwn.
func (s *Service) AssessOwn(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.SelfAssessmentInput,
) error {
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.LoadReviewCase(ctx, id, "") // locked: it may be settled at this moment
		if err != nil {
			return err
		}
		place, err := tx.OwnCircle(ctx, c.Submission.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayAssessOwn(viewer.ID, place, c.Submission); err != nil {
			return err
		}
		if err := in.CheckUnder(c.Assignment.Rubric); err != nil {
			return err
		}
		return tx.PutSelfAssessment(ctx, studycircle.SelfAssessment{SubmissionID: id, Levels: in.Levels, At: s.clock()})
	})
}

// selfAssessmentOf returns how a submission's submitter judges it; nil if they do not.
func (s *Service) selfAssessmentOf(ctx context.Context, id string) (*studycircle.SelfAssessment, error) {
	found, err := s.store.SelfAssessment(ctx, id)
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return nil, nil //nolint:nilnil // there is none
	}
	return &found, err
}

// rubricsToAssess returns the rubrics by which the submitter may judge those of some submissions that wait for reviews,
// by the assignments' ids.
func (s *Service) rubricsToAssess(
	ctx context.Context, viewer studycircle.User, subs []studycircle.Submission,
) (map[string]studycircle.Rubric, error) {
	var ids []string
	for _, sub := range subs {
		if sub.Reviews > 0 && sub.Status == studycircle.Pending && sub.AssignmentID != "" {
			ids = append(ids, sub.AssignmentID)
		}
	}
	return s.store.Rubrics(ctx, s.as(viewer).Party(), ids)
}
