package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// reportLimit is the most reports by one user in an hour.
var reportLimit = limit.Window{
	Name: "report", Max: 30, Per: time.Hour, Message: "You have reported a lot within the hour. Please try again in %s.",
}

// Report reports something in the hall to the moderators, and in a circle to its organizers, unless the user asks for
// the moderators or an organizer wrote it. It returns the report's id, and whether it is new: a user reports a subject
// once. CodeInvalid, ErrNotFound, CodeRateLimited.
func (s *Service) Report(
	ctx context.Context, viewer studycircle.User, subject studycircle.Subject, reason string, toModerators bool,
) (id string, isNew bool, err error) {
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
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		a, err := reportable(ctx, tx, viewer, subject, now)
		if err != nil {
			return err
		}
		if err := mayWriteIn(ctx, tx, a.CircleID); err != nil {
			return err
		}
		if report.CircleID, err = recipientsOf(ctx, tx, subject, a.CircleID, toModerators); err != nil {
			return err
		}
		if id, isNew, err = tx.InsertReport(ctx, report, viewer.ID); err != nil || !isNew {
			return err
		}
		if err := s.tellOfReport(ctx, tx, report, a, viewer.ID); err != nil {
			return err
		}
		return s.use(ctx, tx, limit.Use{Window: reportLimit, Subject: viewer.ID, At: now})
	})
	return id, isNew, err
}

// recipientsOf returns the circle whose organizers decide on a report of a subject in circleID; "" if the moderators
// do.
func recipientsOf(
	ctx context.Context, tx *store.Tx, subject studycircle.Subject, circleID string, moderators bool,
) (string, error) {
	if circleID == studycircle.Hall {
		return circleID, nil
	}
	authorID, err := tx.AuthorOf(ctx, subject)
	if err != nil {
		return "", err
	}
	author, err := tx.Membership(ctx, circleID, authorID)
	return studycircle.ReportTo(circleID, moderators, author), err
}

// reportable returns the assignment of something that viewer may report; ErrNotFound.
func reportable(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, subject studycircle.Subject, now time.Time,
) (a studycircle.Assignment, err error) {
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

func reportableReview(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, id string,
) (a studycircle.Assignment, err error) {
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

func reportableSubmission(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, id string, now time.Time,
) (a studycircle.Assignment, err error) {
	lease, err := tx.Lease(ctx, viewer.ID)
	if err == nil {
		err = studycircle.MayReportSubmission(id, lease, now)
	}
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return answeredTo(ctx, tx, viewer, id)
	}
	if err != nil {
		return a, err
	}
	task, err := taskOf(ctx, tx, lease)
	if err != nil {
		return a, err
	}
	return task.Assignment, nil
}

// answeredTo returns the assignment of a submission whose submitter has answered viewer; ErrNotFound.
func answeredTo(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, id string,
) (a studycircle.Assignment, err error) {
	turn, _, err := tx.TurnOn(ctx, viewer.ID, id)
	if err != nil {
		return a, err
	}
	asked, err := tx.QuestionsOn(ctx, id)
	if err != nil {
		return a, err
	}
	var own studycircle.Question
	for _, q := range asked {
		if q.Reviewer == viewer.ID {
			own = q
		}
	}
	if err := studycircle.MayReportAnswer(own, turn); err != nil {
		return a, err
	}
	sub, err := tx.Submission(ctx, id)
	if err != nil {
		return a, err
	}
	return tx.AnyAssignment(ctx, sub.AssignmentID)
}

// Moderates reports whether viewer is a moderator.
func (s *Service) Moderates(viewer studycircle.User) bool { return s.Moderators.Include(viewer) }

// HiddenAssignment returns an assignment hidden by a moderator, with the reason, to its creator only. ErrNotFound.
func (s *Service) HiddenAssignment(
	ctx context.Context, viewer studycircle.User, id string,
) (studycircle.Assignment, error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.Assignment{}, studycircle.ErrNotFound
	}
	a, err := s.store.Assignment(ctx, s.as(viewer).Author(), id)
	if err == nil && a.HiddenReason == "" {
		return studycircle.Assignment{}, studycircle.ErrNotFound
	}
	return a, err
}
