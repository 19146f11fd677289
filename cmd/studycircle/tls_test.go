package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/server"
)

// testCertificate writes the certificate of Go's test servers into two files.
func testCertificate(t *testing.T) (f listenFlags, client *http.Client) {
	t.Helper()
	sample := httptest.NewTLSServer(http.NotFoundHandler())
	defer sample.Close()
	dir := t.TempDir()
	f = listenFlags{Addr: "127.0.0.1:0", RedirectAddr: "127.0.0.1:0", TLSCert: filepath.Join(dir, "chain.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	chain, key := encoded(t, sample.TLS.Certificates[0])
	require.NoError(t, os.WriteFile(f.TLSCert, chain, 0o600))
	require.NoError(t, os.WriteFile(f.TLSKey, key, 0o600))
	client = sample.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return f, client
}

// encoded returns a certificate and its key as PEM.
func encoded(t *testing.T, c tls.Certificate) (chain, key []byte) {
	t.Helper()
	private, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
}

// The server speaks TLS on its address, redirects from the second one, and its bounds on connections see those with
// TLS.
func TestServingWithTLS(t *testing.T) {
	t.Parallel()
	f, client := testCertificate(t)
	at, err := f.listen(t.Context())
	require.NoError(t, err)
	defer at.close()
	public, err := url.Parse("https://" + at.main.Addr().String() + "/")
	require.NoError(t, err)
	require.NoError(t, at.encrypt(f, public, t.TempDir()))
	ctx, stop := context.WithCancel(t.Context())
	srv := server.NewHTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto+" "+r.URL.Path) }), nil)
	srv.TLSConfig = at.tls
	require.NoError(t, at.start(ctx, public, nil))
	stopped := make(chan error, 1)
	go func() { stopped <- serve(ctx, newServing(at.main, srv), func() {}) }()

	status, location, _ := get(t, client, "http://"+at.redirect.Addr().String()+"/assignments?page=2")
	require.Equal(t, http.StatusPermanentRedirect, status)
	require.Equal(t, public.String()+"assignments?page=2", location)
	_, _, text := get(t, client, location)
	require.Equal(t, "HTTP/1.1 /assignments", text)
	_, err = tls.DialWithDialer(&net.Dialer{Timeout: time.Minute}, "tcp", at.main.Addr().String(), //nolint:noctx // the test's end bounds it
		&tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	require.ErrorContains(t, err, "protocol version")

	require.NoError(t, probe{at.main.Addr().String(), true}.ask(ctx, "/readyz"))
	require.ErrorContains(t, probe{at.main.Addr().String(), false}.ask(ctx, "/readyz"), "400")
	stop()
	require.NoError(t, <-stopped)
	require.ErrorContains(t, probe{at.main.Addr().String(), true}.ask(t.Context(), "/readyz"), "does not answer")
}

func get(t *testing.T, client *http.Client, address string) (status int, location, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := client.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, errors.Join(err, response.Body.Close()))
	return response.StatusCode, response.Header.Get("Location"), string(body)
}

func TestHealthcheckIsNotFooled(t *testing.T) {
	t.Parallel()
	unwell := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	defer unwell.Close()
	address := unwell.Listener.Addr().(*net.TCPAddr)
	require.ErrorContains(t, healthcheckCommand{listenFlags{Addr: address.String()}}.Run(t.Context()), "503")
	address.IP = net.IPv4zero
	require.ErrorContains(t, healthcheckCommand{listenFlags{Addr: address.String()}}.Run(t.Context()), "503", "the server listens on all addresses")
}

func TestTLSFlagsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	f, _ := testCertificate(t)
	for message, flags := range map[string]listenFlags{
		"need each other":   {TLSCert: f.TLSCert},
		"two ways":          {TLSCert: f.TLSCert, TLSKey: f.TLSKey, ACMEEmail: "ada@example.org"},
		"--redirect-addr":   {RedirectAddr: "127.0.0.1:0"},
		"begin with https":  {TLSCert: f.TLSCert, TLSKey: f.TLSKey},
		"host name":         {ACMEEmail: "ada@example.org"},
		"read the certific": {TLSCert: f.TLSKey, TLSKey: f.TLSCert},
	} {
		c := serveCommand{listenFlags: flags}
		c.Addr, c.Brand, c.Data, c.RateLimits = "127.0.0.1:0", "StudyCircle", filepath.Join(t.TempDir(), "data"), "on"
		if c.PublicURL = "https://127.0.0.1"; message == "begin with https" {
			c.PublicURL = "http://study.example.org"
		}
		require.ErrorContains(t, c.Run(t.Context()), message)
		require.NoDirExists(t, c.Data, "refused before anything is touched")
	}
}
