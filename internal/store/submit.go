package store

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/db"
)

// Submit hands in what decide makes of a live assignment, counts u with it and
// returns once that is durable. An error of decide is returned, and nothing is
// written or counted; ErrNotFound, CodeRateLimited, CodeAlreadyPending,
// ErrAccountGone. decide may run again, beside others, and must keep nothing.
func (s *Store) Submit(ctx context.Context, assignmentID string, u limit.Use, decide func(studycircle.Assignment) (studycircle.Submission, error)) error {
	return writeOne(ctx, s, s.submitter, request[studycircle.Assignment, studycircle.Submission]{id: assignmentID, use: u, decide: decide},
		(*Tx).Assignment, (*Tx).InsertSubmission)
}

type submitter = together[studycircle.Assignment, studycircle.Submission]

func newSubmitter(s *Store) *submitter {
	return newTogether(s, func() groupWrite[studycircle.Assignment, studycircle.Submission] {
		return &handIns{numbers: map[string]int64{}, places: map[string]int64{}}
	})
}

// handIns are submissions of a group. Numbers are given out under the locks of
// their users' rows.
type handIns struct {
	numbers map[string]int64 // the last of each user whose row is the group's
	rows    []handIn
	places  map[string]int64 // of those that are stored, by id
}

type handIn struct {
	studycircle.Submission
	no int64
}

const assignmentsByID = `
SELECT a.seq, a.id, a.creator_id, a.title, a.description, a.thumbnail, a.marks, a.level,
	a.due_at, a.due_offset, a.created_at, a.updated_at, a.deleted_at, u.email, u.display_name
FROM assignments a LEFT JOIN users u ON u.id = a.creator_id WHERE a.id = ANY($1) AND a.deleted_at IS NULL`

func (*handIns) find(batch *pgx.Batch, ids []string, found map[string]studycircle.Assignment) {
	type row struct {
		db.Assignment
		Email, Name sql.NullString
	}
	batch.Queue(assignmentsByID, ids).Query(eachRow(func(r row) { found[r.ID] = toAssignment(r.Assignment, r.Email, r.Name) }))
}

func (h *handIns) take(batch *pgx.Batch, rows []studycircle.Submission) {
	people := make([]string, len(rows))
	for i, s := range rows {
		people[i] = s.Submitter.UserID
	}
	type user struct {
		ID     string
		Number int64
	}
	batch.Queue("SELECT id, submission_count FROM users WHERE id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED", people).
		Query(eachRow(func(u user) { h.numbers[u.ID] = u.Number }))
}

func (h *handIns) settle(s studycircle.Submission) error {
	last, ours := h.numbers[s.Submitter.UserID]
	if !ours {
		return errAlone
	}
	h.numbers[s.Submitter.UserID] = last + 1
	h.rows = append(h.rows, handIn{s, last + 1})
	return nil
}

// handInAll says in one statement what Tx.InsertSubmission says in two. The index
// says what is pending already, and no query does: PostgreSQL, which may not have
// heard yet of a pending list that has grown, would read all of that for each.
const handInAll = `
WITH given AS (
	SELECT * FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[]), CAST($3 AS TEXT[]), CAST($4 AS TEXT[]), CAST($5 AS TEXT[]),
		CAST($6 AS TEXT[]), CAST($7 AS BIGINT[]), CAST($8 AS BIGINT[]), CAST($9 AS BIGINT[]), CAST($10 AS BOOLEAN[]))
	AS g (id, assignment_id, assignment_title, submitter_id, docs_link, note, marks, submitter_no, submitted_at, late)
), numbered AS (
	UPDATE users u SET submission_count = n.last
	FROM (SELECT submitter_id, MAX(submitter_no) AS last FROM given GROUP BY 1) AS n WHERE u.id = n.submitter_id
)
INSERT INTO submissions (id, assignment_id, assignment_title, submitter_id, docs_link, note, marks, submitter_no, submitted_at, late, status)
SELECT g.*, 'pending' FROM given g
ON CONFLICT (assignment_id, submitter_id) WHERE status = 'pending' DO NOTHING
RETURNING id, seq`

func (h *handIns) write(batch *pgx.Batch) {
	var texts [6][]string
	var numbers [3][]int64
	late := make([]bool, len(h.rows))
	for i, s := range h.rows {
		for k, text := range [...]string{s.ID, s.AssignmentID, s.AssignmentTitle, s.Submitter.UserID, s.DocsLink, s.Note} {
			texts[k] = append(texts[k], text)
		}
		for k, number := range [...]int64{s.Marks, s.no, micros(s.SubmittedAt)} {
			numbers[k] = append(numbers[k], number)
		}
		late[i] = s.Late
	}
	type place struct {
		ID  string
		Seq int64
	}
	batch.Queue(handInAll, texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], numbers[0], numbers[1], numbers[2], late).
		Query(eachRow(func(p place) { h.places[p.ID] = p.Seq }))
}

func (h *handIns) written(s studycircle.Submission) error {
	if _, stored := h.places[s.ID]; !stored {
		return errPending
	}
	return nil
}

func (h *handIns) leave(tx *Tx) {
	for _, s := range h.rows {
		if seq, stored := h.places[s.ID]; stored {
			tx.handedIn(s.ID, s.Submitter.UserID, seq, s.no)
		}
	}
}
