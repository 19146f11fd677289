package doctor

import (
	"golang.org/x/sys/windows"

	"studycircle"
)

// spaceOf returns the space of the disk that a folder is on.
func spaceOf(dir string) (studycircle.Disk, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return studycircle.Disk{}, err
	}
	var free, total, unused uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, &total, &unused); err != nil {
		return studycircle.Disk{}, err
	}
	return studycircle.Disk{Free: free, Used: total - unused}, nil
}
