package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
)

// ModerationStore is the part of the store that moderators read.
type ModerationStore interface {
	Reports(ctx context.Context, v studycircle.Viewer, p studycircle.Page) ([]studycircle.ReportedThing, int64, error)
	// Decisions returns a page of the moderators' recorded actions, newest first.
	Decisions(ctx context.Context, v studycircle.Viewer, p studycircle.Page) ([]studycircle.ModeratorDecision, int64, error)
	// AccountByEmail returns the account with a normalized address; ErrNotFound.
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
}

// ModerationTx is the part of a transaction that reads and writes reports and decisions.
type ModerationTx interface {
	InsertReport(ctx context.Context, r studycircle.Report, reporterID string) (id string, isNew bool, err error)
	// Report returns a report, and the author of its subject; ErrNotFound.
	Report(ctx context.Context, id string) (r studycircle.Report, authorID string, err error)
	// AuthorOf returns the id of the author of a subject; "" if the author or the subject is gone.
	AuthorOf(ctx context.Context, s studycircle.Subject) (string, error)
	// Moderate performs and records a moderator's action; it reports whether anything changed. ErrNotFound.
	Moderate(ctx context.Context, m studycircle.Moderation) (changed bool, err error)
	// AccountByEmail returns the account with a normalized address; ErrNotFound.
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
}

// reportLimit is the most reports by one user in an hour.
var reportLimit = limit.Window{Name: "report", Max: 30, Per: time.Hour, Sentence: "You have reported a lot within the hour."}

// Report reports something to the moderators. It returns the report's id, and whether it is new: a user reports a
// subject once. CodeInvalid, ErrNotFound, CodeRateLimited.
func (s *Service) Report(ctx context.Context, viewer studycircle.User, subject studycircle.Subject, reason string) (id string, isNew bool, err error) {
	if reason, err = studycircle.CleanReason(reason); err != nil {
		return "", false, err
	}
	if !studycircle.ValidID(subject.ID) { // see assignmentOf
		return "", false, studycircle.ErrNotFound
	}
	now := s.clock()
	report := studycircle.Report{ID: studycircle.NewID(now), Subject: subject, Reason: reason, CreatedAt: now}
	if subject.Kind.Blind() { // neither id nor day reveals the time of the review or submission
		report.ID, report.CreatedAt = studycircle.NewBlindID(), studycircle.StartOfDay(studycircle.Day(now))
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx Tx) error {
		a, err := reportable(ctx, tx, viewer, subject, now)
		if err != nil {
			return err
		}
		if err := mayWriteIn(ctx, tx, a.CircleID); err != nil {
			return err
		}
		if id, isNew, err = tx.InsertReport(ctx, report, viewer.ID); err != nil || !isNew {
			return err
		}
		if err := s.tellModerators(ctx, tx, report, a, viewer.ID); err != nil {
			return err
		}
		return tx.Use(ctx, limit.Use{Window: reportLimit, Subject: viewer.ID, At: now})
	})
	return id, isNew, err
}

// reportable returns the assignment of something that viewer may report; ErrNotFound.
func reportable(ctx context.Context, tx Tx, viewer studycircle.User, subject studycircle.Subject, now time.Time) (a studycircle.Assignment, err error) {
	switch subject.Kind {
	case studycircle.OfComment:
		c, err := shownComment(ctx, tx, subject.ID)
		if err != nil {
			return a, err
		}
		return assignmentOf(ctx, tx, c.AssignmentID)
	case studycircle.OfAssignment:
		return assignmentOf(ctx, tx, subject.ID)
	case studycircle.OfReview:
		return reportableReview(ctx, tx, viewer, subject.ID)
	case studycircle.OfSubmission:
		return reportableSubmission(ctx, tx, viewer, subject.ID, now)
	case studycircle.OfUser:
	}
	return a, studycircle.ErrNotFound
}

func reportableReview(ctx context.Context, tx Tx, viewer studycircle.User, id string) (a studycircle.Assignment, err error) {
	r, err := tx.Review(ctx, id)
	if err != nil {
		return a, err
	}
	sub, err := tx.Submission(ctx, r.SubmissionID)
	if err != nil {
		return a, err
	}
	if err := studycircle.MayReportReview(viewer.ID, r, sub); err != nil {
		return a, err
	}
	return tx.AnyAssignment(ctx, sub.AssignmentID)
}

func reportableSubmission(ctx context.Context, tx Tx, viewer studycircle.User, id string, now time.Time) (a studycircle.Assignment, err error) {
	lease, err := tx.Lease(ctx, viewer.ID)
	if err != nil {
		return a, err
	}
	if err := studycircle.MayReportSubmission(id, lease, now); err != nil {
		return a, err
	}
	task, err := taskOf(ctx, tx, lease)
	if err != nil {
		return a, err
	}
	return task.Assignment, nil
}

// Moderates reports whether viewer is a moderator.
func (s *Service) Moderates(viewer studycircle.User) bool { return s.moderators.Include(viewer) }

// Reports returns a page of the open reports, oldest first, and their number. CodeNotModerator.
func (s *Service) Reports(ctx context.Context, viewer studycircle.User, p studycircle.Page) ([]studycircle.ReportedThing, int64, error) {
	if err := studycircle.MayModerate(viewer, s.moderators); err != nil {
		return nil, 0, err
	}
	found, total, err := s.store.Reports(ctx, s.as(viewer).Moderator(), p)
	if err != nil {
		return nil, 0, err
	}
	moderators, err := s.moderatorIDs(ctx, s.store)
	for i, r := range found {
		found[i].Decidable = studycircle.MayDecide(viewer.ID, r.AuthorID, moderators[r.AuthorID], r.Subject.Kind) == nil
	}
	return found, total, err
}

