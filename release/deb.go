package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers the format
)

// packages makes the Debian packages.
func (r *release) packages(context.Context) error {
	for _, arch := range r.architectures() {
		if err := r.deb(arch); err != nil {
			return fmt.Errorf("make the Debian package for %s: %w", arch, err)
		}
	}
	return nil
}

func (r *release) deb(arch string) (err error) {
	values := map[string]string{"ARCH": arch, "VERSION": r.version, "DIST": r.dist}
	config, err := nfpm.ParseFileWithEnvMapping(
		"release/debian/package.yaml", func(name string) string { return values[name] },
	)
	if err != nil {
		return err
	}
	info, err := config.Get("deb")
	if err != nil {
		return err
	}
	info.MTime = r.made
	info = nfpm.WithDefaults(info)
	packager, err := nfpm.Get("deb")
	if err != nil {
		return err
	}
	// A tilde before what follows a hyphen sorts it before the release itself.
	name := fmt.Sprintf("studycircle_%s_%s.deb", strings.Replace(r.version, "-", "~", 1), arch)
	out, err := os.Create(r.file(name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return packager.Package(info, out)
}
