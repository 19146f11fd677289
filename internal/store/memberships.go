package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// maxMemberships bounds the memory of users' memberships to some 20 MB.
const maxMemberships = 1 << 17

// ownCircles caches the circles of users, so that checking a membership runs no query while nothing is committed.
//
// Key: the user's id. Audience: that user. Emptied by: any commit, so a member who is removed is refused at once: see
// engine.ByVersion. Bound: maxMemberships circles, for each user a few more.
type ownCircles = engine.ByVersion[string, map[string]studycircle.OwnCircle]

func newOwnCircles() *ownCircles {
	const entry = 4 // the overhead of an entry
	return engine.NewByVersion[string, map[string]studycircle.OwnCircle](maxMemberships, entry)
}

// circlesOf returns the circles of a user by their ids, without descriptions. Callers must not modify them.
func (s *Store) circlesOf(ctx context.Context, userID string) (map[string]studycircle.OwnCircle, error) {
	if userID == "" {
		return map[string]studycircle.OwnCircle{}, nil
	}
	version, err := s.engine.Version(ctx)
	if err != nil {
		return nil, err
	}
	found, known := s.circles.Get(version, userID)
	looked(s.observer.Circles, known)
	if known {
		return found, nil
	}
	rows, err := s.engine.Queries().CirclesOf(ctx, db.CirclesOfParams{UserID: userID, Room: studycircle.MaxMemberships})
	if err != nil {
		return nil, err
	}
	found = make(map[string]studycircle.OwnCircle, len(rows))
	for _, r := range rows {
		own := studycircle.OwnCircle{Circle: toCircle(r.Circle), Mine: toMembership(r.CircleMember)}
		own.Description, own.HTML = "", ""
		found[own.ID] = own
	}
	s.circles.Put(version, userID, found, len(found))
	return found, nil
}

// OwnCircles returns the circles of a user at this moment, by their ids, without their descriptions. Callers must not
// modify them. It runs no query while nothing is committed.
func (s *Store) OwnCircles(ctx context.Context, v studycircle.Viewer) (_ studycircle.OwnCircles, err error) {
	defer s.operation(&err, "Store.OwnCircles")
	return s.circlesOf(ctx, v.UserID())
}

// OwnCircle returns a circle of a user at this moment, without its description; ErrNotFound if the user is not a
// member. It runs no query while nothing is committed.
func (s *Store) OwnCircle(
	ctx context.Context, v studycircle.Viewer, circleID string,
) (_ studycircle.OwnCircle, err error) {
	defer s.operation(&err, "Store.OwnCircle", circleID)
	found, err := s.circlesOf(ctx, v.UserID())
	if err != nil {
		return studycircle.OwnCircle{}, err
	}
	own, is := found[circleID]
	if !is {
		return studycircle.OwnCircle{}, studycircle.ErrNotFound
	}
	return own, nil
}

// OwnCircle returns a circle of the transaction's viewer at this moment, as far as it decides about writes; the zero
// OwnCircle for the hall, and if the viewer is not a member.
func (tx *Tx) OwnCircle(ctx context.Context, circleID string) (_ studycircle.OwnCircle, err error) {
	defer tx.operation(&err, "Tx.OwnCircle", circleID)
	return tables.OwnCircle(ctx, tx.Tx, circleID, tx.viewer.UserID())
}

// HoldOwnCircle is OwnCircle, and keeps the viewer in the circle and the circle as it is until tx ends, so that
// forgetCircle finds what tx writes.
func (tx *Tx) HoldOwnCircle(ctx context.Context, circleID string) (_ studycircle.OwnCircle, err error) {
	defer tx.operation(&err, "Tx.HoldOwnCircle", circleID)
	var s tables.Standing
	if circleID == studycircle.Hall {
		return s.Own(), nil
	}
	if err := tx.Engine.Ask(ctx, tx.Tx, &s, tables.HeldStanding, circleID, tx.viewer.UserID()); err != nil {
		return s.Own(), err
	}
	err = tx.Engine.Answered(ctx, tx.Tx)
	return s.Own(), err
}

// RoleIn returns a user's role in a circle at this moment, "" for those who are not members. It runs no query while
// nothing is committed.
func (s *Store) RoleIn(ctx context.Context, userID, circleID string) (_ studycircle.CircleRole, err error) {
	defer s.operation(&err, "Store.RoleIn", userID, circleID)
	found, err := s.circlesOf(ctx, userID)
	return found[circleID].Mine.Role, err
}

// toMembers returns those of some notices that reach their users at this moment: of circles, neither deleted nor
// archived, of which they are members, and of the hall, where an assignment is only if it is on.
func (tx *Tx) toMembers(ctx context.Context, notices []studycircle.Notice) ([]studycircle.Notice, error) {
	type member struct{ circleID, userID string }
	members := map[member]bool{}
	var asked [][]any
	for _, n := range notices {
		of := member{n.CircleID, n.UserID}
		if _, known := members[of]; !known && n.CircleID != "" {
			members[of], asked = false, append(asked, []any{n.CircleID, n.UserID})
		}
	}
	if len(asked) == 0 && tx.store.hall != studycircle.HallOff {
		return notices, nil
	}
	err := engine.Run(ctx, tx.Tx, tables.MembersAmong, asked, func(row *sql.Rows) error {
		var of member
		err := row.Scan(&of.circleID, &of.userID)
		members[of] = true
		return err
	})
	return slices.DeleteFunc(slices.Clone(notices), func(n studycircle.Notice) bool {
		if n.CircleID == studycircle.Hall {
			return n.AssignmentID != "" && tx.store.hall == studycircle.HallOff
		}
		return !members[member{n.CircleID, n.UserID}]
	}), err
}

// forgetCircle ends a user's leases in a circle that the user has left, and removes the circle's reminders, notices
// and notifications of the user. The user's work, comments and reviews stay.
func (tx *Tx) forgetCircle(ctx context.Context, userID, circleID string) error {
	leased, err := tx.Queries.LeasesIn(ctx, db.LeasesInParams{ReviewerID: userID, CircleID: circleID})
	if err != nil {
		return err
	}
	for _, id := range leased {
		if _, err := tx.EndLease(ctx, userID, id, studycircle.TurnLapsed); err != nil {
			return err
		}
	}
	if err := tx.lock(ctx, tables.RemindersTo, userID); err != nil {
		return err
	}
	err = errors.Join(
		tx.Queries.DeleteRemindersIn(ctx, db.DeleteRemindersInParams{UserID: userID, CircleID: circleID}),
		tx.Queries.DeleteExtensionsIn(ctx, db.DeleteExtensionsInParams{UserID: userID, CircleID: circleID}),
		tx.Queries.EndReviewRequestsIn(ctx, db.EndReviewRequestsInParams{UserID: userID, CircleID: circleID}),
		tx.Queries.DeleteNoticesIn(ctx, db.DeleteNoticesInParams{CircleID: circleID, UserID: userID}),
	)
	if err != nil {
		return err
	}
	if _, err := tx.lockInbox(ctx, userID); err != nil {
		return err
	}
	err = tx.Queries.DeleteNotificationsIn(ctx, db.DeleteNotificationsInParams{CircleID: circleID, UserID: userID})
	tx.announceNotifications([]string{userID})
	return err
}
