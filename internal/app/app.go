// Package app assembles the parts of a node, for the program and for tests of the real product. It contains no rules
// of its own.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/backups"
	"studycircle/internal/identity"
	"studycircle/internal/jobs"
	"studycircle/internal/live"
	"studycircle/internal/mail"
	"studycircle/internal/metrics"
	"studycircle/internal/notify"
	"studycircle/internal/openid"
	"studycircle/internal/periodic"
	"studycircle/internal/server"
	"studycircle/internal/service"
	"studycircle/internal/site"
	"studycircle/internal/store"
)

// Config is the configuration of a node.
type Config struct {
	Database  store.Config
	PublicURL *url.URL
	Brand     string
	Version   string
	Site      site.Settings
	// Web is the built front end.
	Web fs.FS
	// Book is the documentation as a site; nil or empty if the program was built without it.
	Book fs.FS
	// DemoUsers are shown on the login page.
	DemoUsers []server.DemoUser
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Mail delivers queued emails; if it is nil, they stay in the queue.
	Mail mail.Sender
	// Links checks the links of documents; if it is nil, they are not checked.
	Links service.LinkChecker
	// CheckFigures compares the figures with the rows they count, nightly and once after a migration.
	CheckFigures bool
	// Backups are the copies of the embedded database to keep; none if zero.
	Backups backups.Config
	// Limits enables the limits on attempts.
	Limits bool
	// Registration says who may open an account; everyone if empty.
	Registration studycircle.RegistrationMode
	// EnrolDomains are the domains whose verified addresses rosters enroll without asking their users.
	EnrolDomains studycircle.Domains
	// Hall says what the hall is for; everything if empty.
	Hall studycircle.HallMode
	// TrustedProxies are the proxies whose client addresses are trusted.
	TrustedProxies []netip.Prefix
	// Providers are the OpenID providers, in the order of their buttons.
	Providers []openid.Entry
	// ProviderTimeout bounds a request's wait for a provider; openid.Timeout if zero.
	ProviderTimeout time.Duration
	// Moderators are the moderators of discussions, Operators the users who see the state of the server.
	Moderators studycircle.Moderators
	Operators  studycircle.Addresses
	// HashParams are argon2id's parameters, for tests that sign in a thousand times; OWASP's if nil.
	HashParams *argon2id.Params
	// AccessLog gives each request an id and logs each answer.
	AccessLog bool
	// Metrics counts what the node does; nil if metrics are off. Nodes do not share it.
	Metrics *metrics.Metrics
}

// App is a running node's parts.
type App struct {
	Store    *store.Store
	Identity *identity.Identity
	Service  *service.Service
	Notifier *notify.Notifier
	Handler  http.Handler

	node       studycircle.Node
	live       *live.Hub
	hooks      hooks
	leaving    atomic.Bool
	stop       context.CancelFunc
	background sync.WaitGroup
}

