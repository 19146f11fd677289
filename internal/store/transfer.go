package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

// ImportAccount adds a user without a password, or finds the one with the same
// address; it returns the id and whether the user is new.
func (tx *Tx) ImportAccount(ctx context.Context, u studycircle.User) (id string, added bool, err error) {
	n, err := tx.query.InsertUserIfAbsent(ctx, db.InsertUserIfAbsentParams{
		ID: u.ID, Email: u.Email, DisplayName: u.DisplayName, PhotoUrl: u.PhotoURL, CreatedAt: micros(u.CreatedAt),
	})
	if err != nil || n > 0 {
		return u.ID, n > 0, classify(err)
	}
	row, err := tx.query.GetUserByEmail(ctx, u.Email)
	return row.ID, false, classify(err)
}

// AnyAssignment returns an assignment, live or deleted, or ErrNotFound.
func (tx *Tx) AnyAssignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	row, err := tx.query.GetAnyAssignment(ctx, id)
	return toAssignment(row.Assignment, row.CreatorEmail, row.CreatorName), classify(err)
}

// Analyze lets the database learn what it holds, after much has come at once:
// its plans depend on it.
func (s *Store) Analyze(ctx context.Context) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.raw.ExecContext(ctx, "ANALYZE")
		return err
	})
}

// EachUser calls f with every user, in the order of their addresses.
func (s *Store) EachUser(ctx context.Context, f func(studycircle.User) error) error {
	for after := ""; ; {
		rows, err := s.query.UsersAfter(ctx, after)
		if err != nil || len(rows) == 0 {
			return classify(err)
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
	for after := int64(0); ; {
		rows, err := s.query.AssignmentsUpFrom(ctx, after)
		if err != nil || len(rows) == 0 {
			return classify(err)
		}
		for _, r := range rows {
			after = r.Assignment.Seq
			if err := f(toAssignment(r.Assignment, r.CreatorEmail, r.CreatorName)); err != nil {
				return err
			}
		}
	}
}

// EachSubmission calls f with every submission, oldest first.
func (s *Store) EachSubmission(ctx context.Context, f func(studycircle.Submission) error) error {
	for after := int64(0); ; {
		rows, err := s.query.SubmissionsUpFrom(ctx, after)
		if err != nil || len(rows) == 0 {
			return classify(err)
		}
		for _, r := range rows {
			after = r.Submission.Seq
			if err := f(toSubmission(r.Submission, r.SubmitterEmail, r.SubmitterName)); err != nil {
				return err
			}
		}
	}
}
