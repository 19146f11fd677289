package engine

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// Fault is the meaning of a driver's error.
type Fault int

// The faults.
const (
	NoFault     Fault = iota // the program's own error, or none
	Unique                   // a UNIQUE or PRIMARY KEY rule is violated
	Reference                // a row refers to a missing one
	Unavailable              // the fault is the database's, not the request's
)

// Faults classifies errors, by their codes and never by their texts.
type Faults interface {
	Fault(err error) Fault
	// Trouble describes an error whose cause an operator can remove; it is zero for all others.
	Trouble(err error) Trouble
}

// Trouble tells an operator what keeps a database from working.
type Trouble struct {
	Wrong, Do string
	// Lasting reports that the trouble does not end while the program runs.
	Lasting bool
}

// NotOpened is the error of a database that cannot be opened.
type NotOpened struct {
	Trouble

	// Passing reports whether the database may open without a change of settings.
	Passing bool
	Err     error
}

// Error implements error, in one line.
func (n *NotOpened) Error() string {
	return n.Wrong + " (" + strings.Join(strings.Fields(n.Err.Error()), " ") + "). " + n.Do
}

// Unwrap returns the cause.
func (n *NotOpened) Unwrap() error { return n.Err }

// Opening returns the error of a database that was not opened as a NotOpened, if an operator can remove the cause.
func Opening(f Faults, err error) error {
	if t := f.Trouble(err); t != (Trouble{}) {
		return &NotOpened{t, f.Fault(err) == Unavailable, err}
	}
	return err
}

// ErrClosed is returned by methods that are called after Close.
var ErrClosed = errors.New("the store is closed")

// Classify converts a driver's error to a domain error. A cancelled request stays a cancelled request.
func Classify(f Faults, err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return studycircle.ErrNotFound
	}
	if _, known := errors.AsType[*studycircle.Error](err); known {
		return err
	}
	if f.Fault(err) == Unavailable {
		return &studycircle.Error{
			Code: studycircle.CodeUnavailable, Message: "The database is away for a moment. Please try again.",
			RetryAfter: 2 * time.Second, Err: err,
		}
	}
	return err
}

// room is the space that must be free on the disk before a database counts as writable again, in bytes: more than any
// request needs.
const room = 1 << 20

// TryRoom reports an error unless a database accepts writes of the largest size.
func TryRoom(ctx context.Context, w Writer) error {
	err := w.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.Queries.PutSetting(ctx, db.PutSettingParams{Name: roomSetting, Value: strings.Repeat("x", room)})
	})
	if err != nil {
		return err
	}
	return w.Write(ctx, func(ctx context.Context, tx *Tx) error { return tx.Queries.DeleteSetting(ctx, roomSetting) })
}

// roomSetting is the setting that TryRoom writes.
const roomSetting = "room"
