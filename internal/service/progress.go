package service

import (
	"context"
	"time"

	"studycircle"
)

// ProgressStore is what progress, results and the dashboard are read from.
type ProgressStore interface {
	Progress(ctx context.Context, v studycircle.Viewer, assignmentIDs []string, now time.Time) ([]studycircle.Progress, error)
	Today(ctx context.Context, v studycircle.Viewer, now time.Time) (studycircle.Today, error)
	Dashboard(ctx context.Context, v studycircle.Viewer, now time.Time) (studycircle.Dashboard, error)
}

// Progress tells where viewer stands with some assignments, in their order, each
// once. Those that there are not are left out.
func (s *Service) Progress(ctx context.Context, viewer studycircle.User, assignmentIDs []string) ([]studycircle.Progress, error) {
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
	return s.store.Progress(ctx, as(viewer), ids, s.clock())
}

// Dashboard tells how viewer stands.
func (s *Service) Dashboard(ctx context.Context, viewer studycircle.User) (studycircle.Dashboard, error) {
	return s.store.Dashboard(ctx, as(viewer), s.clock())
}

// Today returns what viewer is to do now, and what has come back.
func (s *Service) Today(ctx context.Context, viewer studycircle.User) (studycircle.Today, error) {
	return s.store.Today(ctx, as(viewer), s.clock())
}

// SetReminder says whether viewer wants to be reminded of an assignment; it tells
// whether that changes anything. ErrNotFound, CodeOwnAssignment.
func (s *Service) SetReminder(ctx context.Context, viewer studycircle.User, assignmentID string, remind bool) (bool, error) {
	changed := false
	err := s.store.Write(ctx, as(viewer), func(ctx context.Context, tx Tx) error {
		a, err := assignmentOf(ctx, tx, assignmentID)
		if err != nil {
			return err
		}
		if err := studycircle.MayBeReminded(viewer.ID, a); err != nil {
			return err
		}
		changed, err = tx.SetReminder(ctx, viewer.ID, a.ID, remind, s.clock())
		return err
	})
	return changed, err
}
