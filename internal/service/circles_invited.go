package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// answerLimit is the most answers to invitations of one user in an hour.
var answerLimit = limit.Window{
	Name: "invited", Max: 120, Per: time.Hour,
	Message: "You have answered a lot of invitations within the hour. Please try again in %s.",
}

// InvitedTo returns the invitations by rosters that wait for viewer's answer, newest first.
func (s *Service) InvitedTo(ctx context.Context, viewer studycircle.User) ([]studycircle.InvitedTo, error) {
	return s.store.InvitedTo(ctx, s.as(viewer), s.clock())
}

// AcceptInvited joins the circle of an invitation by a roster and returns its id, also to a user who has joined by it
// already. ErrNotFound, CodeCircleArchived, CodeTooManyCircles, CodeRateLimited.
func (s *Service) AcceptInvited(ctx context.Context, viewer studycircle.User, id string) (circleID string, err error) {
	now := s.clock()
	err = s.withInvited(ctx, viewer, id, func(ctx context.Context, tx *store.Tx, in invited) error {
		circleID = in.circle.ID
		if in.mine() && studycircle.MaySeeCircle(in.circle.Mine, in.circle.Circle) == nil {
			return nil
		}
		if err := studycircle.MayAnswerInvited(in.Invitation, in.circle.Circle, in.user, in.removed, now); err != nil {
			return err
		}
		if err := mayHaveAnother(ctx, tx, viewer.ID); err != nil {
			return err
		}
		if err := s.use(ctx, tx, limit.Use{Window: answerLimit, Subject: viewer.ID, At: now}); err != nil {
			return err
		}
		return tx.JoinBy(ctx, in.Invitation, now)
	})
	if err != nil {
		return "", err
	}
	return circleID, nil
}

// DeclineInvited declines an invitation by a roster; with forGood viewer learns of no other invitation by rosters of
// the circle. Organizers do not learn either. ErrNotFound, CodeCircleArchived, CodeRateLimited.
func (s *Service) DeclineInvited(ctx context.Context, viewer studycircle.User, id string, forGood bool) error {
	now := s.clock()
	return s.withInvited(ctx, viewer, id, func(ctx context.Context, tx *store.Tx, in invited) error {
		if in.circle.Mine.Role != "" {
			return studycircle.ErrNotFound
		}
		if err := studycircle.MayAnswerInvited(in.Invitation, in.circle.Circle, in.user, in.removed, now); err != nil {
			return err
		}
		if err := s.use(ctx, tx, limit.Use{Window: answerLimit, Subject: viewer.ID, At: now}); err != nil {
			return err
		}
		return tx.Decline(ctx, in.Invitation, forGood, now)
	})
}

// invited is an invitation by a roster, with its locked circle and the viewer.
type invited struct {
	studycircle.Invitation
	circle  studycircle.OwnCircle
	user    studycircle.User
	removed time.Time // see Tx.RemovedAt
}

// mine reports whether the invitation is for the viewer's address.
func (in invited) mine() bool {
	return in.RosterEmail != "" && in.RosterEmail == in.user.Email && !in.user.EmailVerifiedAt.IsZero()
}

// withInvited runs do with an invitation for viewer's verified address. ErrNotFound.
func (s *Service) withInvited(
	ctx context.Context, viewer studycircle.User, id string, do func(context.Context, *store.Tx, invited) error,
) error {
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) (err error) {
		if _, err := tx.LockHoldings(ctx); err != nil {
			return orAccountGone(err)
		}
		in := invited{}
		if in.user, err = tx.User(ctx, viewer.ID); err != nil {
			return orAccountGone(err)
		}
		if in.Invitation, err = tx.Invitation(ctx, id); err != nil {
			return err
		}
		if !in.mine() {
			return studycircle.ErrNotFound // before the circle of others is locked
		}
		if in.circle, err = tx.LockCircle(ctx, in.CircleID); err != nil {
			return err
		}
		if in.Invitation, err = tx.Invitation(ctx, id); err != nil {
			return err
		}
		if in.removed, err = tx.RemovedAt(ctx, in.CircleID, viewer.ID); err != nil {
			return err
		}
		return do(ctx, tx, in)
	})
}
