package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// exported is the number of rows that an export reads at once.
const exported = 1000

// each calls f with every row of a list that is read oldest first.
func each[T any](
	ctx context.Context, s *Store, v studycircle.Viewer, t *engine.Table[T], l *engine.List, args []any,
	position func(T) int64, f func(T) error,
) error {
	for from := int64(0); ; {
		found := t.Collect(exported)
		if err := s.engine.Page(ctx, v, l, args, pages.Start{From: from}, exported, found); err != nil {
			return err
		}
		for _, row := range found.All {
			from = position(row) + 1
			if err := f(row); err != nil {
				return err
			}
		}
		if len(found.All) < exported {
			return nil
		}
	}
}

func seqOf(a studycircle.Assignment) int64 { return a.Seq }

// EachUser calls f with every user, in the order of their addresses.
func (s *Store) EachUser(ctx context.Context, f func(studycircle.User) error) (err error) {
	defer s.operation(&err, "Store.EachUser")
	for after := ""; ; {
		rows, err := s.engine.Queries().UsersAfter(ctx, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			after = r.Email
			if err := f(studycircle.User{Email: r.Email, DisplayName: r.DisplayName, PhotoURL: r.PhotoUrl}); err != nil {
				return err
			}
		}
	}
}

// EachAssignment calls f with every assignment of a circle or the hall that the viewer sees, oldest first.
func (s *Store) EachAssignment(
	ctx context.Context, v studycircle.Viewer, circleID string, f func(studycircle.Assignment) error,
) (err error) {
	defer s.operation(&err, "Store.EachAssignment", circleID)
	return each(ctx, s, v, tables.Assignments, tables.ExportedAssignments, []any{circleID}, seqOf, f)
}

// EachAssignmentOf calls f with every assignment of a user, also deleted ones, oldest first.
func (s *Store) EachAssignmentOf(ctx context.Context, userID string, f func(studycircle.Assignment) error) (err error) {
	defer s.operation(&err, "Store.EachAssignmentOf", userID)
	return each(ctx, s, studycircle.System(), tables.Assignments, tables.CreatorAssignments, []any{userID}, seqOf, f)
}

func (s *Store) eachSubmission(
	ctx context.Context, v studycircle.Viewer, l *engine.List, of string, position func(tables.SubmissionRow) int64,
	f func(studycircle.Submission) error,
) error {
	return each(
		ctx, s, v, tables.Submissions, l, []any{of}, position,
		func(row tables.SubmissionRow) error { return f(row.Submission) },
	)
}

func rowSeq(s tables.SubmissionRow) int64 { return s.Seq }

// EachSubmission calls f with every submission of a circle or the hall that the viewer sees, oldest first. Policy
// decides which user reads them.
func (s *Store) EachSubmission(
	ctx context.Context, v studycircle.Viewer, circleID string, f func(studycircle.Submission) error,
) (err error) {
	defer s.operation(&err, "Store.EachSubmission", circleID)
	return s.eachSubmission(ctx, v, tables.ExportedSubmissions, circleID, rowSeq, f)
}

// EachComment calls f with the comments on an assignment that lists contain: each thread, oldest first, before its
// replies, oldest first.
func (s *Store) EachComment(
	ctx context.Context, v studycircle.Viewer, assignmentID string, f func(studycircle.Comment) error,
) (err error) {
	defer s.operation(&err, "Store.EachComment", assignmentID)
	return s.eachComment(ctx, v, tables.Threads, assignmentID, func(thread studycircle.Comment) error {
		if err := f(thread); err != nil || thread.Replies == 0 {
			return err
		}
		return s.eachComment(ctx, v, tables.Replies, thread.ID, f)
	})
}

func (s *Store) eachComment(
	ctx context.Context, v studycircle.Viewer, l *engine.List, of string, f func(studycircle.Comment) error,
) error {
	return each(ctx, s, v, tables.Comments, l, []any{of}, func(c studycircle.Comment) int64 { return c.Seq }, f)
}

// EachSubmissionOf calls f with every submission that a user handed in, oldest first.
func (s *Store) EachSubmissionOf(ctx context.Context, userID string, f func(studycircle.Submission) error) (err error) {
	defer s.operation(&err, "Store.EachSubmissionOf", userID)
	return s.eachSubmission(
		ctx, studycircle.System(), tables.SubmitterSubmissions, userID, func(s tables.SubmissionRow) int64 { return s.No }, f,
	)
}

// EachReminderOf calls f with every reminder that a user asked for, in the order of asking.
func (s *Store) EachReminderOf(
	ctx context.Context, userID string, f func(studycircle.AskedReminder) error,
) (err error) {
	defer s.operation(&err, "Store.EachReminderOf", userID)
	rows, err := s.engine.Queries().RemindersOf(ctx, userID)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := f(studycircle.AskedReminder{AssignmentID: r.AssignmentID, AskedAt: instant(r.CreatedAt)}); err != nil {
			return err
		}
	}
	return nil
}

// EachSubmissionGradedBy calls f with every submission that a user graded, oldest first, without the submitter.
func (s *Store) EachSubmissionGradedBy(
	ctx context.Context, userID string, f func(studycircle.Submission) error,
) (err error) {
	defer s.operation(&err, "Store.EachSubmissionGradedBy", userID)
	return s.eachSubmission(ctx, studycircle.System(), tables.GraderSubmissions, userID, rowSeq, func(
		sub studycircle.Submission,
	) error {
		sub.Submitter = studycircle.Person{}
		return f(sub)
	})
}

