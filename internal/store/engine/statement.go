package engine

import (
	"context"
	"database/sql"
	"errors"
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
	for _, size := range sizes {
		for ; len(rows) >= size; rows = rows[size:] {
			if err := runOnce(ctx, tx, of, rows[:size], scan); err != nil {
				return err
			}
		}
	}
	return nil
}

func runOnce(ctx context.Context, tx *Tx, of Statement, rows [][]any, scan func(*sql.Rows) error) (err error) {
	prepared, err := tx.Prepare(ctx, of.Text(len(rows), tx.Engine.Placeholder)) //nolint:sqlclosecheck // closed when the transaction ends
	if err != nil {
		return err
	}
	values := make([]any, 0, len(rows)*len(rows[0]))
	for _, row := range rows {
		values = append(values, row...)
	}
	found, err := prepared.QueryContext(ctx, values...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		if err := scan(found); err != nil {
			return err
		}
	}
	return found.Err()
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

// InsertAll returns the statement that inserts rows of a table's columns.
func (s *Shape) InsertAll(tail string) Statement {
	all := s.Insert(s.Inserted, func(int) string { return "?" })
	head, row, _ := strings.Cut(all, " VALUES ")
	return Statement{head + " VALUES ", row, tail}
}
