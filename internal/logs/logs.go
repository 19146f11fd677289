// Package logs adds the ids of requests to what is logged.
package logs

import (
	"context"
	"io"
	"log/slog"
)

// The formats of a log.
const (
	Text = "text"
	JSON = "json"
)

type requestKey struct{}

// WithRequest returns ctx for work on the request with an id.
func WithRequest(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// New returns a handler that writes lines in a format to w. A line that is logged with the context of a request has its
// id as "request".
func New(w io.Writer, format string) slog.Handler {
	if format == JSON {
		return handler{slog.NewJSONHandler(w, nil)}
	}
	return handler{slog.NewTextHandler(w, nil)}
}

type handler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	if id, is := ctx.Value(requestKey{}).(string); is {
		r = r.Clone()
		r.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler { return handler{h.Handler.WithGroup(name)} }
