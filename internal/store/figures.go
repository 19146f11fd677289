package store

import (
	"context"
	"fmt"
	"log/slog"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// moveWork updates the figures and what users have taken for a change of an assignment from before to after. The update
// must have run: on PostgreSQL it waits for every transaction that shares the row, and later statements see their
// changes.
func (tx *Tx) moveWork(ctx context.Context, before, after tables.Basis) error {
	if before == after {
		return nil
	}
	if before.Level != after.Level || before.Deleted != after.Deleted {
		rows, err := tx.Queries.WorkOf(ctx, optionalText(before.ID))
		if err != nil {
			return err
		}
		for _, r := range rows {
			tables.CountWork(tx, before, -1)
			tables.CountWork(tx, after, 1)
			if r.Status == string(studycircle.Completed) {
				row := tables.SubmissionRow{Submission: studycircle.Submission{
					Submitter: studycircle.Person{UserID: r.SubmitterID.String}, Marks: r.Marks,
					Grade: &studycircle.Grade{Mark: r.GivenMark.Int64},
				}}
				tables.CountMark(tx, before, row, -1)
				tables.CountMark(tx, after, row, 1)
			}
		}
	}
	of := optionalText(before.ID)
	switch {
	case before.Deleted && !after.Deleted:
		return tx.Later.TakeAllAnew(ctx, of)
	case after.Deleted:
		return tx.Later.ForgetTakenOf(ctx, db.ForgetTakenOfParams{Seq: before.Seq, AssignmentID: of})
	default:
		return tx.Later.MoveTaken(ctx, db.MoveTakenParams{
			Seq: before.Seq, AssignmentID: of, Level: string(after.Level), DueAt: after.DueAt,
		})
	}
}

// takeAnew computes anew a user's row of taken for an assignment, from all of the user's submissions. It deletes the
// row first, which makes concurrent transactions take turns.
func (tx *Tx) takeAnew(ctx context.Context, userID string, of tables.Basis) error {
	if userID == "" || of.Seq == 0 {
		return nil
	}
	if err := tx.Later.ForgetTaken(ctx, db.ForgetTakenParams{Seq: of.Seq, UserID: userID}); err != nil {
		return err
	}
	return tx.Later.TakeAnew(ctx, db.TakeAnewParams{AssignmentID: optionalText(of.ID), UserID: optionalText(userID)})
}

// pendingBases returns, by id, the bases of the assignments for which a user who is deleted has pending submissions,
// without the user as the creator. The caller has locked them: see lockDeletion.
func (tx *Tx) pendingBases(ctx context.Context, userID string) (map[string]tables.Basis, error) {
	found := tables.Bases.Collect(0)
	err := engine.Select(ctx, tx.DB, found, tables.PendingBases, userID)
	of := make(map[string]tables.Basis, len(found.All))
	for _, b := range found.All {
		if b.CreatorID == userID {
			b.CreatorID = ""
		}
		of[b.ID] = b
	}
	return of, err
}

// repairLock is an arbitrary number that no other code locks.
const repairLock = 0x53435f66697875

// RepairFigures compares the figures of the users after one, in the order of their ids, and what they have taken with
// the plain queries, repairs differences and logs each repair. It returns the last of the users, "" if there are no
// more, and the number of repairs. Each repair is a small transaction beside other writers: one statement sees one
// moment, and a repair adds the difference.
func (s *Store) RepairFigures(ctx context.Context, after string) (last string, repairs int, err error) {
	defer s.operation(&err, "Store.RepairFigures")
	ids, err := s.engine.Queries().UsersToCheck(ctx, after)
	if err != nil || len(ids) == 0 {
		return "", 0, err
	}
	first, last := ids[0], ids[len(ids)-1]
	repairs, err = s.repairFiguresOf(ctx, first, last)
	if err != nil {
		return "", repairs, err
	}
	n, err := s.repairTakenOf(ctx, first, last)
	return last, repairs + n, err
}

// repair runs f, one repair at a time over all nodes.
func (s *Store) repair(ctx context.Context, f func(context.Context, *Tx) error) error {
	return s.Write(engine.WithFigures(ctx), studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if err := tx.Engine.Lock(ctx, tx.Tx, repairLock); err != nil {
			return err
		}
		return f(ctx, tx)
	})
}

// logRepair logs the repairs of a committed transaction.
func logRepair(ctx context.Context, scope string, found, expected any) {
	slog.WarnContext(ctx, "figure repaired", "scope", scope, "found", found, "expected", expected)
}

func (s *Store) repairFiguresOf(ctx context.Context, first, last string) (repairs int, err error) {
	of := db.WrongFiguresParams{First: first, Last: last}
	wrong, err := s.engine.Queries().WrongFigures(ctx, of)
	if err != nil || len(wrong) == 0 {
		return 0, err
	}
	err = s.repair(ctx, func(ctx context.Context, tx *Tx) (err error) {
		if wrong, err = tx.Queries.WrongFigures(ctx, of); err != nil {
			return err
		}
		for _, w := range wrong {
			tx.Figure(pages.Scope(w.Scope), w.Block, w.Expected-w.Found, w.ExpectedTotal-w.FoundTotal)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, w := range wrong {
		logRepair(ctx, fmt.Sprint(w.Scope, " ", w.Block), [2]int64{w.Found, w.FoundTotal}, [2]int64{
			w.Expected, w.ExpectedTotal,
		})
	}
	return len(wrong), nil
}

func (s *Store) repairTakenOf(ctx context.Context, first, last string) (repairs int, err error) {
	wrong, err := s.engine.Queries().WrongTaken(ctx, db.WrongTakenParams{First: first, Last: last})
	if err != nil {
		return 0, err
	}
	for _, w := range wrong {
		var again []db.WrongTakenRow
		err := s.repair(ctx, func(ctx context.Context, tx *Tx) (err error) {
			// Alone: a concurrent submission is either seen here or added afterwards.
			if err := tx.lock(ctx, tables.UserRow, w.UserID); err != nil {
				return err
			}
			if again, err = tx.Queries.WrongTaken(ctx, db.WrongTakenParams{First: w.UserID, Last: w.UserID}); err != nil {
				return err
			}
			for _, w := range again {
				if err := tx.takeAnew(ctx, w.UserID, tables.Basis{ID: w.AssignmentID, Seq: w.Seq}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return repairs, err
		}
		for _, w := range again {
			logRepair(ctx, fmt.Sprint("taken/", w.UserID, "/", w.AssignmentID), w.Found, w.Expected)
		}
		repairs += len(again)
	}
	return repairs, nil
}
