package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// A reply concerns every author in its thread, perhaps thousands. Its transaction writes one row, and DeliverNotices
// turns it into notices in batches. A user who looks at their notifications earlier gets theirs at once. A new
// assignment and a changed due date concern the members of a circle in the same way, without that.

// NotifyThread queues a notice of a reply for each author in the thread n.Subject before it, except those who get a
// notice of their own. n is a NotifyReply without a recipient.
func (tx *Tx) NotifyThread(ctx context.Context, replyID string, n studycircle.Notice, apart []string) (err error) {
	defer tx.operation(&err, "Tx.NotifyThread", replyID)
	id, err := tx.Queries.InsertFanout(ctx, db.InsertFanoutParams{
		ReplyID: replyID, ThreadID: n.Subject, AssignmentID: n.AssignmentID, Title: n.Title, Url: n.URL, ActorID: n.ActorID,
		CreatedAt: micros(n.At),
	})
	if err != nil {
		return err
	}
	for _, userID := range apart {
		if err := tx.Queries.TellApart(ctx, db.TellApartParams{FanoutID: id, UserID: userID}); err != nil {
			return err
		}
	}
	return nil
}

// fanOut writes a batch of notices of the first fan-out that no other node holds, and returns whether there was one.
// It stores its progress with them, so that each user gets one notice even if a node dies.
func (tx *Tx) fanOut(ctx context.Context) (bool, error) {
	f, err := tx.Queries.FirstFanout(ctx)
	if isMissing(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	people, err := tx.Queries.WritersAfter(ctx, db.WritersAfterParams{
		ThreadID: f.ThreadID, FanoutID: f.ID, After: f.ToldTo, Until: f.Until, Most: delivered,
	})
	if err != nil {
		return false, err
	}
	for _, p := range people {
		if !p.Apart {
			tx.Notify(replyNotice(f, p.ID))
		}
	}
	if len(people) < delivered {
		return true, tx.Queries.DeleteFanout(ctx, f.ID)
	}
	return true, tx.Queries.FannedOut(ctx, db.FannedOutParams{ID: f.ID, ToldTo: people[len(people)-1].ID})
}

// tellAhead writes a user's notices of fan-outs that have not reached the user yet, in the order of their ids.
func (tx *Tx) tellAhead(ctx context.Context, userID string, ahead []db.Fanout) error {
	// The lock excludes other writers.
	first, last := ahead[0].ID, ahead[len(ahead)-1].ID
	if err := tx.lock(ctx, tables.FanoutsAhead, first, last, userID); err != nil {
		return err
	}
	locked := map[int64]bool{}
	for _, f := range ahead {
		locked[f.ID] = true
	}
	still, err := tx.Queries.FanoutsFor(ctx, userID)
	if err != nil {
		return err
	}
	for _, f := range still {
		if !locked[f.ID] {
			continue // already delivered
		}
		if err := tx.Queries.TellApart(ctx, db.TellApartParams{FanoutID: f.ID, UserID: userID}); err != nil {
			return err
		}
		tx.Notify(replyNotice(f, userID))
	}
	return nil
}

// replyNotice returns a fan-out's notice to one user.
func replyNotice(f db.Fanout, userID string) studycircle.Notice {
	return studycircle.Notice{
		UserID: userID, Kind: studycircle.NotifyReply, Subject: f.ThreadID, AssignmentID: f.AssignmentID,
		CircleID: f.CircleID, Title: f.Title, URL: f.Url, ActorID: f.ActorID, At: instant(f.CreatedAt),
	}
}

// notifyCircle queues a notification of a new assignment, or of its changed due date, for those members of its circle
// whom that concerns. In the hall it queues none.
func (tx *Tx) notifyCircle(
	ctx context.Context, k studycircle.NotificationKind, a studycircle.Assignment, at time.Time,
) error {
	if a.CircleID == studycircle.Hall {
		return nil
	}
	return tx.Queries.PutCircleFanout(ctx, db.PutCircleFanoutParams{
		AssignmentID: a.ID, Kind: string(k), CreatedAt: micros(at),
	})
}

// fanOutInCircle is fanOut for the first fan-out to the members of a circle. It writes notifications instead of
// notices: a circle may have very many members, and no other transaction waits for it.
func (tx *Tx) fanOutInCircle(ctx context.Context) (bool, error) {
	f, err := tx.Queries.FirstCircleFanout(ctx)
	if isMissing(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	members, err := tx.Queries.MembersConcerned(ctx, db.MembersConcernedParams{
		AssignmentID: f.AssignmentID, After: f.ToldTo, JoinedBy: f.CreatedAt, Most: delivered,
	})
	if err != nil {
		return false, err
	}
	notices, people := make([]studycircle.Notice, len(members)), make([]string, len(members))
	for i, m := range members {
		a := studycircle.Assignment{ID: f.AssignmentID, CircleID: m.CircleID, Title: m.Title}
		a.Creator.UserID = m.CreatorID
		people[i] = m.UserID
		notices[i] = studycircle.CircleNotice(studycircle.NotificationKind(f.Kind), m.UserID, a, instant(f.CreatedAt))
	}
	tx.announceNotifications(people)
	if err := tx.put(ctx, notices); err != nil {
		return false, err
	}
	if len(members) < delivered {
		return true, tx.Queries.DeleteCircleFanout(ctx, db.DeleteCircleFanoutParams{
			AssignmentID: f.AssignmentID, Kind: f.Kind,
		})
	}
	return true, tx.Queries.CircleFannedOut(ctx, db.CircleFannedOutParams{
		AssignmentID: f.AssignmentID, Kind: f.Kind, ToldTo: members[len(members)-1].Seq,
	})
}

// forgetFanouts deletes the fan-outs of a deleted assignment, before the notices written from them.
func (tx *Tx) forgetFanouts(ctx context.Context, assignmentID string) error {
	if err := tx.Queries.DeleteCircleFanoutsOf(ctx, assignmentID); err != nil {
		return err
	}
	return tx.Queries.DeleteFanoutsOf(ctx, assignmentID)
}
