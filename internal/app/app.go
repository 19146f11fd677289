// Package app puts the parts of a node together, for the program and for tests
// that want the real thing. It decides nothing by itself.
package app

import (
	"context"
	"io/fs"
	"net/http"
	"net/url"
	"time"

	"studycircle/internal/api"
	"studycircle/internal/identity"
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
}

// App is a running node's parts.
type App struct {
	Store    *store.Store
	Identity *identity.Identity
	Service  *service.Service
	Handler  http.Handler
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
	id, err := identity.New(ctx, identityStore{s}, c.Now)
	if err != nil {
		_ = s.Close() // the first error is the one to tell
		return nil, err
	}
	a := &App{Store: s, Identity: id, Service: service.New(serviceStore{s}, c.Now)}
	cookie := api.Cookie{Secure: c.PublicURL.Scheme == "https"}
	a.Handler, err = server.New(server.Config{
		API:       api.New(api.Config{Service: a.Service, Identity: id, Cookie: cookie, Version: c.Version}),
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
	return a, nil
}

// Close waits for writes under way and closes the database.
func (a *App) Close() error { return a.Store.Close() }

// serviceStore is the store as package service wants it.
type serviceStore struct{ *store.Store }

func (s serviceStore) Write(ctx context.Context, f func(context.Context, service.Tx) error) error {
	return s.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return f(ctx, tx) })
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