// Decide answers a report: it dismisses it, hides its subject, or also suspends the author. It reports whether
// anything changed. CodeNotModerator, ErrNotFound, CodeOperatorDecides, CodeInvalid.
func (s *Service) Decide(ctx context.Context, viewer studycircle.User, reportID string, action studycircle.ModerationAction) (changed bool, err error) {
	if err := studycircle.MayModerate(viewer, s.moderators); err != nil {
		return false, err
	}
	if !studycircle.ValidID(reportID) { // see assignmentOf
		return false, studycircle.ErrNotFound
	}
	closed := ""
	err = s.store.Write(ctx, s.as(viewer).Moderator(), func(ctx context.Context, tx Tx) error {
		closed = ""
		report, authorID, err := tx.Report(ctx, reportID)
		if err != nil {
			return err
		}
		moderators, err := s.moderatorIDs(ctx, tx)
		if err != nil {
			return err
		}
		if err := studycircle.MayDecide(viewer.ID, authorID, moderators[authorID], report.Subject.Kind); err != nil {
			return err
		}
		if err := report.Subject.Kind.CheckAction(action); err != nil {
			return err
		}
		done := studycircle.Moderation{
			Moderator: viewer.Email, Action: action, Subject: report.Subject, ReportID: report.ID, Reason: report.Reason, At: s.clock(),
			KeepAccount: moderators[authorID],
		}
		blind := report.Subject.Kind.Blind()
		if action == studycircle.Suspend && !blind {
			done.Action = studycircle.Hide
		}
		if action == studycircle.Suspend && !moderators[authorID] {
			closed = authorID
		}
		changed, err = tx.Moderate(ctx, done)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound { // the subject was deleted meanwhile, and only the report remains
			done.Action = studycircle.Dismiss
			changed, err = tx.Moderate(ctx, done)
		}
		if err != nil || action != studycircle.Suspend || blind || authorID == "" {
			return err
		}
		done.Action, done.Subject = studycircle.Suspend, studycircle.Subject{Kind: studycircle.OfUser, ID: authorID}
		_, err = tx.Moderate(ctx, done)
		changed = true
		return err
	})
	if err == nil && closed != "" && s.Suspended != nil {
		s.Suspended(closed)
	}
	return changed, err
}

// Decisions returns a page of the moderators' recorded actions, newest first, and the number of all.
// CodeNotModerator.
func (s *Service) Decisions(ctx context.Context, viewer studycircle.User, p studycircle.Page) ([]studycircle.ModeratorDecision, int64, error) {
	if err := studycircle.MayModerate(viewer, s.moderators); err != nil {
		return nil, 0, err
	}
	found, total, err := s.store.Decisions(ctx, s.as(viewer).Moderator(), p)
	if err != nil {
		return nil, 0, err
	}
	moderators, err := s.moderatorIDs(ctx, s.store)
	for i, d := range found {
		author := d.Of.AuthorID
		found[i].Restorable = d.Hides && studycircle.MayDecide(viewer.ID, author, moderators[author], d.Subject.Kind) == nil
	}
	return found, total, err
}

// Restore shows again a subject that a moderator has hidden; recorded is the subject that the record of the decision
// names. It reports whether anything changed. CodeNotModerator, ErrNotFound, CodeOperatorDecides.
func (s *Service) Restore(ctx context.Context, viewer studycircle.User, recorded studycircle.Subject) (changed bool, err error) {
	if err := studycircle.MayModerate(viewer, s.moderators); err != nil {
		return false, err
	}
	if !studycircle.ValidID(recorded.ID) { // see assignmentOf
		return false, studycircle.ErrNotFound
	}
	err = s.store.Write(ctx, s.as(viewer).Moderator(), func(ctx context.Context, tx Tx) error {
		done := studycircle.Moderation{Moderator: viewer.Email, Action: studycircle.Restore, Subject: recorded, At: s.clock()}
		if recorded.Kind.Blind() {
			report, _, err := tx.Report(ctx, recorded.ID)
			if err != nil {
				return err
			}
			done.Subject, done.ReportID = report.Subject, report.ID
		}
		authorID, err := tx.AuthorOf(ctx, done.Subject)
		if err != nil {
			return err
		}
		moderators, err := s.moderatorIDs(ctx, tx)
		if err != nil {
			return err
		}
		if err := studycircle.MayDecide(viewer.ID, authorID, moderators[authorID], done.Subject.Kind); err != nil {
			return err
		}
		changed, err = tx.Moderate(ctx, done)
		return err
	})
	return changed, err
}

// HiddenAssignment returns an assignment hidden by a moderator, with the reason, to its creator only. ErrNotFound.
func (s *Service) HiddenAssignment(ctx context.Context, viewer studycircle.User, id string) (studycircle.Assignment, error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.Assignment{}, studycircle.ErrNotFound
	}
	a, err := s.store.Assignment(ctx, s.as(viewer).Author(), id)
	if err == nil && a.HiddenReason == "" {
		return studycircle.Assignment{}, studycircle.ErrNotFound
	}
	return a, err
}
