package store

import (
	"context"
	"maps"
	"slices"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// forgetNotifications takes away notices and notifications of an assignment that is
// gone; where its title is to be seen no more, it also goes from those of what was
// handed in for it.
func (tx *Tx) forgetNotifications(ctx context.Context, assignmentID string, title bool) error {
	if err := tx.forgetFanouts(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "notices", "assignment_id = $1", assignmentID); err != nil {
		return tx.Classify(err)
	}
	told := map[string]bool{}
	waiting, err := tx.Queries.DeleteNoticesOf(ctx, optionalText(assignmentID))
	if err != nil {
		return tx.Classify(err)
	}
	for _, userID := range waiting {
		told[userID] = true
	}
	// All inboxes at once, in the order of their ids.
	condition := "id IN (SELECT n.user_id FROM notifications n WHERE n.assignment_id = $1)"
	if title {
		if err := tx.retitleNotices(ctx, assignmentID); err != nil {
			return err
		}
		condition += " OR " + ofSubmitters
	}
	err = tx.Engine.LockRows(ctx, tx.Tx, "inboxes", condition, assignmentID)
	if err != nil {
		return tx.Classify(err)
	}
	if title {
		if err := tx.retitleNotifications(ctx, assignmentID); err != nil {
			return err
		}
	}
	gone, err := tx.Queries.DeleteNotificationsOf(ctx, optionalText(assignmentID))
	for _, n := range gone {
		scope := tables.UnreadScope(n.UserID)
		if n.ReadAt.Valid {
			scope = tables.ReadScope(n.UserID)
		}
		if n.No.Valid {
			tx.Count(scope, n.No.Int64, -1)
			told[n.UserID] = true
		}
	}
	tx.announceNotifications(slices.Collect(maps.Keys(told)))
	return tx.Classify(err)
}

// forgetComment takes away what is told of a comment that is deleted or hidden: in
// inboxes, in counts of unread notifications, and in emails that are not sent. Call it
// under the comment's lock.
func (tx *Tx) forgetComment(ctx context.Context, c studycircle.Comment) error {
	of, at := optionalText(c.AssignmentID), studycircle.CommentURL(c.AssignmentID, c.ID)
	const here = "assignment_id = $1 AND url = $2"
	for _, table := range []string{"fanouts", "notices"} {
		if err := tx.Engine.LockRows(ctx, tx.Tx, table, here, c.AssignmentID, at); err != nil {
			return tx.Classify(err)
		}
	}
	if err := tx.Queries.DeleteFanoutsAt(ctx, db.DeleteFanoutsAtParams{AssignmentID: c.AssignmentID, Url: at}); err != nil {
		return tx.Classify(err)
	}
	told, err := tx.Queries.DeleteNoticesAt(ctx, db.DeleteNoticesAtParams{AssignmentID: of, Url: at})
	if err != nil {
		return tx.Classify(err)
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "inboxes", "id IN (SELECT n.user_id FROM notifications n WHERE "+here+")", c.AssignmentID, at); err != nil {
		return tx.Classify(err)
	}
	gone, err := tx.Queries.DeleteNotificationsAt(ctx, db.DeleteNotificationsAtParams{AssignmentID: of, Url: at})
	if err != nil {
		return tx.Classify(err)
	}
	for _, n := range gone {
		scope := tables.UnreadScope(n.UserID)
		if n.ReadAt.Valid {
			scope = tables.ReadScope(n.UserID)
		}
		if n.No.Valid {
			tx.Count(scope, n.No.Int64, -1)
			told = append(told, n.UserID)
		}
	}
	fewer, err := tx.Queries.UncountNotificationsAt(ctx, db.UncountNotificationsAtParams{AssignmentID: of, Url: at})
	tx.announceNotifications(append(told, fewer...))
	return tx.Classify(err)
}

// ofSubmitters are the inboxes of those who handed in for an assignment.
const ofSubmitters = "id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = $1)"

// aboutWork are the notices about submissions to an assignment.
const aboutWork = "user_id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = $1)" +
	" AND subject IN (SELECT s.id FROM submissions s WHERE s.assignment_id = $1)"

// retitle gives what is told of work for an assignment the title that the work has by now.
func (tx *Tx) retitle(ctx context.Context, assignmentID string) error {
	if err := tx.retitleNotices(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "inboxes", ofSubmitters, assignmentID); err != nil {
		return tx.Classify(err)
	}
	return tx.retitleNotifications(ctx, assignmentID)
}

func (tx *Tx) retitleNotices(ctx context.Context, assignmentID string) error {
	if err := tx.Engine.LockRows(ctx, tx.Tx, "notices", aboutWork, assignmentID); err != nil {
		return tx.Classify(err)
	}
	people, err := tx.Queries.RetitleNotices(ctx, optionalText(assignmentID))
	tx.announceNotifications(people)
	return tx.Classify(err)
}

func (tx *Tx) retitleNotifications(ctx context.Context, assignmentID string) error {
	people, err := tx.Queries.RetitleNotifications(ctx, optionalText(assignmentID))
	tx.announceNotifications(people)
	return tx.Classify(err)
}

// announceNotifications tells each of some people once that their notifications have
// changed.
func (tx *Tx) announceNotifications(people []string) {
	slices.Sort(people)
	for _, userID := range slices.Compact(people) {
		tx.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(userID)})
	}
}

// forgetInbox deletes a user's notices and notifications, after lockDeletion.
func (tx *Tx) forgetInbox(ctx context.Context, userID string) error {
	for _, table := range []string{"notices", "notifications"} {
		if _, err := tx.DB.ExecContext(ctx, "DELETE FROM "+table+" WHERE user_id = $1", userID); err != nil {
			return tx.Classify(err)
		}
	}
	return tx.Classify(tx.Engine.DropCounts(ctx, tx.Tx, tables.UnreadScope(userID), tables.ReadScope(userID)))
}
