package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// InvitedTo returns the invitations by rosters that wait for the viewer's answer, newest first, MaxInvited at most.
func (s *Store) InvitedTo(
	ctx context.Context, v studycircle.Viewer, now time.Time,
) (_ []studycircle.InvitedTo, err error) {
	defer s.operation(&err, "Store.InvitedTo")
	rows, err := s.engine.Queries().InvitedTo(ctx, db.InvitedToParams{
		UserID: v.UserID(), Now: micros(now), Room: studycircle.MaxInvited,
	})
	out := make([]studycircle.InvitedTo, len(rows))
	for i, r := range rows {
		out[i] = studycircle.InvitedTo{
			ID: r.ID, CircleName: r.CircleName, By: r.Organizer, Role: studycircle.CircleRole(r.Role),
			At: instant(r.CreatedAt), Until: instant(r.ExpiresAt),
		}
	}
	return out, err
}

func (tx *Tx) refusalOf(ctx context.Context, circleID, userID string) (studycircle.Refusal, error) {
	kind, err := tx.Queries.RefusalOf(ctx, db.RefusalOfParams{CircleID: circleID, UserID: userID})
	return studycircle.Refusal(kind), err
}

// Decline records that the viewer declines an invitation by a roster, after LockCircle. With forGood the viewer learns
// of no other invitation by the circle's rosters.
func (tx *Tx) Decline(ctx context.Context, i studycircle.Invitation, forGood bool, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.Decline", i.CircleID)
	if err := tx.Queries.DeclineInvitation(ctx, db.DeclineInvitationParams{
		ID: i.ID, DeclinedAt: optionalMicros(now),
	}); err != nil {
		return err
	}
	if forGood {
		if err := tx.Queries.PutRefusal(ctx, db.PutRefusalParams{
			CircleID: i.CircleID, UserID: tx.viewer.UserID(), Kind: string(studycircle.RefusedForGood),
		}); err != nil {
			return tx.orGone(err)
		}
	}
	return tx.Withdraw(ctx, tx.viewer.UserID(), studycircle.NotifyInvited, i.ID)
}

// RosterMail is the email of a roster's invitation.
type RosterMail struct {
	Address string
	// UserID is the account with the address, verified; "" without one.
	UserID string
	// Unwanted reports that the account gets no such emails.
	Unwanted bool
}

// RosterMail returns what the email of a roster's invitation needs, and stores the hash of the secret in it, with which
// its recipient may register and join; ErrNotFound if the invitation admits the address no more, or its user has
// declined.
func (tx *Tx) RosterMail(
	ctx context.Context, invitationID, secretHash string, now time.Time,
) (m RosterMail, err error) {
	defer tx.operation(&err, "Tx.RosterMail", invitationID)
	address, err := tx.Queries.SetRosterSecret(ctx, db.SetRosterSecretParams{
		ID: invitationID, SecretHash: optionalText(secretHash), Now: micros(now),
	})
	if err != nil {
		return m, err
	}
	m.Address = address.String
	account, err := tx.AccountByEmail(ctx, m.Address)
	if isMissing(err) {
		return m, nil
	}
	if err != nil || account.EmailVerifiedAt.IsZero() {
		return m, err
	}
	m.UserID = account.ID
	box, err := tx.Queries.GetInbox(ctx, account.ID)
	if err != nil && !isMissing(err) {
		return m, err
	}
	preferences, err := preferencesOf(box.TimeZone, box.Preferences)
	m.Unwanted = !preferences.Channels[studycircle.NotifyInvited].Mail || box.RefusedAt.Valid ||
		!account.SuspendedAt.IsZero()
	return m, err
}
