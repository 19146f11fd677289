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

// moveFigures updates the figures for a change of an assignment from before to after. The update must have run: on
// PostgreSQL it waits for every transaction that shares the row, and later statements see their changes.
func (tx *Tx) moveFigures(ctx context.Context, before, after tables.Basis) error {
	tables.CountDue(tx, before, -1)
	tables.CountDue(tx, after, 1)
	if before == after {
		return nil
	}
	return tx.moveWork(ctx, before, after)
}

// moveWork is moveFigures without the figures by due date.
func (tx *Tx) moveWork(ctx context.Context, before, after tables.Basis) error {
	if before.Level != after.Level || before.Deleted != after.Deleted {
		rows, err := tx.Queries.WorkOf(ctx, optionalText(before.ID))
		if err != nil {
			return tx.Classify(err)
		}
		for _, r := range rows {
			tables.CountWork(tx, before, -1)
			tables.CountWork(tx, after, 1)
			if r.Status == string(studycircle.Completed) {
				row := tables.SubmissionRow{Submission: studycircle.Submission{
					Submitter: studycircle.Person{UserID: r.SubmitterID.String}, Marks: r.Marks, Grade: &studycircle.Grade{Mark: r.GivenMark.Int64},
				}}
				tables.CountMark(tx, before, row, -1)
				tables.CountMark(tx, after, row, 1)
			}
		}
	}
	of := optionalText(before.ID)
	switch {
	case before.Deleted && !after.Deleted:
		return tx.Classify(tx.Later.TakeAllAnew(ctx, of))
	case after.Deleted:
		return tx.Classify(tx.Later.ForgetTakenOf(ctx, db.ForgetTakenOfParams{Seq: before.Seq, AssignmentID: of}))
	default:
		return tx.Classify(tx.Later.MoveTaken(ctx, db.MoveTakenParams{Seq: before.Seq, AssignmentID: of, Level: string(after.Level), DueAt: after.DueAt}))
	}
}

// takeAnew computes anew a user's row of taken for an assignment, from all of the user's submissions. It deletes the
// row first, which makes concurrent transactions take turns.
func (tx *Tx) takeAnew(ctx context.Context, userID string, of tables.Basis) error {
	if userID == "" || of.Seq == 0 {
		return nil
	}
	if err := tx.Later.ForgetTaken(ctx, db.ForgetTakenParams{Seq: of.Seq, UserID: userID}); err != nil {
		return tx.Classify(err)
	}
	return tx.Classify(tx.Later.TakeAnew(ctx, db.TakeAnewParams{AssignmentID: optionalText(of.ID), UserID: optionalText(userID)}))
}

// pendingBases returns, by id, the bases of the assignments for which a user has pending
// submissions. The caller has locked them: see lockDeletion.
func (tx *Tx) pendingBases(ctx context.Context, userID string) (map[string]tables.Basis, error) {
	found := tables.Bases.Collect(0)
	err := engine.Select(ctx, tx.DB, found, tables.PendingBases, userID)
	of := make(map[string]tables.Basis, len(found.All))
	for _, b := range found.All {
		of[b.ID] = b
	}
	return of, tx.Classify(err)
}

// repairLock is an arbitrary number that no other code locks.
const repairLock = 0x53435f66697875

// RepairFigures compares the figures and users' taken rows with the plain queries, repairs differences and logs each
// repair. It returns the number of repairs. Each repair is a small transaction beside other writers: one statement
// sees one moment, and a repair adds the difference.
func (s *Store) RepairFigures(ctx context.Context) (repairs int, err error) {
	defer operation(&err, "Store.RepairFigures")
	n, err := s.repairDue(ctx)
	repairs += n
	for last := ""; err == nil; {
		var ids []string
		if ids, err = s.engine.Queries().UsersToCheck(ctx, last); err != nil || len(ids) == 0 {
			break
		}
		first := ids[0]
		last = ids[len(ids)-1]
		if n, err = s.repairFiguresOf(ctx, first, last); err != nil {
			break
		}
		repairs += n
		n, err = s.repairTakenOf(ctx, first, last)
		repairs += n
	}
	return repairs, s.classify(err)
}

// dueBlocks bounds the blocks of due dates; 100 million are 48,000 years.
const dueBlocks = 100_000_000

// repair runs f, one repair at a time over all nodes.
func (s *Store) repair(ctx context.Context, f func(context.Context, *Tx) error) error {
	return s.Write(engine.WithFigures(ctx), studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if err := tx.Engine.Lock(ctx, tx.Tx, repairLock); err != nil {
			return tx.Classify(err)
		}
		return f(ctx, tx)
	})
}

// logRepair logs the repairs of a committed transaction.
func logRepair(ctx context.Context, scope string, found, expected any) {
	slog.WarnContext(ctx, "figure repaired", "scope", scope, "found", found, "expected", expected)
}

func (s *Store) repairDue(ctx context.Context) (repairs int, err error) {
	wrong, err := s.engine.Queries().WrongDue(ctx, db.WrongDueParams{First: -dueBlocks, Last: dueBlocks})
	if err != nil {
		return 0, err
	}
	for _, w := range wrong {
		var again []db.WrongDueRow
		err := s.repair(ctx, func(ctx context.Context, tx *Tx) (err error) {
			if again, err = tx.Queries.WrongDue(ctx, db.WrongDueParams{First: w.Block, Last: w.Block}); err != nil {
				return tx.Classify(err)
			}
			for _, w := range again {
				tx.Figure(pages.Scope(w.Scope), w.Block, w.Expected-w.Found, 0)
			}
			return nil
		})
		if err != nil {
			return repairs, err
		}
		for _, w := range again {
			logRepair(ctx, fmt.Sprint(w.Scope, " ", w.Block), w.Found, w.Expected)
		}
		repairs += len(again)
	}
	return repairs, nil
}

func (s *Store) repairFiguresOf(ctx context.Context, first, last string) (repairs int, err error) {
	of := db.WrongFiguresParams{First: first, Last: last}
	wrong, err := s.engine.Queries().WrongFigures(ctx, of)
	if err != nil || len(wrong) == 0 {
		return 0, err
	}
	err = s.repair(ctx, func(ctx context.Context, tx *Tx) (err error) {
		if wrong, err = tx.Queries.WrongFigures(ctx, of); err != nil {
			return tx.Classify(err)
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
		logRepair(ctx, fmt.Sprint(w.Scope, " ", w.Block), [2]int64{w.Found, w.FoundTotal}, [2]int64{w.Expected, w.ExpectedTotal})
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
				return tx.Classify(err)
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
