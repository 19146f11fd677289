package store

import (
	"context"
	"database/sql"

	"studycircle"
	"studycircle/internal/store/tables"
)

// notifyOfDecision notifies the author of what a moderator hid or shows again, and the
// users whose reports the decision closed. No notice names a user: the author does not
// learn who reported, and the reporters do not learn who made what they reported.
func (tx *Tx) notifyOfDecision(
	ctx context.Context, m studycircle.Moderation, changed bool, reporters []sql.NullString,
) error {
	if m.Subject.Kind == studycircle.OfUser {
		return nil
	}
	to, err := tx.decidedOn(ctx, m.Subject)
	if isMissing(err) { // it was deleted meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	moderator, err := tx.AccountByEmail(ctx, m.Moderator)
	if err != nil && !isMissing(err) {
		return err
	}
	notice := studycircle.Notice{Subject: m.Subject.ID, ActorID: moderator.ID, At: m.At}
	if kind := authorNotices[m.Action]; kind != "" && changed {
		told := notice
		told.UserID, told.Kind, told.AssignmentID, told.CircleID, told.Title, told.URL = to.author, kind, to.live(),
			to.CircleID, to.Title, to.authorURL
		if to.HiddenReason != "" && to.author != to.Creator.UserID {
			told.Title = studycircle.HiddenTitle
		}
		tx.Notify(told)
	}
	for _, reporter := range reporters {
		told := notice
		told.UserID, told.Kind, told.AssignmentID, told.CircleID, told.Title, told.URL = reporter.String,
			studycircle.NotifyDecided, to.live(), to.CircleID, to.Title, to.reporterURL
		if to.HiddenReason != "" {
			told.Title = studycircle.HiddenTitle
		}
		tx.Notify(told)
	}
	return nil
}

// authorNotices are what the author of something is notified of. A suspended author can no
// longer read it.
var authorNotices = map[studycircle.ModerationAction]studycircle.NotificationKind{
	studycircle.Hide: studycircle.NotifyHidden, studycircle.Restore: studycircle.NotifyRestored,
}

// decidedOn is what a moderator decided on, as notices tell it.
type decidedOn struct {
	studycircle.Assignment        // that it belongs to, or is
	author                 string // an account's id
	authorURL, reporterURL string // where each finds it
}

// live returns the id of the assignment with which notices go away; "" while it is hidden.
func (d decidedOn) live() string {
	if d.HiddenReason != "" {
		return ""
	}
	return d.ID
}

func (tx *Tx) decidedOn(ctx context.Context, s studycircle.Subject) (d decidedOn, err error) {
	if d.author, err = tx.AuthorOf(ctx, s); err != nil {
		return d, err
	}
	of := s.ID
	switch s.Kind {
	case studycircle.OfComment:
		c, err := tx.Comment(ctx, s.ID)
		if err != nil {
			return d, err
		}
		of, d.authorURL = c.AssignmentID, studycircle.CommentURL(c.AssignmentID, c.ID)
		d.reporterURL = d.authorURL
	case studycircle.OfReview:
		r, err := tx.Review(ctx, s.ID)
		if err != nil {
			return d, err
		}
		sub, err := tx.Submission(ctx, r.SubmissionID)
		if err != nil {
			return d, err
		}
		of, d.authorURL, d.reporterURL = sub.AssignmentID, "/reviews", "/submission/"+sub.ID+"/mark"
	case studycircle.OfSubmission:
		sub, err := tx.Submission(ctx, s.ID)
		if err != nil {
			return d, err
		}
		of, d.authorURL, d.reporterURL = sub.AssignmentID, "/attemded-assignments", studycircle.PendingURL
		if sub.Status == studycircle.Sample {
			e, err := tx.Queries.GetExemplar(ctx, s.ID)
			if err != nil {
				return d, err
			}
			of = e.AssignmentID
		}
	case studycircle.OfAssignment, studycircle.OfUser:
		d.authorURL, d.reporterURL = "/assignment/"+of, "/assignment/"+of
	}
	d.Assignment, err = findIn(ctx, tx, tx.viewer, tables.Assignments, tables.AssignmentByID, of)
	if d.HiddenReason != "" {
		d.reporterURL = "/notifications"
	}
	return d, err
}
