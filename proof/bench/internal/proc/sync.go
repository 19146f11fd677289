package proc

import (
	"os"
	"syscall"
)

func fdatasync(file *os.File) error {
	for {
		if err := syscall.Fdatasync(int(file.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
