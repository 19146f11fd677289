package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// answerWithin bounds how long a server may take to say that it is well.
const answerWithin = 4 * time.Second

// probe is a server on this machine.
type probe struct {
	address string
	secure  bool
}

// ask requests a path and reports any answer but 200 as an error.
func (p probe) ask(ctx context.Context, path string) (err error) {
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http"
	if p.secure {
		scheme = "https"
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return err
	}
	// The certificate is for the public name, and nothing secret is sent.
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // see above
	response, err := transport.RoundTrip(request)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	if err := response.Body.Close(); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not well: %s says %s", path, response.Status)
	}
	return nil
}

type healthcheckCommand struct{ listenFlags }

// Run asks the server on --addr whether it is ready.
func (c healthcheckCommand) Run(ctx context.Context) error {
	return probe{c.Addr, c.scheme() == "https"}.ask(ctx, "/readyz")
}

// notify tells systemd about a change of state. Without systemd it does nothing.
func notify(ctx context.Context, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		slog.WarnContext(ctx, "systemd was not notified", "state", state, "error", err)
	}
}

// supervise tells systemd that the server is ready and, until ctx ends, that it answers: systemd restarts one that does
// not.
func supervise(ctx context.Context, p probe) {
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		slog.WarnContext(ctx, "no watchdog", "error", err)
	}
	if every > 0 {
		go watch(ctx, every/3, func() error { return p.ask(ctx, "/livez") })
	}
	notify(ctx, daemon.SdNotifyReady)
}

// watch reports to systemd's watchdog as long as alive returns nil.
func watch(ctx context.Context, every time.Duration, alive func() error) {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		if err := alive(); err != nil {
			slog.ErrorContext(ctx, "the server does not answer itself; systemd restarts it if that goes on", "error", err)
			continue
		}
		notify(ctx, daemon.SdNotifyWatchdog)
	}
}
