package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// Publish implements engine.Writer.
func (d *DB) Publish(ctx context.Context, a studycircle.Assignment, u limit.Use, may func(studycircle.OwnCircle) error) error {
	p := publication{a, tables.AssignmentDoc(a)} // here, where requests run concurrently
	return d.publisher.write(ctx, request[none, publication]{use: u, decide: func(none) (decision[publication], error) {
		if a.CircleID == studycircle.Hall {
			return decision[publication]{row: p}, may(studycircle.OwnCircle{})
		}
		return decision[publication]{row: p, member: member{a.CircleID, a.Creator.UserID}, in: func(own studycircle.OwnCircle) (publication, error) { return p, may(own) }}, nil
	}})
}

// none is the noun of an operation that reads nothing first.
type none struct{}

type publication struct {
	studycircle.Assignment
	doc engine.Doc
}

// publishBatch is a batch of assignments.
type publishBatch struct {
	waited bool // for locks
	rows   []publication
	places map[string]published // of the stored ones, by id
}

// published is the position of a stored assignment, and its creator's name.
type published struct {
	ID   string
	Seq  int64
	Name string
}

func (*publishBatch) find(*pgx.Batch, []wanted, map[wanted]none) {}

// lock leaves the locks of creators to the statement that stores, unless circles are locked after them.
func (p *publishBatch) lock(batch *pgx.Batch, rows []publication, places *batchPlaces, all bool) bool {
	p.waited = all
	if !places.any() {
		return false
	}
	creators := make([]string, len(rows))
	for i, row := range rows {
		creators[i] = row.Creator.UserID
	}
	batch.Queue("SELECT FROM users WHERE id = ANY($1) FOR SHARE"+skipLocked(all), creators)
	places.lock(batch, all)
	return true
}

func (p *publishBatch) check(row publication) error {
	p.rows = append(p.rows, row)
	return nil
}

func (p *publishBatch) assignments() (assignments []studycircle.Assignment) {
	for _, row := range p.rows {
		assignments = append(assignments, row.Assignment)
	}
	return assignments
}

// publishAll stores the assignments whose creators exist and are not being deleted or renamed.
func publishAll(all bool) string {
	t := &tables.Assignments.Shape
	return `
WITH creators AS (
	SELECT id, display_name FROM users WHERE id = ANY($1) FOR SHARE` + skipLocked(all) + `
)
INSERT INTO assignments (` + names(t, t.Inserted, "") + `)
SELECT ` + names(t, t.Inserted, "g.") + ` FROM ` + given(t, t.Inserted, 2) + `
WHERE g.creator_id IS NULL OR g.creator_id IN (SELECT id FROM creators)
RETURNING id, seq, COALESCE((SELECT c.display_name FROM creators c WHERE c.id = assignments.creator_id), '')`
}

var publishUnlocked, publishWaiting = publishAll(false), publishAll(true)

func (p *publishBatch) store(batch *pgx.Batch) {
	p.places = map[string]published{}
	creators := make([]string, len(p.rows))
	for i, row := range p.rows {
		creators[i] = row.Creator.UserID
	}
	text := publishUnlocked
	if p.waited {
		text = publishWaiting
	}
	batch.Queue(text, append([]any{creators}, arrays(tables.Assignments, tables.Assignments.Inserted, p.assignments())...)...).
		Query(eachRow(func(s published) { p.places[s.ID] = s }))
}

func (p *publishBatch) stored(row publication) error {
	if _, stored := p.places[row.ID]; stored {
		return nil
	}
	if p.waited {
		return studycircle.ErrNotFound
	}
	return errUnbatched
}

func (p *publishBatch) record(ctx context.Context, tx *engine.Tx) error {
	for _, row := range p.rows {
		if at, stored := p.places[row.ID]; stored {
			row.Seq = at.Seq
			if err := tables.Published(ctx, tx, row.Assignment, row.doc.With(at.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (*publishBatch) alone(err error) error {
	if faultOf(err) == engine.Reference {
		return studycircle.ErrNotFound
	}
	return err
}
