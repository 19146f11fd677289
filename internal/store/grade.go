package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/limit"
)

// Grade grades a pending submission as decide says, counts u with it and returns
// once that is durable. An error of decide is returned, and nothing is written or
// counted; ErrNotFound, CodeRateLimited, CodeAlreadyGraded, ErrAccountGone. decide
// may run again, beside others, and must keep nothing.
func (s *Store) Grade(ctx context.Context, submissionID string, u limit.Use, decide func(studycircle.Gradable) (studycircle.Grade, error)) error {
	return writeOne(ctx, s, s.grader, request[studycircle.Gradable, grading]{id: submissionID, use: u, decide: func(of studycircle.Gradable) (grading, error) {
		g, err := decide(of)
		return grading{of.ID, g}, err
	}}, (*Tx).gradable, func(tx *Tx, ctx context.Context, g grading) error {
		return tx.GradeSubmission(ctx, g.submissionID, g.Grade)
	})
}

// grading is who gives which submission what.
type grading struct {
	submissionID string
	studycircle.Grade
}

type grader = together[studycircle.Gradable, grading]

func newGrader(s *Store) *grader {
	return newTogether(s, func() groupWrite[studycircle.Gradable, grading] {
		return &gradings{graders: map[string]bool{}, submissions: map[string]*lockedWork{}}
	})
}

// gradings are grades of a group. The rows of what is graded are locked, and of
// who grades against their deletion: a deletion that has begun is not waited for
// where the schema's rules look for the grader.
type gradings struct {
	graders     map[string]bool
	submissions map[string]*lockedWork
	rows        []grading
}

// lockedWork is a submission whose row is the group's.
type lockedWork struct {
	ID, Status, SubmitterID string
	Seq, No                 int64
}

func (*gradings) find(batch *pgx.Batch, ids []string, found map[string]studycircle.Gradable) {
	batch.Queue("SELECT id, COALESCE(submitter_id, ''), marks, status FROM submissions WHERE id = ANY($1)", ids).
		Query(eachRow(func(g studycircle.Gradable) { found[g.ID] = g }))
}

func (g *gradings) take(batch *pgx.Batch, rows []grading) {
	graders, submissions := make([]string, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		graders[i], submissions[i] = r.GraderID, r.submissionID
	}
	type user struct{ ID string }
	batch.Queue("SELECT id FROM users WHERE id = ANY($1) FOR KEY SHARE SKIP LOCKED", graders).
		Query(eachRow(func(u user) { g.graders[u.ID] = true }))
	batch.Queue(`SELECT id, status, COALESCE(submitter_id, ''), seq, submitter_no FROM submissions
		WHERE id = ANY($1) FOR NO KEY UPDATE SKIP LOCKED`, submissions).
		Query(eachRow(func(s lockedWork) { g.submissions[s.ID] = &s }))
}

func (g *gradings) settle(r grading) error {
	s, ours := g.submissions[r.submissionID]
	if !ours || !g.graders[r.GraderID] {
		return errAlone
	}
	if s.Status != string(studycircle.Pending) {
		return errGraded
	}
	s.Status = string(studycircle.Completed)
	g.rows = append(g.rows, r)
	return nil
}

const gradeAll = `
UPDATE submissions s SET status = 'completed', given_mark = g.mark, feedback = g.feedback, marked_at = g.marked_at, grader_id = g.grader_id
FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[]), CAST($3 AS TEXT[]), CAST($4 AS BIGINT[]), CAST($5 AS BIGINT[]))
	AS g (id, grader_id, feedback, mark, marked_at)
WHERE s.id = g.id`

func (g *gradings) write(batch *pgx.Batch) {
	var texts [3][]string
	var numbers [2][]int64
	for _, r := range g.rows {
		for k, text := range [...]string{r.submissionID, r.GraderID, r.Feedback} {
			texts[k] = append(texts[k], text)
		}
		for k, number := range [...]int64{r.Mark, micros(r.MarkedAt)} {
			numbers[k] = append(numbers[k], number)
		}
	}
	batch.Queue(gradeAll, texts[0], texts[1], texts[2], numbers[0], numbers[1])
}

// written is so of all: their rows are locked.
func (*gradings) written(grading) error { return nil }

func (g *gradings) leave(tx *Tx) {
	for _, r := range g.rows {
		s := g.submissions[r.submissionID]
		tx.graded(s.ID, s.SubmitterID, s.Seq, s.No)
	}
}
