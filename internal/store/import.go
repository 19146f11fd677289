package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"studycircle"
)

// RowError says which row of an import is wrong.
type RowError struct {
	Row int // its index
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }
func (e *RowError) Unwrap() error { return e.Err }

// BeginImport comes before all other parts of an import. On PostgreSQL, imports
// wait here for each other: folders that tell of the same people take their rows
// each in an order of its own. Everybody listening is told to look anew.
func (tx *Tx) BeginImport(ctx context.Context) error {
	tx.AnnounceReset()
	if tx.conn == nil {
		return nil
	}
	_, err := tx.raw.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", importLock)
	return classify(err)
}

// importLock is any number that nobody else locks.
const importLock = 0x53435f696d706f72

var insertUsers = bulk{
	"INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ",
	"(?, ?, ?, ?, '', ?)",
	" ON CONFLICT (email) DO NOTHING RETURNING id",
}

var findUsers = bulk{"SELECT id, email FROM users WHERE email IN (", "?", ")"}

// ImportAccounts adds users without passwords, but for those whose address is
// known. It returns the ids by address, of the new and of the known, and how
// many are new.
func (tx *Tx) ImportAccounts(ctx context.Context, users []studycircle.User) (ids map[string]string, added int, err error) {
	rows, addresses := make([][]any, len(users)), make([][]any, len(users))
	for i, u := range users {
		rows[i] = []any{u.ID, u.Email, u.DisplayName, u.PhotoURL, micros(u.CreatedAt)}
		addresses[i] = []any{u.Email}
	}
	err = tx.bulk(ctx, insertUsers, rows, func(*sql.Rows) error {
		added++
		return nil
	})
	if err != nil {
		return nil, 0, classify(err)
	}
	ids = make(map[string]string, len(users))
	err = tx.bulk(ctx, findUsers, addresses, func(found *sql.Rows) error {
		var id, email string
		err := found.Scan(&id, &email)
		ids[email] = id
		return err
	})
	return ids, added, classify(err)
}

var insertAssignments = bulk{
	"INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at) VALUES ",
	"(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	" ON CONFLICT (id) DO NOTHING RETURNING seq, id",
}

// ImportAssignments publishes assignments, each after the one before, and returns
// how many are new: one whose id is known, of a live or a deleted assignment or
// of one further ahead, is left as it is.
func (tx *Tx) ImportAssignments(ctx context.Context, assignments []studycircle.Assignment) (added int, err error) {
	first := firstByID(assignments, func(a studycircle.Assignment) string { return a.ID })
	rows := make([][]any, 0, len(first))
	for i, a := range assignments {
		if first[a.ID] == i {
			rows = append(rows, []any{
				a.ID, optionalText(a.Creator.UserID), a.Title, a.Description, a.Thumbnail, a.Marks, string(a.Level),
				a.Due.Micros(), a.Due.OffsetMinutes(), micros(a.CreatedAt), micros(a.UpdatedAt),
			})
		}
	}
	var cutting sync.WaitGroup
	words := make([]searchDoc, len(assignments))
	cutting.Go(func() { // while the database is busy with the rows
		for i, a := range assignments {
			words[i] = searchText(a)
		}
	})
	seqs := make([]int64, len(assignments)) // of what is new
	err = tx.bulk(ctx, insertAssignments, rows, func(found *sql.Rows) error {
		var seq int64
		var id string
		err := found.Scan(&seq, &id)
		seqs[first[id]] = seq
		return err
	})
	cutting.Wait()
	if err != nil {
		return 0, classify(err)
	}
	for i, seq := range seqs {
		if seq == 0 {
			continue
		}
		if err := tx.published(ctx, seq, words[i]); err != nil {
			return 0, err
		}
		added++
	}
	return added, nil
}

// firstByID tells where each id comes first.
func firstByID[T any](all []T, id func(T) string) map[string]int {
	first := make(map[string]int, len(all))
	for i, one := range all {
		if _, again := first[id(one)]; !again {
			first[id(one)] = i
		}
	}
	return first
}

var findAssignments = bulk{"SELECT id, title, marks, due_at, due_offset FROM assignments WHERE id IN (", "?", ")"}

// AssignmentsForImport returns, by id, those of the assignments that there are,
// live or deleted, with what a submission takes from its assignment: title,
// marks and due date.
func (tx *Tx) AssignmentsForImport(ctx context.Context, ids []string) (map[string]studycircle.Assignment, error) {
	out := make(map[string]studycircle.Assignment, len(ids))
	err := tx.bulk(ctx, findAssignments, column(ids), func(found *sql.Rows) error {
		var a studycircle.Assignment
		var due int64
		var offset int
		err := found.Scan(&a.ID, &a.Title, &a.Marks, &due, &offset)
		a.Due = studycircle.DueDateAt(due, offset)
		out[a.ID] = a
		return err
	})
	return out, classify(err)
}

