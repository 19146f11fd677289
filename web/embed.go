// Package web carries the built browser application inside the binary.
// It knows nothing of HTTP: the server decides what is served where and with which headers.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist is the result of `npm run build`, rooted at its top folder. Before the first build it holds
// only a placeholder, so that the Go packages compile without Node.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic("web: the embedded folder has a fixed name: " + err.Error())
	}
	return sub
}
