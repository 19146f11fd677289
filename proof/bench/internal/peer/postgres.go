package peer

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"studycircle/proof/bench/internal/proc"
)

// settings follow PostgreSQL's manual (sections 20.4, 20.5 and 20.7) for a dedicated machine:
// memory for its cache, log space between checkpoints, and the cost of a random read without
// seeks. Durability settings keep their defaults.
func settings() []string {
	quarter := min(proc.ThisMachine().Memory/4, 4<<30) >> 20
	return []string{
		fmt.Sprintf("shared_buffers=%dMB", quarter), fmt.Sprintf("effective_cache_size=%dMB", 2*quarter),
		"max_wal_size=4GB", "checkpoint_completion_target=0.9", "random_page_cost=1.1", "max_connections=100",
		"listen_addresses=",
	}
}

// cluster is a private PostgreSQL server.
type cluster struct {
	socket  string // its folder
	process *proc.Process
}

func (c cluster) url() string {
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres",
		RawQuery: url.Values{"host": {c.socket}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

func (c cluster) stop() error { return errors.Join(c.process.Stop(), os.RemoveAll(c.socket)) }

// startCluster starts the server on dir/pg, which it creates if missing.
func startCluster(ctx context.Context, dir string) (c cluster, err error) {
	bin, err := newestServer()
	if err != nil {
		return c, err
	}
	owner, err := serverOwner()
	if err != nil {
		return c, err
	}
	data := filepath.Join(dir, "pg")
	if _, err := os.Stat(filepath.Join(data, "PG_VERSION")); err != nil {
		if err := owner.mkdir(data); err != nil {
			return c, err
		}
		initdb := owner.command(ctx, data, filepath.Join(bin, "initdb"), "--pgdata", data, "--username", "postgres", "--auth",
			"trust", "--encoding", "UTF8", "--locale", "C.UTF-8")
		if out, err := initdb.CombinedOutput(); err != nil {
			return c, fmt.Errorf("initdb: %w\n%s", err, out)
		}
	}
	if c.socket, err = os.MkdirTemp("", "bench-pg-"); err != nil {
		return c, err
	}
	if err := owner.own(c.socket); err != nil {
		return c, err
	}
	args := []string{"-D", data, "-k", c.socket}
	for _, setting := range settings() {
		args = append(args, "-c", setting)
	}
	// SIGINT is PostgreSQL's fast shutdown.
	if c.process, err = proc.Start(
		owner.command(ctx, data, filepath.Join(bin, "postgres"), args...), syscall.SIGINT,
	); err != nil {
		return c, err
	}
	for deadline := time.Now().Add(startPatience); ; {
		ready := owner.command(ctx, data, filepath.Join(bin, "pg_isready"), "-q", "-h", c.socket)
		if ready.Run() == nil {
			return c, nil
		}
		select {
		case <-c.process.Ended():
			return c, errors.Join(fmt.Errorf("PostgreSQL ended:\n%s", c.process.Output()), os.RemoveAll(c.socket))
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return c, errors.Join(fmt.Errorf("PostgreSQL does not answer:\n%s", c.process.Output()), c.stop())
		}
	}
}

// analyze leaves the database as its background tasks would after a while.
func (c cluster) analyze(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "psql", "-X", "-q", "-c", "VACUUM ANALYZE", c.url()).CombinedOutput()
	if err != nil {
		return fmt.Errorf("VACUUM ANALYZE: %w\n%s", err, out)
	}
	return nil
}

// newestServer returns the folder of the newest major version's programs in Debian.
func newestServer() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil || len(found) == 0 {
		return "", errors.Join(err, errors.New("PostgreSQL is not installed; run make bench-packages"))
	}
	version := func(name string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(name))))
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(found[len(found)-1]), nil
}

// owner returns the user that runs PostgreSQL, which refuses root; nil means the current user.
type owner struct{ credential *syscall.Credential }

func serverOwner() (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return owner{}, err
	}
	uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
	gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
	return owner{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, errors.Join(errUID, errGID)
}

func (o owner) command(ctx context.Context, dir, name string, args ...string) *exec.Cmd {
	cmd := command(ctx, name, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: o.credential}
	return cmd
}

func (o owner) mkdir(dir string) error {
	return errors.Join(os.MkdirAll(dir, 0o700), o.own(dir))
}

func (o owner) own(name string) error {
	if o.credential == nil {
		return nil
	}
	return os.Chown(name, int(o.credential.Uid), int(o.credential.Gid))
}
