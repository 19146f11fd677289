package service

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// The hourly limits of one user.
var (
	joinLimit = limit.Window{
		Name: "join", Max: 20, Per: time.Hour,
		Message: "You have tried to join a lot of circles within the hour. Please try again in %s.",
	}
	askLimit = limit.Window{
		Name: "ask", Max: 20, Per: time.Hour,
		Message: "You have asked to join a lot of circles within the hour. Please try again in %s.",
	}
	inviteLimit = limit.Window{
		Name: "invite", Max: 120, Per: time.Hour,
		Message: "You have made a lot of invitations within the hour. Please try again in %s.",
	}
)

// Invite makes an invitation to a circle and returns it with its secret, which is not stored. CodeInvalid,
// ErrNotFound, CodeNotOrganizer, CodeCircleArchived, CodeRateLimited.
func (s *Service) Invite(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.InvitationInput,
) (invitationID, secret string, err error) {
	now := s.clock()
	if in, err = in.Clean(now); err != nil {
		return "", "", err
	}
	i := studycircle.Invitation{ID: studycircle.NewID(now), CircleID: id, InvitationInput: in, CreatedAt: now}
	secret = studycircle.NewSecret()
	return i.ID, secret, s.inCircle(ctx, viewer, id, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, _ studycircle.OwnCircle,
	) error {
		if err := tx.InsertInvitation(ctx, i, hashOf(secret)); err != nil {
			return err
		}
		return s.use(ctx, tx, limit.Use{Window: inviteLimit, Subject: viewer.ID, At: now})
	})
}

// Invitations returns a page of the invitations to a circle, newest first, and their number. ErrNotFound,
// CodeNotOrganizer.
func (s *Service) Invitations(
	ctx context.Context, viewer studycircle.User, id string, p studycircle.Page,
) ([]studycircle.Invitation, int64, error) {
	if err := s.readsAsOrganizer(ctx, viewer, id); err != nil {
		return nil, 0, err
	}
	return s.store.Invitations(ctx, s.as(viewer), id, p)
}

// Revoke revokes an invitation at once. ErrNotFound, CodeNotOrganizer, CodeCircleArchived.
func (s *Service) Revoke(ctx context.Context, viewer studycircle.User, id, invitationID string) error {
	return s.inCircle(ctx, viewer, id, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, _ studycircle.OwnCircle,
	) error {
		if !studycircle.ValidID(invitationID) { // see assignmentOf
			return studycircle.ErrNotFound
		}
		revoked, err := tx.RevokeInvitation(ctx, id, invitationID, s.clock())
		if err == nil && !revoked {
			return studycircle.ErrNotFound
		}
		return err
	})
}

func (s *Service) readsAsOrganizer(ctx context.Context, viewer studycircle.User, id string) error {
	c, err := s.Circle(ctx, viewer, id)
	if err != nil {
		return err
	}
	return studycircle.MayReadAsOrganizer(c.Mine, c.Circle)
}

// JoinBySecret joins the circle of an invitation and returns its id, also to a user who is a member already. Every
// attempt counts. ErrNotFound, CodeCircleArchived, CodeTooManyCircles, CodeRateLimited.
func (s *Service) JoinBySecret(
	ctx context.Context, viewer studycircle.User, secret string,
) (circleID string, err error) {
	now := s.clock()
	c, err := s.bySecret(ctx, viewer, secret, now, func(
		ctx context.Context, tx *store.Tx, i studycircle.Invitation,
	) error {
		if i.ID == "" {
			return nil
		}
		return tx.JoinBy(ctx, i, now)
	})
	return c.ID, err
}

// InvitedCircle returns the circle that JoinBySecret would join, with the same errors; of a circle whose roster
// invites, only id and name. Refused attempts count as attempts to join; others do not, so that a user who looks before
// joining has as many as one who does not.
func (s *Service) InvitedCircle(
	ctx context.Context, viewer studycircle.User, secret string,
) (studycircle.OwnCircle, error) {
	byRoster := false
	c, err := s.bySecret(ctx, viewer, secret, s.clock(), func(
		_ context.Context, _ *store.Tx, i studycircle.Invitation,
	) error {
		byRoster = i.RosterEmail != ""
		return errPreviewed
	})
	if errors.Is(err, errPreviewed) {
		err = nil
	}
	if byRoster {
		c.HTML, c.Members = "", 0
	}
	return c, err
}

// bySecret counts an attempt to join by an invitation and returns its circle. It runs do with the invitation if that
// admits viewer, with the zero Invitation if viewer is a member already.
func (s *Service) bySecret(
	ctx context.Context, viewer studycircle.User, secret string, now time.Time,
	do func(ctx context.Context, tx *store.Tx, i studycircle.Invitation) error,
) (c studycircle.OwnCircle, err error) {
	var refused error
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.LockHoldings(ctx); err != nil {
			return err
		}
		if err := s.use(ctx, tx, limit.Use{Window: joinLimit, Subject: viewer.ID, At: now}); err != nil {
			return err
		}
		var i studycircle.Invitation
		c, i, refused = admission(ctx, tx, viewer, hashOf(secret), now)
		switch {
		case refused == nil:
			return do(ctx, tx, i)
		case studycircle.CodeOf(refused) == studycircle.CodeInternal:
			return refused
		default:
			return nil // a refusal has changed nothing but the count of attempts
		}
	})
	if err == nil {
		err = refused
	}
	return c, err
}

