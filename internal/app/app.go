// Package app puts the parts of a node together, for the program and for tests
// that want the real thing. It decides nothing by itself.
package app

import (
	"context"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"github.com/alexedwards/argon2id"

	"studycircle/internal/api"
	"studycircle/internal/identity"
	"studycircle/internal/limit"
	"studycircle/internal/mail"
	"studycircle/internal/server"
	"studycircle/internal/service"
	"studycircle/internal/site"
	"studycircle/internal/store"
)

// Config is what a node needs to know.
type Config struct {
	Database  store.Config
	PublicURL *url.URL
	Brand     string
	Version   string
	Site      site.Settings
	// Web is the built front end.
	Web fs.FS
	// DemoUsers are shown on the login page.
	DemoUsers []server.DemoUser
	// Now is the clock; time.Now where nil.
	Now func() time.Time
	// Mail delivers what is queued; where it is nil, mails stay in the queue.
	Mail mail.Sender
	// Limits turns the limits on attempts on.
	Limits bool
	// TrustedProxies are believed about who the client is.
	TrustedProxies []netip.Prefix
	// HashParams of argon2id, for tests that sign in a thousand times; OWASP's where nil.
	HashParams *argon2id.Params
}

// App is a running node's parts.
type App struct {
	Store    *store.Store
	Identity *identity.Identity
	Service  *service.Service
	Handler  http.Handler

	stop       context.CancelFunc
	background sync.WaitGroup
}

// New opens the database and builds the handler. The caller closes the App.
func New(ctx context.Context, c Config) (*App, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	s, err := store.Open(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	id, err := identity.New(ctx, identityStore{s}, identity.Config{Now: c.Now, Limits: c.Limits, Brand: c.Brand, PublicURL: c.PublicURL, Params: c.HashParams})
	if err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, err
	}
	a := &App{Store: s, Identity: id, Service: service.New(serviceStore{s, c.Limits}, c.Now)}
	cookie := api.Cookie{Secure: c.PublicURL.Scheme == "https"}
	a.Handler, err = server.New(server.Config{
		API: api.New(api.Config{
			Service: a.Service, Identity: id, Cookie: cookie, TrustedProxies: c.TrustedProxies, Version: c.Version,
		}),
		Identity:  id,
		Service:   a.Service,
		Cookie:    cookie,
		Ready:     s.Ping,
		Web:       c.Web,
		Brand:     c.Brand,
		PublicURL: c.PublicURL,
		Site:      c.Site,
		DemoUsers: c.DemoUsers,
	})
	if err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, err
	}
	a.start(ctx, c)
	return a, nil
}

// start runs what a node does without being asked, until Close.
func (a *App) start(ctx context.Context, c Config) {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.stop = stop
	a.background.Go(func() { a.Identity.Run(background) })
	if c.Mail != nil {
		outbox := mail.NewOutbox(a.Identity, c.Mail, c.Now)
		a.Identity.OnMail(outbox.Wake)
		a.background.Go(func() { outbox.Run(background) })
	}
}

// Close waits for work and writes under way and closes the database.
func (a *App) Close() error {
	a.stop()
	a.background.Wait()
	return a.Store.Close()
}

// serviceStore is the store as package service wants it.
type serviceStore struct {
	*store.Store
	limits bool
}

func (s serviceStore) Write(ctx context.Context, f func(context.Context, service.Tx) error) error {
	return s.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return f(ctx, serviceTx{tx, s.limits}) })
}

type serviceTx struct {
	*store.Tx
	limits bool
}

func (tx serviceTx) Spend(ctx context.Context, w limit.Window, userID string, now time.Time) error {
	if !tx.limits {
		return nil
	}
	return tx.Tx.Spend(ctx, w, userID, now)
}

// identityStore is the store as package identity wants it.
type identityStore struct{ *store.Store }

func (s identityStore) Write(ctx context.Context, f func(context.Context, identity.Tx) error) error {
	return s.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return f(ctx, identityTx{tx}) })
}

type identityTx struct{ *store.Tx }

func (tx identityTx) InsertSession(ctx context.Context, n identity.NewSession) error {
	return tx.Tx.InsertSession(ctx, store.NewSession(n))
}

func (tx identityTx) ClaimMail(ctx context.Context, now, until time.Time) (identity.QueuedMail, error) {
	m, err := tx.Tx.ClaimMail(ctx, now, until)
	return identity.QueuedMail(m), err
}

func (s identityStore) SessionsOf(ctx context.Context, userID string, now time.Time) ([]identity.OpenSession, error) {
	found, err := s.Store.SessionsOf(ctx, userID, now)
	out := make([]identity.OpenSession, len(found))
	for n, o := range found {
		out[n] = identity.OpenSession(o)
	}
	return out, err
}
