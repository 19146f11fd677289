package postgres

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// How soon a PostgreSQL that takes connections and answers nothing is noticed.
// The first two together, and what a request may wait for news some times over,
// stay below the five seconds after which it must have its answer.
const (
	watchEvery    = 500 * time.Millisecond
	watchPatience = 2500 * time.Millisecond
	// healEvery is how often a server that is away is asked, and newsPatience how
	// long a new connection waits to hear that it is back.
	healEvery    = 100 * time.Millisecond
	newsPatience = 500 * time.Millisecond
	// dialPatience is for each host of the address.
	dialPatience = 2 * time.Second
)

// connWatch asks PostgreSQL on a connection of its own whether it is there, and
// cuts all other connections where it is not. Requests that wait for an answer
// then fail at once, whatever they do, and the pool holds no connection to a
// server that is gone; nor does anybody wait for a new one then for longer than it
// takes to hear that the server is back. One that is busy for long is not gone: statements may
// take as long as they need while it answers.
type connWatch struct {
	config *pgx.ConnConfig
	mu     sync.Mutex
	open   map[*watchedConn]struct{}
	back   chan struct{} // closed when the server is back; nil while it is there
}

func newConnWatch(config *pgx.ConnConfig) *connWatch {
	w := &connWatch{config: config.Copy(), open: map[*watchedConn]struct{}{}}
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := w.await(ctx); err != nil {
			return nil, err
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		watched := &watchedConn{Conn: conn, watch: w}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.open[watched] = struct{}{}
		return watched, nil
	}
	return w
}

// errAway is what a new connection fails with while the server is known to be away.
var errAway = &net.OpError{Op: "dial", Err: errors.New("PostgreSQL does not answer")}

// await returns at once while the server is there.
func (w *connWatch) await(ctx context.Context) error {
	w.mu.Lock()
	back := w.back
	w.mu.Unlock()
	if back == nil {
		return nil
	}
	timer := time.NewTimer(newsPatience)
	defer timer.Stop()
	select {
	case <-back:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return errAway
	}
}

type watchedConn struct {
	net.Conn
	watch *connWatch
}

// Close implements net.Conn. That the watch has cut the connection is no failure
// of whoever closes it.
func (c *watchedConn) Close() error {
	c.watch.mu.Lock()
	_, open := c.watch.open[c]
	delete(c.watch.open, c)
	c.watch.mu.Unlock()
	if !open {
		return nil
	}
	return c.Conn.Close()
}

// heal lets new connections through.
func (w *connWatch) heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.back != nil {
		close(w.back)
		w.back = nil
	}
}

// cut makes every read and write under way fail, and new connections wait.
func (w *connWatch) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.back == nil {
		w.back = make(chan struct{})
	}
	for c := range w.open {
		_ = c.Conn.Close() // nothing more can go wrong with it
		delete(w.open, c)
	}
}

// run watches until ctx ends.
func (w *connWatch) run(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	away := false
	var conn *pgx.Conn
	defer func() {
		if conn != nil {
			_ = conn.Close(context.WithoutCancel(ctx)) // it only asked
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var err error
		conn, err = w.ask(ctx, conn)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			w.cut()
		} else {
			w.heal()
		}
		if (err != nil) != away {
			away = err != nil
			if tick.Reset(watchEvery); away {
				tick.Reset(healEvery)
			}
			slog.WarnContext(ctx, "PostgreSQL", "answers", !away)
		}
	}
}

// ask returns the connection to ask on next time; nil if there is none.
func (w *connWatch) ask(ctx context.Context, conn *pgx.Conn) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, watchPatience)
	defer cancel()
	var err error
	if conn == nil {
		if conn, err = pgx.ConnectConfig(ctx, w.config); err != nil {
			return nil, err
		}
	}
	if err = conn.Ping(ctx); err != nil {
		_ = conn.Close(ctx) // broken
		return nil, err
	}
	return conn, nil
}
