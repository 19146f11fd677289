package store

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"

	"studycircle"
)

// postgresReads is the second read path on PostgreSQL, past database/sql.
type postgresReads struct{ postgresQueries }

// postgresQueries runs queries on PostgreSQL.
type postgresQueries interface {
	// query fills q.into. Where ctx ended, that may be written to yet.
	query(ctx context.Context, q postgresQuery) error
	close() error
}

// postgresQuery is what somebody asks.
type postgresQuery struct {
	alone string
	// together asks what alone does for many at once, where it is not empty. Each of
	// its parameters is an array, with an element for each who asks, and the last
	// column of a row tells which of them it is for, from 1.
	together string
	args     []any // int64 or string, where they may be asked together
	// nameless says that together leaves out who people are: as of this version or
	// later. 0 where it does not.
	nameless uint64
	into     rowTaker
}

const (
	// The first column is the place in a list.
	assignmentColumns = `a.seq, a.id, COALESCE(a.creator_id, ''), a.title, a.description, a.thumbnail, a.marks, a.level,
	a.due_at, a.due_offset, a.created_at, a.updated_at`
	personColumns = ", COALESCE(u.email, ''), COALESCE(u.display_name, '')"
	withCreators  = " a LEFT JOIN users u ON u.id = a.creator_id"
)

// What is unnested comes out of a query of its own, so that PostgreSQL, which
// cannot see how many it is, keeps one plan for all. LIMIT has it look for each by
// itself, by the one index that is right: it begins with an empty database, of
// which it may find that looking at all rows is as quick, and would keep to that.
var (
	oneByID  = oneAssignment("id = $1")
	manyByID = "SELECT one.*, w.n FROM unnest((SELECT CAST($1 AS TEXT[]))) WITH ORDINALITY AS w (id, n) CROSS JOIN LATERAL (" +
		oneAssignment("id = w.id") + ") one"
	manyBySeq = "SELECT one.* FROM unnest((SELECT CAST($1 AS BIGINT[]))) AS w (seq) CROSS JOIN LATERAL (" + oneAssignment("seq = w.seq") + ") one"
)

// oneAssignment spells the query for the assignment of which one thing is known.
func oneAssignment(known string) string {
	return "SELECT " + assignmentColumns + personColumns + " FROM (SELECT * FROM assignments WHERE " + known + " LIMIT 1)" + withCreators + " WHERE a.deleted_at IS NULL LIMIT 1"
}

var assignmentRows = rowKind[studycircle.Assignment]{
	columns: "ntttttntnnnn",
	read: func(r *postgresRow) studycircle.Assignment {
		return studycircle.Assignment{
			Seq: r.number(0), ID: r.text(1), Creator: studycircle.Person{UserID: r.text(2)},
			Title: r.text(3), Description: r.text(4), Thumbnail: r.text(5), Marks: r.number(6), Level: rowLevel(string(r.values[7])),
			Due: studycircle.DueDateAt(r.number(8), int(r.number(9))), CreatedAt: instant(r.number(10)), UpdatedAt: instant(r.number(11)),
		}
	},
	person: func(a *studycircle.Assignment) *studycircle.Person { return &a.Creator },
}

func (r postgresReads) assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	found, err := collected(ctx, r, &assignmentRows, newestFirst, 1,
		postgresQuery{alone: oneByID, together: manyByID, args: []any{id}})
	if err == nil && len(found) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return studycircle.Assignment{}, err
	}
	return found[0], nil
}

var livePage = pageQuery{
	columns: assignmentColumns, table: "assignments", as: "a", where: "deleted_at IS NULL",
	position: "seq", order: newestFirst, joined: withCreators,
}

func (r postgresReads) down(ctx context.Context, level studycircle.Level, start pageStart, limit int64) ([]studycircle.Assignment, error) {
	page := livePage
	if level != "" {
		page.where += " AND level = " + quoted(level, studycircle.Levels...)
	}
	return collected(ctx, r, &assignmentRows, page.order, limit, page.from(start, limit))
}

func (r postgresReads) bySeqs(ctx context.Context, seqs []int64) ([]studycircle.Assignment, error) {
	return collected(ctx, r, &assignmentRows, newestFirst, int64(len(seqs)),
		postgresQuery{alone: manyBySeq, args: []any{seqs}})
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
		q.queue(batch)
		return sendBatch(ctx, conn, batch)
	})
}

func (onePostgresConn) close() error { return nil }
