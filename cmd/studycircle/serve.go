package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/coreos/go-systemd/v22/daemon"

	"studycircle/internal/app"
	"studycircle/internal/book"
	"studycircle/internal/demo"
	"studycircle/internal/linkhealth"
	"studycircle/internal/logs"
	"studycircle/internal/metrics"
	"studycircle/internal/server"
	"studycircle/internal/site"
	"studycircle/internal/store"
	"studycircle/web"
)

// memoryLimit is the heap size, in bytes, from which the garbage collector works harder.
// GOMEMLIMIT overrides it.
const memoryLimit = 200 << 20

// finish is the time that requests in flight have after SIGTERM.
const finish = 20 * time.Second

type serveCommand struct {
	databaseFlags
	listenFlags
	PublicURL  string        `placeholder:"URL" help:"Address people use, for links and cookies. Default: made from --addr."`
	Brand      string        `default:"StudyCircle" help:"The product's name on every page."`
	Site       string        `placeholder:"FILE" help:"Site settings: developer profile and footer."`
	Drain      time.Duration `default:"0s" placeholder:"TIME" help:"How long to serve on after SIGTERM while /readyz says no, for a balancer to notice, for example 5s."`
	LogFormat  string        `default:"text" enum:"text,json" help:"Format of the log, on standard error."`
	AccessLog  bool          `help:"Log each answer with route, status and time, and give each request an id, in its log lines and X-Request-Id."`
	LinkChecks string        `default:"public" enum:"off,public,any" help:"Which documents' links are looked at: those at public addresses, any (loopback only, for tests), or none."`
	Demo       bool          `help:"Fill an empty database with sample content and accounts. Loopback only."`
	accountFlags
	backupFlags
}

// Run serves until ctx ends.
func (c serveCommand) Run(ctx context.Context) error {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	slog.SetDefault(slog.New(logs.New(os.Stderr, c.LogFormat)))
	if err := c.check(); err != nil {
		return err
	}
	kept, err := c.backups(c.databaseFlags)
	if err != nil {
		return err
	}
	at, err := c.listen(ctx)
	if err != nil {
		return err
	}
	defer at.close()
	if err := c.checkReach(at.main.Addr()); err != nil {
		return err
	}
	public, err := c.publicURL(at.main.Addr())
	if err != nil {
		return err
	}
	if err := at.encrypt(c.listenFlags, public, c.Data); err != nil {
		return err
	}
	config, err := c.node(ctx, public)
	if err != nil {
		return err
	}
	config.Backups = kept
	if at.metrics != nil {
		config.Metrics = metrics.New(version)
		at.publish(ctx, config.Metrics)
	}
	return c.live(ctx, at, config)
}

// check refuses values of flags that no node can have.
func (c serveCommand) check() error {
	switch {
	case strings.TrimSpace(c.Brand) == "":
		return errors.New("--brand must not be empty: it is in the title of every page and email")
	case strings.ContainsFunc(c.Brand, unicode.IsControl):
		return errors.New("--brand must be one line of text: it is in the title of every page and email")
	case c.Drain < 0:
		return errors.New("--drain must not be negative")
	default:
		return nil
	}
}

// checkReach refuses flags that are safe on loopback only, unless the node listens there.
func (c serveCommand) checkReach(at net.Addr) error {
	switch {
	case loopback(at):
		return nil
	case c.Demo:
		return errors.New("--demo has known passwords and so listens on loopback only, for example --addr 127.0.0.1:8080")
	case c.RateLimits == "off":
		return errors.New("--rate-limits=off is for load tests and so works on loopback only, " +
			"for example with --addr 127.0.0.1:8080")
	case c.LinkChecks == string(linkhealth.Any):
		return errors.New("--link-checks=any lets users who hand in a link reach what this machine can, " +
			"and so works on loopback only, for example with --addr 127.0.0.1:8080")
	default:
		return nil
	}
}

// node returns the configuration of the node, and fills its database if sample content is asked for.
func (c serveCommand) node(ctx context.Context, public *url.URL) (app.Config, error) {
	settings, err := site.Load(c.Site)
	if err != nil {
		return app.Config{}, err
	}
	config := app.Config{
		Database: c.config(), PublicURL: public, Brand: c.Brand, Version: version, Site: settings,
		Web: web.Dist(), Book: book.Dist(), AccessLog: c.AccessLog, CheckFigures: true,
	}
	if err := c.accounts(ctx, &config); err != nil {
		return app.Config{}, err
	}
	if c.LinkChecks != "off" {
		config.Links = linkhealth.New(linkhealth.Reach(c.LinkChecks), c.Brand+" link check")
	}
	if c.Demo {
		config.DemoUsers, err = fillDemo(ctx, config)
	}
	return config, err
}

