package sqlite

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	"zombiezen.com/go/sqlite"
)

// Reading connections map the file into memory: SQLite then uses the kernel's pages without copying or caching them.
//
// If the disk cannot read a mapped page, the access is a memory fault instead of an error. guard turns the fault into
// an error. SQLite was interrupted at an arbitrary point, so the connection is abandoned: it is neither used nor
// closed again. Its memory, and its lock on the log, stay until the process ends; the log grows meanwhile. From then
// on connections do not map the file, and further faults of the disk are errors.

// mapFile maps up to two gigabytes, which is SQLite's bound. Pages beyond are read.
const mapFile = "PRAGMA mmap_size = 2147418112"

// guard runs f, which reads through c. It returns an error if a mapped page cannot be
// read.
func (c *conn) guard(d *DB, f func() error) (err error) {
	if !c.mapped {
		return f()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		fault, isFault := cause.(interface {
			error
			Addr() uintptr
		})
		if !isFault {
			panic(cause)
		}
		d.unmapped.Store(true)
		slog.Error("the disk failed to read a page of the embedded database; its log grows until a restart", "error", fault)
		c.raw, c.mapped, c.snapshot = nil, false, snapshot{}
		err = fmt.Errorf("read a page of the embedded database: %w", sqlite.ResultIOErrRead.ToError())
	}()
	return f()
}
