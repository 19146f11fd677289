package service

import (
	"context"

	"studycircle"
)

// PlaceStore is the part of the store that knows the viewer's circles.
type PlaceStore interface {
	// OwnCircle returns a circle of the viewer at this moment, without its description; ErrNotFound if the viewer is not
	// a member. It runs no query while nothing is committed.
	OwnCircle(ctx context.Context, v studycircle.Viewer, circleID string) (studycircle.OwnCircle, error)
}

// MayEnter allows every client the hall, "", and members their circle. viewer may be a visitor, the zero User.
// ErrNotFound.
func (s *Service) MayEnter(ctx context.Context, viewer studycircle.User, circleID string) error {
	_, err := s.place(ctx, viewer, circleID)
	return err
}

// place returns a circle of viewer, the zero OwnCircle for the hall; ErrNotFound.
func (s *Service) place(ctx context.Context, viewer studycircle.User, circleID string) (own studycircle.OwnCircle, err error) {
	if circleID == studycircle.Hall {
		return own, nil
	}
	if viewer.ID == "" || !studycircle.ValidID(circleID) { // see assignmentOf
		return own, studycircle.ErrNotFound
	}
	if own, err = s.store.OwnCircle(ctx, as(viewer), circleID); err != nil {
		return own, err
	}
	return own, studycircle.MaySeeCircle(own.Mine, own.Circle)
}

// mayGradeIn allows every user to grade and review in the hall, and in a circle the members whom it names. ErrNotFound
// and the errors of MayGradeIn.
func (s *Service) mayGradeIn(ctx context.Context, viewer studycircle.User, circleID string) error {
	own, err := s.place(ctx, viewer, circleID)
	if err != nil || circleID == studycircle.Hall {
		return err
	}
	return studycircle.MayGradeIn(own.Mine, own.Circle)
}
