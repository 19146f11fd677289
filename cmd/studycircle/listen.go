package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"

	"github.com/coreos/go-systemd/v22/activation"

	"studycircle/internal/certificates"
	"studycircle/internal/metrics"
	"studycircle/internal/server"
)

// listenFlags are where the server listens, and with which certificate.
type listenFlags struct {
	Addr          string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on; port 0 takes a free one. Sockets from systemd come first."`
	TLSCert       string `name:"tls-cert" placeholder:"FILE" help:"Certificate chain in PEM, for TLS on --addr. Read again when it changes."`
	TLSKey        string `name:"tls-key" placeholder:"FILE" help:"The certificate's key in PEM."`
	ACMEEmail     string `name:"acme-email" placeholder:"ADDRESS" help:"Get the public address a certificate from an ACME authority, which writes to this address and whose terms you accept."`
	ACMEDirectory string `name:"acme-directory" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL" help:"The ACME authority. Default: Let's Encrypt."`
	RedirectAddr  string `placeholder:"HOST:PORT" help:"Second address, without TLS, that redirects to the public one and answers the ACME authority."`
	MetricsAddr   string `placeholder:"HOST:PORT" help:"Address for metrics and profiles, which must not be public, for example 127.0.0.1:9091. Default: none."`
}

// scheme is that of the server's own addresses.
func (f listenFlags) scheme() string {
	if f.TLSCert != "" || f.ACMEEmail != "" {
		return "https"
	}
	return "http"
}

// listening is where a node listens.
type listening struct {
	main     net.Listener
	redirect net.Listener // nil if there is no second address
	metrics  net.Listener // nil if metrics are off
	tls      *tls.Config  // nil without TLS
	managed  *certificates.Managed
}

// listen takes the sockets that systemd passes, in the order of --addr, --redirect-addr, and opens those that it does
// not pass.
func (f listenFlags) listen(ctx context.Context) (*listening, error) {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return nil, errors.New("--tls-cert and --tls-key need each other")
	}
	if f.TLSCert != "" && f.ACMEEmail != "" {
		return nil, errors.New("--tls-cert and --acme-email are two ways to one certificate: give one of them")
	}
	if f.RedirectAddr != "" && f.scheme() == "http" {
		return nil, errors.New("--redirect-addr is for a server with TLS: give --tls-cert and --tls-key, or --acme-email")
	}
	passed, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("take systemd's sockets: %w", err)
	}
	at := &listening{}
	for i, address := range []string{f.Addr, f.RedirectAddr} {
		l := net.Listener(nil)
		if i < len(passed) {
			l = passed[i]
		} else if address != "" {
			if l, err = open(ctx, address); err != nil {
				at.close()
				return nil, err
			}
		}
		if i == 0 {
			at.main = l
		} else {
			at.redirect = l
		}
	}
	if f.MetricsAddr != "" {
		if at.metrics, err = open(ctx, f.MetricsAddr); err != nil {
			at.close()
			return nil, err
		}
	}
	return at, nil
}

func open(ctx context.Context, address string) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	}
	return l, nil
}

// close closes the sockets. Those of a stopped server are closed already.
func (at *listening) close() {
	for _, l := range []net.Listener{at.main, at.redirect, at.metrics} {
		if l != nil {
			_ = l.Close() // see above
		}
	}
	if at.managed != nil {
		at.managed.Close()
	}
}

// encrypt finds the certificate.
func (at *listening) encrypt(f listenFlags, public *url.URL, data string) (err error) {
	if f.scheme() == "http" {
		return nil
	}
	if public.Scheme != "https" {
		return errors.New("--public-url must begin with https:// on a server with TLS")
	}
	if f.TLSCert != "" {
		at.tls, err = certificates.FromFiles(f.TLSCert, f.TLSKey)
		return err
	}
	if _, err := netip.ParseAddr(public.Hostname()); err == nil {
		return errors.New("--acme-email needs a --public-url with a host name, for the certificate")
	}
	request := certificates.ACME{
		Host: public.Hostname(), Email: f.ACMEEmail, Directory: f.ACMEDirectory, Folder: filepath.Join(data, "acme"),
		TLS: at.main.Addr(),
	}
	if at.redirect != nil {
		request.HTTP = at.redirect.Addr()
	}
	at.managed = request.New()
	at.tls = at.managed.TLS
	return nil
}

// start begins what accompanies a server, until ctx ends: the second address, the certificate's renewal, and reports to
// systemd.
func (at *listening) start(ctx context.Context, public *url.URL, trusted []netip.Prefix) error {
	if at.redirect != nil {
		handler := server.Redirect(public)
		if at.managed != nil {
			handler = at.managed.Challenge(handler)
		}
		go func() {
			if err := server.NewHTTP(handler, trusted).Serve(at.redirect); err != nil && !errors.Is(err, net.ErrClosed) &&
				!errors.Is(err, http.ErrServerClosed) {
				slog.ErrorContext(ctx, "the second address is closed", "error", err)
			}
		}()
	}
	if at.managed != nil {
		if err := at.managed.Start(ctx); err != nil {
			return fmt.Errorf("get a certificate: %w", err)
		}
	}
	supervise(ctx, probe{at.main.Addr().String(), at.tls != nil})
	return nil
}

// publish serves metrics until their listener is closed, so that they can be read while the server stops.
func (at *listening) publish(ctx context.Context, m *metrics.Metrics) {
	slog.InfoContext(ctx, "metrics", "addr", at.metrics.Addr().String())
	if !loopback(at.metrics.Addr()) {
		slog.WarnContext(ctx, "--metrics-addr is no loopback address: metrics and memory profiles, which hold what users "+
			"write, are open to all who can reach it", "addr", at.metrics.Addr().String())
	}
	go func() {
		if err := m.Serve(at.metrics); !errors.Is(err, net.ErrClosed) {
			slog.ErrorContext(ctx, "the address of the metrics is closed", "error", err)
		}
	}()
}
