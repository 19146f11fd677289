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

// The times after which a PostgreSQL that accepts connections without answering counts as away. The first two
// together, and a request's waits for news, stay below the five seconds in which a request is answered: it may wait for
// two questions, one that was asked before it and its own, and each dials all hosts of the address.
const (
	watchEvery    = 500 * time.Millisecond
	watchPatience = 2500 * time.Millisecond
	// healEvery is the interval of asking a server that is away, and newsPatience how long a new connection waits to
	// learn that it is back.
	healEvery    = 100 * time.Millisecond
	newsPatience = 300 * time.Millisecond
	// dialPatience is for each host of the address.
	dialPatience = 2 * time.Second
)

// connWatch checks on its own connection whether PostgreSQL answers, and cuts all other connections if it does not.
// Waiting requests then fail at once, the pool holds no connection to a lost server, and a new connection waits only
// until the watch knows that the server is back. A busy server is not away: statements may take any time while it
// answers.
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

// errAway is the error of a new connection while the server is known to be away.
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

// Close implements net.Conn. It succeeds on a connection that the watch has cut.
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

// cut makes pending reads and writes fail, and new connections wait.
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
			_ = conn.Close(context.WithoutCancel(ctx)) // it was only read from
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

// ask returns the connection for the next question; nil if there is none.
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
