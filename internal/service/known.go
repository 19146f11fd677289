package service

import (
	"cmp"
	"context"
	"slices"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
)

// Look is a submission of which a mark by viewer would narrow the intervals of an assignment's marks.
type Look struct {
	Result
	// Fall is the expected fall of Σ sd² in percent: see grademodel.Looks.
	Fall float64
}

// Looks returns the submissions for viewer's assignment that help most if viewer marks them, the best first. Marks that
// are settled do not move. ErrNotFound, CodeNotYourAssignment.
func (s *Service) Looks(ctx context.Context, viewer studycircle.User, assignmentID string) ([]Look, error) {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil || a.Reviews == 0 {
		return nil, err
	}
	works, err := s.store.ReviewedWork(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	falls, all := fallsOf(a.ID, works)
	order := make([]int, len(works))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(falls[j], falls[i]) })
	var at []int64
	fallAt := map[string]float64{}
	for _, i := range order {
		if len(at) <= studycircle.MaxLooks && falls[i] > 0 { // one may be viewer's own
			at, fallAt[works[i].SubmissionID] = append(at, works[i].Seq), falls[i]
		}
	}
	found, err := s.store.ResultsBySeq(ctx, s.as(viewer), at)
	var looks []Look
	for _, sub := range found {
		look := Look{s.resultOf(viewer, in, a, sub), 100 * fallAt[sub.ID] / all}
		if look.May.Known && len(looks) < studycircle.MaxLooks {
			looks = append(looks, look)
		}
	}
	return looks, err
}

// fallsOf returns the expected falls, and Σ sd² of all work that is not known.
func fallsOf(assignmentID string, works []studycircle.ReviewedWork) (falls []float64, all float64) {
	subs, final := make([]grademodel.Submission, len(works)), make([]bool, len(works))
	for i, w := range works {
		subs[i] = grademodel.Submission{
			Assignment: assignmentID, Total: int(w.Total), Known: knownMark(w.Known), Reviews: modelReviews(w.Reviews),
		}
		final[i] = w.Settled
	}
	return grademodel.Looks(subs, final)
}

func knownMark(mark *int64) *float64 {
	if mark == nil {
		return nil
	}
	known := float64(*mark)
	return &known
}

// MarkKnown makes viewer's mark a submission's, which is known work from then on: its reviews teach the grade model how
// their reviewers mark. CodeInvalid, ErrNotFound and the errors of MayMarkKnown.
func (s *Service) MarkKnown(ctx context.Context, viewer studycircle.User, id string, in studycircle.ReopenInput) error {
	in, err := in.Clean()
	if err != nil {
		return err
	}
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, place, err := caseIn(ctx, tx, id, viewer.ID)
		if err != nil {
			return err
		}
		if !c.Reviewed() {
			return likeWork(ctx, tx, viewer, id, studycircle.ErrNotFound)
		}
		if err := studycircle.MayMarkKnown(viewer.ID, place, c.Assignment, c.Reviewing); err != nil {
			return err
		}
		if err := in.CheckUnder(c.Assignment.Rubric, c.Submission.Marks); err != nil {
			return err
		}
		m, err := measureOf(ctx, tx, c)
		if err != nil {
			return err
		}
		c.MarkKnown(in, s.clock())
		c.DecidedBy(viewer.ID)
		return tx.SaveReviewCase(ctx, c, m.knowing(*in.Mark).parts(c.Reviews))
	})
}

// knowing returns the measure of the same submission as known work.
func (m measure) knowing(mark int64) measure {
	if m.known == nil {
		m.sums = m.sums.Moved(m.total, modelReviews(m.before), nil)
	}
	m.known = knownMark(&mark)
	return m
}
