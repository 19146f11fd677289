package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"net/http"

	"github.com/caddyserver/certmagic"
	"github.com/mholt/acmez/v3"
	"go.uber.org/zap"
)

// ACME describes an authority and what to ask of it.
type ACME struct {
	// Host is the name to get a certificate for.
	Host string
	// Email receives the authority's letters. Giving one accepts the authority's terms.
	Email string
	// Directory is the authority's address.
	Directory string
	// Folder keeps accounts, keys and certificates.
	Folder string
	// TLS and HTTP are where the server listens, with and without TLS; HTTP may be nil.
	TLS, HTTP net.Addr
	// Roots vouch for the authority's own server; the system's if nil.
	Roots *x509.CertPool
}

// Managed is a certificate that is obtained and renewed in the background, until Close.
type Managed struct {
	TLS    *tls.Config
	cache  *certmagic.Cache
	issuer *certmagic.ACMEIssuer
	config *certmagic.Config
	host   string
}

// New returns the certificate that a describes, or, if there is none yet, the means to get one: see Start.
func (a ACME) New() *Managed {
	m := &Managed{host: a.Host}
	logger := zap.NewNop() // see report
	m.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return m.config, nil },
		Logger:           logger,
	})
	m.config = certmagic.New(m.cache, certmagic.Config{
		Storage: &certmagic.FileStorage{Path: a.Folder}, DefaultServerName: a.Host, OnEvent: report, Logger: logger,
	})
	template := certmagic.ACMEIssuer{
		CA: a.Directory, Email: a.Email, Agreed: true, TrustedRoots: a.Roots, Logger: logger,
		DisableDistributedSolvers: true, DisableHTTPChallenge: a.HTTP == nil,
	}
	// The library listens by itself where it finds these ports free; it finds the server, which answers.
	template.ListenHost, template.AltTLSALPNPort = reach(a.TLS)
	if a.HTTP != nil {
		_, template.AltHTTPPort = reach(a.HTTP)
	}
	m.issuer = certmagic.NewACMEIssuer(m.config, template)
	m.config.Issuers = []certmagic.Issuer{m.issuer}
	m.TLS = config(m.config.GetCertificate, acmez.ACMETLS1Protocol)
	return m
}

// reach returns how this machine reaches one of its own addresses.
func reach(at net.Addr) (host string, port int) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || tcp.IP.IsUnspecified() {
		host = "127.0.0.1"
	} else {
		host = tcp.IP.String()
	}
	if ok {
		port = tcp.Port
	}
	return host, port
}

// Start begins to obtain and renew the certificate. The authority asks the server during that, so it must be listening.
func (m *Managed) Start(ctx context.Context) error {
	return m.config.ManageAsync(ctx, []string{m.host})
}

// Challenge returns a handler that answers the authority's questions over HTTP, and passes on other requests.
func (m *Managed) Challenge(next http.Handler) http.Handler {
	return m.issuer.HTTPChallengeHandler(next)
}

// Close ends renewals.
func (m *Managed) Close() { m.cache.Stop() }

// report logs what happens to certificates.
func report(ctx context.Context, event string, data map[string]any) error {
	switch event {
	case "cert_obtained":
		slog.InfoContext(ctx, "certificate obtained", "host", data["identifier"], "renewal", data["renewal"])
	case "cert_failed":
		slog.ErrorContext(ctx, "certificate not obtained; will retry", "host", data["identifier"], "error", data["error"])
	}
	return nil
}
