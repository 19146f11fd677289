package testproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"sync"
)

// Line is a TCP address before a server, which can be cut as a network is.
type Line struct {
	address         string
	network, target string

	mu       sync.Mutex
	listener net.Listener // nil while the line is cut
	open     map[net.Conn]bool
	running  sync.WaitGroup
}

// NewLine opens a line to a server, for example on the network "unix". Its address is on a loopback network of its own,
// so that no other program takes the port of a cut line.
func NewLine(network, target string) (*Line, error) {
	l := &Line{network: network, target: target, open: map[net.Conn]bool{}}
	host := fmt.Sprintf("127.%d.%d.%d", 1+rand.N(254), rand.N(256), 1+rand.N(254)) //nolint:gosec // not a secret
	err := l.listen(net.JoinHostPort(host, "0"))
	return l, err
}

// Address is the line's host and port, which stay the same.
func (l *Line) Address() string { return l.address }

func (l *Line) listen(address string) error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listener, l.address = listener, listener.Addr().String()
	l.running.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			l.running.Go(func() { l.forward(c) })
		}
	})
	return nil
}

// forward copies between a client and the server until one of them ends.
func (l *Line) forward(client net.Conn) {
	server, err := (&net.Dialer{}).DialContext(context.Background(), l.network, l.target)
	if err != nil {
		_ = client.Close() // the client sees why
		return
	}
	if !l.keep(client, server) {
		return
	}
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			_, _ = io.Copy(pair[0], pair[1]) // it ends with one of them
			l.drop(client, server)
		})
	}
	both.Wait()
}

// keep remembers connections to close when the line is cut, and reports whether it is not.
func (l *Line) keep(all ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range all {
		if l.listener == nil {
			_ = c.Close() // the line is cut
			continue
		}
		l.open[c] = true
	}
	return l.listener != nil
}

func (l *Line) drop(all ...net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range all {
		_ = c.Close() // of a connection that has ended
		delete(l.open, c)
	}
}

// Cut ends all connections and refuses new ones. Cutting twice does no harm.
func (l *Line) Cut() error {
	l.mu.Lock()
	var err error
	if l.listener != nil {
		err = l.listener.Close()
	}
	l.listener = nil
	for c := range l.open {
		err = errors.Join(err, c.Close())
	}
	clear(l.open)
	l.mu.Unlock()
	l.running.Wait()
	return err
}

// Mend undoes Cut.
func (l *Line) Mend() error { return l.listen(l.address) }
