package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// ownDueDates gives viewer's own due dates to those of some assignments that viewer has extra time for.
func (s *Service) ownDueDates(ctx context.Context, viewer studycircle.User, found []studycircle.Assignment) error {
	var ids []string
	for _, a := range found {
		if a.SomeExtended && viewer.ID != "" {
			ids = append(ids, a.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	own, err := s.store.OwnDueDates(ctx, s.as(viewer), ids)
	for i := range found {
		if due, has := own[found[i].ID]; has && due.Time().After(found[i].Due.Time()) {
			found[i].Due, found[i].Extended = due, true
		}
	}
	return err
}

// HasOwnDueDate reports whether viewer has a due date of their own for one of some assignments.
func (s *Service) HasOwnDueDate(ctx context.Context, viewer studycircle.User, assignmentIDs []string) (bool, error) {
	own, err := s.store.OwnDueDates(ctx, s.as(viewer), assignmentIDs)
	return len(own) > 0, err
}

// Extensions returns a page of the extra time that users have for viewer's assignment, and their number. ErrNotFound,
// CodeNotYourAssignment.
func (s *Service) Extensions(
	ctx context.Context, viewer studycircle.User, assignmentID string, p studycircle.Page,
) ([]studycircle.Extension, int64, error) {
	a, _, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Extensions(ctx, a, p)
}

// Extend gives a user a due date of their own for viewer's assignment, or takes it away if due is nil, and reports
// whether that changed anything. CodeInvalid, ErrNotFound, CodeNotYourAssignment, CodeCircleArchived.
func (s *Service) Extend(
	ctx context.Context, viewer studycircle.User, assignmentID, userID string, due *string,
) (changed bool, err error) {
	var given studycircle.DueDate
	if due != nil {
		if given, err = studycircle.ParseExtension(*due); err != nil {
			return false, err
		}
	}
	if !studycircle.ValidID(assignmentID) || !studycircle.ValidID(userID) { // see assignmentOf
		return false, studycircle.ErrNotFound
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		changed = false
		if err := tx.LockToExtend(ctx, assignmentID, userID); err != nil {
			return err
		}
		a, in, err := assignmentIn(ctx, tx, assignmentID)
		if err != nil {
			return err
		}
		var member bool
		var of studycircle.Membership
		if a.CircleID == studycircle.Hall {
			member, err = tx.WorksFor(ctx, a, userID)
		} else if of, err = tx.Membership(ctx, a.CircleID, userID); err == nil {
			member = of.Role != ""
		}
		if err != nil {
			return err
		}
		if err := studycircle.MayExtend(viewer.ID, in, a, member, userID); err != nil {
			return err
		}
		if due != nil {
			if err := studycircle.CheckExtension(a.Due, given); err != nil {
				return err
			}
		}
		changed, err = tx.Extend(ctx, a, userID, given, of.ExtraDays, s.clock())
		return err
	})
	return changed, err
}
