package service

import (
	"context"

	"studycircle"
)

// ExportCircle calls item with everything in a circle that viewer owns and may see. It begins with a
// studycircle.Circle and goes on in this order, each oldest first:
//
//   - studycircle.Member
//   - studycircle.Assignment
//   - studycircle.Submission
//   - studycircle.Exemplar
//   - studycircle.Comment
//   - []studycircle.ReleasedReview, those of one submission
//
// It returns ErrNotFound or CodeNotOwner before the first call, and the first error of item.
func (s *Service) ExportCircle(ctx context.Context, viewer studycircle.User, id string, item func(any) error) error {
	c, err := s.Circle(ctx, viewer, id)
	if err == nil {
		err = studycircle.MayOwn(c.Mine, c.Circle)
	}
	if err == nil {
		err = item(c.Circle)
	}
	if err != nil {
		return err
	}
	err = s.store.EachMembers(ctx, s.as(viewer), id, func(some []studycircle.Member) error { return items(some, item) })
	if err != nil {
		return err
	}
	var ids []string
	err = s.store.EachAssignment(ctx, s.as(viewer), id, func(a studycircle.Assignment) error {
		ids = append(ids, a.ID)
		return item(a)
	})
	if err != nil {
		return err
	}
	err = s.store.EachSubmission(ctx, s.as(viewer), id, func(sub studycircle.Submission) error { return item(sub) })
	if err != nil {
		return err
	}
	for _, part := range []func(assignmentID string) error{
		func(of string) error {
			exemplars, err := s.store.Exemplars(ctx, s.as(viewer), of)
			if err != nil {
				return err
			}
			return items(exemplars, item)
		},
		func(of string) error {
			return s.store.EachComment(ctx, s.as(viewer), of, func(c studycircle.Comment) error { return item(c) })
		},
		func(of string) error {
			return s.store.EachReleasedReviews(ctx, s.as(viewer), of, func(some []studycircle.ReleasedReview) error { return item(some) })
		},
	} {
		for _, of := range ids {
			if err := part(of); err != nil {
				return err
			}
		}
	}
	return nil
}

// items calls item with each element of all.
func items[T any](all []T, item func(any) error) error {
	for _, one := range all {
		if err := item(one); err != nil {
			return err
		}
	}
	return nil
}
