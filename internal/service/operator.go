package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// The operator's use cases act for no user. No operation of the API leads to them.

// InviteToServer makes an operator's invitation to register and returns it with its secret, which is not stored.
// CodeInvalid.
func (s *Service) InviteToServer(
	ctx context.Context, in studycircle.ServerInvitation,
) (made studycircle.ServerInvitation, secret string, err error) {
	now := s.clock()
	if in, err = in.Clean(now); err != nil {
		return in, "", err
	}
	in.ID, in.CreatedAt, secret = studycircle.NewID(now), now, studycircle.NewSecret()
	return in, secret, s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertServerInvitation(ctx, in, hashOf(secret))
	})
}

// ServerInvitations returns the operator's invitations, oldest first.
func (s *Service) ServerInvitations(ctx context.Context) ([]studycircle.ServerInvitation, error) {
	return s.store.ServerInvitations(ctx)
}

// RevokeServerInvitation ends an invitation of the operator: once it returns, no one registers by it. ErrNotFound.
func (s *Service) RevokeServerInvitation(ctx context.Context, id string) error {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteServerInvitation(ctx, id)
	})
}

// EachUser calls f with every user, in the order of their addresses.
func (s *Service) EachUser(ctx context.Context, f func(studycircle.User) error) error {
	for last := ""; ; {
		some, err := s.store.UsersAfter(ctx, last)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, u := range some {
			if err := f(u); err != nil {
				return err
			}
			last = u.Email
		}
	}
}

// AppointedModerators returns the users whom the operator appointed moderators, by their addresses.
func (s *Service) AppointedModerators(ctx context.Context) ([]studycircle.User, error) {
	return s.store.AppointedModerators(ctx)
}

// AppointModerator makes the user with an address a moderator, and reports whether that changed anything. ErrNotFound,
// CodeInvalid if the user has not verified the address.
func (s *Service) AppointModerator(ctx context.Context, email string) (changed bool, err error) {
	return s.withAccount(ctx, email, func(ctx context.Context, tx *store.Tx, u studycircle.User) (bool, error) {
		if err := studycircle.MayBeModerator(u); err != nil {
			return false, err
		}
		return tx.AppointModerator(ctx, u.ID, s.clock())
	})
}

// DismissModerator ends the appointment of the user with an address, and reports whether that changed anything.
// ErrNotFound.
func (s *Service) DismissModerator(ctx context.Context, email string) (changed bool, err error) {
	return s.withAccount(ctx, email, func(ctx context.Context, tx *store.Tx, u studycircle.User) (bool, error) {
		return tx.DismissModerator(ctx, u.ID)
	})
}

// withAccount runs do in a transaction with the user who has an address. ErrNotFound.
func (s *Service) withAccount(
	ctx context.Context, email string, do func(context.Context, *store.Tx, studycircle.User) (bool, error),
) (changed bool, err error) {
	err = s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		account, err := tx.AccountByEmail(ctx, studycircle.NormalizeEmail(email))
		if err != nil {
			return err
		}
		changed, err = do(ctx, tx, account.User)
		return err
	})
	return changed, err
}

// EachCircle calls f with every circle and its owners, in the order of their ids.
func (s *Service) EachCircle(ctx context.Context, f func(studycircle.OwnedCircle) error) error {
	for last := ""; ; {
		some, err := s.store.CirclesAfter(ctx, studycircle.System(), last)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, c := range some {
			if err := f(c); err != nil {
				return err
			}
			last = c.ID
		}
	}
}

// ArchiveAnyCircle is ArchiveCircle for the operator. ErrNotFound.
func (s *Service) ArchiveAnyCircle(ctx context.Context, id string, archived bool) (changed bool, err error) {
	err = s.asOperator(ctx, id, func(ctx context.Context, tx *store.Tx, c studycircle.Circle) (err error) {
		changed, err = s.setArchived(ctx, tx, c, archived)
		return err
	})
	return changed, err
}

// MakeOwner makes the user with an address an owner of a circle, as a member or not, and reports whether that changed
// anything. ErrNotFound if there is no such circle or account, CodeTooManyOwners, CodeTooManyCircles.
func (s *Service) MakeOwner(ctx context.Context, id, email string) (changed bool, err error) {
	account, err := s.store.AccountByEmail(ctx, studycircle.NormalizeEmail(email))
	if err != nil {
		return false, err
	}
	err = s.asOperator(ctx, id, func(ctx context.Context, tx *store.Tx, c studycircle.Circle) error {
		of, err := tx.Membership(ctx, id, account.ID)
		if err != nil {
			return err
		}
		owners, err := tx.Owners(ctx, id)
		if err != nil {
			return err
		}
		have, err := tx.Holdings(ctx, account.ID)
		if err != nil {
			return err
		}
		if changed = of.Role != studycircle.CircleOwner; !changed {
			return nil
		}
		if err := studycircle.MayBeMadeOwner(c, of, owners, have); err != nil {
			return err
		}
		owner := of
		if owner.Role = studycircle.CircleOwner; of.Role != "" {
			return tx.UpdateMember(ctx, studycircle.MemberChanged{Before: of, After: owner})
		}
		owner.CircleID, owner.UserID, owner.JoinedAt = id, account.ID, s.clock()
		return orAccountGone(tx.Admit(ctx, owner))
	}, account.ID)
	return changed, err
}

// asOperator runs do in a transaction that has locked a circle that is not deleted, and the accounts of others.
func (s *Service) asOperator(
	ctx context.Context, id string, do func(context.Context, *store.Tx, studycircle.Circle) error, others ...string,
) error {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.LockCircle(ctx, id, others...)
		if err == nil && !c.DeletedAt.IsZero() {
			err = studycircle.ErrNotFound
		}
		if err != nil {
			return err
		}
		return do(ctx, tx, c.Circle)
	})
}

// EnrollRosterAs is EnrollRoster for the operator, in the place of the organizer with an address. ErrNotFound if there
// is no such account, or it is not a member of the circle.
func (s *Service) EnrollRosterAs(
	ctx context.Context, id, email string, r studycircle.Roster, how RosterOptions,
) (does studycircle.Enrollments, err error) {
	account, err := s.store.AccountByEmail(ctx, studycircle.NormalizeEmail(email))
	if err != nil {
		return does, err
	}
	return s.EnrollRoster(ctx, account.User, id, r, how)
}
