package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// renewParts computes anew the parts of the grade model for assignments whose scale changed before today: each part
// was measured on the scale of its time. Each submission has its own transaction.
func (s *Service) renewParts(ctx context.Context, today int64) error {
	due := func(skip int) ([]string, error) { return s.store.ChangedScales(ctx, today, skip) }
	return eachDue(due, func(id string) (left bool, err error) { return s.renewAssignment(ctx, id, today) })
}

// renewAssignment renews the parts of an assignment; left reports whether some remain for the next run.
func (s *Service) renewAssignment(ctx context.Context, assignmentID string, today int64) (left bool, err error) {
	for after := ""; ; {
		ids, err := s.store.ReviewedAfter(ctx, assignmentID, after)
		if err != nil {
			return false, err
		}
		if len(ids) == 0 {
			break
		}
		for _, id := range ids {
			failed, err := tryOne(ctx, "renewing parts", id, func() error {
				return s.store.Write(
					ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return renew(ctx, tx, id) },
				)
			})
			if err != nil {
				return false, err
			}
			left = left || failed
		}
		after = ids[len(ids)-1]
	}
	if left {
		return true, nil
	}
	return false, s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.ScaleRenewed(ctx, assignmentID, today)
	})
}

// renew computes and stores anew the parts from the reviews of a submission or exemplar. A deleted one has none.
func renew(ctx context.Context, tx *store.Tx, id string) error {
	c, err := tx.LoadReviewCase(ctx, id, "")
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if c.Submission.Status == studycircle.Sample {
		return renewExemplar(ctx, tx, c)
	}
	m, err := measureOf(ctx, tx, c)
	if err != nil {
		return err
	}
	return tx.PutParts(ctx, c.Reviews, m.parts(c.Reviews))
}
