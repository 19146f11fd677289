package sqlite

import (
	"context"
	"database/sql"
	"strconv"

	"studycircle/internal/store/tables"
)

// Statements of the group writer itself.
const (
	savepoint = "SAVEPOINT job"
	release   = "RELEASE job"
)

var insertNotice = tables.Notices.Insert("").Text(1, question)

func question(int) string { return "?" }

// numbered returns a parameter that a statement may use more than once.
func numbered(n int) string { return "?" + strconv.Itoa(n) }

// maxStatements bounds the statements that the writer keeps. The program has fewer texts.
const maxStatements = 1000

// statements are those of the writer's connection by text, parsed once: parsing takes as long as running.
//
// The pool has one connection, which a transaction holds. So a statement that a transaction is the first to run is
// parsed for that transaction, and once more, to be kept, after it.
type statements struct {
	pool   *sql.DB
	kept   map[string]*sql.Stmt
	missed []string // texts to be kept
}

func newStatements(pool *sql.DB) *statements {
	return &statements{pool: pool, kept: map[string]*sql.Stmt{}}
}

// keep parses the statements that were missed, between transactions. One that fails is not kept.
func (s *statements) keep(ctx context.Context) {
	for _, text := range s.missed {
		if len(s.kept) == maxStatements {
			break
		}
		if made, err := s.pool.PrepareContext(ctx, unlocked(text)); err == nil { //nolint:sqlclosecheck // closed with the pool
			s.kept[text] = made
		}
	}
	s.missed = nil
}

// tx is a transaction that runs statements from the writer's.
type textTx struct {
	*sql.Tx
	all *statements
	own map[string]*sql.Stmt // closed when the transaction ends
}

func (s *statements) in(tx *sql.Tx) textTx { return textTx{tx, s, map[string]*sql.Stmt{}} }

func (t textTx) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if known := t.own[text]; known != nil {
		return known, nil
	}
	if kept := t.all.kept[text]; kept != nil {
		t.own[text] = t.StmtContext(ctx, kept)
		return t.own[text], nil
	}
	made, err := t.Tx.PrepareContext(ctx, unlocked(text))
	if err == nil {
		t.own[text], t.all.missed = made, append(t.all.missed, text)
	}
	return made, err
}

// ExecContext implements db.DBTX.
func (t textTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := t.statement(ctx, text) //nolint:sqlclosecheck // see own
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// QueryContext implements db.DBTX.
func (t textTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := t.statement(ctx, text) //nolint:sqlclosecheck // see own
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext implements db.DBTX.
func (t textTx) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := t.statement(ctx, text) //nolint:sqlclosecheck // see own
	if err != nil {
		return t.Tx.QueryRowContext(ctx, unlocked(text), args...) // it fails in the same way
	}
	return s.QueryRowContext(ctx, args...)
}
