package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// The comments that a notification stands for are rows of notification_comments. While a moderator hides a comment,
// its unread notifications are notices that wait, and those that were read do not count it: one that stands for no
// visible comment has no position, so no list, count or email contains it.

// parkComment removes a hidden comment from inboxes, from counts of unread notifications and from unsent emails, until
// unparkComment adds it again. The caller holds the comment's lock.
func (tx *Tx) parkComment(ctx context.Context, c studycircle.Comment) error {
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	if err := tx.changeNotices(ctx, c, true); err != nil {
		return err
	}
	if err := tx.Queries.ParkUnread(ctx, db.ParkUnreadParams{Url: at, CommentID: c.ID}); err != nil {
		return err
	}
	return tx.uncountComment(ctx, c, false)
}

// unparkComment undoes parkComment: notices are delivered, as new ones, and notifications that were read count the
// comment again. The caller holds the comment's lock.
func (tx *Tx) unparkComment(ctx context.Context, c studycircle.Comment) error {
	if err := tx.changeNotices(ctx, c, false); err != nil {
		return err
	}
	if err := tx.Queries.CountComment(ctx, c.ID); err != nil {
		return err
	}
	return tx.Queries.NameNewestComment(ctx, db.NameNewestCommentParams{CommentID: c.ID})
}

// forgetComment removes a deleted comment from all notifications, notices and unsent emails. The caller holds the
// comment's lock.
func (tx *Tx) forgetComment(ctx context.Context, c studycircle.Comment) error {
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	if err := tx.changeNotices(ctx, c, true); err != nil {
		return err
	}
	if err := tx.Queries.DeleteFanoutsAt(ctx, db.DeleteFanoutsAtParams{
		AssignmentID: c.AssignmentID, Url: at,
	}); err != nil {
		return err
	}
	if err := tx.Queries.DeleteNoticesAt(ctx, db.DeleteNoticesAtParams{
		AssignmentID: optionalText(c.AssignmentID), Url: at,
	}); err != nil {
		return err
	}
	return tx.uncountComment(ctx, c, true)
}

// changeNotices stops the delivery of a comment's notices, or resumes it, locks the inboxes with notifications of the
// comment, and announces the change to all of these users.
func (tx *Tx) changeNotices(ctx context.Context, c studycircle.Comment, parked bool) error {
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	err := tx.Queries.ParkFanoutsAt(ctx, db.ParkFanoutsAtParams{AssignmentID: c.AssignmentID, Url: at, Parked: parked})
	if err != nil {
		return err
	}
	waiting, err := tx.Queries.ParkNoticesAt(ctx, db.ParkNoticesAtParams{
		AssignmentID: optionalText(c.AssignmentID), Url: at, Parked: parked,
	})
	if err != nil {
		return err
	}
	err = tx.Queries.AdoptComment(ctx, db.AdoptCommentParams{
		CommentID: c.ID, AssignmentID: optionalText(c.AssignmentID), Url: at,
	})
	if err != nil {
		return err
	}
	if err := tx.lock(ctx, tables.InboxesAboutComment, c.ID); err != nil {
		return err
	}
	notified, err := tx.Queries.NotifiedOfComment(ctx, c.ID)
	tx.announceNotifications(append(waiting, notified...))
	return err
}

// uncountComment takes a comment out of notifications. Those that were read keep it, for unparkComment, unless it is
// deleted.
func (tx *Tx) uncountComment(ctx context.Context, c studycircle.Comment, deleted bool) error {
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	if err := tx.Queries.UncountComment(ctx, db.UncountCommentParams{Url: at, CommentID: c.ID}); err != nil {
		return err
	}
	if err := tx.Queries.NameNewestComment(ctx, db.NameNewestCommentParams{CommentID: c.ID, Apart: c.ID}); err != nil {
		return err
	}
	if err := tx.Queries.DeleteEmptied(ctx, db.DeleteEmptiedParams{CommentID: c.ID, Deleted: deleted}); err != nil {
		return err
	}
	return tx.Queries.DetachComment(ctx, db.DetachCommentParams{CommentID: c.ID, Deleted: deleted})
}
