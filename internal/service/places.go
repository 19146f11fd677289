package service

import (
	"context"
	"errors"

	"studycircle"
)

// PlaceStore is the part of the store that knows the viewer's circles.
type PlaceStore interface {
	// OwnCircle returns a circle of the viewer at this moment, without its description; ErrNotFound if the viewer is not
	// a member. It runs no query while nothing is committed.
	OwnCircle(ctx context.Context, v studycircle.Viewer, circleID string) (studycircle.OwnCircle, error)
	// OwnCircles returns all of them. Callers must not modify them.
	OwnCircles(ctx context.Context, v studycircle.Viewer) (studycircle.OwnCircles, error)
}

// PlaceTx is the part of a transaction that knows the viewer's circles.
type PlaceTx interface {
	// OwnCircle returns a circle of the viewer at this moment; the zero OwnCircle for the hall, and if the viewer is not
	// a member.
	OwnCircle(ctx context.Context, circleID string) (studycircle.OwnCircle, error)
	// HoldOwnCircle is OwnCircle, and keeps the viewer in the circle until the transaction ends. It precedes all other
	// locks.
	HoldOwnCircle(ctx context.Context, circleID string) (studycircle.OwnCircle, error)
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

// OwnCircles returns viewer's circles, none to a visitor. Callers must not modify them.
func (s *Service) OwnCircles(ctx context.Context, viewer studycircle.User) (studycircle.OwnCircles, error) {
	return s.store.OwnCircles(ctx, as(viewer))
}

// mayPublishIn allows every user to publish in the hall. ErrNotFound and the errors of MayPublishIn.
func (s *Service) mayPublishIn(ctx context.Context, viewer studycircle.User, circleID string) error {
	in, err := s.place(ctx, viewer, circleID)
	if err != nil || circleID == studycircle.Hall {
		return err
	}
	return studycircle.MayPublishIn(in.Mine, in.Circle)
}

// circleOf is place for a viewer who may have left the circle: the zero OwnCircle then.
func (s *Service) circleOf(ctx context.Context, viewer studycircle.User, circleID string) (studycircle.OwnCircle, error) {
	own, err := s.place(ctx, viewer, circleID)
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return studycircle.OwnCircle{}, nil
	}
	return own, err
}

// elsewhereError ends a decision about what belongs to a circle that the decision does not know.
type elsewhereError struct{ circleID string }

func (*elsewhereError) Error() string { return "it belongs to another place" }

// inPlace runs write with the zero OwnCircle and, if that returns an elsewhereError, once more with the viewer's circle.
// So a write of the hall, whose place only the store knows, asks for no circle. ErrNotFound.
func (s *Service) inPlace(ctx context.Context, viewer studycircle.User, write func(in studycircle.OwnCircle) error) error {
	err := write(studycircle.OwnCircle{})
	elsewhere, is := errors.AsType[*elsewhereError](err)
	if !is {
		return err
	}
	in, err := s.place(ctx, viewer, elsewhere.circleID)
	if err != nil {
		return err
	}
	return write(in)
}

// mayWriteIn allows the transaction's viewer to write in a place. ErrNotFound, CodeCircleArchived.
func mayWriteIn(ctx context.Context, tx PlaceTx, circleID string) error {
	in, err := tx.OwnCircle(ctx, circleID)
	if err != nil {
		return err
	}
	return studycircle.MayWriteIn(in, circleID)
}