// New opens the database and builds the handler. The caller closes the App.
func New(ctx context.Context, c Config) (*App, error) {
	queueClock := c.Now
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Registration, c.Hall = cmp.Or(c.Registration, studycircle.RegistrationOpen), cmp.Or(c.Hall, studycircle.HallOn)
	hook := hooksOf(c.Metrics)
	c.Database.Hall, c.Database.Observer, c.Database.Admit = c.Hall, hook.database, newWrites(hook.refused(writesFull)).do
	s, err := store.Open(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	id, err := identity.New(ctx, s, identity.Config{
		Now: c.Now, Limits: c.Limits, Brand: c.Brand, PublicURL: c.PublicURL, Params: c.HashParams,
		Registration: c.Registration, EnrolDomains: c.EnrolDomains, Cached: hook.sessions,
		Providers: c.Providers, ProviderTimeout: c.ProviderTimeout,
	})
	if err != nil {
		_ = s.Close() // the first error is the one to return
		return nil, err
	}
	a := &App{Store: s, node: self(c), Identity: id, hooks: hook}
	a.Service = service.New(s, service.Config{
		Now: c.Now, Limits: c.Limits, Hall: c.Hall, Moderators: c.Moderators, EnrolDomains: c.EnrolDomains,
		Operators: c.Operators, ReadOverview: a.overview(c), Suspended: id.Suspended,
	})
	a.live = live.NewHub(live.Config{Log: s, Hall: c.Hall, Refused: hook.refused(streamsFull)})
	a.Notifier = notify.New(notify.Config{
		Store: s, Now: c.Now, Brand: c.Brand, PublicURL: c.PublicURL,
		Token: id.UnsubscribeToken, DigestKind: identity.DigestLink,
	})
	cookie := api.Cookie{Secure: c.PublicURL.Scheme == "https"}
	a.Handler, err = server.New(server.Config{
		API: api.New(api.Config{
			Service: a.Service, Identity: id, Settings: s, Live: a.live, Cookie: cookie, TrustedProxies: c.TrustedProxies,
			Version: c.Version, WithVersion: store.WithVersion, Cached: hook.answers,
		}),
		Identity:  id,
		Service:   a.Service,
		Cursor:    a.live.Cursor,
		Cookie:    cookie,
		AtOnce:    s.AtOnce(),
		Ready:     s.Ping,
		Leaving:   a.leaving.Load,
		Web:       c.Web,
		Book:      c.Book,
		Brand:     c.Brand,
		PublicURL: c.PublicURL,
		Site:      c.Site,
		DemoUsers: c.DemoUsers,
		AccessLog: c.AccessLog,
		Measure:   hook.request,
		Shed:      hook.shed,
	})
	if err != nil {
		_ = s.Close() // the first error is the one to return
		return nil, err
	}
	a.watch(c)
	a.start(ctx, c, queueClock)
	return a, nil
}

// start runs a node's background work until Close. queueClock is nil except in tests.
func (a *App) start(ctx context.Context, c Config, queueClock func() time.Time) {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.stop = stop
	work := jobs.Work{Periodic: a.periodic(c), Clock: queueClock}
	if c.Mail != nil {
		work.Mailer = &jobs.Mailer{Send: a.send(c), Wait: mail.Backoff}
	}
	a.background.Go(func() { a.live.Run(background) })
	a.background.Go(func() {
		if err := a.Store.RunJobs(background, work); err != nil {
			slog.ErrorContext(background, "background work has stopped; no emails are sent", "error", err)
		}
	})
}

// periodic lists a node's periodic jobs, except the upkeep of the store and its engine.
func (a *App) periodic(c Config) []periodic.Job {
	all := append(
		a.Identity.Periodic(), a.Service.ReviewMaintenance(), a.Service.CircleRemoval(),
		a.Notifier.Periodic(c.Mail != nil), a.recordNode(c.Now),
	)
	if c.Links != nil {
		all = append(all, a.Service.LinkChecks(c.Links))
	}
	if sweeper, is := c.Mail.(mail.Sweeper); is {
		all = append(all, periodic.Job{
			Name: "removing old emails", Every: time.Hour, Timeout: time.Minute, Meaning: "emails stay in their folder",
			Run: func(context.Context) error { return sweeper.Sweep(c.Now()) }, OnEachNode: true,
		})
	}
	if c.Backups.Dir != "" {
		all = append(all, c.Backups.Job(c.Now))
	}
	if c.CheckFigures {
		all = append(all, a.Store.FigureCheck(c.Now))
	}
	return all
}

// send returns the function that composes and delivers a queued email.
func (a *App) send(c Config) func(context.Context, jobs.Mail) error {
	return func(ctx context.Context, q jobs.Mail) error {
		id, notifies := jobs.NotificationOf(q.Kind)
		kind, write := q.Kind, func() (mail.Message, error) { return a.Identity.WriteMail(ctx, q.UserID, q.Kind) }
		if id, invites := jobs.InvitationOf(q.Kind); invites {
			kind, write = "invitation",
				func() (mail.Message, error) { return a.Identity.WriteInvitation(ctx, id, q.Attempts > 1) }
		}
		no, addresses := jobs.AddressOf(q.Kind)
		if addresses {
			kind, write = "address", func() (mail.Message, error) { return a.Identity.WriteAddressMail(ctx, no) }
		}
		if notifies {
			kind, write = "notification",
				func() (mail.Message, error) { return a.Notifier.WriteMail(ctx, q.UserID, id, q.Attempts > 1) }
		}
		message, err := write()
		if err != nil {
			return err
		}
		err = mail.Deliver(ctx, c.Mail, mail.Job{
			Kind: kind, Age: c.Now().Sub(q.CreatedAt), Attempts: q.Attempts, Message: message,
		})
		if message != (mail.Message{}) {
			a.hooks.delivered(kind, err)
		}
		if _, permanent := errors.AsType[mail.Permanent](err); permanent && !addresses {
			err = errors.Join(err, a.Notifier.Refused(ctx, q.UserID))
		}
		givenUp := errors.Is(err, mail.ErrGivenUp)
		if notifies && message != (mail.Message{}) && (err == nil || givenUp) {
			if done := a.Notifier.Sent(ctx, q.UserID, id); done != nil {
				slog.WarnContext(ctx, "recording a sent email failed", "error", done)
			}
		}
		if givenUp {
			return fmt.Errorf("%w: %w", jobs.ErrGiveUp, err)
		}
		return err
	}
}

// Leave makes /readyz report that the node is about to stop. The node continues to serve.
func (a *App) Leave() { a.leaving.Store(true) }

// EndStreams ends the event streams, which have no end of their own, and accepts no more: their browsers continue at
// another node.
func (a *App) EndStreams() { a.live.Close() }

// lastWrites bounds the time of a node's last writes when it ends.
const lastWrites = 2 * time.Second

// Close waits for running work and writes, and closes the database.
func (a *App) Close() error {
	a.stop()
	a.background.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), lastWrites)
	defer cancel()
	if err := a.Identity.WriteSeen(ctx); err != nil {
		slog.WarnContext(ctx, "recording when sessions were used failed", "error", err)
	}
	a.forgetNode(ctx)
	return a.Store.Close()
}

// Unlimited returns the use cases on s without limits, for sample content and the operator's commands, whose rosters
// enroll every verified address.
func Unlimited(s *store.Store, now func() time.Time) *service.Service {
	return service.New(s, service.Config{Now: now, EnrolDomains: studycircle.EveryDomain})
}
