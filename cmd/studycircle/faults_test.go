//go:build linux

package main

import (
	"cmp"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fault is something that a server depends on and that stops working.
type fault struct {
	name string
	// at prepares what the fault needs, and returns the server's surroundings.
	at func(t *testing.T) surroundings
	// atStart is set if the fault is there before the server starts.
	atStart bool
	// says is the one line of the log that says what is wrong and what to do.
	says string
	// write and read are the statuses of a write, of a read and of a page meanwhile; 0 stands for an exit with says as
	// the last line.
	write, read, page int
}

// refusing is the line about a disk that refuses writes although it is not full.
const refusing = `level=ERROR msg="the database does not work" wrong="the disk of the database refuses reads or writes" do="Look at the disk of \S+ in the system's log, and at quotas and limits of file sizes; the server continues by itself\."`

const (
	created = http.StatusCreated
	ok      = http.StatusOK
	away    = http.StatusServiceUnavailable
)

// Faults that a test of its own covers: a removed file (TestRemovedAndOverwrittenDatabases), a stuck disk
// (TestPingReportsThatWritesFail), a PostgreSQL that is frozen (TestFrozenPostgresIsUnavailableAndHeals), and a clock that
// jumps while the server runs (TestClockJumps, TestSessionsOutliveSmallJumps, TestLimitsForgetTheFuture). Linux makes no
// disk read-only on which a file is open for writing.
var faults = []fault{
	{"full disk", fullDisk, false, `level=ERROR msg="the database does not work" wrong="the disk of the database is full" do="Free space for \S+; the server continues by itself\."`, away, ok, ok},
	{"full disk", fullDisk, true, `level=ERROR msg="the database does not work" wrong="the disk of the database is full" do="Free space for \S+; the server continues by itself\."`, away, away, away},
	{"bounded files", boundedFiles, false, refusing, away, ok, ok},
	{"read-only disk", readOnlyDisk, true, `level=ERROR msg="the database does not work" wrong="the disk of the database is read-only" do="Mount the disk of \S+ for writing, or correct --data; the server continues by itself\."`, away, away, away},
	{"wrong permissions", wrongPermissions, false, `level=ERROR msg="the database does not work" wrong="the server's user may not use the data folder" do="Let user \d+ read and write \S+ and the files in it \(chown, chmod\), or correct --data\."`, away, ok, ok},
	{"wrong permissions", wrongPermissions, true, `studycircle: the server's user may not use the data folder \(.+\)\. Let user \d+ read and write \S+ and the files in it \(chown, chmod\), or correct --data\.`, 0, 0, 0},
	{"another program that writes", otherWriter, false, `level=ERROR msg="the database does not work" wrong="another program writes to the database for long" do="Wait for it, for example studycircle import, or end it: it has open \S+/studycircle\.db\. The server continues by itself\."`, away, ok, ok},
	{"clock years behind", clockBehind, true, `level=WARN msg="a check has failed" check=clock wrong="It is \S+Z, and a session was used at 2\d{3}-\S+Z\." do="Synchronize the clock, for example with systemd-timesyncd: due dates and sessions depend on it\."`, created, ok, ok},
	{"no email server", noEmailServer, true, `level=WARN msg="a check has failed" check=mail wrong="the email server could not be used: connection, TLS or password" do="Start the email server, let this machine reach it, or correct --smtp-url\. Then try studycircle testmail\."`, created, ok, ok},
	{"no email server", noEmailServer, false, `level=WARN msg="email not sent yet; will retry" kind=\S+ attempts=1 error="the email server could not be used: connection, TLS or password" do="Start the email server, let this machine reach it, or correct --smtp-url\. Then try studycircle testmail\."`, created, ok, ok},
	{"no PostgreSQL", noPostgres, true, `level=ERROR msg="the database does not work" wrong="PostgreSQL does not answer" do="Start PostgreSQL, let this machine reach it, or correct --database; the server continues by itself\."`, away, away, away},
	{"no PostgreSQL", noPostgres, false, `level=ERROR msg="the database does not work" wrong="PostgreSQL does not answer" do="Start PostgreSQL, let this machine reach it, or correct --database; the server continues by itself\."`, away, away, ok},
	{"read-only PostgreSQL", readOnlyPostgres, false, `level=ERROR msg="the database does not work" wrong="PostgreSQL is read-only" do="Promote the standby, or name the primary in --database; the server continues by itself\."`, away, ok, ok},
}

// The server says in one line what is wrong and what to do, refuses with 503 what it cannot keep, goes on reading, and
// recovers without a restart.
func TestFaultsOfTheSurroundings(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		when := " later"
		if f.atStart {
			when = " at start"
		}
		t.Run(f.name+when, func(t *testing.T) {
			t.Parallel()
			f.check(t)
		})
	}
}

