// Package book carries the documentation, built as a site, inside the binary.
// It knows nothing of HTTP: the server decides how it is served.
package book

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist is the result of `make book`, rooted at its top folder. Before that it holds only a placeholder.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("book: the embedded folder has a fixed name: " + err.Error())
	}
	return sub
}
