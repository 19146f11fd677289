package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

type (
	assignment    = studycircle.Assignment
	submissionRow = tables.SubmissionRow
)

// Submit implements engine.Writer.
func (d *DB) Submit(ctx context.Context, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error)) error {
	return d.submitter.write(ctx, request[assignment, submissionRow]{noun: wanted{assignmentID, v}, use: u, decide: func(a assignment) (decision[submissionRow], error) {
		in := func(own studycircle.OwnCircle) (submissionRow, error) {
			s, err := decide(own, a)
			return submissionRow{Submission: s}, err
		}
		if a.CircleID == studycircle.Hall {
			row, err := in(studycircle.OwnCircle{})
			return decision[submissionRow]{row: row}, err
		}
		locked := submissionRow{Submission: studycircle.Submission{Submitter: studycircle.Person{UserID: v.UserID()}}}
		return decision[submissionRow]{row: locked, in: in, member: member{a.CircleID, v.UserID()}}, nil
	}})
}

// submitBatch is a batch of submissions. It numbers them while holding the locks of their users' rows.
type submitBatch struct {
	waited  bool             // for locks
	numbers map[string]int64 // the last number of each user whose row the batch has locked
	rows    []submissionRow
	seqs    map[string]int64        // of the stored ones, by id
	bases   map[string]tables.Basis // by assignment
}

func (*submitBatch) find(batch *pgx.Batch, nouns []wanted, found map[wanted]assignment) {
	queueFinds(batch, tables.AssignmentByID, tables.Assignments, nouns, found)
}

func (h *submitBatch) lock(batch *pgx.Batch, rows []submissionRow, places *batchPlaces, all bool) bool {
	people := make([]string, len(rows))
	for i, s := range rows {
		people[i] = s.Submitter.UserID
	}
	type user struct {
		ID     string
		Number int64
	}
	h.waited, h.numbers = all, map[string]int64{}
	batch.Queue("SELECT id, submission_count FROM users WHERE id = ANY($1) FOR NO KEY UPDATE"+skipLocked(all), people).
		Query(eachRow(func(u user) { h.numbers[u.ID] = u.Number }))
	places.lock(batch, all)
	return true
}

func (h *submitBatch) check(s submissionRow) error {
	last, ours := h.numbers[s.Submitter.UserID]
	if !ours && h.waited {
		return studycircle.ErrAccountGone
	}
	if !ours {
		return errUnbatched
	}
	s.No = last + 1
	h.numbers[s.Submitter.UserID] = s.No
	h.rows = append(h.rows, s)
	return nil
}

// submitAll numbers and stores. The unique index, not a query, finds pending submissions: PostgreSQL, whose
// statistics may not reflect a pending list that has grown, would read all of it for each.
var submitAll = `
WITH given AS (
	SELECT * FROM ` + given(&tables.Submissions.Shape, tables.Submissions.Inserted, 1) + `
), numbered AS (
	UPDATE users u SET submission_count = n.last
	FROM (SELECT submitter_id, MAX(submitter_no) AS last FROM given GROUP BY 1) AS n WHERE u.id = n.submitter_id
)
INSERT INTO submissions (` + names(&tables.Submissions.Shape, tables.Submissions.Inserted, "") + `)
SELECT * FROM given
ON CONFLICT (assignment_id, submitter_id) WHERE status = 'pending' DO NOTHING
RETURNING id, seq`

func (h *submitBatch) store(batch *pgx.Batch) {
	type place struct {
		ID  string
		Seq int64
	}
	h.seqs = map[string]int64{}
	batch.Queue(submitAll, arrays(tables.Submissions, tables.Submissions.Inserted, h.rows)...).
		Query(eachRow(func(p place) { h.seqs[p.ID] = p.Seq }))
	assignments := make([]string, len(h.rows))
	for i, s := range h.rows {
		assignments[i] = s.AssignmentID
	}
	h.bases = map[string]tables.Basis{}
	queueBases(batch, assignments, "", h.bases) // shared by the submissions, which refer to them
}

// queueBases queues the read of assignments' bases into found, by their ids.
func queueBases(batch *pgx.Batch, ids []string, lock string, found map[string]tables.Basis) {
	all := tables.Bases.Collect(int64(len(ids)))
	read := into(all, int64(len(ids)))
	slices.Sort(ids)
	batch.Queue("SELECT one.* FROM unnest((SELECT CAST($1 AS TEXT[]))) AS w (key) CROSS JOIN LATERAL (SELECT "+tables.Bases.Selected("t", false)+
		" FROM assignments t WHERE t.id = w.key LIMIT 1"+lock+") one", slices.Compact(ids)).Query(func(rows pgx.Rows) error {
		err := read(rows)
		for _, b := range all.All {
			found[b.ID] = b
		}
		return err
	})
}

func (h *submitBatch) stored(s submissionRow) error {
	if _, stored := h.seqs[s.ID]; !stored {
		return tables.ErrPending
	}
	return nil
}

func (h *submitBatch) record(ctx context.Context, tx *engine.Tx) error {
	for _, s := range h.rows {
		seq, stored := h.seqs[s.ID]
		if !stored {
			continue
		}
		s.Seq, s.Basis = seq, h.bases[s.AssignmentID]
		if err := tables.Submitted(ctx, tx, s); err != nil {
			return err
		}
	}
	return nil
}

func (*submitBatch) alone(err error) error {
	if faultOf(err) == engine.Unique {
		return tables.ErrPending
	}
	return err
}
