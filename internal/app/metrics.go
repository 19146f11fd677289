package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"studycircle/internal/identity"
	"studycircle/internal/mail"
	"studycircle/internal/metrics"
	"studycircle/internal/server"
	"studycircle/internal/store"
)

// hooks are what the parts of a node call for metrics; nil where these are off.
type hooks struct {
	database          store.Observer
	request           func(route, method string, status int, took time.Duration)
	shed              func(reason string)
	mail              func(kind, result string)
	sessions, answers func(hit bool)
}

// writesFull and streamsFull are reasons to refuse a request, besides package server's.
const (
	writesFull  = "writes"
	streamsFull = "streams"
)

// Results of attempts to send an email.
const (
	mailSent    = "sent"
	mailFailed  = "failed"
	mailRefused = "refused"
	mailGivenUp = "given_up"
)

// mailKinds are the kinds of emails that App.send counts.
var mailKinds = append([]string{"invitation", "address", "notification"}, identity.MailKinds...)

func hooksOf(m *metrics.Metrics) hooks {
	if m == nil {
		return hooks{}
	}
	return hooks{
		database: store.Observer{
			Took: m.Database, Committed: m.Committed, Circles: m.Cache("circles"), Positions: m.Cache("positions"),
		},
		request:  m.Request,
		shed:     m.Shed(server.SlotsFull, server.BodiesFull, writesFull, streamsFull),
		mail:     m.Mail(mailKinds, []string{mailSent, mailFailed, mailRefused, mailGivenUp}),
		sessions: m.Cache("sessions"),
		answers:  m.Cache("answers"),
	}
}

// refused returns a function that counts one refusal for a reason; nil if metrics are off.
func (h hooks) refused(reason string) func() {
	if h.shed == nil {
		return nil
	}
	return func() { h.shed(reason) }
}

// delivered counts an attempt to send an email of a kind, with the error that it ended with.
func (h hooks) delivered(kind string, err error) {
	if h.mail == nil {
		return
	}
	kind, _, _ = strings.Cut(kind, ":") // an id may follow, in kinds of a later release too
	result := mailSent
	if _, permanent := errors.AsType[mail.Permanent](err); permanent {
		result = mailRefused
	} else if errors.Is(err, mail.ErrGivenUp) {
		result = mailGivenUp
	} else if err != nil {
		result = mailFailed
	}
	h.mail(kind, result)
}

// watch makes m read the node's state when it is asked for.
func (a *App) watch(c Config) {
	if c.Metrics == nil {
		return
	}
	sources := metrics.Sources{
		State: func(ctx context.Context) (metrics.State, error) {
			found, err := a.Store.Monitored(ctx, c.Now())
			return metrics.State(found), err
		},
		Streams: a.live.Listeners,
		WAL:     store.WAL(c.Database),
	}
	if c.Backups.Dir != "" {
		sources.LastBackup = c.Backups.Last
	}
	c.Metrics.Watch(sources)
}
