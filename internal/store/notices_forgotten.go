package store

import (
	"context"
	"slices"

	"studycircle"
	"studycircle/internal/store/tables"
)

// forgetNotifications deletes notices and notifications of a deleted assignment. If its title must not show any more,
// it also removes the title from notifications of its submissions.
func (tx *Tx) forgetNotifications(ctx context.Context, assignmentID string, title bool) error {
	if err := tx.forgetFanouts(ctx, assignmentID); err != nil {
		return err
	}
	waiting, err := tx.Queries.DeleteNoticesOf(ctx, optionalText(assignmentID))
	if err != nil {
		return err
	}
	// Lock all inboxes at once, in the order of their ids.
	inboxes := tables.InboxesAbout
	if title {
		if err := tx.retitleNotices(ctx, assignmentID); err != nil {
			return err
		}
		inboxes = tables.InboxesAboutOrOfSubmitters
	}
	if err := tx.lock(ctx, inboxes, assignmentID); err != nil {
		return err
	}
	if title {
		if err := tx.retitleNotifications(ctx, assignmentID); err != nil {
			return err
		}
	}
	gone, err := tx.Queries.DeleteNotificationsOf(ctx, optionalText(assignmentID))
	tx.announceNotifications(append(waiting, gone...))
	return err
}

// retitle changes the title in notifications of an assignment's submissions to the present one.
func (tx *Tx) retitle(ctx context.Context, assignmentID string) error {
	if err := tx.retitleNotices(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.lock(ctx, tables.InboxesOfSubmitters, assignmentID); err != nil {
		return err
	}
	return tx.retitleNotifications(ctx, assignmentID)
}

func (tx *Tx) retitleNotices(ctx context.Context, assignmentID string) error {
	people, err := tx.Queries.RetitleNotices(ctx, optionalText(assignmentID))
	tx.announceNotifications(people)
	return err
}

func (tx *Tx) retitleNotifications(ctx context.Context, assignmentID string) error {
	people, err := tx.Queries.RetitleNotifications(ctx, optionalText(assignmentID))
	tx.announceNotifications(people)
	return err
}

// announceNotifications announces to each of some users once that their notifications have changed.
func (tx *Tx) announceNotifications(people []string) {
	slices.Sort(people)
	for _, userID := range slices.Compact(people) {
		tx.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(userID)})
	}
}

// forgetInbox deletes a user's notices and notifications, after lockDeletion.
func (tx *Tx) forgetInbox(ctx context.Context, userID string) error {
	if err := tx.Queries.DeleteNoticesTo(ctx, userID); err != nil {
		return err
	}
	return tx.Queries.DeleteNotificationsTo(ctx, userID)
}
