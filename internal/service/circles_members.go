package service

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

// ListedCircles returns a page of the circles that every user may find, and their number: those listed last first, or
// those whose names have the words of search.
func (s *Service) ListedCircles(
	ctx context.Context, viewer studycircle.User, search string, p studycircle.Page,
) ([]studycircle.FoundCircle, int64, error) {
	return s.store.ListedCircles(ctx, s.as(viewer), search, p)
}

// Members returns a page of the members of a circle in the order of joining, their number, and whether viewer sees
// what only organizers see. ErrNotFound.
func (s *Service) Members(
	ctx context.Context, viewer studycircle.User, id string, f studycircle.MemberFilter, p studycircle.Page,
) (found []studycircle.Member, total int64, organizes bool, err error) {
	c, err := s.Circle(ctx, viewer, id)
	if err != nil {
		return nil, 0, false, err
	}
	organizes = studycircle.MayReadAsOrganizer(c.Mine, c.Circle) == nil
	found, total, err = s.store.Members(ctx, s.as(viewer), id, f, organizes, p)
	if err != nil || !organizes {
		return found, total, organizes, err
	}
	owners, err := s.store.Owners(ctx, id)
	for i := range found {
		found[i].May = studycircle.MemberActions(c.Mine, c.Circle, found[i].Membership, owners)
	}
	return found, total, organizes, err
}

// ChangeMember changes the role, label, name or extra time of a member, and reports whether that changed anything.
// CodeInvalid, ErrNotFound, CodeNotOrganizer, CodeNotOwner, CodeCircleArchived, CodeLastOwner, CodeTooManyOwners,
// CodeTooManyCircles.
func (s *Service) ChangeMember(
	ctx context.Context, viewer studycircle.User, id, userID string, in studycircle.MemberChange,
) (changed bool, err error) {
	if in, err = in.Clean(); err != nil {
		return false, err
	}
	if in.ExtraDays != nil { // of each assignment of the circle
		ctx = store.ManyRows(ctx)
	}
	err = s.withMember(ctx, viewer, id, userID, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle, of studycircle.Membership,
	) (err error) {
		var owners int64
		var have studycircle.Holdings
		if in.Role != nil {
			if owners, err = tx.Owners(ctx, id); err != nil {
				return err
			}
			if have, err = tx.Holdings(ctx, userID); err != nil {
				return err
			}
		}
		if err := studycircle.MayChangeMember(c.Mine, c.Circle, of, in, owners, have); err != nil {
			return err
		}
		change := studycircle.MemberChanged{Before: of, After: in.Apply(of)}
		if changed = change.After != of; !changed {
			return nil
		}
		if of.ExtraDays != change.After.ExtraDays {
			if err := tx.SetExtraDays(ctx, change.After, s.clock()); err != nil {
				return err
			}
			if change.Before.ExtraDays = change.After.ExtraDays; change.Before == change.After {
				return nil
			}
		}
		return tx.UpdateMember(ctx, change)
	})
	return changed, err
}

// RemoveMember removes a member, whom only a new invitation admits again. ErrNotFound, CodeNotOrganizer, CodeNotOwner,
// CodeCircleArchived, CodeLastOwner.
func (s *Service) RemoveMember(ctx context.Context, viewer studycircle.User, id, userID string) error {
	return s.withMember(ctx, viewer, id, userID, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle, of studycircle.Membership,
	) error {
		owners, err := tx.Owners(ctx, id)
		if err != nil {
			return err
		}
		if err := studycircle.MayRemoveMember(c.Mine, c.Circle, of, owners); err != nil {
			return err
		}
		return tx.RemoveMember(ctx, of, s.clock())
	})
}

// LeaveCircle removes viewer from a circle. ErrNotFound, CodeLastOwner.
func (s *Service) LeaveCircle(ctx context.Context, viewer studycircle.User, id string) error {
	return s.inCircle(ctx, viewer, id, studycircle.MaySeeCircle, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle,
	) error {
		owners, err := tx.Owners(ctx, id)
		if err != nil {
			return err
		}
		if err := studycircle.MayLeave(c.Mine, c.Circle, owners); err != nil {
			return err
		}
		return tx.LeaveCircle(ctx, c.Mine)
	})
}

// HandOver asks a member to become an owner in the place of viewer. ErrNotFound, CodeNotOwner, CodeCircleArchived.
func (s *Service) HandOver(ctx context.Context, viewer studycircle.User, id, userID string) error {
	return s.withMember(ctx, viewer, id, userID, studycircle.MayChangeCircle, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle, to studycircle.Membership,
	) error {
		if err := studycircle.MayHandOver(c.Mine, c.Circle, to); err != nil {
			return err
		}
		return tx.AskHeir(ctx, id, userID)
	})
}

// TakeOver makes viewer, who was asked, an owner in the place of the owner who asked. ErrNotFound,
// CodeCircleArchived, CodeTooManyCircles.
func (s *Service) TakeOver(ctx context.Context, viewer studycircle.User, id string) error {
	return s.inCircle(ctx, viewer, id, studycircle.MaySeeCircle, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle,
	) error {
		from, err := tx.Asker(ctx, id)
		if err != nil {
			return err
		}
		have, err := tx.Holdings(ctx, viewer.ID)
		if err != nil {
			return err
		}
		if err := studycircle.MayTakeOver(c.Mine, c.Circle, from, have); err != nil {
			return err
		}
		return tx.TakeOver(ctx, c.Mine, from)
	})
}

// ArchiveCircle archives a circle, or ends that, and reports whether that changed anything. ErrNotFound,
// CodeNotOwner.
func (s *Service) ArchiveCircle(
	ctx context.Context, viewer studycircle.User, id string, archived bool,
) (changed bool, err error) {
	err = s.inCircle(ctx, viewer, id, studycircle.MayOwn, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle,
	) (err error) {
		changed, err = s.setArchived(ctx, tx, c.Circle, archived)
		return err
	})
	return changed, err
}

// setArchived archives a locked circle, or ends that, and reports whether that changed anything.
func (s *Service) setArchived(
	ctx context.Context, tx *store.Tx, c studycircle.Circle, archived bool,
) (changed bool, err error) {
	if c.ArchivedAt.IsZero() != archived {
		return false, nil
	}
	at := time.Time{}
	if archived {
		at = s.clock()
	}
	return true, tx.SetCircleArchived(ctx, c.ID, at)
}

// withMember is inCircle about one of the members, zero if the user is none.
func (s *Service) withMember(
	ctx context.Context, viewer studycircle.User, id, userID string,
	may func(studycircle.Membership, studycircle.Circle) error,
	do func(ctx context.Context, tx *store.Tx, c studycircle.OwnCircle, of studycircle.Membership) error,
) error {
	if !studycircle.ValidID(userID) { // see assignmentOf
		userID = "-"
	}
	return s.inCircle(ctx, viewer, id, may, func(ctx context.Context, tx *store.Tx, c studycircle.OwnCircle) error {
		of, err := tx.Membership(ctx, id, userID)
		if err != nil {
			return err
		}
		return do(ctx, tx, c, of)
	}, userID)
}

// errPreviewed ends the transaction of a preview, which must change nothing.
var errPreviewed = errors.New("previewed")
