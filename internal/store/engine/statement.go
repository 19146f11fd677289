package engine

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
)

// texts holds the statements that Spelled has returned, by their keys.
var texts sync.Map

// Spelled returns the text that spell returns for a key. It calls spell once for each key and caches the text, so
// keys are made of declarations and never of data.
func Spelled[K comparable](key K, spell func() string) string {
	known, _ := texts.Load(key)
	if text, is := known.(string); is {
		return text
	}
	text := spell()
	texts.Store(key, text)
	return text
}

// Statement is a statement for many rows at once: a head, a list of rows, a tail. The question marks of Row are its
// parameters.
type Statement struct{ Head, Row, Tail string }

// sizes are the numbers of rows of one statement. Few statements serve any number of rows, and a transaction parses
// each once.
var sizes = [...]int{64, 8, 1}

// Run runs a statement for all rows, in their order, and calls scan with every row that the database returns, in any
// order. Both engines process the rows of one statement in order, too. On PostgreSQL a statement costs one round
// trip, however many rows it has.
func Run(ctx context.Context, tx *Tx, of Statement, rows [][]any, scan func(*sql.Rows) error) error {
	return run(ctx, tx, of, rows, func(found *sql.Rows) (err error) {
		defer func() { err = errors.Join(err, found.Close()) }()
		for found.Next() {
			if err := scan(found); err != nil {
				return err
			}
		}
		return found.Err()
	})
}

// RunInto is Run for a statement that returns the columns of a table.
func RunInto(ctx context.Context, tx *Tx, of Statement, rows [][]any, into Sink) error {
	into.Reset()
	return run(ctx, tx, of, rows, func(found *sql.Rows) error { return collect(found, into, everyRow) })
}

func run(ctx context.Context, tx *Tx, of Statement, rows [][]any, take func(*sql.Rows) error) error {
	for _, size := range sizes {
		for ; len(rows) >= size; rows = rows[size:] {
			found, err := tx.DB.QueryContext(ctx, of.Text(size, tx.Engine.Placeholder), slices.Concat(rows[:size]...)...) //nolint:rowserrcheck // take checks it
			if err != nil {
				return err
			}
			if err := take(found); err != nil {
				return err
			}
		}
	}
	return nil
}

// RunLater is Run for a statement that returns nothing and fails only if the whole transaction does: see Later.
func RunLater(ctx context.Context, tx *Tx, of Statement, rows [][]any) error {
	for _, size := range sizes {
		for ; len(rows) >= size; rows = rows[size:] {
			if _, err := tx.Later.DB.ExecContext(
				ctx, of.Text(size, tx.Engine.Placeholder), slices.Concat(rows[:size]...)...,
			); err != nil {
				return err
			}
		}
	}
	return nil
}

// Text returns the statement for some rows.
func (s Statement) Text(rows int, placeholder func(int) string) string {
	type key struct {
		Statement
		rows  int
		first string
	}
	return Spelled(key{s, rows, placeholder(1)}, func() string { return s.spell(rows, placeholder) })
}

func (s Statement) spell(rows int, placeholder func(int) string) string {
	var text strings.Builder
	text.WriteString(s.Head)
	parameter := 0
	for i := range rows {
		if i > 0 {
			text.WriteString(", ")
		}
		for _, c := range s.Row {
			if c != '?' {
				text.WriteRune(c)
				continue
			}
			parameter++
			text.WriteString(placeholder(parameter))
		}
	}
	text.WriteString(s.Tail)
	return text.String()
}

// Insert is the statement that inserts rows of a table's columns, but for those that the
// database generates.
func (s *Shape) Insert(tail string) Statement {
	names := make([]string, len(s.Inserted))
	for i, at := range s.Inserted {
		names[i] = s.Columns[at]
	}
	row := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ") + ")"
	return Statement{"INSERT INTO " + s.Name + " (" + strings.Join(names, ", ") + ") VALUES ", row, tail}
}

// Update is the statement that updates columns of one row, which a condition with its own
// parameters picks.
func (s *Shape) Update(columns []int, where string) Statement {
	parts := make([]string, len(columns))
	for i, at := range columns {
		parts[i] = s.Columns[at] + " = ?"
	}
	return Statement{Row: "UPDATE " + s.Name + " SET " + strings.Join(parts, ", ") + " WHERE " + where}
}

// Selection is the rows of a table that a condition picks, declared once, to be locked in
// the order of Key: "id" where it is "". $1, $2 and so on are its parameters.
type Selection struct{ Table, Key, Where string }

// SQL spells the query that locks the rows.
func (s Selection) SQL(lock string) string {
	type key struct {
		Selection
		lock string
	}
	return Spelled(key{s, lock}, func() string {
		return "SELECT COUNT(*) FROM (SELECT 1 FROM " + s.Table + " WHERE " + s.Where + " ORDER BY " + cmp.Or(s.Key, "id") +
			" " + lock + ") AS locked"
	})
}
