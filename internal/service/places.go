package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// MayEnter allows every client the hall, "", and members their circle. viewer may be a visitor, the zero User.
// ErrNotFound.
func (s *Service) MayEnter(ctx context.Context, viewer studycircle.User, circleID string) error {
	_, err := s.place(ctx, viewer, circleID)
	return err
}

// shows reports whether viewer sees anything in a place that MayEnter allows: not in a hall that is off, whose lists
// are empty.
func (s *Service) shows(viewer studycircle.User, circleID string) bool {
	return studycircle.Visible(s.as(viewer), studycircle.Facts{
		Object: studycircle.ObjectAssignment, CircleID: circleID, Member: true,
	})
}

// place returns a circle of viewer, the zero OwnCircle for the hall; ErrNotFound.
func (s *Service) place(
	ctx context.Context, viewer studycircle.User, circleID string,
) (own studycircle.OwnCircle, err error) {
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
func (s *Service) circleOf(
	ctx context.Context, viewer studycircle.User, circleID string,
) (studycircle.OwnCircle, error) {
	own, err := s.place(ctx, viewer, circleID)
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return studycircle.OwnCircle{}, nil
	}
	return own, err
}

// mayWriteIn allows the transaction's viewer to write in a place. ErrNotFound, CodeCircleArchived.
func mayWriteIn(ctx context.Context, tx *store.Tx, circleID string) error {
	in, err := tx.OwnCircle(ctx, circleID)
	if err != nil {
		return err
	}
	return studycircle.MayWriteIn(in, circleID)
}
