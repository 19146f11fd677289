package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// exported is how many rows an export reads at once.
const exported = 1000

// each calls f with every row of a list that is read oldest first.
func each[T any](ctx context.Context, s *Store, t *engine.Table[T], l *engine.List, args []any, position func(T) int64, f func(T) error) error {
	for from := int64(0); ; {
		found := t.Collect(exported)
		if err := s.engine.Page(ctx, l, args, pages.Start{From: from}, exported, found); err != nil {
			return s.classify(err)
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
func (s *Store) EachUser(ctx context.Context, f func(studycircle.User) error) error {
	for after := ""; ; {
		rows, err := s.engine.Queries().UsersAfter(ctx, after)
		if err != nil || len(rows) == 0 {
			return s.classify(err)
		}
		for _, r := range rows {
			after = r.Email
			if err := f(studycircle.User{Email: r.Email, DisplayName: r.DisplayName, PhotoURL: r.PhotoUrl}); err != nil {
				return err
			}
		}
	}
}

// EachAssignment calls f with every live assignment, oldest first.
func (s *Store) EachAssignment(ctx context.Context, f func(studycircle.Assignment) error) error {
	return each(ctx, s, tables.Assignments, tables.ExportedAssignments, nil, seqOf, f)
}

// EachAssignmentOf calls f with every assignment of a user, oldest first, those
// they deleted too.
func (s *Store) EachAssignmentOf(ctx context.Context, userID string, f func(studycircle.Assignment) error) error {
	return each(ctx, s, tables.Assignments, tables.CreatorAssignments, []any{userID}, seqOf, f)
}

func (s *Store) eachSubmission(ctx context.Context, l *engine.List, args []any, position func(tables.SubmissionRow) int64, f func(studycircle.Submission) error) error {
	return each(ctx, s, tables.Submissions, l, args, position, func(row tables.SubmissionRow) error { return f(row.Submission) })
}

func rowSeq(s tables.SubmissionRow) int64 { return s.Seq }

// EachSubmission calls f with every submission, oldest first.
func (s *Store) EachSubmission(ctx context.Context, f func(studycircle.Submission) error) error {
	return s.eachSubmission(ctx, tables.ExportedSubmissions, nil, rowSeq, f)
}

// EachSubmissionOf calls f with every submission that a user handed in, oldest first.
func (s *Store) EachSubmissionOf(ctx context.Context, userID string, f func(studycircle.Submission) error) error {
	return s.eachSubmission(ctx, tables.SubmitterSubmissions, []any{userID}, func(s tables.SubmissionRow) int64 { return s.No }, f)
}

// EachReminderOf calls f with everything that a user asked to be reminded of, in the
// order in which they did.
func (s *Store) EachReminderOf(ctx context.Context, userID string, f func(studycircle.AskedReminder) error) error {
	rows, err := s.engine.Queries().RemindersOf(ctx, userID)
	if err != nil {
		return s.classify(err)
	}
	for _, r := range rows {
		if err := f(studycircle.AskedReminder{AssignmentID: r.AssignmentID, AskedAt: instant(r.CreatedAt)}); err != nil {
			return err
		}
	}
	return nil
}

// EachSubmissionGradedBy calls f with every submission that a user graded,
// oldest first. Who handed it in is left out.
func (s *Store) EachSubmissionGradedBy(ctx context.Context, userID string, f func(studycircle.Submission) error) error {
	return s.eachSubmission(ctx, tables.GraderSubmissions, []any{userID}, rowSeq, func(sub studycircle.Submission) error {
		sub.Submitter = studycircle.Person{}
		return f(sub)
	})
}
