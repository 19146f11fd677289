package doctor

import "golang.org/x/sys/windows"

// freeBytes returns the free space of the disk that a folder is on.
func freeBytes(dir string) (free uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	return free, windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
}
