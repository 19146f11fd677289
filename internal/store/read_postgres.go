package store

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"studycircle"
)

// postgresReads is the second read path on PostgreSQL, past database/sql.
//
// Levels and limits stand in the statements themselves, of which there are few
// hundred. With a parameter for a limit PostgreSQL takes the plan for any limit for
// dearer than it is, and makes one anew for every page: that costs more than to
// read it.
type postgresReads struct{ postgresQueries }

// postgresQueries runs queries on PostgreSQL.
type postgresQueries interface {
	// query calls scan with the rows, perhaps again where that fails.
	query(ctx context.Context, q postgresQuery) error
	close() error
}

type postgresQuery struct {
	text string
	args []any
	scan func(pgx.Rows) error
}

// Of what is joined with people PostgreSQL must know that it is little, or it
// sets up a table to remember them by, which costs as much as finding ten.
const (
	selectAssignments = `SELECT a.seq, a.id, COALESCE(a.creator_id, ''), a.title, a.description, a.thumbnail, a.marks, a.level,
	a.due_at, a.due_offset, a.created_at, a.updated_at, COALESCE(u.email, ''), COALESCE(u.display_name, '') FROM `
	withCreators = ` a LEFT JOIN users u ON u.id = a.creator_id`
)

func (r postgresReads) assignments(ctx context.Context, expected int64, text string, args ...any) ([]studycircle.Assignment, error) {
	return collected(ctx, r, expected, postgresQuery{text: text, args: args}, func(row pgx.CollectableRow) (a studycircle.Assignment, err error) {
		var due, created, updated int64
		var offset int
		err = row.Scan(&a.Seq, &a.ID, &a.Creator.UserID, &a.Title, &a.Description, &a.Thumbnail, &a.Marks, (*string)(&a.Level),
			&due, &offset, &created, &updated, &a.Creator.Email, &a.Creator.DisplayName)
		a.Due, a.CreatedAt, a.UpdatedAt = studycircle.DueDateAt(due, offset), instant(created), instant(updated)
		return a, err
	})
}

// collected returns the rows of q, about as many as expected.
func collected[T any](ctx context.Context, from postgresQueries, expected int64, q postgresQuery, row pgx.RowToFunc[T]) ([]T, error) {
	var found []T
	q.scan = func(rows pgx.Rows) (err error) {
		found, err = pgx.AppendRows(make([]T, 0, expected), rows, row)
		return err
	}
	if err := from.query(ctx, q); err != nil {
		return nil, err // where ctx ended, found may be written to yet
	}
	return found, nil
}

func (r postgresReads) assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	found, err := r.assignments(ctx, 1, selectAssignments+"assignments"+withCreators+" WHERE a.deleted_at IS NULL AND a.id = $1", id)
	if err == nil && len(found) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return studycircle.Assignment{}, err
	}
	return found[0], nil
}

func (r postgresReads) down(ctx context.Context, level studycircle.Level, from, skip, limit int64) ([]studycircle.Assignment, error) {
	of := ""
	if level != "" {
		of = " AND level = " + quoted(level, studycircle.Levels...)
	}
	args, first := []any{from}, "$1"
	if skip > 0 {
		args, first = append(args, skip), afterSkip("seq", "assignments WHERE deleted_at IS NULL"+of+" AND seq <= $1", "seq DESC", 2)
	}
	return r.assignments(ctx, limit, selectAssignments+"(SELECT * FROM assignments WHERE deleted_at IS NULL"+of+" AND seq <= "+first+
		" ORDER BY seq DESC LIMIT "+strconv.FormatInt(limit, 10)+")"+withCreators+" ORDER BY a.seq DESC", args...)
}

// afterSkip spells the position of the first row of some after passing as many as
// the numbered parameter says, fewer than a block has. An index alone tells it.
func afterSkip(position, rows, order string, parameter int) string {
	return fmt.Sprintf("(SELECT %[1]s FROM (SELECT %[1]s FROM %[2]s ORDER BY %[3]s LIMIT %[4]d) AS near ORDER BY %[3]s LIMIT 1 OFFSET $%[5]d)",
		position, rows, order, blockRows, parameter)
}

