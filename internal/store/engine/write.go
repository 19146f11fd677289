package engine

import (
	"context"
	"errors"
	"time"
)

// WriteTimeout bounds one run of a function given to Write, except in a LongWrite.
const WriteTimeout = 10 * time.Second

// ErrNestedWrite is the error of a write that begins within another one: it would wait for the locks of the outer
// transaction.
var ErrNestedWrite = errors.New("a write began within another write: use the transaction of the outer one")

// LongWrite names a write without a time limit.
type LongWrite string

// All long writes. The commands that run them show their progress.
const (
	LongCopy    LongWrite = "copy"
	LongImport  LongWrite = "import"
	LongSamples LongWrite = "samples"
)

type longWriteKey struct{}

// WithLongWrite returns a context for a Write without a time limit.
func WithLongWrite(ctx context.Context, name LongWrite) context.Context {
	return context.WithValue(ctx, longWriteKey{}, name)
}

// IsLongWrite reports whether ctx comes from WithLongWrite.
func IsLongWrite(ctx context.Context) bool {
	_, long := ctx.Value(longWriteKey{}).(LongWrite)
	return long
}

type figuresKey struct{}

// WithFigures returns a context for a Write that reads figures: its statements see what earlier writes have counted.
func WithFigures(ctx context.Context) context.Context {
	return context.WithValue(ctx, figuresKey{}, true)
}

// ReadsFigures reports whether ctx comes from WithFigures.
func ReadsFigures(ctx context.Context) bool { return ctx.Value(figuresKey{}) != nil }

type manyRowsKey struct{}

// WithManyRows returns a context for a Write that may change thousands of rows: it shares its transaction with no
// other write where writes need not wait for each other.
func WithManyRows(ctx context.Context) context.Context {
	return context.WithValue(ctx, manyRowsKey{}, true)
}

// HasManyRows reports whether ctx comes from WithManyRows.
func HasManyRows(ctx context.Context) bool { return ctx.Value(manyRowsKey{}) != nil }

type inWriteKey struct{}

// EnterWrite returns a context for the function given to Write, and ErrNestedWrite if
// ctx is such a context already.
func EnterWrite(ctx context.Context) (context.Context, error) {
	if ctx.Value(inWriteKey{}) != nil {
		return nil, ErrNestedWrite
	}
	return context.WithValue(ctx, inWriteKey{}, true), nil
}

// WithWriteTimeout bounds one run of a function given to Write, except in a LongWrite.
func WithWriteTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if IsLongWrite(ctx) {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}

// AtPoint is the key of a context value of type func(point string), which tests call a write with: At calls it.
type AtPoint struct{}

// At marks a point of a write at which a test may pause it.
func At(ctx context.Context, point string) {
	if reached, is := ctx.Value(AtPoint{}).(func(string)); is {
		reached(point)
	}
}
