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
	"studycircle/internal/limit"
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
	c.Database.Hall, c.Database.Observer = c.Hall, hook.database
	s, err := store.Open(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	writes := newWrites(hook.refused(writesFull))
	id, err := identity.New(ctx, identityStore{s, writes}.parts(), identity.Config{Now: c.Now, Limits: c.Limits, Brand: c.Brand, PublicURL: c.PublicURL, Params: c.HashParams,
		Registration: c.Registration, Cached: hook.sessions,
		Providers: c.Providers, ProviderTimeout: c.ProviderTimeout})
	if err != nil {
		_ = s.Close() // the first error is the one to return
		return nil, err
	}
	a := &App{Store: s, node: self(c), Identity: id, Service: service.New(serviceStore{s, c.Limits, writes}.parts(), c.Now, c.Moderators), live: live.NewHub(s), hooks: hook,
		Notifier: notify.New(notify.Config{Store: notifyStore{s}, Now: c.Now, Brand: c.Brand, PublicURL: c.PublicURL,
			Token: id.UnsubscribeToken, DigestKind: identity.DigestLink})}
	a.Service.Suspended, a.Service.Hall, a.live.Hall = id.Suspended, c.Hall, c.Hall
	a.Service.Operators, a.Service.ReadOverview = c.Operators, a.overview(c)
	a.live.Refused = hook.refused(streamsFull)
	cookie := api.Cookie{Secure: c.PublicURL.Scheme == "https"}
	a.Handler, err = server.New(server.Config{
		API: api.New(api.Config{
			Service: a.Service, Identity: id, Settings: s, Live: a.live, Cookie: cookie, TrustedProxies: c.TrustedProxies, Version: c.Version, WithVersion: store.WithVersion, Cached: hook.answers,
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
	all := append(a.Identity.Periodic(), a.Service.ReviewMaintenance(), a.Service.CircleRemoval(), a.Notifier.Periodic(c.Mail != nil), a.recordNode(c.Now))
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
			kind, write = "invitation", func() (mail.Message, error) { return a.Identity.WriteInvitation(ctx, id, q.Attempts > 1) }
		}
		if notifies {
			kind, write = "notification", func() (mail.Message, error) { return a.Notifier.WriteMail(ctx, q.UserID, id, q.Attempts > 1) }
		}
		message, err := write()
		if err != nil {
			return err
		}
		err = mail.Deliver(ctx, c.Mail, mail.Job{Kind: kind, Age: c.Now().Sub(q.CreatedAt), Attempts: q.Attempts, Message: message})
		if message != (mail.Message{}) {
			a.hooks.delivered(kind, err)
		}
		if _, permanent := errors.AsType[mail.Permanent](err); permanent {
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

// notifyStore adapts the store to package notify.
type notifyStore struct{ *store.Store }

func (s notifyStore) TakeMail(ctx context.Context, userID, id string, again bool, now time.Time) (notify.Mail, error) {
	out, err := s.Store.TakeMail(ctx, userID, id, again, now)
	return notify.Mail(out), err
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

// Unlimited returns the use cases on s without limits, for sample content. No other node
// or client may use s meanwhile.
func Unlimited(s *store.Store, now func() time.Time) *service.Service {
	return service.New(serviceStore{Store: s, writes: newWrites(nil)}.parts(), now, nil)
}

// serviceStore adapts the store to package service.
type serviceStore struct {
	*store.Store
	limits bool
	writes writes
}

func (s serviceStore) parts() service.Store {
	return service.Store{
		AssignmentStore: s, SubmissionStore: s, ProgressStore: s, ReviewStore: s, CorrectionStore: s, SelfAssessmentStore: s, QuestionStore: s, CraftStore: s, ResultStore: s, MarkStore: s, OweStore: s, LinkStore: s,
		CommentStore: s, ModerationStore: s, NotificationStore: s, CircleStore: s, CircleMemberStore: s, CircleExportStore: s, PlaceStore: s, OperatorStore: s, Transactions: s,
	}
}

func (s serviceStore) Write(ctx context.Context, v studycircle.Viewer, f func(context.Context, service.Tx) error) error {
	return s.writes.do(ctx, func() error {
		return s.Store.Write(ctx, v, func(ctx context.Context, tx *store.Tx) error { return f(ctx, (&serviceTx{tx, s}).parts()) })
	})
}

// serviceTx adapts a transaction to package service.
type serviceTx struct {
	*store.Tx
	store serviceStore
}

func (tx *serviceTx) parts() service.Tx {
	return service.Tx{
		AssignmentTx: tx, SubmissionTx: tx, ReviewTx: tx, SelfAssessmentTx: tx, QuestionTx: tx, CraftTx: tx, ReviewRequestTx: tx, LeaseTx: tx, ExemplarTx: tx, LinkTx: tx,
		CommentTx: tx, ModerationTx: tx, NotifyTx: tx, NotificationTx: tx, OweTx: tx, PlaceTx: tx, CircleTx: tx, CircleMemberTx: tx, InvitationTx: tx, RosterTx: tx, OperatorTx: tx, LimitTx: tx,
	}
}

// Use implements service.LimitTx.
func (tx *serviceTx) Use(ctx context.Context, u limit.Use) error {
	if u = tx.store.counted(u); u.None() {
		return nil
	}
	return tx.Spend(ctx, u.Window, u.Subject, u.At)
}

// counted returns no use if there are no limits.
func (s serviceStore) counted(u limit.Use) limit.Use {
	if !s.limits {
		return limit.Use{}
	}
	return u
}

// identityStore adapts the store to package identity. Accounts have no visibility, so its transactions need no
// viewer.
type identityStore struct {
	*store.Store
	writes writes
}

func (s identityStore) parts() identity.Store {
	return identity.Store{AccountStore: s, SessionStore: s, CodeStore: s, InvitationStore: s, ExportReader: s, CircleExportReader: s, CraftExportReader: s}
}

func (s identityStore) Write(ctx context.Context, f func(context.Context, identity.Tx) error) error {
	return s.writes.do(ctx, func() error {
		return s.Store.Write(ctx, studycircle.Viewer{}, func(ctx context.Context, tx *store.Tx) error { return f(ctx, (&identityTx{tx}).parts()) })
	})
}

type identityTx struct{ *store.Tx }

func (tx *identityTx) parts() identity.Tx {
	return identity.Tx{AccountTx: tx, CredentialTx: tx, SessionTx: tx, CodeTx: tx, InvitationTx: tx}
}

func (tx *identityTx) InsertSession(ctx context.Context, n identity.NewSession) error {
	return tx.Tx.InsertSession(ctx, store.NewSession(n))
}

func (s identityStore) SessionsOf(ctx context.Context, userID string, now time.Time) ([]identity.OpenSession, error) {
	found, err := s.Store.SessionsOf(ctx, userID, now)
	out := make([]identity.OpenSession, len(found))
	for n, o := range found {
		out[n] = identity.OpenSession(o)
	}
	return out, err
}
