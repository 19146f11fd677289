// Package bulk imports data into a database in use, and copies whole databases from one engine to another. It follows
// the declarations of package tables.
package bulk

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/store"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// copiedTables lists the tables whose content cannot be derived, referenced tables first. A copy rebuilds the search
// index. Events and nodes belong to one database and are left out.
var copiedTables = []string{
	"settings", "users", "sessions", "action_codes", "email_changes", "mails", "rate_limits", "provider_links",
	"passkeys", "used_tickets", "sent_requests",
	"assignments", "submissions", "extensions", "comments", "reactions", "reports", "moderation_log", "taken", "reminders",
	"notices", "fanouts", "fanouts_apart", "circle_fanouts", "inboxes", "notifications", "notification_comments",
	"calendars", "page_counts", "page_deltas",
	"review_assignments", "review_states", "review_queue", "review_turns", "reviews", "review_versions",
	"self_assessments", "review_questions", "review_totals", "settlements", "reopenings",
	"exemplars", "review_requests", "link_checks",
	"circles", "circle_members", "circle_member_words", "circle_removals", "circle_refusals", "circle_invitations",
	"circle_joins",
	"circle_requests", "circle_listings", "server_invitations", "awaited_joins", "saved_rubrics", "phrases",
}

// serialTables maps tables to the column that the database numbers.
var serialTables = map[string]string{
	"assignments": "seq", "submissions": "seq", "comments": "seq", "reports": "seq", "moderation_log": "seq",
	"notices": "id", "fanouts": "id", "page_deltas": "id", "review_assignments": "seq", "reviews": "seq",
	"circle_members": "seq", "circle_invitations": "seq", "circle_requests": "seq", "circle_listings": "seq",
	"email_changes": "seq",
}

// filled lists all tables that a copy or an import fills, with those of the index.
func filled() (names []string) {
	for _, i := range tables.Indexes {
		names = append(names, i.Name)
	}
	return append(names, copiedTables...)
}

// AnalyzeSteps returns how often Analyze calls its step.
func AnalyzeSteps(s *store.Store) int { return s.Engine().AnalyzeSteps(filled()) }

// Analyze updates the planner's statistics after a large import. It can be interrupted, and does not change data.
func Analyze(ctx context.Context, s *store.Store, step func()) error {
	return s.Engine().Analyze(ctx, filled(), step)
}

// Copy writes the whole content of from, secrets included, to to, which must hold no users yet: one moment of from,
// all or nothing. It compares checksums of all tables at the end and returns the number of rows. It calls step after
// each row.
func Copy(ctx context.Context, from, to *store.Store, step func()) (rows int, err error) {
	source, end, err := from.Engine().Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, end()) }()
	err = to.Write(engine.WithLongWrite(ctx, engine.LongCopy), studycircle.System(), func(
		ctx context.Context, tx *store.Tx,
	) error {
		rows = 0
		c := &copier{source: source, tx: tx.Tx, queue: to.Queue(), step: step}
		if err := c.makeRoom(ctx); err != nil {
			return err
		}
		restore, err := tx.Engine.BeginFill(ctx, tx.Tx, filled())
		if err != nil {
			return err
		}
		for _, table := range copiedTables {
			n, err := c.table(ctx, table)
			if err != nil {
				return fmt.Errorf("copy %s: %w", table, err)
			}
			rows += n
		}
		tx.AnnounceReset()
		n, err := c.queuedMails(ctx)
		if err != nil {
			return fmt.Errorf("copy the mails that wait: %w", err)
		}
		rows += n
		if err := c.indexWords(ctx); err != nil {
			return err
		}
		return restore(ctx)
	})
	return rows, err
}

type copier struct {
	source *sql.Conn
	tx     *engine.Tx
	queue  jobs.Queue
	step   func()
}

// makeRoom refuses a database in use, and removes the settings that opening a new one creates.
func (c *copier) makeRoom(ctx context.Context) error {
	used, err := c.tx.Queries.AnyUser(ctx)
	if err != nil {
		return err
	}
	if used {
		return errors.New("the database to copy to holds users already; copy writes over nothing")
	}
	return c.tx.Queries.DeleteSettings(ctx)
}

func (c *copier) table(ctx context.Context, table string) (n int, err error) {
	read, err := c.source.QueryContext(ctx, tables.AllOf(table, "*"))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, read.Close()) }()
	rows, err := newRowReader(read)
	if err != nil {
		return 0, err
	}
	var sent checksum
	err = c.tx.Engine.Fill(ctx, c.tx, table, rows.columns, func() ([]any, error) {
		values, err := rows.next()
		if values != nil {
			sent.add(values)
			n++
			c.step()
		}
		return values, err
	})
	if err != nil {
		return 0, err
	}
	arrived, err := sumTable(ctx, c.tx, table, rows.columns)
	if err != nil {
		return 0, err
	}
	if arrived.sum != sent.sum {
		return 0, errors.New("the checksums differ")
	}
	if column := serialTables[table]; column != "" {
		return n, c.tx.Engine.NumberOn(ctx, c.tx, table, column)
	}
	return n, nil
}

