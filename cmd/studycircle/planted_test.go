//go:build linux

package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"studycircle/internal/testpg"
	"studycircle/internal/testproxy"
)

// The functions of this file prepare the faults of TestFaultsOfTheSurroundings.

func fullDisk(t *testing.T) surroundings {
	t.Helper()
	disk := shared(t, "disk")
	require.NoError(t, os.Mkdir(disk, 0o700))
	if !mountMemory(t, disk, "size=8m") {
		around := boundedFiles(t)
		around.says = refusing
		return around
	}
	filling := filepath.Join(disk, "filling")
	return surroundings{
		flags: []string{"--data", filepath.Join(disk, "data")},
		begin: func(t *testing.T) {
			t.Helper()
			f, err := os.Create(filling)
			require.NoError(t, err)
			for err == nil {
				_, err = f.Write(make([]byte, os.Getpagesize()))
			}
			require.ErrorIs(t, err, syscall.ENOSPC)
			require.NoError(t, f.Close())
		},
		end: func(t *testing.T) { t.Helper(); require.NoError(t, os.Remove(filling)) },
	}
}

// boundedFiles is a disk that refuses writes for another reason than that it is full, as a quota does.
func boundedFiles(t *testing.T) surroundings {
	t.Helper()
	pid, bounded := 0, false
	limit := func(t *testing.T, bytes uint64) {
		t.Helper()
		require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil))
	}
	return surroundings{
		flags: []string{"--data", shared(t, "data")},
		began: func(p *running) {
			if pid = p.command.Process.Pid; bounded {
				limit(t, 0)
			}
		},
		begin: func(t *testing.T) {
			t.Helper()
			if bounded = true; pid != 0 { // 0 would be the test itself
				limit(t, 0)
			}
		},
		end: func(t *testing.T) { t.Helper(); limit(t, unix.RLIM_INFINITY) },
	}
}

func readOnlyDisk(t *testing.T) surroundings {
	t.Helper()
	data, good := shared(t, "data"), shared(t, "good")
	require.NoError(t, os.Mkdir(good, 0o700))
	return surroundings{
		flags: []string{"--data", data},
		begin: func(t *testing.T) {
			t.Helper()
			bad := shared(t, "bad")
			require.NoError(t, os.Mkdir(bad, 0o700))
			if !mountMemory(t, bad, "size=8m,ro") {
				bad = readOnlyMount(t)
			}
			require.NoError(t, os.Symlink(bad, data))
		},
		end: func(t *testing.T) {
			t.Helper()
			require.NoError(t, os.Symlink(good, data+".new"))
			require.NoError(t, os.Rename(data+".new", data))
		},
	}
}

func wrongPermissions(t *testing.T) surroundings {
	t.Helper()
	outer := shared(t, "outer")
	require.NoError(t, os.Mkdir(outer, 0o755))
	data := filepath.Join(outer, "data")
	require.NoError(t, os.Mkdir(data, 0o700))
	around := surroundings{
		flags: []string{"--data", data},
		begin: func(t *testing.T) { t.Helper(); require.NoError(t, os.Chmod(outer, 0)) },
		end:   func(t *testing.T) { t.Helper(); require.NoError(t, os.Chmod(outer, 0o755)) },
	}
	if os.Geteuid() == 0 { // whom no permissions bind
		const nobody = 65534
		around.user = &syscall.Credential{Uid: nobody, Gid: nobody}
		require.NoError(t, os.Chown(data, nobody, nobody))
	}
	t.Cleanup(func() { around.end(t) })
	return around
}

func otherWriter(t *testing.T) surroundings {
	t.Helper()
	data := shared(t, "data")
	var other *sql.DB
	return surroundings{
		flags: []string{"--data", data},
		begin: func(t *testing.T) {
			t.Helper()
			var err error
			other, err = sql.Open("sqlite", "file:"+filepath.Join(data, "studycircle.db"))
			require.NoError(t, err)
			other.SetMaxOpenConns(1)
			_, err = other.ExecContext(t.Context(), "PRAGMA busy_timeout = 60000")
			require.NoError(t, err)
			_, err = other.ExecContext(t.Context(), "BEGIN IMMEDIATE")
			require.NoError(t, err)
		},
		end: func(t *testing.T) { t.Helper(); require.NoError(t, other.Close()) },
	}
}

