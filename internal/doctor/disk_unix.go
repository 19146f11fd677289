//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeBytes returns the free space of the disk that a folder is on, for users other than root.
func freeBytes(dir string) (uint64, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return 0, err
	}
	return fs.Bavail * uint64(fs.Bsize), nil //nolint:gosec // signed on some systems
}
