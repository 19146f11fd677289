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
	// OwnCircles returns all of them. Callers must not modify them.
	OwnCircles(ctx context.Context, v studycircle.Viewer) (studycircle.OwnCircles, error)
}

// PlaceTx is the part of a transaction that knows the viewer's circles.
type PlaceTx interface {
	// OwnCircle returns a circle of the viewer at this moment; the zero OwnCircle for the hall, and if the viewer is not
	// a member.
	OwnCircle(ctx context.Context, circleID string) (studycircle.OwnCircle, error)
	// HoldOwnCircle is OwnCircle, and keeps the viewer in the circle and the circle as it is until the transaction ends.
	// It precedes all other locks.
	HoldOwnCircle(ctx context.Context, circleID string) (studycircle.OwnCircle, error)
}

// MayEnter allows every client the hall, "", and members their circle. viewer may be a visitor, the zero User.
// ErrNotFound.
func (s *Service) MayEnter(ctx context.Context, viewer studycircle.User, circleID string) error {
	_, err := s.place(ctx, viewer, circleID)
	return err
}

// shows reports whether viewer sees anything in a place that MayEnter allows: not in a hall that is off, whose lists are
// empty.
func (s *Service) shows(viewer studycircle.User, circleID string) bool {
	return studycircle.Visible(s.as(viewer), studycircle.Facts{Object: studycircle.ObjectAssignment, CircleID: circleID, Member: true})
}

// place returns a circle of viewer, the zero OwnCircle for the hall; ErrNotFound.
func (s *Service) place(ctx context.Context, viewer studycircle.User, circleID string) (own studycircle.OwnCircle, err error) {
	if circleID == studycircle.Hall {
		return own, nil
	}
	if viewer.ID == "" || !studycircle.ValidID(circleID) { // see assignmentOf
		return own, studycircle.ErrNotFound
	}
	if own, err = s.store.OwnCircle(ctx, s.as(viewer), circleID); err != nil {
		return own, err
	}
	return own, studycircle.MaySeeCircle(own.Mine, own.Circle)
}

// OwnCircles returns viewer's circles, none to a visitor. Callers must not modify them.
func (s *Service) OwnCircles(ctx context.Context, viewer studycircle.User) (studycircle.OwnCircles, error) {
	return s.store.OwnCircles(ctx, s.as(viewer))
}

// circleOf is place for a viewer who may have left the circle: the zero OwnCircle then.
func (s *Service) circleOf(ctx context.Context, viewer studycircle.User, circleID string) (studycircle.OwnCircle, error) {
	own, err := s.place(ctx, viewer, circleID)
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return studycircle.OwnCircle{}, nil
	}
	return own, err
}

// mayWriteIn allows the transaction's viewer to write in a place. ErrNotFound, CodeCircleArchived.
func mayWriteIn(ctx context.Context, tx PlaceTx, circleID string) error {
	in, err := tx.OwnCircle(ctx, circleID)
	if err != nil {
		return err
	}
	return studycircle.MayWriteIn(in, circleID)
}
