package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Progress returns viewer's progress in some assignments, in their order, each once. It leaves out missing
// assignments.
func (s *Service) Progress(
	ctx context.Context, viewer studycircle.User, assignmentIDs []string,
) ([]studycircle.Progress, error) {
	var ids []string
	asked := map[string]bool{}
	for _, id := range assignmentIDs {
		if studycircle.ValidID(id) && !asked[id] { // see assignmentOf
			asked[id], ids = true, append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.store.Progress(ctx, s.as(viewer), ids, s.clock())
}

// Dashboard returns viewer's dashboard.
func (s *Service) Dashboard(ctx context.Context, viewer studycircle.User) (studycircle.Dashboard, error) {
	return s.store.Dashboard(ctx, s.as(viewer), s.clock())
}

// Today returns viewer's present duties and the marks that have come back.
func (s *Service) Today(ctx context.Context, viewer studycircle.User) (studycircle.Today, error) {
	t, reported, err := s.store.Today(ctx, s.as(viewer), s.Moderates(viewer), s.clock())
	if err != nil {
		return t, err
	}
	reports, err := s.reportsFor(ctx, viewer, reported)
	t.Needs = append(t.Needs, reports...)
	if err != nil {
		return t, err
	}
	t.Invitations, err = s.InvitedTo(ctx, viewer)
	return t, err
}

// SetReminder stores whether viewer wants to be reminded of an assignment, and reports whether that changes anything.
// ErrNotFound, CodeOwnAssignment.
func (s *Service) SetReminder(
	ctx context.Context, viewer studycircle.User, assignmentID string, remind bool,
) (bool, error) {
	changed := false
	err := s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		a, err := assignmentOf(ctx, tx, assignmentID)
		if err != nil {
			return err
		}
		in, err := tx.HoldOwnCircle(ctx, a.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayBeReminded(viewer.ID, in, a); err != nil {
			return err
		}
		changed, err = tx.SetReminder(ctx, viewer.ID, a.ID, remind, s.clock())
		return err
	})
	return changed, err
}
