//go:build linux || darwin || freebsd || netbsd || openbsd

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lockEvery is the time between two attempts to lock the folder.
const lockEvery = 50 * time.Millisecond

// lockDir waits for its turn to open the embedded database in dir: SQLite does not serialize the switch to the
// write-ahead log and the first migrations. The lock ends with the program, however it ends.
func lockDir(ctx context.Context, dir string) (unlock func() error, err error) {
	d, err := os.Open(dir) //nolint:gosec // the operator named the folder
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	for said := false; ; {
		err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			break
		}
		if !said {
			slog.InfoContext(ctx, "another program is opening the database: waiting for it", "folder", dir)
			said = true
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), d.Close())
		case <-time.After(lockEvery):
		}
	}
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", errors.Join(err, d.Close()))
	}
	return d.Close, nil
}

// writable reports an error unless this process may write to a file or folder. It opens nothing: a process that closes
// a file loses SQLite's locks on it.
func writable(path string) error {
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK|unix.W_OK, unix.AT_EACCESS); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}
