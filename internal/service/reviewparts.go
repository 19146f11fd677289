package service

import (
	"context"

	"studycircle"
)

// renewParts computes anew the parts of the grade model for assignments whose scale changed before today: each part
// was measured on the scale of its time. Each submission has its own transaction.
func (s *Service) renewParts(ctx context.Context, today int64) error {
	for skip := 0; ; {
		assignments, err := s.store.ChangedScales(ctx, today, skip)
		if err != nil || len(assignments) == 0 {
			return err
		}
		for _, id := range assignments {
			done, err := s.renewAssignment(ctx, id, today)
			if err != nil {
				return err
			}
			if !done {
				skip++
			}
		}
	}
}

// renewAssignment renews the parts of an assignment; done is false if some remain for the next run.
func (s *Service) renewAssignment(ctx context.Context, assignmentID string, today int64) (done bool, err error) {
	done = true
	for after := ""; ; {
		ids, err := s.store.ReviewedAfter(ctx, assignmentID, after)
		if err != nil {
			return false, err
		}
		if len(ids) == 0 {
			break
		}
		for _, id := range ids {
			left, err := tryOne(ctx, "renewing parts", id, func() error {
				return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx Tx) error { return renew(ctx, tx, id) })
			})
			if err != nil {
				return false, err
			}
			done = done && !left
		}
		after = ids[len(ids)-1]
	}
	if !done {
		return false, nil
	}
	return true, s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx Tx) error { return tx.ScaleRenewed(ctx, assignmentID, today) })
}

// renew computes and stores anew the parts from the reviews of a submission or exemplar. A deleted one has none.
func renew(ctx context.Context, tx Tx, id string) error {
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
