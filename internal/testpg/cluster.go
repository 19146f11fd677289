package testpg

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	superuser     = "postgres"
	emptyTemplate = "template1"

	// patience is how long a server may take to answer on a busy machine.
	patience = 60 * time.Second
)

// settings make tests quick. They change no query's answer, only durability in a crash of the machine, and renew the
// statistics of tables that a test fills in seconds.
var settings = []string{
	"autovacuum_naptime=5s",
	"fsync=off",
	"full_page_writes=off",
	"max_wal_size=256MB",
	"max_connections=300",
	"listen_addresses=",
}

// supervise runs the server until standard input ends: when Stop closes it, or when the
// test process dies of any signal. It then kills the server, frozen or not, and removes
// the folder. A dead test process reads no messages, hence the trap.
const supervise = `dir=$1; shift
trap '' PIPE
exec 3<&0
"$@" </dev/null 3<&- & server=$!
{ read -r _ <&3; kill -QUIT $server; kill -CONT $server; } & watch=$!
wait $server
kill $watch 2>/dev/null
cd / && rm -rf "$dir"`

// Cluster is a running PostgreSQL server with its own folder.
type Cluster struct {
	dir       string
	databases atomic.Int64

	// lifeline is the supervisor's standard input. ended is closed when the supervisor is
	// gone; log may be read after that.
	lifeline *os.File
	ended    chan struct{}
	log      bytes.Buffer
}

// Start starts a new cluster and returns when it accepts connections, about a second
// later. extra are further server settings ("fsync=on"), which override those of this
// package. The cluster lives until Stop, or until the process ends.
func Start(extra ...string) (*Cluster, error) { return StartIn(roomyDir(), extra...) }

// StartIn is Start with the cluster's folder inside parent, usually on a disk: Start
// prefers memory, where commits do not wait.
func StartIn(parent string, extra ...string) (*Cluster, error) {
	bin, err := findServer(serverBins)
	if err != nil {
		return nil, err
	}
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	dir, err := owner.makeDir(parent)
	if err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	c := &Cluster{dir: dir, ended: make(chan struct{})}
	if err := c.initialize(bin, owner); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := c.launch(bin, owner, extra); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := c.awaitReady(); err != nil {
		return nil, errors.Join(fmt.Errorf("PostgreSQL does not answer: %w", err), c.Stop(), errors.New(c.log.String()))
	}
	return c, nil
}

func (c *Cluster) data() string { return filepath.Join(c.dir, "data") }

// initialize creates the data folder with a linguistic collation, as most real servers
// have: SQL that relies on byte order without COLLATE fails here.
func (c *Cluster) initialize(bin string, owner account) error {
	initdb := owner.command(c.dir, filepath.Join(bin, "initdb"),
		"--pgdata", c.data(), "--username", superuser, "--auth", "trust", "--no-sync",
		"--encoding", "UTF8", "--locale", "C.UTF-8", "--locale-provider", "icu", "--icu-locale", "en")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (c *Cluster) launch(bin string, owner account, extra []string) error {
	args := []string{"-c", supervise, "sh", c.dir, filepath.Join(bin, "postgres"), "-D", c.data(), "-k", c.dir}
	for _, setting := range slices.Concat(settings, extra) {
		args = append(args, "-c", setting)
	}
	stdin, lifeline, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := owner.command(c.dir, "/bin/sh", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &c.log, &c.log
	err = cmd.Start()
	if err := errors.Join(err, stdin.Close()); err != nil {
		return errors.Join(fmt.Errorf("start PostgreSQL: %w", err), lifeline.Close())
	}
	c.lifeline = lifeline
	go func() {
		defer close(c.ended)
		_ = cmd.Wait() // the log tells more than the exit code
	}()
	return nil
}

func (c *Cluster) awaitReady() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.URL(emptyTemplate))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-c.ended:
			return err
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Stop ends the server at once, connections and all, and returns when its
// folder is gone. Stopping twice does no harm.
func (c *Cluster) Stop() error {
	if err := c.lifeline.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	<-c.ended
	if _, err := os.Stat(c.dir); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("PostgreSQL left %s behind:\n%s", c.dir, c.log.String())
	}
	return nil
}

// deadlock returns an error with the first deadlock in the stopped server's log, and its
// statements.
func (c *Cluster) deadlock() error {
	_, found, dead := strings.Cut(c.log.String(), "deadlock detected")
	if !dead {
		return nil
	}
	lines := strings.SplitN(found, "\n", 12)
	return fmt.Errorf("PostgreSQL found a deadlock:%s", strings.Join(lines[:min(len(lines), 11)], "\n"))
}

// URL returns the address of one of the cluster's databases, for its superuser.
func (c *Cluster) URL(database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User(superuser),
		Path:     "/" + database,
		RawQuery: url.Values{"host": {c.dir}, "sslmode": {"disable"}}.Encode(),
	}
	return u.String()
}

// Create creates a database as a copy of another without connections, and returns its
// name.
func (c *Cluster) Create(template string) (string, error) {
	name := "test_" + strconv.FormatInt(c.databases.Add(1), 10)
	sql := "CREATE DATABASE " + pgx.Identifier{name}.Sanitize() +
		" TEMPLATE " + pgx.Identifier{template}.Sanitize()
	return name, c.exec(sql)
}

// Drop removes a database and ends the connections to it.
func (c *Cluster) Drop(name string) error {
	return c.exec("DROP DATABASE " + pgx.Identifier{name}.Sanitize() + " WITH (FORCE)")
}

func (c *Cluster) exec(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, sql)
	return errors.Join(err, conn.Close(ctx))
}
