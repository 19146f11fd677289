package engine

import (
	"slices"
	"time"

	"studycircle"
)

// Kind is the kind of a column's values.
type Kind int

// The kinds of columns.
const (
	Text Kind = iota
	Int
	Bool
)

// Value is a row's value in one column. A Bool is 0 or 1 in Int.
type Value struct {
	Text string
	Int  int64
	Null bool
}

// Column declares where a field of a noun is stored. It is the only declaration: all reads, inserts, updates, imports
// and exports use it.
type Column[T any] struct {
	Name string
	Kind Kind
	// Generated columns get their values from the database.
	Generated bool
	// Nullable columns may hold NULL, for which Set is not called.
	Nullable bool
	Get      func(*T) Value
	Set      func(*T, Value)

	// scan is Set with a row's column. Columns made by the functions below set it alone, so that reading them
	// allocates no Values.
	scan func(t *T, r Row, at int)
}

// TextColumn returns a column of text.
func TextColumn[T any](name string, field func(*T) *string) Column[T] {
	return Column[T]{Name: name, Kind: Text,
		Get:  func(t *T) Value { return Value{Text: *field(t)} },
		scan: func(t *T, r Row, at int) { *field(t) = r.Text(at) },
	}
}

// OptionalTextColumn returns a column of text that is NULL if empty.
func OptionalTextColumn[T any](name string, field func(*T) *string) Column[T] {
	c := TextColumn(name, field)
	c.Nullable, c.Get = true, func(t *T) Value { return Value{Text: *field(t), Null: *field(t) == ""} }
	return c
}

// IntColumn returns a column of numbers.
func IntColumn[T any](name string, field func(*T) *int64) Column[T] {
	return Column[T]{Name: name, Kind: Int,
		Get:  func(t *T) Value { return Value{Int: *field(t)} },
		scan: func(t *T, r Row, at int) { *field(t) = r.Int(at) },
	}
}

// GeneratedColumn returns a column of numbers that the database generates.
func GeneratedColumn[T any](name string, field func(*T) *int64) Column[T] {
	c := IntColumn(name, field)
	c.Generated = true
	return c
}

// BoolColumn returns a column of booleans.
func BoolColumn[T any](name string, field func(*T) *bool) Column[T] {
	return Column[T]{Name: name, Kind: Bool,
		Get: func(t *T) Value {
			if *field(t) {
				return Value{Int: 1}
			}
			return Value{}
		},
		scan: func(t *T, r Row, at int) { *field(t) = r.Int(at) != 0 },
	}
}

// TimeColumn returns a column of instants, in microseconds since 1970, UTC.
func TimeColumn[T any](name string, field func(*T) *time.Time) Column[T] {
	return Column[T]{Name: name, Kind: Int,
		Get:  func(t *T) Value { return Value{Int: field(t).UnixMicro()} },
		scan: func(t *T, r Row, at int) { *field(t) = Instant(r.Int(at)) },
	}
}

// OptionalTimeColumn returns a column of instants that is NULL if zero.
func OptionalTimeColumn[T any](name string, field func(*T) *time.Time) Column[T] {
	c := TimeColumn(name, field)
	c.Nullable, c.Get = true, func(t *T) Value { return Value{Int: field(t).UnixMicro(), Null: field(t).IsZero()} }
	return c
}