// live opens the node and serves it until ctx ends.
func (c serveCommand) live(ctx context.Context, at *listening, config app.Config) error {
	handler := &server.Handover{}
	on := newServing(at.main, server.NewHTTP(handler, config.TrustedProxies))
	on.srv.TLSConfig = at.tls
	a, err := on.open(ctx, config)
	if errors.Is(err, errStopped) {
		return on.srv.Close()
	}
	if err != nil {
		return errors.Join(err, on.srv.Close())
	}
	handler.Become(a.Handler)
	c.greet(ctx, at.main.Addr(), config)
	supervised, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()
	if err := at.start(supervised, config.PublicURL, config.TrustedProxies); err != nil {
		return errors.Join(err, a.Close())
	}
	var looking sync.WaitGroup
	looking.Go(func() { lookAround(ctx, config) })
	go debug.FreeOSMemory() // what the start took and the service does not need
	err = serve(ctx, on, func() {
		notify(ctx, daemon.SdNotifyStopping)
		leave(ctx, a, c.Drain)
		a.EndStreams()
	})
	looking.Wait()
	return errors.Join(err, a.Close())
}

// greet says where the node is ready.
func (c serveCommand) greet(ctx context.Context, at net.Addr, config app.Config) {
	slog.InfoContext(
		ctx, "listening", "addr", at.String(), "database", store.Describe(config.Database), "version", version,
	)
	fmt.Printf("%s is ready at %s\n", c.Brand, strings.TrimSuffix(config.PublicURL.String(), "/"))
	for _, u := range config.DemoUsers {
		fmt.Printf("  sample sign-in: %s  password: %s\n", u.Email, u.Password)
	}
}

// leave keeps serving after ctx is done, so that a balancer has moved its clients
// elsewhere when the listener closes. A second signal ends it.
func leave(ctx context.Context, a *app.App, drain time.Duration) {
	if drain <= 0 {
		return
	}
	slog.InfoContext(ctx, "draining: /readyz reports not ready", "serveOn", drain.String())
	a.Leave()
	again, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
	defer stop()
	select {
	case <-time.After(drain):
	case <-again.Done():
	}
}

// serve answers until ctx is done, calls leave, and then waits for requests in flight.
func serve(ctx context.Context, on *serving, leave func()) error {
	on.begin()
	select {
	case err := <-on.ended:
		return err
	case <-ctx.Done():
	}
	leave()
	slog.InfoContext(ctx, "stopping: waiting for requests in flight")
	// Idle connections are closed, and others after their next answer, also one that comes before Shutdown.
	on.srv.SetKeepAlivesEnabled(false)
	_ = on.listener.Close() // Serve returns its error
	slog.DebugContext(ctx, "the listener is closed", "error", <-on.ended)
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), finish)
	defer cancel()
	if err := on.srv.Shutdown(deadline); err != nil {
		return errors.Join(err, on.srv.Close())
	}
	return nil
}

// publicURL returns the given URL, or the listener's on this machine.
func (c serveCommand) publicURL(at net.Addr) (*url.URL, error) {
	if c.PublicURL == "" {
		return &url.URL{Scheme: c.scheme(), Host: at.String(), Path: "/"}, nil
	}
	return parsePublicURL(c.PublicURL)
}

func parsePublicURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("--public-url must look like https://study.example.org")
	}
	u.Path = "/"
	return u, nil
}

func loopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// fillDemo adds the sample content to an empty database.
func fillDemo(ctx context.Context, c app.Config) ([]server.DemoUser, error) {
	s, err := store.Open(ctx, c.Database)
	if err != nil {
		return nil, err
	}
	people, err := demo.Fill(ctx, s, app.Unlimited, time.Now(), c.PublicURL)
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	users := make([]server.DemoUser, len(people))
	for i, p := range people {
		users[i] = server.DemoUser{Email: p.Email, Password: demo.Password, DisplayName: p.DisplayName}
	}
	if len(users) == 0 {
		fmt.Fprintln(os.Stderr, "The database has content already: --demo leaves it as it is.")
	}
	return users, nil
}
