//go:build linux || darwin || freebsd || netbsd || openbsd

package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// sharedMemory is SQLite's WAL index, to be looked at only. It stays mapped for
// as long as anybody can look: a late request may do so while the store closes.
type sharedMemory struct {
	file *os.File
	data []byte
}

// openSharedMemory maps the WAL index of a database that is open; nil where there is none.
func openSharedMemory(database string) (*sharedMemory, error) {
	file, err := os.Open(database + "-shm") //nolint:gosec // the operator named the folder
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // the caller has another way
	}
	if err != nil {
		return nil, fmt.Errorf("look at the database's shared memory: %w", err)
	}
	data, err := syscall.Mmap(int(file.Fd()), 0, savedPlace+4, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("look at the database's shared memory: %w", errors.Join(err, file.Close()))
	}
	m := &sharedMemory{file, data}
	runtime.AddCleanup(m, func(data []byte) { _ = syscall.Munmap(data) }, data) // cannot fail: it was mapped
	return m, nil
}

// header reads while others write. A mixture of two headers is harmless: its
// checksums fit neither, so it equals no version that anything was cached under
// and that is over. Writers write the copy that is read here last.
func (m *sharedMemory) header() (h walHeader) {
	words := (*[len(h)]atomic.Uint64)(unsafe.Pointer(unsafe.SliceData(m.data))) //nolint:gosec // of just that size
	for i := range words {
		h[i] = words[i].Load()
	}
	runtime.KeepAlive(m)
	return h
}

// commits is a counter that each commit adds one to.
func (h walHeader) commits() uint32 {
	var second [8]byte
	binary.NativeEndian.PutUint64(second[:], h[1])
	return binary.NativeEndian.Uint32(second[:4])
}

// Where the first header has the log's length, and what follows the two headers:
// how much of the log is in the database already. Both in frames.
const (
	lengthPlace = 16
	savedPlace  = 96
)

// log tells how long the log is and how much of it is in the database already, in pages.
func (m *sharedMemory) log() (length, saved uint32) {
	length = atomic.LoadUint32((*uint32)(unsafe.Pointer(&m.data[lengthPlace]))) //nolint:gosec // aligned, within the mapping
	saved = atomic.LoadUint32((*uint32)(unsafe.Pointer(&m.data[savedPlace])))   //nolint:gosec // the same
	runtime.KeepAlive(m)
	return length, saved
}

func (m *sharedMemory) close() error {
	if err := m.file.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}