// Instant returns the time stored as micros.
func Instant(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// Shape is a Table without the type of its rows.
type Shape struct {
	Name    string
	Columns []string
	Kinds   []Kind
	// Inserted are the indexes of the columns that an insert sets.
	Inserted []int
	// Guard decides which rows a viewer may see.
	Guard *Guard
	// PersonID is the column with the id of the user whose name is read with a row; "" if none is.
	PersonID string
}

// Table declares how rows of a noun are stored.
type Table[T any] struct {
	Shape
	columns []Column[T]
	person  func(*T) *studycircle.Person
	shorten func(row *T, room int) (taken int)
}

// Shorten declares how a row of a page is shortened if its long texts take more than room bytes. f returns the bytes
// that they take.
func (t *Table[T]) Shorten(f func(row *T, room int) (taken int)) *Table[T] {
	t.shorten = f
	return t
}

// NewTable declares a table guarded by guard. person, if not nil, returns the user that is read with a row, whose id
// is in the column personID.
func NewTable[T any](
	name string, guard *Guard, personID string, person func(*T) *studycircle.Person, columns ...Column[T],
) *Table[T] {
	t := &Table[T]{Shape: Shape{Name: name, Guard: guard, PersonID: personID}, columns: columns, person: person}
	for i, c := range columns {
		t.Columns, t.Kinds = append(t.Columns, c.Name), append(t.Kinds, c.Kind)
		if !c.Generated {
			t.Inserted = append(t.Inserted, i)
		}
		if c.scan == nil {
			columns[i].scan = c.scanSet()
		}
	}
	return t
}

// scanSet is scan by Set.
func (c Column[T]) scanSet() func(*T, Row, int) {
	if c.Kind == Text {
		return func(t *T, r Row, at int) { c.Set(t, Value{Text: r.Text(at)}) }
	}
	return func(t *T, r Row, at int) { c.Set(t, Value{Int: r.Int(at)}) }
}

// Row is a row of a result: the columns of its Shape and their person. It is valid until the next one is read.
type Row interface {
	Text(column int) string // "" for NULL
	Int(column int) int64   // also of a Bool
	Null(column int) bool
	// Person fills in the user read with the row.
	Person(who *studycircle.Person)
}

// read converts a row to its noun.
func (t *Table[T]) read(r Row, into *T) {
	for i := range t.columns {
		if c := &t.columns[i]; !c.Nullable || !r.Null(i) {
			c.scan(into, r, i)
		}
	}
	if t.person != nil {
		r.Person(t.person(into))
	}
}

// Values returns the values of v in the columns of these indexes.
func (t *Table[T]) Values(v *T, columns []int) []any {
	out := make([]any, len(columns))
	for i, at := range columns {
		c := &t.columns[at]
		value := c.Get(v)
		switch {
		case value.Null:
		case c.Kind == Text:
			out[i] = value.Text
		case c.Kind == Bool:
			out[i] = value.Int != 0
		default:
			out[i] = value.Int
		}
	}
	return out
}

// Except returns the indexes of the inserted columns without these.
func (s *Shape) Except(names ...string) (columns []int) {
	for _, at := range s.Inserted {
		kept := true
		for _, name := range names {
			kept = kept && s.Columns[at] != name
		}
		if kept {
			columns = append(columns, at)
		}
	}
	return columns
}

// Only returns the indexes of these columns.
func (s *Shape) Only(names ...string) (columns []int) {
	for _, name := range names {
		columns = append(columns, slices.Index(s.Columns, name))
	}
	return columns
}

// Sink receives the rows of a query.
type Sink interface {
	// Reset drops the received rows, because the query runs again.
	Reset()
	Row(r Row)
}

// Rows is a Sink that collects its rows.
type Rows[T any] struct {
	table   *Table[T]
	All     []T
	bounded bool
	room    int // left for the long texts of a page, in bytes
}

// Collect returns a Sink for about the expected number of rows.
func (t *Table[T]) Collect(expected int64) *Rows[T] {
	return &Rows[T]{table: t, All: make([]T, 0, expected)}
}

// CollectPage returns a Sink for the rows of a page. Their long texts take studycircle.MaxPageText bytes together,
// plus those of one row while it is read.
func (t *Table[T]) CollectPage(expected int64) *Rows[T] {
	r := t.Collect(expected)
	r.bounded, r.room = t.shorten != nil, studycircle.MaxPageText
	return r
}

// Reset implements Sink.
func (r *Rows[T]) Reset() { r.All, r.room = r.All[:0], studycircle.MaxPageText }

// Row implements Sink.
func (r *Rows[T]) Row(row Row) {
	var empty T
	r.All = append(r.All, empty)
	last := &r.All[len(r.All)-1]
	r.table.read(row, last)
	if r.bounded {
		r.room -= r.table.shorten(last, r.room)
	}
}
