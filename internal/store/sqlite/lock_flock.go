//go:build linux || darwin || freebsd || netbsd || openbsd

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockDir waits for its turn to open the embedded database in dir: SQLite does not serialize the switch to the
// write-ahead log and the first migrations. The lock ends with the program, however it ends.
func lockDir(dir string) (unlock func() error, err error) {
	d, err := os.Open(dir) //nolint:gosec // the operator named the folder
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	for {
		err = syscall.Flock(int(d.Fd()), syscall.LOCK_EX)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("lock the data directory: %w", errors.Join(err, d.Close()))
	}
	return d.Close, nil
}
