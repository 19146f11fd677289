package testpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// Base is a base backup of a cluster.
type Base struct {
	dir   string
	bin   string
	owner account
}

// BaseBackup copies the files of c by pg_basebackup, also under writers.
func (c *Cluster) BaseBackup() (*Base, error) {
	bin, err := findServer(serverBins)
	if err != nil {
		return nil, err
	}
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	dir, err := owner.makeDir(filepath.Dir(c.dir))
	if err != nil {
		return nil, fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	copied := owner.command(dir, filepath.Join(bin, "pg_basebackup"), "--pgdata", filepath.Join(dir, "data"), "--host",
		c.dir, "--username", superuser, "--checkpoint", "fast", "--wal-method", "stream", "--no-sync")
	if out, err := copied.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("pg_basebackup: %w\n%s", err, out), os.RemoveAll(dir))
	}
	return &Base{dir, bin, owner}, nil
}

// Recover starts a server on the backup, once, and returns when it accepts writes. extra are further settings, which
// name an archive and perhaps a target.
func (b *Base) Recover(extra ...string) (*Cluster, error) {
	c := &Cluster{dir: b.dir, ended: make(chan struct{})}
	signal := filepath.Join(c.data(), "recovery.signal")
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		return nil, err
	}
	if b.owner.credential != nil {
		if err := os.Chown(signal, int(b.owner.credential.Uid), int(b.owner.credential.Gid)); err != nil {
			return nil, err
		}
	}
	// The archive of the lost server stays as it is.
	if err := c.launch(b.bin, b.owner, append([]string{"archive_mode=off"}, extra...)); err != nil {
		return nil, err
	}
	if err := c.awaitReady(); err != nil {
		return nil, errors.Join(
			fmt.Errorf("the recovered PostgreSQL does not answer: %w", err), c.Stop(), errors.New(c.log.String()),
		)
	}
	if err := c.awaitPromoted(); err != nil {
		return nil, errors.Join(err, c.Stop(), errors.New(c.log.String()))
	}
	return c, nil
}

// Remove removes the backup. A server on it must have ended.
func (b *Base) Remove() error { return os.RemoveAll(b.dir) }

// awaitPromoted waits for the end of recovery.
func (c *Cluster) awaitPromoted() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.URL(emptyTemplate))
	if err != nil {
		return err
	}
	for recovering := true; err == nil && recovering; {
		err = conn.QueryRow(ctx, "SELECT pg_is_in_recovery()").Scan(&recovering)
	}
	return errors.Join(err, conn.Close(ctx))
}
