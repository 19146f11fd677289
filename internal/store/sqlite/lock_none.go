//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package sqlite

import "context"

// lockDir does not lock on this system: start programs one by one.
func lockDir(context.Context, string) (unlock func() error, err error) {
	return func() error { return nil }, nil
}

// writable leaves it to SQLite to find out.
func writable(string) error { return nil }
