package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"studycircle/internal/app"
	"studycircle/internal/doctor"
	"studycircle/internal/mail"
	"studycircle/internal/server"
	"studycircle/internal/store"
)

// serving is a server on a listener.
type serving struct {
	srv      server.HTTP
	listener net.Listener
	once     sync.Once
	ended    chan error
}

func newServing(listener net.Listener, srv server.HTTP) *serving {
	return &serving{srv: srv, listener: listener, ended: make(chan error, 1)}
}

// begin accepts connections.
func (s *serving) begin() {
	s.once.Do(func() { go func() { s.ended <- s.srv.Serve(s.listener) }() })
}

// reopenEvery is the time between two attempts to open a database that is away.
const reopenEvery = time.Second

// errStopped is the error of a program that was stopped while it waited for its database.
var errStopped = errors.New("stopped")

// open starts a node. While its database is away, it accepts connections, so that requests are answered with 503, and
// tries again. Otherwise connections wait until the node has started. errStopped if ctx ends before.
func (s *serving) open(ctx context.Context, c app.Config) (*app.App, error) {
	for said := (store.Trouble{}); ; {
		a, err := app.New(ctx, c)
		if err != nil && ctx.Err() != nil {
			return nil, errStopped
		}
		away, is := errors.AsType[*store.NotOpened](err)
		if !is || !away.Passing {
			return a, err
		}
		if away.Trouble != said {
			slog.ErrorContext(ctx, "the database does not work", "wrong", away.Wrong, "do", away.Do, "error", away.Err)
			said = away.Trouble
		}
		s.begin()
		select {
		case <-ctx.Done():
			return nil, errStopped
		case err := <-s.ended:
			return nil, err
		case <-time.After(reopenEvery):
		}
	}
}

// lookAround logs a warning for a clock that the database contradicts, and for an email server that cannot be used. The
// node works with both.
func lookAround(ctx context.Context, c app.Config) {
	facts, err := store.Look(ctx, c.Database, false)
	if err == nil {
		warn(ctx, doctor.Clock(facts, time.Now()))
	}
	if server, is := c.Mail.(mail.Checker); is {
		warn(ctx, doctor.Mail(ctx, server))
	}
}

func warn(ctx context.Context, f doctor.Finding) {
	if f.State != doctor.OK && ctx.Err() == nil {
		slog.WarnContext(ctx, "a check has failed", "check", f.Check, "wrong", f.Says, "do", f.Do)
	}
}
