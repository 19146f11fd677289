package nodetest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// processors returns a clock of the processor time of this process and, on PostgreSQL, of
// the database's processes.
func (n *node) processors(b *testing.B) func() time.Duration {
	b.Helper()
	if n.database.URL == "" {
		return func() time.Duration { b.Helper(); return processorTime(b) }
	}
	conn, err := pgx.Connect(b.Context(), n.database.URL)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(b.Context())) }()
	var backend int
	require.NoError(b, conn.QueryRow(b.Context(), "SELECT pg_backend_pid()").Scan(&backend))
	stat, found := processStat(fmt.Sprintf("/proc/%d/stat", backend))
	require.True(b, found)
	server := stat.parent
	return func() time.Duration {
		b.Helper()
		files, err := filepath.Glob("/proc/[0-9]*/stat")
		require.NoError(b, err)
		total := processorTime(b)
		for _, file := range files {
			p, found := processStat(file)
			switch {
			case !found: // it has ended: its parent counts its time
			case p.id == server:
				total += p.own + p.ended
			case p.parent == server:
				total += p.own
			}
		}
		return total
	}
}

// process holds Linux's figures of a process.
type process struct {
	id, parent int
	own, ended time.Duration // its processor time, and that of its children that have ended
}

// processStat reads proc_pid_stat(5).
func processStat(file string) (p process, found bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return p, false
	}
	id, rest, _ := strings.Cut(string(text), " (")
	_, rest, _ = strings.Cut(rest[strings.LastIndex(rest, ")"):], " ")
	var state string
	var skip, user, system, endedUser, endedSystem int64
	_, err = fmt.Sscan(rest, &state, &p.parent, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip, &user, &system, &endedUser, &endedSystem)
	if err != nil {
		return p, false
	}
	p.id, err = strconv.Atoi(id)
	const tick = 10 * time.Millisecond // sysconf(_SC_CLK_TCK) is 100
	p.own, p.ended = time.Duration(user+system)*tick, time.Duration(endedUser+endedSystem)*tick
	return p, err == nil
}
