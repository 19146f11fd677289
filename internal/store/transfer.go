package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

// AnalyzeSteps is how often Analyze calls its step.
func (s *Store) AnalyzeSteps() int {
	if _, own := s.search.(*sqliteSearch); own {
		return 1 + mergeSteps
	}
	return len(filledTables)
}

// Analyze lets the database learn what it holds, after much has come at once:
// its plans depend on it, and on SQLite how long it looks for a rare word. It can
// be stopped, and changes nothing that is read.
func (s *Store) Analyze(ctx context.Context, step func()) error {
	search, own := s.search.(*sqliteSearch)
	if !own {
		for _, table := range filledTables {
			if err := vacuum(ctx, s.reads, table); err != nil {
				return classify(err)
			}
			step()
		}
		return nil
	}
	err := s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		if _, err := tx.raw.ExecContext(ctx, "ANALYZE"); err != nil {
			return err
		}
		return dropSamples(ctx, tx.raw)
	})
	if err != nil {
		return err
	}
	step()
	return search.mergeAll(ctx, step)
}

// dropSamples forgets the sample rows that SQLite's ANALYZE collects beside its
// averages. With samples it plans a prepared statement anew for each value that
// is bound to it, which costs several times what the statement does.
func dropSamples(ctx context.Context, d db.DBTX) error {
	var tables int
	err := d.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'sqlite_stat4'").Scan(&tables)
	if err != nil || tables == 0 {
		return err
	}
	_, err = d.ExecContext(ctx, "DELETE FROM sqlite_stat4")
	return err
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