// column makes rows of one value each.
func column(values []string) [][]any {
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{v}
	}
	return rows
}

var (
	// Without a target of the conflict it passes over both a known id and a
	// second pending submission; refused tells them apart.
	insertSubmissions = bulk{
		"INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late, given_mark, feedback, marked_at) VALUES ",
		"(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		" ON CONFLICT DO NOTHING RETURNING seq, id",
	}
	findSubmissions = bulk{"SELECT id FROM submissions WHERE id IN (", "?", ")"}
	numberOwn       = bulk{
		"UPDATE users SET submission_count = submission_count + more.column2 FROM (VALUES ",
		"(CAST(? AS TEXT), CAST(? AS BIGINT))",
		") AS more WHERE users.id = more.column1 RETURNING users.id, users.submission_count",
	}
)

// ImportSubmissions stores submissions as they are and returns how many are new:
// one whose id is known is left as it is. A RowError with CodeAlreadyPending is
// about one that is its submitter's second pending one for an assignment.
func (tx *Tx) ImportSubmissions(ctx context.Context, submissions []studycircle.Submission) (added int, err error) {
	first := firstByID(submissions, func(s studycircle.Submission) string { return s.ID })
	ids := make([]string, len(submissions))
	for i, s := range submissions {
		ids[i] = s.ID
	}
	known, err := tx.knownSubmissions(ctx, ids)
	if err != nil {
		return 0, err
	}
	var fresh []int
	for i, s := range submissions {
		if first[s.ID] == i && !known[s.ID] {
			fresh = append(fresh, i)
		}
	}
	numbers, err := tx.numberSubmissions(ctx, submissions, fresh)
	if err != nil {
		return 0, err
	}
	rows := make([][]any, len(fresh))
	for n, i := range fresh {
		rows[n] = submissionRow(submissions[i], numbers[i])
	}
	seqs := make([]int64, len(submissions)) // of what is new
	err = tx.bulk(ctx, insertSubmissions, rows, func(found *sql.Rows) error {
		var seq int64
		var id string
		err := found.Scan(&seq, &id)
		seqs[first[id]] = seq
		return err
	})
	if err != nil {
		return 0, classify(err)
	}
	var refused []int
	for _, i := range fresh {
		if seqs[i] == 0 {
			refused = append(refused, i)
			continue
		}
		s := submissions[i]
		tx.countSubmission(seqs[i], s.Submitter.UserID, numbers[i], s.Status, 1)
		added++
	}
	return added, tx.refused(ctx, ids, refused)
}

// knownSubmissions tells which ids are taken.
func (tx *Tx) knownSubmissions(ctx context.Context, ids []string) (map[string]bool, error) {
	known := map[string]bool{}
	err := tx.bulk(ctx, findSubmissions, column(ids), func(found *sql.Rows) error {
		var id string
		err := found.Scan(&id)
		known[id] = true
		return err
	})
	return known, classify(err)
}

// refused tells whether rows that were not stored, though nobody had their ids
// before, have since come by another way, or else why they were refused.
func (tx *Tx) refused(ctx context.Context, ids []string, rows []int) error {
	if len(rows) == 0 {
		return nil
	}
	known, err := tx.knownSubmissions(ctx, ids)
	if err != nil {
		return err
	}
	for _, i := range rows {
		if !known[ids[i]] {
			return &RowError{i, studycircle.Errorf(studycircle.CodeAlreadyPending,
				"the submitter has another pending submission for this assignment")}
		}
	}
	return nil
}

// numberSubmissions takes the next numbers of their submitters for some of the
// submissions; those of nobody have the number 0.
func (tx *Tx) numberSubmissions(ctx context.Context, submissions []studycircle.Submission, some []int) (map[int]int64, error) {
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
	err := tx.bulk(ctx, numberOwn, rows, func(found *sql.Rows) error {
		var id string
		var last int64
		err := found.Scan(&id, &last)
		next[id] = last - more[id] + 1
		return err
	})
	if err != nil {
		return nil, classify(err)
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

func submissionRow(s studycircle.Submission, no int64) []any {
	row := []any{
		s.ID, optionalText(s.AssignmentID), s.AssignmentTitle, s.Marks, optionalText(s.Submitter.UserID), no,
		s.DocsLink, s.Note, string(s.Status), micros(s.SubmittedAt), s.Late,
	}
	if s.Grade == nil {
		return append(row, nil, nil, nil)
	}
	return append(row, s.Grade.Mark, s.Grade.Feedback, optionalMicros(s.Grade.MarkedAt))
}
