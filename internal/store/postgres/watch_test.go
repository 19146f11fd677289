package postgres

import (
	"context"
	"net"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// The pool also closes connections that the watch has cut; a node that stops at that moment has not failed.
func TestClosingACutConnectionIsNoFailure(t *testing.T) {
	t.Parallel()
	config, err := pgx.ParseConfig("postgres://user@127.0.0.1/none")
	require.NoError(t, err)
	here, there := net.Pipe()
	defer func() { require.NoError(t, there.Close()) }()
	// A pipe may be closed twice; a socket may not.
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) { return &onceClosed{Conn: here}, nil }
	w := newConnWatch(config)
	conn, err := config.DialFunc(t.Context(), "tcp", "")
	require.NoError(t, err)
	w.cut()
	require.NoError(t, conn.Close())
	w.heal()
	conn, err = config.DialFunc(t.Context(), "tcp", "")
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}

type onceClosed struct {
	net.Conn
	closed bool
}

func (c *onceClosed) Close() error {
	if c.closed {
		return net.ErrClosed
	}
	c.closed = true
	return c.Conn.Close()
}
