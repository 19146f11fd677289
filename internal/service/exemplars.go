package service

import (
	"context"
	"math/rand/v2"
	"time"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// AddExemplar adds sample work to an assignment that viewer decides about, and returns its id. CodeInvalid, ErrNotFound
// and the errors of MayAddExemplar.
func (s *Service) AddExemplar(
	ctx context.Context, viewer studycircle.User, assignmentID string, in studycircle.ExemplarInput,
) (string, error) {
	in, err := in.Clean()
	if err != nil {
		return "", err
	}
	e := studycircle.Exemplar{
		ID: studycircle.NewBlindID(), AssignmentID: assignmentID, DocsLink: in.DocsLink, Note: in.Note,
		ExemplarMark: in.ExemplarMark,
	}
	return e.ID, s.writeExemplars(ctx, viewer, assignmentID, func(
		ctx context.Context, tx *store.Tx, place studycircle.OwnCircle, a studycircle.Assignment, ids []string,
	) error {
		if err := studycircle.MayAddExemplar(viewer.ID, place, a, len(ids)); err != nil {
			return err
		}
		e.Total, e.CircleID = a.Marks, a.CircleID
		if err := e.CheckUnder(a.Rubric, e.Total); err != nil {
			return err
		}
		return tx.InsertExemplar(ctx, e, a.Title, s.clock())
	})
}

// Exemplars returns the exemplars of an assignment that viewer decides about. ErrNotFound,
// CodeNotYourAssignment.
func (s *Service) Exemplars(
	ctx context.Context, viewer studycircle.User, assignmentID string,
) ([]studycircle.Exemplar, error) {
	if _, _, err := s.ownAssignment(ctx, viewer, assignmentID); err != nil {
		return nil, err
	}
	return s.store.Exemplars(ctx, s.as(viewer), assignmentID)
}

// ChangeExemplar changes the known mark of an exemplar, and measures its reviewers by the new
// one. It reports whether anything changed. CodeInvalid, CodeNotYourAssignment, ErrNotFound.
func (s *Service) ChangeExemplar(
	ctx context.Context, viewer studycircle.User, assignmentID, id string, in studycircle.ExemplarMark,
) (changed bool, err error) {
	if in, err = in.Clean(); err != nil {
		return false, err
	}
	err = s.writeExemplar(ctx, viewer, assignmentID, id, func(
		ctx context.Context, tx *store.Tx, a studycircle.Assignment, e studycircle.Exemplar,
	) error {
		if in.Levels == nil && in.Mark == e.Mark { // an older page does not send them
			in.Levels = e.Levels
		}
		if err := in.CheckUnder(a.Rubric, e.Total); err != nil {
			return err
		}
		if changed = !e.Equal(in); !changed {
			return nil
		}
		if err := tx.UpdateExemplar(ctx, id, in); err != nil {
			return err
		}
		c, err := tx.LoadReviewCase(ctx, id, "")
		if err != nil {
			return err
		}
		return renewExemplar(ctx, tx, c)
	})
	return changed, err
}

// DeleteExemplar removes an exemplar and its parts of the grade model. CodeNotYourAssignment,
// ErrNotFound.
func (s *Service) DeleteExemplar(ctx context.Context, viewer studycircle.User, assignmentID, id string) error {
	return s.writeExemplar(ctx, viewer, assignmentID, id, func(
		ctx context.Context, tx *store.Tx, _ studycircle.Assignment, _ studycircle.Exemplar,
	) error {
		return tx.DeleteExemplar(ctx, id)
	})
}

// writeExemplars runs f on a live assignment and the ids of its exemplars, locked against other changes.
func (s *Service) writeExemplars(
	ctx context.Context, viewer studycircle.User, assignmentID string,
	f func(context.Context, *store.Tx, studycircle.OwnCircle, studycircle.Assignment, []string) error,
) error {
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		if !studycircle.ValidID(assignmentID) { // see assignmentOf
			return studycircle.ErrNotFound
		}
		if err := tx.LockAssignment(ctx, assignmentID); err != nil {
			return err
		}
		a, err := tx.Assignment(ctx, assignmentID)
		if err != nil {
			return err
		}
		in, err := tx.OwnCircle(ctx, a.CircleID)
		if err != nil {
			return err
		}
		ids, err := tx.ExemplarIDs(ctx, assignmentID)
		if err != nil {
			return err
		}
		return f(ctx, tx, in, a, ids)
	})
}

// writeExemplar runs f on an exemplar of an assignment that viewer decides about. For other viewers the answer does not
// depend on whether the exemplar exists.
func (s *Service) writeExemplar(
	ctx context.Context, viewer studycircle.User, assignmentID, id string,
	f func(context.Context, *store.Tx, studycircle.Assignment, studycircle.Exemplar) error,
) error {
	return s.writeExemplars(ctx, viewer, assignmentID, func(
		ctx context.Context, tx *store.Tx, in studycircle.OwnCircle, a studycircle.Assignment, _ []string,
	) error {
		if err := studycircle.MayDecideAbout(viewer.ID, in, a); err != nil {
			return err
		}
		if !studycircle.ValidID(id) { // see assignmentOf
			return studycircle.ErrNotFound
		}
		e, err := tx.Exemplar(ctx, id)
		if err == nil && e.AssignmentID != a.ID {
			err = studycircle.ErrNotFound
		}
		if err != nil {
			return err
		}
		return f(ctx, tx, a, e)
	})
}

