package store

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"studycircle/internal/testpg"
)

// square asks PostgreSQL for n × n.
func square(n int, out *int) postgresQuery {
	return postgresQuery{"SELECT CAST($1 AS INT) * $1", []any{n}, func(rows pgx.Rows) error {
		for rows.Next() {
			if err := rows.Scan(out); err != nil {
				return err
			}
		}
		return rows.Err()
	}}
}

// Many ask at once: each gets the answer to their own question, what PostgreSQL
// refuses takes no other along, and who has left is not waited for.
func TestReadersAnswerEachTheirOwn(t *testing.T) {
	t.Parallel()
	r := newReaders(testConfig(t))
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for round := range 20 {
				n := i*100 + round
				var got int
				switch round % 4 {
				case 1:
					refused := square(n, &got)
					refused.text = "SELECT 1 / ($1 - CAST($1 AS INT))"
					if err := r.query(t.Context(), refused); err == nil || isUnavailable(err) {
						t.Errorf("%d: %v", n, err)
					}
				case 2:
					ctx, leave := context.WithCancel(t.Context())
					leave()
					if err := r.query(ctx, square(n, new(int))); err == nil {
						continue // it had been asked already
					} else if !errors.Is(err, context.Canceled) {
						t.Errorf("%d: %v", n, err)
					}
				default:
					if err := r.query(t.Context(), square(n, &got)); err != nil || got != n*n {
						t.Errorf("%d: %d, %v", n, got, err)
					}
				}
			}
		})
	}
	all.Wait()
	require.NoError(t, r.close())
	require.ErrorIs(t, r.query(t.Context(), square(1, new(int))), errClosed)
}

// Connections that PostgreSQL has ended since they were last used are made anew,
// and nobody gets to know.
func TestReadersConnectAgain(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	r := newReaders(config)
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	for range 5 {
		var all sync.WaitGroup
		for n := range 32 {
			all.Go(func() {
				var got int
				if err := r.query(t.Context(), square(n, &got)); err != nil || got != n*n {
					t.Errorf("%d: %d, %v", n, got, err)
				}
			})
		}
		all.Wait()
		var ended int
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT COUNT(*) FILTER (WHERE pg_terminate_backend(pid))
			FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&ended))
		require.Positive(t, ended)
	}
	require.NoError(t, r.close())
	require.NoError(t, conn.Close(t.Context()))
}

// A connection that goes away in the middle of an answer is the database's trouble,
// whatever pgx says of it.
func TestLostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	dial := config.DialFunc
	var cut atomic.Bool
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return cuttable{conn, &cut}, err
	}
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	batch := &pgx.Batch{}
	batch.Queue("SELECT 1")
	require.NoError(t, sendBatch(t.Context(), conn, batch))
	cut.Store(true)
	err = sendBatch(t.Context(), conn, batch)
	require.ErrorIs(t, err, errStrange)
	require.True(t, isUnavailable(err))
}

var errStrange = errors.New("in other words")

// cuttable is a connection that can be lost.
type cuttable struct {
	net.Conn
	cut *atomic.Bool
}

func (c cuttable) Read(p []byte) (int, error) {
	if c.cut.Load() {
		return 0, errStrange
	}
	return c.Conn.Read(p)
}

func testConfig(t *testing.T) *pgx.ConnConfig {
	t.Helper()
	config, err := parsePostgres(testpg.DB(t))
	require.NoError(t, err)
	return config
}