// bySeqs hides its numbers in a query of their own: PostgreSQL would make a plan
// anew for as many as there are.
func (r postgresReads) bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error) {
	return r.assignments(ctx, int64(len(seqs)), selectAssignments+"assignments"+withCreators+
		" WHERE a.deleted_at IS NULL AND a.seq = ANY(CAST((SELECT CAST($1 AS BIGINT[])) AS BIGINT[]))", seqs)
}

// quoted spells one of a few known words in SQL, and any other as what nothing equals.
func quoted[T ~string](word T, known ...T) string {
	if slices.Contains(known, word) {
		return "'" + string(word) + "'"
	}
	return "NULL"
}

// positions are none: down passes rows in less time than it takes to read where
// all of a block are.
func (postgresReads) positions(context.Context, studycircle.Level, int64) ([]int64, error) {
	return nil, nil
}

// onePostgresConn is a connection that is somebody's own for now.
type onePostgresConn struct{ *sql.Conn }

func (c onePostgresConn) query(ctx context.Context, q postgresQuery) error {
	return withPgx(c.Conn, func(conn *pgx.Conn) error {
		batch := &pgx.Batch{}
		batch.Queue(q.text, q.args...).Query(q.scan)
		return sendBatch(ctx, conn, batch)
	})
}

func (onePostgresConn) close() error { return nil }

// readers send what is asked at the same time to PostgreSQL in one go, each on a
// connection of its own: the way there and back costs more than most reads. Each
// query sees what is committed when it is sent, which is after it was asked.
type readers struct {
	*lanes[postgresQuery]
	all []*reader
}

type reader struct {
	config *pgx.ConnConfig
	conn   *pgx.Conn // nil where there is none
}

// maxTogether bounds how many queries wait for each other's answers.
const maxTogether = 32

func newReaders(config *pgx.ConnConfig) *readers {
	r := &readers{}
	var workers []func([]*job[postgresQuery])
	for range min(max(2, runtime.GOMAXPROCS(0)), 8) {
		one := &reader{config: config}
		r.all = append(r.all, one)
		workers = append(workers, one.work)
	}
	r.lanes = newLanes(maxTogether, workers...)
	return r
}

func (r *readers) query(ctx context.Context, q postgresQuery) error { return r.do(ctx, q) }

func (r *readers) close() error {
	r.lanes.close()
	for _, one := range r.all {
		one.drop()
	}
	return nil
}

// work answers all jobs. A connection that has gone since it was last used is made
// anew; where PostgreSQL refuses one of the queries, each is asked alone.
func (r *reader) work(jobs []*job[postgresQuery]) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	had := r.conn != nil
	err := r.ask(ctx, jobs)
	if err != nil && had && r.conn == nil && ctx.Err() == nil {
		err = r.ask(ctx, jobs)
	}
	if err == nil || len(jobs) == 1 || r.conn == nil {
		answer(jobs, err)
		return
	}
	for _, j := range jobs {
		j.answer <- r.ask(ctx, []*job[postgresQuery]{j})
	}
}

func (r *reader) ask(ctx context.Context, jobs []*job[postgresQuery]) (err error) {
	if r.conn == nil {
		if r.conn, err = pgx.ConnectConfig(ctx, r.config); err != nil {
			return err
		}
	}
	batch := &pgx.Batch{}
	for _, j := range jobs {
		batch.Queue(j.of.text, j.of.args...).Query(j.of.scan)
	}
	err = sendBatch(ctx, r.conn, batch)
	if r.conn.IsClosed() {
		r.conn = nil
	}
	return err
}

func (r *reader) drop() {
	if r.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), newsPatience)
	defer cancel()
	_ = r.conn.Close(ctx) // it only read
	r.conn = nil
}
