package service

import (
	"context"

	"studycircle"
)

// OperatorStore is the part of the store that the operator's commands read.
type OperatorStore interface {
	// CirclesAfter returns circles with their owners, also deleted ones, in the order of their ids after one; none after
	// the last.
	CirclesAfter(ctx context.Context, v studycircle.Viewer, id string) ([]studycircle.OwnedCircle, error)
}

// OperatorTx is the part of a transaction that only the operator's commands need.
type OperatorTx interface {
	InsertServerInvitation(ctx context.Context, i studycircle.ServerInvitation, secretHash string) error
}

// The operator's use cases act for no user. No operation of the API leads to them.

// InviteToServer makes an operator's invitation to register and returns its secret, which is not stored. CodeInvalid.
func (s *Service) InviteToServer(ctx context.Context, in studycircle.ServerInvitation) (secret string, err error) {
	now := s.clock()
	if in, err = in.Clean(now); err != nil {
		return "", err
	}
	in.ID, in.CreatedAt, secret = studycircle.NewID(now), now, studycircle.NewSecret()
	return secret, s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx Tx) error {
		return tx.InsertServerInvitation(ctx, in, hashOf(secret))
	})
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
	err = s.asOperator(ctx, id, func(ctx context.Context, tx Tx, c studycircle.Circle) (err error) {
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
	err = s.asOperator(ctx, id, func(ctx context.Context, tx Tx, c studycircle.Circle) error {
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
func (s *Service) asOperator(ctx context.Context, id string, do func(context.Context, Tx, studycircle.Circle) error, others ...string) error {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx Tx) error {
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
