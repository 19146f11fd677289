package testpg

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle/internal/testengine"
)

// A process that is not frozen would answer its one client.
func TestFreezeStopsEveryProcess(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	c, err := Start()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, c.Stop()) })
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(text), "\n")

	ctx, stop := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for ctx.Err() == nil {
				if conn, err := pgx.Connect(ctx, c.URL("postgres")); err == nil {
					_ = conn.Close(ctx) // or it ended while the server was frozen
				}
			}
		})
	}
	for range 100 {
		require.NoError(t, c.Freeze())
		processes, err := children(first)
		require.NoError(t, err)
		require.NotEmpty(t, processes)
		for _, p := range processes {
			require.Eventually(t, func() bool {
				state, _, err := status(p)
				return err != nil || state == "T" || state == "Z" // or it had ended
			}, patience, time.Millisecond)
		}
		require.NoError(t, c.Thaw())
		conn, err := pgx.Connect(t.Context(), c.URL("postgres"))
		require.NoError(t, err)
		require.NoError(t, conn.Close(t.Context()))
	}
	stop()
	clients.Wait()
}

func TestFrozenServerIsStopped(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	c, err := Start()
	require.NoError(t, err)
	require.NoError(t, c.Freeze())
	require.NoError(t, c.Stop())
	require.NoDirExists(t, c.dir)
}
