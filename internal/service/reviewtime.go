package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"studycircle"
	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// ReviewMaintenance performs the transitions of reviews that time causes. Any number of
// nodes may run it: each change is decided anew in its own transaction.
func (s *Service) ReviewMaintenance() periodic.Job {
	return periodic.Job{
		Name: "review maintenance", Every: time.Minute, Timeout: 5 * time.Minute,
		Meaning: "leases end late, and marks, requests and appeals that time settles are late", Run: s.PassTime,
	}
}

// PassTime does what is due:
//   - it ends leases that have expired;
//   - it settles submissions that have waited long enough for more reviews;
//   - it opens submissions without a review to all users;
//   - it asks users to review, and notifies those who were done of new work;
//   - it warns creators whose assignments are about to be due with too few submitters;
//   - once a day it renews what the grade model knows of reviewers.
func (s *Service) PassTime(ctx context.Context) error {
	now := s.clock()
	return errors.Join(
		s.endLeases(ctx, now), s.settleDue(ctx, now), s.requestReviews(ctx, now), s.noticeNewWork(ctx, now),
		s.checkShortages(ctx, now), s.renewParts(ctx, studycircle.Day(now)),
	)
}

// tryOne runs f for one submission or assignment of many. It logs an error that concerns it
// alone and reports that it is left for the next run. err concerns all of them.
func tryOne(ctx context.Context, what, id string, f func() error) (left bool, err error) {
	err = f()
	if err == nil || ctx.Err() != nil || studycircle.CodeOf(err) == studycircle.CodeUnavailable {
		return false, err
	}
	slog.WarnContext(
		ctx, "a step of review maintenance failed; will retry", "doing", what, "id", id, "error", err,
	)
	return true, nil
}

// eachDue calls f for each row that due returns, which skips as many as it is told. A row that f leaves for the next
// run is skipped.
func eachDue[T any](due func(skip int) ([]T, error), f func(T) (left bool, err error)) error {
	for skip := 0; ; {
		rows, err := due(skip)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			left, err := f(row)
			if err != nil {
				return err
			}
			if left {
				skip++
			}
		}
	}
}

func (s *Service) endLeases(ctx context.Context, now time.Time) error {
	due := func(skip int) ([]studycircle.HeldLease, error) { return s.store.LapsedLeases(ctx, now, skip) }
	return eachDue(due, func(l studycircle.HeldLease) (left bool, err error) {
		return tryOne(ctx, "ending a lease", l.SubmissionID, func() error { return s.lapse(ctx, l, now) })
	})
}

// requestReviews asks submitters who still owe reviews to review.
func (s *Service) requestReviews(ctx context.Context, now time.Time) error {
	for {
		wait, err := s.store.ReviewRequestsWait(ctx, now)
		if err != nil || !wait {
			return err
		}
		n := 0
		err = s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			due, err := tx.DueReviewRequests(ctx, now)
			n = len(due)
			for _, r := range due {
				ask, next := r.Plan(now)
				if ask {
					r.Asked++
					tx.Notify(studycircle.ReviewNotice(r.UserID, r.AssignmentID, r.CircleID, r.Title, now))
				}
				err = errors.Join(err, tx.PlanReviewRequest(ctx, r, next))
			}
			return err
		})
		if err != nil || n == 0 { // other nodes handle the rest
			return err
		}
	}
}

// noticeNewWork notifies users who were done of work to review that has come since.
func (s *Service) noticeNewWork(ctx context.Context, now time.Time) error {
	changed := func(skip int) ([]string, error) { return s.store.ChangedQueues(ctx, skip) }
	return eachDue(changed, func(id string) (left bool, err error) {
		return tryOne(ctx, "telling of new work", id, func() error {
			return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				return tx.NoticeNewWork(ctx, id, now)
			})
		})
	})
}

// checkShortages warns the creators of assignments that are due within studycircle.ShortWithin, or were.
func (s *Service) checkShortages(ctx context.Context, now time.Time) error {
	due := func(skip int) ([]string, error) { return s.store.DueShortages(ctx, now, skip) }
	return eachDue(due, func(id string) (left bool, err error) {
		return tryOne(ctx, "checking for too few submitters", id, func() error { return s.checkShortage(ctx, id, now) })
	})
}

func (s *Service) checkShortage(ctx context.Context, id string, now time.Time) error {
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		if due, err := tx.ClaimShortage(ctx, id, now); err != nil || !due {
			return err
		}
		a, err := tx.AssignmentAs(ctx, studycircle.Live(), id)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound { // deleted or hidden
			return nil
		}
		if err != nil || now.After(a.Due.Time().Add(studycircle.ShortWithin)) { // the creator has seen it by then
			return err
		}
		return warnOfTooFew(ctx, tx, a, now)
	})
}

// settleDue settles the submissions that have waited long enough.
func (s *Service) settleDue(ctx context.Context, now time.Time) error {
	due := func(skip int) ([]string, error) { return s.store.DueReviews(ctx, now, skip) }
	return eachDue(due, func(id string) (left bool, err error) {
		return tryOne(ctx, "settling by time", id, func() error { return s.settleByTime(ctx, id, now) })
	})
}

func (s *Service) lapse(ctx context.Context, l studycircle.HeldLease, now time.Time) error {
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.LapseLease(ctx, l.ReviewerID, l.SubmissionID, now)
		return err
	})
}

// settleByTime settles an overdue submission on its present reviews. One without reviews becomes open to all users.
func (s *Service) settleByTime(ctx context.Context, id string, now time.Time) error {
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		c, err := caseOf(ctx, tx, id, "")
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return nil // withdrawn meanwhile
		}
		if err != nil {
			return err
		}
		err = c.PassTime(now, func(reviews []studycircle.Review) (studycircle.Verdict, error) {
			m, err := measureOf(ctx, tx, c)
			if err != nil {
				return studycircle.Verdict{}, err
			}
			return m.judge(reviews)
		})
		if err != nil {
			return err
		}
		return tx.SaveReviewCase(ctx, c, nil)
	})
}