func (f fault) check(t *testing.T) {
	t.Helper()
	around := f.at(t)
	if f.atStart {
		around.begin(t)
	}
	p := around.start(t)
	if f.write == 0 {
		<-p.ended
		lines := strings.Split(strings.TrimSpace(p.log.String()), "\n")
		require.Regexp(t, "^"+f.says+"$", lines[len(lines)-1])
		require.Equal(t, 1, p.command.ProcessState.ExitCode())
		return
	}
	p.await(t, "/livez", ok)
	if !f.atStart {
		p.await(t, "/readyz", ok)
		require.Equal(t, created, p.register(t).status)
		around.begin(t)
	}
	got := p.register(t)
	for range 100 { // on a full disk, writes succeed that fit into the space that the log has already
		if f.write != away || got.status != created {
			break
		}
		got = p.register(t)
	}
	require.Equal(t, f.write, got.status, "%s\n%s", got.text, p.log.String())
	if f.write == away {
		require.Equal(t, "application/problem+json", got.header.Get("Content-Type"))
		require.Contains(t, got.text, `"code":"unavailable"`)
		require.NotEmpty(t, got.header.Get("Retry-After"))
	}
	require.Equal(t, f.read, p.get(t, "/api/assignments").status)
	require.Equal(t, f.page, p.get(t, "/").status)
	line := cmp.Or(around.says, f.says)
	says := regexp.MustCompile(`(?m)^time=\S+ ` + line)
	require.Eventually(t, func() bool { return says.MatchString(p.log.String()) }, time.Minute, 10*time.Millisecond, "%s\n%s", line, p.log)
	around.end(t)
	p.await(t, "/readyz", ok)
	require.Eventually(t, func() bool { return p.register(t).status == created }, time.Minute, 50*time.Millisecond)
	if around.recovered != nil {
		around.recovered(t)
	}
	if f.write == away && !f.atStart {
		require.Eventually(t, func() bool { return strings.Contains(p.log.String(), `level=INFO msg="the database works again"`) }, time.Minute, 10*time.Millisecond)
	}
	require.Len(t, says.FindAllString(p.log.String(), -1), 1, "one line, however many requests failed")
}

// Two servers on one folder are not a fault: each answers with what the other has written. One that is opening the
// database delays another, which says so.
func TestTwoServersOnOneFolder(t *testing.T) {
	t.Parallel()
	dir := shared(t, "data")
	around := surroundings{flags: []string{"--data", dir}}
	first := around.start(t)
	first.await(t, "/readyz", ok)
	release := lockFolder(t, dir)
	second := around.start(t)
	require.Eventually(t, func() bool {
		return strings.Contains(second.log.String(), `level=INFO msg="another program is opening the database: waiting for it" folder=`+dir)
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, created, first.register(t).status)
	release()
	second.await(t, "/readyz", ok)
	for _, pair := range [][2]*running{{first, second}, {second, first}} {
		title := pair[0].publish(t)
		require.Contains(t, pair[1].get(t, "/api/assignments").text, title)
	}
}

// A server that is told to stop while it waits for its database or its folder stops as any other does.
func TestWaitingServersStop(t *testing.T) {
	t.Parallel()
	for name, waiting := range map[string]struct {
		plant func(t *testing.T) surroundings
		says  string
	}{
		"PostgreSQL": {noPostgres, "PostgreSQL does not answer"},
		"folder": {func(t *testing.T) surroundings {
			t.Helper()
			dir := shared(t, "data")
			require.NoError(t, os.MkdirAll(dir, 0o750))
			return surroundings{flags: []string{"--data", dir}, begin: func(t *testing.T) { t.Helper(); t.Cleanup(lockFolder(t, dir)) }}
		}, "another program is opening the database: waiting for it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			around := waiting.plant(t)
			around.begin(t)
			p := around.start(t)
			require.Eventually(t, func() bool { return strings.Contains(p.log.String(), waiting.says) }, time.Minute, 10*time.Millisecond)
			require.NoError(t, p.command.Process.Signal(syscall.SIGTERM))
			<-p.ended
			require.Zero(t, p.command.ProcessState.ExitCode(), p.log.String())
		})
	}
}
