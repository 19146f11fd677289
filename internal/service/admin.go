package service

import (
	"context"

	"studycircle"
)

// Operates reports whether viewer is an operator.
func (s *Service) Operates(viewer studycircle.User) bool {
	return studycircle.MayOperate(viewer, s.Operators) == nil
}

// Overview returns the state of the server to an operator. ErrNotFound to others.
func (s *Service) Overview(ctx context.Context, viewer studycircle.User) (studycircle.Overview, error) {
	if err := studycircle.MayOperate(viewer, s.Operators); err != nil {
		return studycircle.Overview{}, err
	}
	return s.ReadOverview(ctx)
}
