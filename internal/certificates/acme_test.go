package certificates

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	stdlog "log" //nolint:depguard // Pebble's logger
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/stretchr/testify/require"
)

// authority starts Let's Encrypt's test server, which asks for proof at the given ports of this machine. It returns its
// address and the certificates that vouch for it.
func authority(t *testing.T, httpPort, tlsPort int) (directory string, roots *x509.CertPool) {
	t.Helper()
	quiet := stdlog.New(io.Discard, "", 0)
	memory := db.NewMemoryStore()
	issuer := ca.New(quiet, memory, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {Description: "default"}})
	front := wfe.New(quiet, memory, va.New(quiet, httpPort, tlsPort, false, "", memory), issuer, nil, false, false, 1, 1)
	server := httptest.NewTLSServer(front.Handler())
	t.Cleanup(server.Close)
	roots = x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server.URL + wfe.DirectoryPath, roots
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return l
}

// serve answers on l until the test ends.
func serve(t *testing.T, l net.Listener, handler http.Handler) {
	t.Helper()
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, ErrorLog: stdlog.New(io.Discard, "", 0)}
	done := make(chan error)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-done, http.ErrServerClosed)
	})
}

// The server gets its certificate from an authority that asks it for proof, over TLS or over HTTP, and keeps it for the
// next start.
func TestCertificateFromAuthority(t *testing.T) {
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	for _, way := range []string{"TLS", "HTTP"} {
		t.Run(way, func(t *testing.T) {
			secure, plain := listen(t), listen(t)
			tlsPort, httpPort := secure.Addr().(*net.TCPAddr).Port, plain.Addr().(*net.TCPAddr).Port
			a := ACME{Host: "localhost", Email: "ada@example.org", Folder: t.TempDir(), TLS: secure.Addr(), HTTP: plain.Addr()}
			if way == "TLS" {
				a.HTTP = nil
			}
			a.Directory, a.Roots = authority(t, httpPort, tlsPort)
			m := a.New()
			defer m.Close()
			if way == "HTTP" {
				m.issuer.DisableTLSALPNChallenge = true
			}
			serve(t, tls.NewListener(secure, m.TLS), http.NotFoundHandler())
			serve(t, plain, m.Challenge(http.NotFoundHandler()))
			require.NoError(t, m.Start(t.Context()))
			var issued *x509.Certificate
			require.Eventually(t, func() bool {
				issued = presented(t, secure.Addr().String())
				return issued != nil
			}, time.Minute, 50*time.Millisecond)
			require.Equal(t, []string{"localhost"}, issued.DNSNames)

			again := a.New()
			defer again.Close()
			require.NoError(t, again.Start(t.Context()))
			require.Eventually(t, func() bool {
				kept := again.cache.AllMatchingCertificates("localhost")
				return len(kept) == 1 && kept[0].Leaf.SerialNumber.Cmp(issued.SerialNumber) == 0
			}, time.Minute, 50*time.Millisecond)
		})
	}
}

// presented returns the certificate that a server presents, or nil if it has none yet.
func presented(t *testing.T, address string) *x509.Certificate {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, ServerName: "localhost"}}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil
	}
	defer func() { require.NoError(t, conn.Close()) }()
	return conn.(*tls.Conn).ConnectionState().PeerCertificates[0]
}