// admission returns the circle of an invitation, locked, and the invitation if it admits viewer. To a member it returns
// the zero Invitation.
func admission(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, secretHash string, now time.Time,
) (c studycircle.OwnCircle, i studycircle.Invitation, err error) {
	invitationID, circleID, err := tx.InvitationBySecret(ctx, secretHash)
	if err != nil {
		return c, i, err
	}
	c, err = tx.LockCircle(ctx, circleID)
	if err != nil || studycircle.MaySeeCircle(c.Mine, c.Circle) == nil {
		return c, i, err
	}
	found, err := tx.Invitation(ctx, invitationID)
	if err != nil {
		return c, i, err
	}
	u, err := tx.User(ctx, viewer.ID)
	if err != nil {
		return c, i, orAccountGone(err)
	}
	removed, err := tx.RemovedAt(ctx, circleID, viewer.ID)
	if err != nil {
		return c, i, err
	}
	if err := studycircle.MayJoinBy(found, c.Circle, u, removed, now); err != nil {
		return c, i, err
	}
	return c, found, mayHaveAnother(ctx, tx, viewer.ID)
}

// mayHaveAnother refuses another membership to a user who has the most.
func mayHaveAnother(ctx context.Context, tx *store.Tx, userID string) error {
	have, err := tx.Holdings(ctx, userID)
	if err != nil {
		return err
	}
	return studycircle.MayHaveCircle(have, studycircle.CircleMember)
}

// JoinOpen joins an open circle; a member stays one. ErrNotFound, CodeTooManyCircles, CodeRateLimited.
func (s *Service) JoinOpen(ctx context.Context, viewer studycircle.User, id string) error {
	return s.enter(ctx, viewer, id, studycircle.MayJoin, func(ctx context.Context, tx *store.Tx, now time.Time) error {
		if err := mayHaveAnother(ctx, tx, viewer.ID); err != nil {
			return err
		}
		return tx.Admit(ctx, studycircle.Membership{
			CircleID: id, UserID: viewer.ID, Role: studycircle.CircleMember, JoinedAt: now,
		})
	})
}

// AskToJoin asks the organizers of a circle to admit viewer, once; a member stays one. ErrNotFound, CodeRateLimited.
func (s *Service) AskToJoin(ctx context.Context, viewer studycircle.User, id string) error {
	return s.enter(ctx, viewer, id, studycircle.MayAsk, func(ctx context.Context, tx *store.Tx, now time.Time) error {
		return tx.InsertRequest(ctx, id, now)
	})
}

// enter runs do for a user who is not a member of a circle, if may allows it.
func (s *Service) enter(
	ctx context.Context, viewer studycircle.User, id string, may func(c studycircle.Circle, removed bool) error,
	do func(ctx context.Context, tx *store.Tx, now time.Time) error,
) error {
	now := s.clock()
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.LockCircle(ctx, id)
		if err != nil || studycircle.MaySeeCircle(c.Mine, c.Circle) == nil {
			return err
		}
		removed, err := tx.RemovedAt(ctx, id, viewer.ID)
		if err != nil {
			return err
		}
		if err := may(c.Circle, !removed.IsZero()); err != nil {
			return err
		}
		if err := do(ctx, tx, now); err != nil {
			return orAccountGone(err)
		}
		return s.use(ctx, tx, limit.Use{Window: askLimit, Subject: viewer.ID, At: now})
	})
}

// Asking returns a page of the users who ask to join a circle, oldest first, and their number. ErrNotFound,
// CodeNotOrganizer.
func (s *Service) Asking(
	ctx context.Context, viewer studycircle.User, id string, p studycircle.Page,
) ([]studycircle.Asker, int64, error) {
	if err := s.readsAsOrganizer(ctx, viewer, id); err != nil {
		return nil, 0, err
	}
	return s.store.Asking(ctx, s.as(viewer), id, p)
}

// AnswerAsking admits a user who asks to join a circle, or declines. ErrNotFound, CodeNotOrganizer,
// CodeCircleArchived, CodeTooManyCircles.
func (s *Service) AnswerAsking(ctx context.Context, viewer studycircle.User, id, userID string, accept bool) error {
	return s.withMember(ctx, viewer, id, userID, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, _ studycircle.OwnCircle, of studycircle.Membership,
	) error {
		asked, err := tx.DeleteRequest(ctx, id, userID)
		if err != nil {
			return err
		}
		if !asked {
			return studycircle.ErrNotFound
		}
		if !accept || of.Role != "" {
			return nil
		}
		if err := mayHaveAnother(ctx, tx, userID); err != nil {
			return err
		}
		return tx.Admit(ctx, studycircle.Membership{
			CircleID: id, UserID: userID, Role: studycircle.CircleMember, JoinedAt: s.clock(),
		})
	})
}
