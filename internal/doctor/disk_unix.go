//go:build unix

package doctor

import (
	"golang.org/x/sys/unix"

	"studycircle"
)

// spaceOf returns the space of the disk that a folder is on. Free is for users other than root.
func spaceOf(dir string) (studycircle.Disk, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return studycircle.Disk{}, err
	}
	block := uint64(fs.Bsize) //nolint:gosec // signed on some systems
	return studycircle.Disk{Free: fs.Bavail * block, Used: (fs.Blocks - fs.Bfree) * block}, nil
}
