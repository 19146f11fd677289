package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
)

// List declares a list of a noun that is read page by page.
type List struct {
	Of *Shape
	// Where is a constant condition; "" for none.
	Where string
	// By are the columns that equal the arguments of a read. They hold text.
	By []string
	// Position is the column that grows from old to new.
	Position string
	Order    pages.Order
}

// Lookup declares how to find a row by a key.
type Lookup struct {
	Of    *Shape
	Where string
	Key   string
	Kind  Kind
	// Number is the column that numbers the rows with one key, of which the last is found; "" where a key has one row.
	Number string
}

// Last is the condition that a row, as t, is the last one with its key.
func (l *Lookup) Last(t string) string {
	if l.Number == "" {
		return ""
	}
	return fmt.Sprintf(
		" AND %[1]s.%[2]s = (SELECT MAX(o.%[2]s) FROM %[3]s o WHERE o.%[4]s = %[1]s.%[4]s)", t, l.Number, l.Of.Name, l.Key,
	)
}

// SQL returns the query for the row with a key, and its person, in a viewer's role. The viewer's id is the second
// parameter if the table's guard takes it.
func (l *Lookup) SQL(r studycircle.Role) string {
	type key struct {
		of   *Lookup
		role studycircle.Role
	}
	return Spelled(key{l, r}, func() string { return l.Spell(r, " = $1", "$2") })
}

// forSome is SQL for the rows with one of some keys.
func (l *Lookup) forSome(r studycircle.Role, keys int) string {
	type key struct {
		of   *Lookup
		role studycircle.Role
		keys int
	}
	return Spelled(key{l, r, keys}, func() string {
		in := make([]string, keys)
		for i := range in {
			in[i] = Dollar(i + 1)
		}
		return "SELECT " + l.Of.Selected("t", true) + " FROM (SELECT * FROM " + l.Of.Name + " t WHERE t." + l.Key + " IN (" +
			strings.Join(in, ", ") + ")" + l.Last("t") + l.And(r, "t", Dollar(keys+1)) + ") t" + l.Of.Joined("t")
	})
}

// Spell is SQL for the row whose key a condition picks. LIMIT makes PostgreSQL look it up by the key's index: planning
// starts on an empty database, where a scan of all rows looks as quick, and the plan would stay.
func (l *Lookup) Spell(r studycircle.Role, key, viewer string) string {
	return "SELECT " + l.Of.Selected("t", true) + " FROM (SELECT * FROM " + l.Of.Name + " k WHERE k." + l.Key + key +
		l.Last("k") +
		" LIMIT 1) t" + l.Of.Joined("t") + " WHERE TRUE" + l.And(r, "t", viewer)
}

// And spells the conditions on rows named row, to follow others.
func (l *Lookup) And(r studycircle.Role, row, viewer string) string {
	return And(l.Where) + And(l.Of.Guard.Spell(r, row, viewer))
}

// Args returns the arguments of a lookup in which the viewer's id follows the keys.
func (l *Lookup) Args(v studycircle.Viewer, keys ...any) []any {
	if l.Of.Guard.Asks(v.Role()) {
		return append(slices.Clip(keys), v.UserID())
	}
	return keys
}

// Conditions spells the list's conditions on rows named row. The parameters are numbered from 1: By's, then the
// viewer's id if the table's guard takes it.
func (l *List) Conditions(r studycircle.Role, row string) []string {
	var all []string
	if l.Where != "" {
		all = append(all, l.Where)
	}
	for i, column := range l.By {
		all = append(all, column+" = "+Dollar(i+1))
	}
	if guard := l.Of.Guard.Spell(r, row, Dollar(len(l.By)+1)); guard != "" {
		// The guard looks at what the list is read by, instead of at the same value in each row: once for all rows.
		for i, column := range l.By {
			guard = strings.ReplaceAll(guard, row+"."+column+" ", Dollar(i+1)+" ")
		}
		all = append(all, guard)
	}
	return all
}