// queuedMails copies the queue of emails. Jobs differ in form between the engines, so they are queued anew.
func (c *copier) queuedMails(ctx context.Context) (n int, err error) {
	err = jobs.EachWaiting(ctx, c.source, func(user, kind string) error {
		n++
		c.step()
		return jobs.QueueMail(ctx, c.queue, c.tx, user, kind)
	})
	return n, err
}

// indexWords builds the search indexes of the copied assignments and listed circles.
func (c *copier) indexWords(ctx context.Context) error {
	return errors.Join(c.indexAssignments(ctx), c.indexListings(ctx))
}

func (c *copier) indexListings(ctx context.Context) error {
	found := tables.Listings.Collect(indexed)
	if err := engine.Select(
		ctx, c.tx.DB, found, tables.AllOf("listed_circles t", tables.Listings.Selected("t", false)),
	); err != nil {
		return err
	}
	for _, l := range found.All {
		if err := c.tx.Index(ctx, engine.Change{
			Index: tables.ListingIndex, Place: l.Seq, Put: true, Doc: tables.ListingDoc(l.Name),
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) indexAssignments(ctx context.Context) error {
	for after := int64(0); ; {
		found := tables.Assignments.Collect(indexed)
		err := engine.Select(ctx, c.tx.DB, found, tables.AssignmentsToIndex, after, int64(indexed))
		if err != nil {
			return err
		}
		for _, a := range found.All {
			after = a.Seq
			err := c.tx.Index(ctx, engine.Change{
				Index: tables.AssignmentIndex(a.CircleID), Place: a.Seq, Put: true, Doc: tables.AssignmentDoc(a),
			})
			if err != nil {
				return err
			}
		}
		if len(found.All) < indexed {
			return nil
		}
	}
}

// indexed is the number of rows read at once.
const indexed = 1000

// rowReader reads rows unchanged, except SQLite's booleans, which are numbers.
type rowReader struct {
	rows     *sql.Rows
	columns  []string
	booleans []bool
	values   []any // reused for each row
	places   []any
}

func newRowReader(rows *sql.Rows) (*rowReader, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	r := &rowReader{rows: rows, values: make([]any, len(types)), places: make([]any, len(types))}
	for i, column := range types {
		r.columns = append(r.columns, column.Name())
		r.booleans = append(r.booleans, column.DatabaseTypeName() == "BOOLEAN")
		r.places[i] = &r.values[i]
	}
	return r, nil
}

// next returns the values of a row, valid until the next call; nil after the last row.
func (r *rowReader) next() ([]any, error) {
	if !r.rows.Next() {
		return nil, r.rows.Err()
	}
	if err := r.rows.Scan(r.places...); err != nil {
		return nil, err
	}
	for i, value := range r.values {
		switch v := value.(type) {
		case int64:
			if r.booleans[i] {
				r.values[i] = v != 0
			}
		case nil, bool, string:
		default:
			return nil, fmt.Errorf("no column holds a %T", v)
		}
	}
	return r.values, nil
}

func sumTable(ctx context.Context, tx *engine.Tx, table string, columns []string) (sum checksum, err error) {
	found, err := tx.DB.QueryContext(ctx, tables.AllOf(table, strings.Join(columns, ", ")))
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	rows, err := newRowReader(found)
	if err != nil {
		return sum, err
	}
	for {
		values, err := rows.next()
		if values == nil || err != nil {
			return sum, err
		}
		sum.add(values)
	}
}

// checksum is the sum of the rows' SHA-256, as four numbers. The engines order text differently, and a sum does not
// depend on the order.
type checksum struct {
	sum [4]uint64
	row []byte // reused for each row
}

func (c *checksum) add(values []any) {
	row := c.row[:0]
	for _, value := range values {
		// Kind and length come first, so that different rows have different encodings.
		switch v := value.(type) {
		case nil:
			row = append(row, 'n')
		case bool:
			row = append(row, 'b', '0')
			if v {
				row[len(row)-1] = '1'
			}
		case int64:
			row = binary.BigEndian.AppendUint64(append(row, 'i'), uint64(v)) //nolint:gosec // only the bits count
		case string:
			row = binary.BigEndian.AppendUint64(append(row, 's'), uint64(len(v)))
			row = append(row, v...)
		}
	}
	c.row = row
	sum := sha256.Sum256(row)
	for i := range c.sum {
		c.sum[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}

// CountRows returns the approximate number of rows that a Copy has to write.
func CountRows(ctx context.Context, s *store.Store) (n int64, err error) {
	for _, table := range copiedTables {
		var rows int64
		if err := s.Engine().Reads().QueryRowContext(ctx, tables.CountOf(table)).Scan(&rows); err != nil {
			return 0, err
		}
		n += rows
	}
	return n, nil
}
