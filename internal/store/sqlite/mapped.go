package sqlite

import (
	"fmt"
	"runtime/debug"

	"zombiezen.com/go/sqlite"
)

// Readers map the file, which saves a system call and a copy for each page and
// keeps pages out of the program's own memory. An error of the disk then comes as
// a fault of memory.

// mapFile has a connection map two gigabytes, which is the most that SQLite does.
const mapFile = "PRAGMA mmap_size = 2147418112"

// guard runs f. Where the disk cannot give a page that is mapped, f ends with an
// error like that of any other read, and the connection is opened anew.
func (c *conn) guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, is := p.(interface {
			error
			Addr() uintptr
		})
		if !is {
			panic(p)
		}
		c.drop(fault)
		err = fmt.Errorf("a page of the embedded database: %w", sqlite.ResultIOErrRead.ToError())
	}()
	return f()
}
