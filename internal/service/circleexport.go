package service

import (
	"context"

	"studycircle"
)

// CircleExport reads a whole circle, each part oldest first.
type CircleExport struct {
	studycircle.Circle
	s      *Service
	viewer studycircle.Viewer
	ids    []string // of its assignments, once they were read
}

// ExportCircle returns what a circle that viewer owns has and viewer may see. ErrNotFound, CodeNotOwner.
func (s *Service) ExportCircle(ctx context.Context, viewer studycircle.User, id string) (*CircleExport, error) {
	c, err := s.Circle(ctx, viewer, id)
	if err == nil {
		err = studycircle.MayOwn(c.Mine, c.Circle)
	}
	return &CircleExport{Circle: c.Circle, s: s, viewer: s.as(viewer)}, err
}

// EachMember calls f with each member.
func (e *CircleExport) EachMember(ctx context.Context, f func(studycircle.Member) error) error {
	return e.s.store.EachMembers(ctx, e.viewer, e.ID, func(some []studycircle.Member) error { return each(some, f) })
}

// EachAssignment calls f with each assignment.
func (e *CircleExport) EachAssignment(ctx context.Context, f func(studycircle.Assignment) error) error {
	return e.s.store.EachAssignment(ctx, e.viewer, e.ID, func(a studycircle.Assignment) error {
		e.ids = append(e.ids, a.ID)
		return f(a)
	})
}

// EachSubmission calls f with each submission.
func (e *CircleExport) EachSubmission(ctx context.Context, f func(studycircle.Submission) error) error {
	return e.s.store.EachSubmission(ctx, e.viewer, e.ID, f)
}

// EachExemplar calls f with each exemplar of the assignments that EachAssignment read.
func (e *CircleExport) EachExemplar(ctx context.Context, f func(studycircle.Exemplar) error) error {
	return each(e.ids, func(of string) error {
		exemplars, err := e.s.store.Exemplars(ctx, e.viewer, of)
		if err != nil {
			return err
		}
		return each(exemplars, f)
	})
}

// EachComment calls f with each comment on the assignments that EachAssignment read.
func (e *CircleExport) EachComment(ctx context.Context, f func(studycircle.Comment) error) error {
	return each(e.ids, func(of string) error { return e.s.store.EachComment(ctx, e.viewer, of, f) })
}

// EachReviews calls f with the reviews of each submission for the assignments that
// EachAssignment read.
func (e *CircleExport) EachReviews(ctx context.Context, f func([]studycircle.ReleasedReview) error) error {
	return each(e.ids, func(of string) error { return e.s.store.EachReleasedReviews(ctx, e.viewer, of, f) })
}

// each calls f with each element of all.
func each[T any](all []T, f func(T) error) error {
	for _, one := range all {
		if err := f(one); err != nil {
			return err
		}
	}
	return nil
}
