package bulk

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// RowError is the error of one row of an import.
type RowError struct {
	Row int // its index
	Err error
}

// Error implements error.
func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// BeginImport is the first step of an import. Imports wait here for each other, because folders with the same users
// lock their rows in different orders. All listeners are told to fetch everything again.
func BeginImport(ctx context.Context, tx *engine.Tx) error {
	tx.AnnounceReset()
	return tx.Engine.BeginImport(ctx, tx)
}

// ImportAccounts adds users without passwords, except those whose address is known. It returns the ids of new and
// known users by address, and the number of new ones.
func ImportAccounts(
	ctx context.Context, tx *engine.Tx, users []studycircle.User,
) (ids map[string]string, added int, err error) {
	rows, addresses := make([][]any, len(users)), make([][]any, len(users))
	for i, u := range users {
		rows[i] = []any{u.ID, u.Email, u.DisplayName, u.PhotoURL, u.CreatedAt.UnixMicro()}
		addresses[i] = []any{u.Email}
	}
	err = engine.Run(ctx, tx, tables.ImportUsers, rows, func(*sql.Rows) error {
		added++
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	ids = make(map[string]string, len(users))
	err = engine.Run(ctx, tx, tables.UsersByEmail, addresses, func(found *sql.Rows) error {
		var id, email string
		err := found.Scan(&id, &email)
		ids[email] = id
		return err
	})
	return ids, added, err
}

// ImportAssignments publishes assignments, in their order, and returns the number of new ones. It skips an id that is
// known, from a live or a deleted assignment or from an earlier row. A RowError names one that is known in another
// place.
func ImportAssignments(
	ctx context.Context, tx *engine.Tx, assignments []studycircle.Assignment,
) (added int, err error) {
	first := firstByID(assignments, func(a studycircle.Assignment) string { return a.ID })
	rows := make([][]any, 0, len(first))
	for i, a := range assignments {
		if first[a.ID] == i {
			rows = append(rows, tables.Assignments.Values(&a, tables.Assignments.Inserted))
		}
	}
	var cutting sync.WaitGroup
	docs := make([]engine.Doc, len(assignments))
	cutting.Go(func() { // while the database stores the rows
		for i, a := range assignments {
			docs[i] = tables.AssignmentDoc(a)
		}
	})
	seqs := make([]int64, len(assignments)) // of what is new
	err = engine.Run(ctx, tx, tables.ImportAssignments, rows, func(found *sql.Rows) error {
		var seq int64
		var id string
		err := found.Scan(&seq, &id)
		seqs[first[id]] = seq
		return err
	})
	cutting.Wait()
	if err != nil {
		return 0, err
	}
	names, err := namesOf(ctx, tx, assignments)
	if err != nil {
		return 0, err
	}
	if err := inPlace(ctx, tx, assignments, seqs); err != nil {
		return 0, err
	}
	for i, seq := range seqs {
		if seq == 0 {
			continue
		}
		a := assignments[i]
		a.Seq = seq
		if err := tables.Listed(ctx, tx, a, docs[i].With(names[a.Creator.UserID])); err != nil {
			return 0, err
		}
		added++
	}
	return added, nil
}

// namesOf returns the names of creators, by their ids.
func namesOf(ctx context.Context, tx *engine.Tx, assignments []studycircle.Assignment) (map[string]string, error) {
	names := map[string]string{}
	var ids []any
	for _, a := range assignments {
		if _, again := names[a.Creator.UserID]; !again && a.Creator.UserID != "" {
			names[a.Creator.UserID], ids = "", append(ids, a.Creator.UserID)
		}
	}
	found := tables.Names.Collect(int64(len(ids)))
	err := tx.FindAll(ctx, studycircle.System(), tables.NameByID, ids, found)
	for _, p := range found.All {
		names[p.UserID] = p.DisplayName
	}
	return names, err
}

// firstByID returns the index at which each id first occurs.
func firstByID[T any](all []T, id func(T) string) map[string]int {
	first := make(map[string]int, len(all))
	for i, one := range all {
		if _, again := first[id(one)]; !again {
			first[id(one)] = i
		}
	}
	return first
}

// inPlace returns a RowError for an assignment that is not new and is known in another place.
func inPlace(ctx context.Context, tx *engine.Tx, assignments []studycircle.Assignment, seqs []int64) error {
	var ids []string
	for i, a := range assignments {
		if seqs[i] == 0 {
			ids = append(ids, a.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	known, err := AssignmentsForImport(ctx, tx, ids)
	if err != nil {
		return err
	}
	for i, a := range assignments {
		if seqs[i] == 0 && known[a.ID].CircleID != a.CircleID {
			return &RowError{i, errElsewhere(a.ID)}
		}
	}
	return nil
}

// AssignmentsForImport returns, by id, those of the assignments that exist, live or deleted, with the fields that a
// submission takes from its assignment: circle, title, marks, due date and number of reviews.
func AssignmentsForImport(ctx context.Context, tx *engine.Tx, ids []string) (map[string]studycircle.Assignment, error) {
	keys := make([]any, len(ids))
	for i, id := range ids {
		keys[i] = id
	}
	found := tables.Heads.Collect(int64(len(ids)))
	err := tx.FindAll(ctx, studycircle.System(), tables.HeadByID, keys, found)
	out := make(map[string]studycircle.Assignment, len(ids))
	for _, a := range found.All {
		out[a.ID] = a
	}
	return out, err
}

// column returns rows of one value each.
func column(values []string) [][]any {
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{v}
	}
	return rows
}

// ImportSubmissions stores submissions unchanged and returns the number of new ones. It skips a known id. A RowError
// names a row whose id is known in another place, or, with CodeAlreadyPending, one that would be its submitter's second
// pending submission for an assignment.
func ImportSubmissions(
	ctx context.Context, tx *engine.Tx, submissions []studycircle.Submission,
) (added int, err error) {
	first := firstByID(submissions, func(s studycircle.Submission) string { return s.ID })
	ids := make([]string, len(submissions))
	for i, s := range submissions {
		ids[i] = s.ID
	}
	known, err := KnownSubmissions(ctx, tx, ids)
	if err != nil {
		return 0, err
	}
	var fresh []int
	for i, s := range submissions {
		place, is := known[s.ID]
		if is && place != s.CircleID {
			return 0, &RowError{i, errElsewhere(s.ID)}
		}
		if first[s.ID] == i && !is {
			fresh = append(fresh, i)
		}
	}
	numbers, err := numberSubmissions(ctx, tx, submissions, fresh)
	if err != nil {
		return 0, err
	}
	rows := make([][]any, len(fresh))
	for n, i := range fresh {
		rows[n] = tables.Submissions.Values(
			&tables.SubmissionRow{Submission: submissions[i], No: numbers[i]}, tables.Submissions.Inserted,
		)
	}
	seqs := make([]int64, len(submissions)) // of what is new
	err = engine.Run(ctx, tx, tables.ImportSubmissions, rows, func(found *sql.Rows) error {
		var seq int64
		var id string
		err := found.Scan(&seq, &id)
		seqs[first[id]] = seq
		return err
	})
	if err != nil {
		return 0, err
	}
	bases, err := basesOf(ctx, tx, submissions, fresh)
	if err != nil {
		return 0, err
	}
	var left []int
	var attempts []tables.TakenRow
	for _, i := range fresh {
		if seqs[i] == 0 {
			left = append(left, i)
			continue
		}
		row := tables.SubmissionRow{Submission: submissions[i], Seq: seqs[i], No: numbers[i]}
		row.Basis = bases[row.AssignmentID]
		if row.Status == studycircle.Pending {
			tables.CountPending(tx, row, 1)
		}
		tables.CountWork(tx, row.Basis, 1)
		if row.Grade != nil {
			tables.CountGrade(tx, row.Basis, row, 1)
		}
		if attempt, ok := tables.Attempt(row.Basis, row, 1); ok {
			attempts = append(attempts, attempt)
		}
		added++
		if r := row.Reviewing; r != nil {
			open := *r
			open.Seq, open.SubmitterID = row.Seq, row.Submitter.UserID
			if err := (&store.Tx{Tx: tx}).OpenReviewing(ctx, open); err != nil {
				return 0, err
			}
		}
	}
	if err := tables.PutAttempts(ctx, tx, attempts); err != nil {
		return 0, err
	}
	return added, refused(ctx, tx, ids, left)
}

// basesOf returns, by id, the bases of the assignments of some stored submissions; rows that refer to an assignment
// share it.
func basesOf(
	ctx context.Context, tx *engine.Tx, submissions []studycircle.Submission, some []int,
) (map[string]tables.Basis, error) {
	of := map[string]tables.Basis{}
	var ids []any
	for _, i := range some {
		id := submissions[i].AssignmentID
		if _, again := of[id]; !again && id != "" {
			of[id], ids = tables.Basis{}, append(ids, id)
		}
	}
	found := tables.Bases.Collect(int64(len(ids)))
	err := tx.FindAll(ctx, studycircle.System(), tables.BasisByID, ids, found)
	for _, b := range found.All {
		of[b.ID] = b
	}
	return of, err
}

// KnownSubmissions returns the ids that are taken, also by exemplars, with the circles of their assignments.
func KnownSubmissions(ctx context.Context, tx *engine.Tx, ids []string) (map[string]string, error) {
	return pairs(ctx, tx, tables.KnownSubmissions, ids)
}

// pairs runs a statement that finds two texts for each key, and returns the second ones by the first ones.
func pairs(ctx context.Context, tx *engine.Tx, of engine.Statement, keys []string) (map[string]string, error) {
	out := map[string]string{}
	err := engine.Run(ctx, tx, of, column(keys), func(found *sql.Rows) error {
		var key, value string
		err := found.Scan(&key, &value)
		out[key] = value
		return err
	})
	return out, err
}

// errElsewhere refuses a line whose id belongs to something in another place: a circle or the hall.
func errElsewhere(id string) error {
	return fmt.Errorf("_id: %q is taken on this server, in another place", id)
}

// refused reports whether rows that were not stored, although their ids were free, were stored concurrently by
// another transaction; otherwise it returns the reason for refusing them.
func refused(ctx context.Context, tx *engine.Tx, ids []string, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	known, err := KnownSubmissions(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, i := range rows {
		if _, is := known[ids[i]]; !is {
			return &RowError{i, studycircle.Errorf(studycircle.CodeAlreadyPending,
				"the submitter has another pending submission for this assignment")}
		}
	}
	return nil
}

// numberSubmissions takes the next numbers of their submitters for some of the submissions; those without a submitter
// have the number 0.
func numberSubmissions(
	ctx context.Context, tx *engine.Tx, submissions []studycircle.Submission, some []int,
) (map[int]int64, error) {
	more := map[string]int64{}
	var people []string
	for _, i := range some {
		id := submissions[i].Submitter.UserID
		if id == "" {
			continue
		}
		if more[id] == 0 {
			people = append(people, id)
		}
		more[id]++
	}
	rows := make([][]any, len(people))
	for i, id := range people {
		rows[i] = []any{id, more[id]}
	}
	next := make(map[string]int64, len(people))
	err := engine.Run(ctx, tx, tables.NumberSubmissions, rows, func(found *sql.Rows) error {
		var id string
		var last int64
		err := found.Scan(&id, &last)
		next[id] = last - more[id] + 1
		return err
	})
	if err != nil {
		return nil, err
	}
	numbers := make(map[int]int64, len(some))
	for _, i := range some {
		if id := submissions[i].Submitter.UserID; id != "" {
			numbers[i] = next[id]
			next[id]++
		}
	}
	return numbers, nil
}