// EachReviewBy calls f with every review by a user, also of exemplars, oldest first, without anything that identifies
// the submitters.
func (s *Store) EachReviewBy(ctx context.Context, userID string, f func(studycircle.GivenReview) error) (err error) {
	defer s.operation(&err, "Store.EachReviewBy", userID)
	for from := int64(0); ; {
		found := tables.Reviews.Collect(exported)
		if err := s.engine.Page(
			ctx, studycircle.System(), tables.ReviewsBy, []any{userID}, pages.Start{From: from}, exported, found,
		); err != nil {
			return err
		}
		if len(found.All) == 0 {
			return nil
		}
		given, err := s.givenReviews(ctx, studycircle.System(), found.All)
		if err != nil {
			return err
		}
		for _, g := range given {
			from = g.Seq + 1
			if err := f(g); err != nil {
				return err
			}
		}
	}
}

// EachReportBy calls f with every report that a user made, oldest first.
func (s *Store) EachReportBy(ctx context.Context, userID string, f func(studycircle.Report) error) (err error) {
	defer s.operation(&err, "Store.EachReportBy", userID)
	return each(ctx, s, studycircle.System(), tables.Reports, tables.ReportsBy, []any{userID},
		func(r tables.ReportRow) int64 { return r.Seq }, func(r tables.ReportRow) error { return f(r.Report) })
}

// eachAfter calls f with the rows that next returns, until it returns none. next gets
// the last row, and at first the zero value.
func eachAfter[R any](next func(last R) ([]R, error), f func(R) error) error {
	for last := *new(R); ; {
		rows, err := next(last)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			if err := f(r); err != nil {
				return err
			}
			last = r
		}
	}
}

// EachReactionBy calls f with every reaction of a user, in the order of the comments' ids.
func (s *Store) EachReactionBy(
	ctx context.Context, userID string, f func(studycircle.GivenReaction) error,
) (err error) {
	defer s.operation(&err, "Store.EachReactionBy", userID)
	return eachAfter(func(last db.ReactionsAfterRow) ([]db.ReactionsAfterRow, error) {
		return s.engine.Queries().ReactionsAfter(ctx, db.ReactionsAfterParams{
			UserID: userID, CommentID: last.CommentID, Kind: last.Kind,
		})
	}, func(r db.ReactionsAfterRow) error {
		return f(studycircle.GivenReaction{CommentID: r.CommentID, Kind: studycircle.Reaction(r.Kind)})
	})
}

// EachReplyBy calls f with every reply of a user to a review, in the order of the submissions' ids and the reviews'
// labels.
func (s *Store) EachReplyBy(ctx context.Context, userID string, f func(studycircle.ReviewReply) error) (err error) {
	defer s.operation(&err, "Store.EachReplyBy", userID)
	return eachAfter(func(last db.RepliesByRow) ([]db.RepliesByRow, error) {
		return s.engine.Queries().RepliesBy(ctx, db.RepliesByParams{
			SubmitterID: optionalText(userID), SubmissionID: last.SubmissionID, Label: last.Label,
		})
	}, func(r db.RepliesByRow) error {
		return f(studycircle.ReviewReply{
			SubmissionID: r.SubmissionID, Label: r.Label,
			ReplyInput: studycircle.ReplyInput{Helpful: r.Helpful.Bool, Reply: r.Reply},
		})
	})
}

// EachAppealBy calls f with every appeal of a user, in the order of the submissions' ids.
func (s *Store) EachAppealBy(ctx context.Context, userID string, f func(studycircle.Appeal) error) (err error) {
	defer s.operation(&err, "Store.EachAppealBy", userID)
	return eachAfter(func(last db.AppealsByRow) ([]db.AppealsByRow, error) {
		return s.engine.Queries().AppealsBy(ctx, db.AppealsByParams{SubmitterID: optionalText(userID), After: last.ID})
	}, func(r db.AppealsByRow) error { return f(studycircle.Appeal{SubmissionID: r.ID, Reason: r.Appeal}) })
}

// EachExemplarBy calls f with every exemplar of a user, also those of deleted assignments, in the order of their ids.
func (s *Store) EachExemplarBy(ctx context.Context, userID string, f func(studycircle.Exemplar) error) (err error) {
	defer s.operation(&err, "Store.EachExemplarBy", userID)
	var after string
	for {
		rows, err := s.engine.Queries().ExemplarsBy(ctx, db.ExemplarsByParams{CreatorID: optionalText(userID), After: after})
		if err != nil || len(rows) == 0 {
			return err
		}
		found, err := s.exemplarsOf(ctx, studycircle.System(), rows)
		if err != nil {
			return err
		}
		for _, e := range found {
			after = e.ID
			if err := f(e); err != nil {
				return err
			}
		}
	}
}

// EachInvitationBy calls f with every invitation that a user made, oldest first.
func (s *Store) EachInvitationBy(ctx context.Context, userID string, f func(studycircle.Invitation) error) (err error) {
	defer s.operation(&err, "Store.EachInvitationBy", userID)
	return each(
		ctx, s, studycircle.System(), tables.Invitations, tables.InvitationsBy, []any{userID},
		func(i studycircle.Invitation) int64 { return i.Seq }, f,
	)
}