// CountSQL returns the query for the number of rows, for every viewer.
func (l *List) CountSQL() string {
	type key struct{ of *List }
	return Spelled(key{l}, func() string { return "SELECT COUNT(*)" + l.rows() })
}

// PositionSQL returns the query for the position of one row, for every viewer. Its last parameter is the number of rows
// before it.
func (l *List) PositionSQL() string {
	type key struct{ of *List }
	return Spelled(key{l}, func() string {
		order := l.Position
		if l.Order == pages.NewestFirst {
			order += " DESC"
		}
		return "SELECT " + l.Position + l.rows() + " ORDER BY " + order + " LIMIT 1 OFFSET CAST(" + Dollar(len(l.By)+1) +
			" AS BIGINT)"
	})
}

// rows spells the rows of a list.
func (l *List) rows() string {
	conditions := []string{l.Position + " IS NOT NULL" + And(l.Where)}
	for i, column := range l.By {
		conditions = append(conditions, column+" = "+Dollar(i+1))
	}
	return " FROM " + l.Of.Name + " WHERE " + strings.Join(conditions, " AND ")
}

// Args returns the arguments of Conditions, with capacity for some more.
func (l *List) Args(v studycircle.Viewer, args []any, more int) []any {
	out := append(make([]any, 0, len(args)+1+more), args...)
	if l.Of.Guard.Asks(v.Role()) {
		out = append(out, v.UserID())
	}
	return out
}

// PersonColumns is the number of a person's columns that Selected spells after those of the table.
const PersonColumns = 3

// Selected spells the columns of rows named t. With people, it adds the columns of their person, who is joined as u.
func (s *Shape) Selected(t string, people bool) string {
	columns := t + "." + strings.Join(s.Columns, ", "+t+".")
	if people && s.PersonID != "" {
		columns += ", COALESCE(u.email, ''), COALESCE(u.display_name, ''), COALESCE(u.photo_url, '')"
	}
	return columns
}

// Joined spells the join of Selected.
func (s *Shape) Joined(t string) string {
	if s.PersonID == "" {
		return ""
	}
	return " LEFT JOIN users u ON u.id = " + t + "." + s.PersonID
}

// And spells a condition to follow others.
func And(condition string) string {
	if condition == "" {
		return ""
	}
	return " AND " + condition
}

// Select runs a query and gives its rows to into.
func Select(ctx context.Context, on db.DBTX, into Sink, query string, args ...any) error {
	return selectSome(ctx, on, into, everyRow, query, args...)
}

// everyRow is no limit of rows.
const everyRow = math.MaxInt64

// selectSome is Select for at most limit rows.
func selectSome(ctx context.Context, on db.DBTX, into Sink, limit int64, query string, args ...any) error {
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	into.Reset()
	return collect(rows, into, limit)
}

// collect gives at most limit rows to into and closes them.
func collect(rows *sql.Rows, into Sink, limit int64) (err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	row, places := make(sqlRow, len(names)), make([]any, len(names))
	for i := range row {
		places[i] = &row[i]
	}
	for ; limit > 0 && rows.Next(); limit-- {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		into.Row(row)
	}
	return rows.Err()
}

// sqlRow is a row that was scanned by database/sql.
type sqlRow []any

// Text implements Row.
func (r sqlRow) Text(column int) string {
	text, _ := r[column].(string)
	return text
}

// Int implements Row.
func (r sqlRow) Int(column int) int64 {
	switch v := r[column].(type) {
	case int64:
		return v
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

// Null implements Row.
func (r sqlRow) Null(column int) bool { return r[column] == nil }

// Person implements Row.
func (r sqlRow) Person(who *studycircle.Person) {
	of := len(r) - PersonColumns
	who.Email, who.DisplayName, who.PhotoURL = r.Text(of), r.Text(of+1), r.Text(of+2)
}
