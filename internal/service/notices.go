package service

import (
	"context"
	"maps"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

// tellOfComment notifies users of a new comment, each once and by the most specific kind: users it mentions, earlier
// authors in its thread, and for a new thread the assignment's creator.
func tellOfComment(ctx context.Context, tx *store.Tx, c studycircle.Comment, mentioned []string) error {
	a, err := tx.Assignment(ctx, c.AssignmentID)
	if err != nil {
		return err
	}
	notice := func(userID string, kind studycircle.NotificationKind, subject string) studycircle.Notice {
		return studycircle.Notice{
			UserID: userID, Kind: kind, Subject: subject, AssignmentID: a.ID, CircleID: a.CircleID, Title: a.Title,
			URL: studycircle.CommentURL(a.ID, c.ID), ActorID: c.Author.UserID, At: c.CreatedAt,
		}
	}
	for _, id := range mentioned {
		tx.Notify(notice(id, studycircle.NotifyMention, c.ID))
	}
	if c.ThreadID != "" {
		return tx.NotifyThread(ctx, c.ID, notice("", studycircle.NotifyReply, c.ThreadID), mentioned)
	}
	if !slices.Contains(mentioned, a.Creator.UserID) {
		tx.Notify(notice(a.Creator.UserID, studycircle.NotifyComment, a.ID))
	}
	return nil
}

// tellOfReport notifies those who decide on a report on a subject of a: the organizers of its circle, or the moderators
// who have an account. Moderators do not learn which circle and assignment it is.
func (s *Service) tellOfReport(
	ctx context.Context, tx *store.Tx, r studycircle.Report, a studycircle.Assignment, reporterID string,
) error {
	notice := studycircle.Notice{
		Kind: studycircle.NotifyReport, Subject: r.Subject.ID, ActorID: reporterID, At: r.CreatedAt,
	}
	var recipients []string
	switch {
	case r.CircleID != studycircle.Hall:
		ids, err := tx.OrganizersOf(ctx, r.CircleID)
		if err != nil {
			return err
		}
		recipients = ids
		notice.AssignmentID, notice.CircleID, notice.Title, notice.URL = a.ID, a.CircleID, a.Title,
			studycircle.ReportsURL(r.CircleID)
	default:
		ids, err := tx.ModeratorIDs(ctx, s.Moderators)
		if err != nil {
			return err
		}
		recipients = slices.Sorted(maps.Keys(ids))
		notice.AssignmentID, notice.Title, notice.URL = a.ID, a.Title, studycircle.ReportsURL(studycircle.Hall)
		if a.CircleID != studycircle.Hall {
			notice.AssignmentID, notice.Title = "", studycircle.ReportedIn
		}
	}
	for _, id := range recipients {
		notice.UserID = id
		tx.Notify(notice)
	}
	return nil
}

// warnOfTooFew notifies the creator of an assignment within ShortWithin of its due date, and later, that its submitters
// are too few to give each other all reviews. It withdraws the notification once they are enough, or the due date is
// further away, and plans the next check for then.
func warnOfTooFew(ctx context.Context, tx *store.Tx, a studycircle.Assignment, now time.Time) error {
	if a.Reviews == 0 || a.Creator.UserID == "" {
		return nil
	}
	s, err := tx.LockShortage(ctx, a)
	if err != nil {
		return err
	}
	early := now.Before(a.ShortFrom())
	if early {
		if err := tx.PlanShortage(ctx, a.ID, a.ShortFrom()); err != nil {
			return err
		}
	}
	short := !early && studycircle.TooFew(a.Reviews, s.Submitters)
	switch {
	case s.Warned && !short:
		return tx.Withdraw(ctx, a.Creator.UserID, studycircle.NotifyShort, a.ID)
	case short && s.Open && !s.Warned:
		tx.Notify(studycircle.Notice{
			UserID: a.Creator.UserID, Kind: studycircle.NotifyShort, Subject: a.ID, AssignmentID: a.ID, CircleID: a.CircleID,
			Title: a.Title, URL: "/assignment/" + a.ID, At: now,
		})
	}
	return nil
}
