package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"studycircle"
)

// postgresRow is a row as it comes from PostgreSQL. Scanning it by pgx's map of types
// costs several times what reading it does.
type postgresRow struct {
	values [][]byte
	texts  *texts // where those of the row go
}

func (r *postgresRow) number(column int) int64 {
	return int64(binary.BigEndian.Uint64(r.values[column])) //nolint:gosec // two's complement
}

func (r *postgresRow) truth(column int) bool { return r.values[column][0] != 0 }

// has tells whether a column is not NULL, which is "" as a text.
func (r *postgresRow) has(column int) bool { return r.values[column] != nil }

func (r *postgresRow) text(column int) string {
	value := r.values[column]
	if len(value) == 0 {
		return ""
	}
	room := r.texts.room(len(value))
	copy(room, value)
	return unsafe.String(&room[0], len(room)) //nolint:gosec // nobody writes there again
}

// rowKind tells how rows become what they stand for.
type rowKind[T any] struct {
	columns string // what they hold: see checkColumns; the first is the place in a list
	read    func(*postgresRow) T
	person  func(*T) *studycircle.Person
}

// named are the columns that tell who a person is, after all others.
const named = "tt"

// checkColumns makes sure that columns come as they are read: n are BIGINT, b BOOLEAN,
// both in binary form, and t texts.
func checkColumns(rows pgx.Rows, want string) error {
	if err := rows.Err(); err != nil {
		return err // there is nothing to look at
	}
	fields := rows.FieldDescriptions()
	right := len(fields) == len(want)
	for i := 0; right && i < len(fields); i++ {
		switch want[i] {
		case 'n':
			right = fields[i].DataTypeOID == pgtype.Int8OID && fields[i].Format == pgtype.BinaryFormatCode
		case 'b':
			right = fields[i].DataTypeOID == pgtype.BoolOID && fields[i].Format == pgtype.BinaryFormatCode
		default:
			right = fields[i].DataTypeOID == pgtype.TextOID
		}
	}
	if !right {
		return fmt.Errorf("columns of other kinds than %s", want)
	}
	return nil
}

// rowTaker takes the rows of a query.
type rowTaker interface {
	// empty forgets what was taken.
	empty()
	columns() string // of rows without who people are
	take(values [][]byte, nameless bool)
	// people calls f with everybody whom rows name.
	people(f func(*studycircle.Person))
}

// takenRows are in order, whatever order they come in.
type takenRows[T any] struct {
	kind   *rowKind[T]
	order  direction
	rows   []T
	places []int64
	texts  texts
}

// collected returns the rows of q, about as many as expected.
func collected[T any](ctx context.Context, from postgresQueries, kind *rowKind[T], d direction, expected int64, q postgresQuery) ([]T, error) {
	t := &takenRows[T]{kind: kind, order: d, rows: make([]T, 0, expected), places: make([]int64, 0, expected), texts: textsOf(int(expected))}
	q.into = t
	if err := from.query(ctx, q); err != nil {
		return nil, err
	}
	return t.rows, nil
}

func (t *takenRows[T]) empty()          { t.rows, t.places = t.rows[:0], t.places[:0] }
func (t *takenRows[T]) columns() string { return t.kind.columns }

func (t *takenRows[T]) take(values [][]byte, nameless bool) {
	row := postgresRow{values, &t.texts}
	at, place := len(t.rows), row.number(0)
	if at > 0 && (place-t.places[at-1])*int64(t.order) < 0 {
		at, _ = slices.BinarySearchFunc(t.places, place, func(a, b int64) int { return cmp.Compare(a, b) * int(t.order) })
	}
	one := t.kind.read(&row)
	if !nameless {
		person := t.kind.person(&one)
		n := len(t.kind.columns)
		person.Email, person.DisplayName = row.text(n), row.text(n+1)
	}
	t.rows, t.places = slices.Insert(t.rows, at, one), slices.Insert(t.places, at, place)
}

func (t *takenRows[T]) people(f func(*studycircle.Person)) {
	for i := range t.rows {
		f(t.kind.person(&t.rows[i]))
	}
}