// clockBehind is a database whose last session was used years from now.
func clockBehind(t *testing.T) surroundings {
	t.Helper()
	data := shared(t, "data")
	p := surroundings{flags: []string{"--data", data}}.start(t)
	p.await(t, "/readyz", ok)
	require.Equal(t, created, p.register(t).status)
	require.NoError(t, p.command.Process.Signal(syscall.SIGTERM))
	<-p.ended
	set := func(t *testing.T, at time.Time) {
		t.Helper()
		d, err := sql.Open("sqlite", "file:"+filepath.Join(data, "studycircle.db")+"?_pragma=busy_timeout(60000)")
		require.NoError(t, err)
		_, err = d.ExecContext(t.Context(), "UPDATE sessions SET last_seen_at = ?", at.UnixMicro())
		require.NoError(t, err)
		require.NoError(t, d.Close())
	}
	return surroundings{
		flags: []string{"--data", data},
		begin: func(t *testing.T) { t.Helper(); set(t, time.Now().AddDate(3, 0, 0)) },
		end:   func(t *testing.T) { t.Helper(); set(t, time.Now()) },
	}
}

func noEmailServer(t *testing.T) surroundings {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	var arrived atomic.Int64
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go takeMail(c, &arrived)
		}
	}()
	line := newLine(t, "tcp", listener.Addr().String())
	before := int64(0)
	return surroundings{
		flags: []string{"--data", shared(t, "data"), "--smtp-url", "smtp://" + line.Address()},
		begin: func(t *testing.T) { t.Helper(); require.NoError(t, line.Cut()) },
		end:   func(t *testing.T) { t.Helper(); before = arrived.Load(); require.NoError(t, line.Mend()) },
		recovered: func(t *testing.T) {
			t.Helper()
			// That of the user who registered meanwhile, and of the one who did so since.
			require.Eventually(t, func() bool { return arrived.Load() >= before+2 }, time.Minute, 10*time.Millisecond, "%d", arrived.Load())
		},
	}
}

// takeMail speaks SMTP with a client and counts its emails.
func takeMail(c net.Conn, arrived *atomic.Int64) {
	defer func() { _ = c.Close() }() // of a client that has gone
	_, _ = fmt.Fprint(c, "220 here\r\n")
	inText := false
	for lines := bufio.NewScanner(c); lines.Scan(); {
		command, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " ")
		answer := "250 ok"
		switch {
		case inText && lines.Text() != ".":
			continue
		case inText:
			inText = false
			arrived.Add(1)
		case command == "EHLO":
			answer = "250-here\r\n250 8BITMIME"
		case command == "DATA":
			inText, answer = true, "354 go on"
		case command == "QUIT":
			answer = "221 bye"
		}
		_, _ = fmt.Fprint(c, answer+"\r\n") // the client notices if it does not arrive
	}
}

func newLine(t *testing.T, network, target string) *testproxy.Line {
	t.Helper()
	line, err := testproxy.NewLine(network, target)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, line.Cut()) })
	return line
}

// database returns the address of a new database, and of the same behind a line.
func database(t *testing.T) (plain, address string, line *testproxy.Line) {
	t.Helper()
	plain = testpg.DB(t)
	u, err := url.Parse(plain)
	require.NoError(t, err)
	line = newLine(t, "unix", filepath.Join(u.Query().Get("host"), ".s.PGSQL.5432"))
	u.Host, u.RawQuery = line.Address(), "sslmode=disable"
	return plain, u.String(), line
}

func noPostgres(t *testing.T) surroundings {
	t.Helper()
	_, address, line := database(t)
	return surroundings{
		flags: []string{"--data", shared(t, "data"), "--database", address},
		begin: func(t *testing.T) { t.Helper(); require.NoError(t, line.Cut()) },
		end:   func(t *testing.T) { t.Helper(); require.NoError(t, line.Mend()) },
	}
}

func readOnlyPostgres(t *testing.T) surroundings {
	t.Helper()
	plain, address, _ := database(t)
	set := func(t *testing.T, on string) {
		t.Helper()
		c, err := pgx.Connect(t.Context(), plain)
		require.NoError(t, err)
		for _, statement := range []string{
			"SET default_transaction_read_only = off",
			"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = " + on + "', current_database()); END $$",
			// Existing connections keep their setting.
			"SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
		} {
			_, err := c.Exec(t.Context(), statement)
			require.NoError(t, err)
		}
		require.NoError(t, c.Close(context.WithoutCancel(t.Context())))
	}
	return surroundings{
		flags: []string{"--data", shared(t, "data"), "--database", address},
		begin: func(t *testing.T) { t.Helper(); set(t, "on") },
		end:   func(t *testing.T) { t.Helper(); set(t, "off") },
	}
}
