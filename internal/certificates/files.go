// Package certificates provides the server's TLS certificates: from files, read again when they change, or from an ACME
// authority. It knows nothing of what is served.
package certificates

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// lookEvery bounds how often handshakes look whether the files have changed.
const lookEvery = time.Second

// config returns what all sources of certificates have in common. HTTP/2 is not offered: the bounds on slow clients
// are those of connections with one request at a time.
func config(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), protocols ...string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: append([]string{"http/1.1"}, protocols...),
	}
}

// FromFiles returns a configuration with the certificate chain and key in two PEM files. A renewed pair is used within
// a second; while the pair is broken, as between two writes, the earlier one is.
func FromFiles(chain, key string) (*tls.Config, error) {
	f := &files{chain: chain, key: key, every: lookEvery}
	if _, err := f.read(); err != nil {
		return nil, err
	}
	return config(f.get), nil
}

// files is a pair of files. It is safe for concurrent use.
type files struct {
	chain, key string
	every      time.Duration

	mu      sync.Mutex
	pair    *tls.Certificate
	seen    stamp
	checked time.Time
}

// stamp changes with the files.
type stamp [2]struct {
	size     int64
	modified time.Time
}

func (f *files) stamp() (s stamp, err error) {
	for i, name := range []string{f.chain, f.key} {
		info, err := os.Stat(name)
		if err != nil {
			return s, err
		}
		s[i].size, s[i].modified = info.Size(), info.ModTime()
	}
	return s, nil
}

// read returns the pair in the files, which must be valid if it is the first.
func (f *files) read() (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pair != nil && time.Since(f.checked) < f.every {
		return f.pair, nil
	}
	f.checked = time.Now()
	seen, err := f.stamp()
	if err == nil && f.pair != nil && seen == f.seen {
		return f.pair, nil
	}
	if err == nil {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(f.chain, f.key); err == nil {
			f.pair, f.seen = &pair, seen
			return f.pair, nil
		}
	}
	return f.pair, fmt.Errorf("read the certificate: %w", err)
}

// get is tls.Config's GetCertificate.
func (f *files) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	pair, err := f.read()
	if err != nil {
		slog.ErrorContext(context.WithoutCancel(hello.Context()), "continuing with the earlier certificate", "error", err)
	}
	return pair, nil
}
