package postgres

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"studycircle"
	"studycircle/internal/store/engine"
)

// row is a row that pgx has scanned.
type row []value

// value scans a column of any kind.
type value struct{ engine.Value }

// ScanText implements pgtype.TextScanner.
func (v *value) ScanText(from pgtype.Text) error {
	v.Value = engine.Value{Text: from.String, Null: !from.Valid}
	return nil
}

// ScanInt64 implements pgtype.Int64Scanner.
func (v *value) ScanInt64(from pgtype.Int8) error {
	v.Value = engine.Value{Int: from.Int64, Null: !from.Valid}
	return nil
}

// ScanBool implements pgtype.BoolScanner.
func (v *value) ScanBool(from pgtype.Bool) error {
	v.Value = engine.Value{Null: !from.Valid}
	if from.Bool {
		v.Int = 1
	}
	return nil
}

// Text implements engine.Row.
func (r row) Text(column int) string { return r[column].Text }

// Int implements engine.Row.
func (r row) Int(column int) int64 { return r[column].Int }

// Null implements engine.Row.
func (r row) Null(column int) bool { return r[column].Null }

// Person implements engine.Row.
func (r row) Person(who *studycircle.Person) {
	of := r[len(r)-engine.PersonColumns:]
	who.Email, who.DisplayName, who.PhotoURL = of[0].Text, of[1].Text, of[2].Text
}

// into passes rows to a sink, but at most limit.
func into(sink engine.Sink, limit int64) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		sink.Reset()
		if err := rows.Err(); err != nil {
			return err // there are no rows to read
		}
		fields := len(rows.FieldDescriptions())
		r, places := make(row, fields), make([]any, fields)
		for i := range r {
			places[i] = &r[i]
		}
		for n := int64(0); rows.Next(); n++ {
			if n >= limit {
				continue // the statement's limit is higher: see limits
			}
			if err := rows.Scan(places...); err != nil {
				return err
			}
			sink.Row(r)
		}
		return rows.Err()
	}
}

// given spells rows that arrive as one array for each column, named like their columns, with parameters numbered from
// first on.
func given(s *engine.Shape, columns []int, first int) string {
	var arrays, names []string
	for i, at := range columns {
		kind := map[engine.Kind]string{engine.Text: "TEXT", engine.Int: "BIGINT", engine.Bool: "BOOLEAN"}[s.Kinds[at]]
		arrays, names = append(arrays, fmt.Sprintf("CAST($%d AS %s[])", first+i, kind)), append(names, s.Columns[at])
	}
	return "unnest(" + strings.Join(arrays, ", ") + ") AS g (" + strings.Join(names, ", ") + ")"
}

// names spells columns, each after a prefix.
func names(s *engine.Shape, columns []int, prefix string) string {
	var out []string
	for _, at := range columns {
		out = append(out, prefix+s.Columns[at])
	}
	return strings.Join(out, ", ")
}

// arrays returns the arguments of given.
func arrays[T any](t *engine.Table[T], columns []int, rows []T) []any {
	out := make([]any, len(columns))
	all := make([][]any, len(rows))
	for n := range rows {
		all[n] = t.Values(&rows[n], columns)
	}
	for i, at := range columns {
		switch t.Kinds[at] {
		case engine.Text:
			out[i] = column[string](all, i)
		case engine.Int:
			out[i] = column[int64](all, i)
		case engine.Bool:
			out[i] = column[bool](all, i)
		}
	}
	return out
}

// column returns one column of rows; nil is NULL.
func column[V any](rows [][]any, at int) []*V {
	out := make([]*V, len(rows))
	for n, r := range rows {
		if v, there := r[at].(V); there {
			out[n] = &v
		}
	}
	return out
}
