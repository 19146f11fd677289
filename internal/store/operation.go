package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"studycircle"
	"studycircle/internal/store/engine"
)

// operation turns the engine's error of a method into a domain error: see engine.Classify. It adds to a fault the
// method that failed and its ids, for the log; errors with a message for users stay as they are. Every method that
// runs SQL defers it; without an error it costs no allocation.
func (s *Store) operation(err *error, name string, ids ...string) {
	if *err != nil {
		*err = inOperation(s.classify(*err), name, ids)
	}
}

// operation is Store.operation.
func (tx *Tx) operation(err *error, name string, ids ...string) {
	if *err != nil {
		*err = inOperation(engine.Classify(tx.Engine, *err), name, ids)
	}
}

func inOperation(err error, name string, ids []string) error {
	switch studycircle.CodeOf(err) {
	case studycircle.CodeInternal, studycircle.CodeUnavailable:
		return fmt.Errorf("%s(%s): %w", name, strings.Join(ids, ", "), err)
	default:
		return err
	}
}

// isMissing reports whether err says that there is no such row, in the database's words or in the domain's.
func isMissing(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || studycircle.CodeOf(err) == studycircle.CodeNotFound
}