// takeExemplar leases a random exemplar of an assignment that viewer has not had yet; the zero Lease if there is
// none.
func takeExemplar(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, assignmentID string, until time.Time,
) (studycircle.Lease, error) {
	ids, err := tx.ExemplarsFor(ctx, viewer.ID, assignmentID)
	if err != nil || len(ids) == 0 {
		return studycircle.Lease{}, err
	}
	id := ids[rand.N(len(ids))] //nolint:gosec // a draw, and no secret
	return studycircle.Lease{SubmissionID: id, Until: until}, tx.LeaseExemplar(ctx, viewer.ID, id, until)
}

// exemplarTask returns a leased exemplar in the form of any other submission.
func exemplarTask(
	ctx context.Context, tx *store.Tx, sub studycircle.Submission, lease studycircle.Lease,
) (*ReviewTask, error) {
	e, err := tx.Exemplar(ctx, lease.SubmissionID)
	if err != nil {
		return nil, err
	}
	a, err := tx.AnyAssignment(ctx, e.AssignmentID)
	return &ReviewTask{Submission: sub, Assignment: a, Label: e.Label, Until: lease.Until}, err
}

// likeWork returns the error for a viewer who tries to decide on something that was not found, by err. For an
// exemplar it is the error for any other submission, so that its reviewers cannot tell them apart.
func likeWork(ctx context.Context, tx *store.Tx, viewer studycircle.User, id string, err error) error {
	if studycircle.CodeOf(err) != studycircle.CodeNotFound {
		return err
	}
	e, err := tx.Exemplar(ctx, id)
	if err != nil {
		return err
	}
	a, err := tx.AnyAssignment(ctx, e.AssignmentID)
	if err != nil {
		return err
	}
	in, err := tx.OwnCircle(ctx, a.CircleID)
	if err != nil {
		return err
	}
	if err := studycircle.MayDecideAbout(viewer.ID, in, a); err != nil {
		return err
	}
	return studycircle.ErrNotFound
}

// reviewExemplar stores a review of an exemplar and returns the exemplar's known mark. ErrNotFound, CodeInvalid,
// CodeRateLimited and the errors of MayReview.
func (s *Service) reviewExemplar(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, id string, turn studycircle.Turn,
	use limit.Use, in studycircle.ReviewInput,
) (*studycircle.ExemplarMark, error) {
	e, err := tx.Exemplar(ctx, id)
	if err != nil {
		return nil, err
	}
	a, err := tx.AnyAssignment(ctx, e.AssignmentID)
	if err != nil {
		return nil, err
	}
	place, err := tx.OwnCircle(ctx, a.CircleID)
	if err != nil {
		return nil, err
	}
	facts := studycircle.ReviewerFacts{
		Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewOpen, CircleID: a.CircleID}, CreatorID: a.Creator.UserID,
		Turn: turn, Room: true,
	}
	if err := studycircle.MayReview(viewer.ID, place, facts); err != nil {
		return nil, err
	}
	mark, err := in.MarkUnder(a.Rubric, e.Total)
	if err != nil {
		return nil, err
	}
	if err := s.use(ctx, tx, use); err != nil {
		return nil, err
	}
	given := studycircle.Review{
		ID: studycircle.NewBlindID(), SubmissionID: id, Reviewer: viewer.ID, Mark: mark, Levels: in.Levels,
		Feedback: in.Feedback, HTML: in.HTML, GivenAt: use.At,
	}
	parts, err := exemplarParts(ctx, tx, a, e, []studycircle.Review{given})
	if err != nil {
		return nil, err
	}
	return &e.ExemplarMark, tx.InsertExemplarReview(ctx, given, e, parts[0])
}

// exemplarParts returns the parts of the grade model from an exemplar's reviews.
func exemplarParts(
	ctx context.Context, tx *store.Tx, a studycircle.Assignment, e studycircle.Exemplar, reviews []studycircle.Review,
) ([]grademodel.Part, error) {
	sums, _, err := tx.ReviewModel(ctx, e.AssignmentID, e.ID)
	if err != nil {
		return nil, err
	}
	known := float64(e.Mark)
	return sums.Scale(a.Model).PartsOf(grademodel.Submission{
		Assignment: e.AssignmentID, Total: int(e.Total), Known: &known, Reviews: modelReviews(reviews),
	}), nil
}

// renewExemplar computes and stores anew the parts of the grade model from an exemplar's reviews.
func renewExemplar(ctx context.Context, tx *store.Tx, c studycircle.ReviewCase) error {
	e, err := tx.Exemplar(ctx, c.Submission.ID)
	if err != nil {
		return err
	}
	a, err := tx.AnyAssignment(ctx, e.AssignmentID)
	if err != nil {
		return err
	}
	parts, err := exemplarParts(ctx, tx, a, e, c.Reviews)
	if err != nil {
		return err
	}
	return tx.PutParts(ctx, c.Reviews, parts)
}
