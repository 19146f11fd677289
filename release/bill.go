package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bill writes the software bill of materials, in CycloneDX's format.
func (r *release) bill(context.Context) error {
	all := cdx.NewBOM()
	all.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "studycircle", Type: cdx.ComponentTypeApplication, Name: "studycircle", Version: r.version,
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}},
	}}
	components := make([]cdx.Component, 0, len(r.dependencies))
	for _, d := range r.dependencies {
		var found cdx.Licenses
		for _, id := range d.Licences {
			found = append(found, cdx.LicenseChoice{License: &cdx.License{ID: id}})
		}
		components = append(components, cdx.Component{
			BOMRef: d.URL, Type: cdx.ComponentTypeLibrary, Name: d.Name, Version: d.Version, PackageURL: d.URL, Licenses: &found,
		})
	}
	all.Components = &components
	var text bytes.Buffer
	if err := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).Encode(all); err != nil {
		return fmt.Errorf("write the bill of materials: %w", err)
	}
	return os.WriteFile(r.file("studycircle-"+r.version+"-sbom.cdx.json"), text.Bytes(), 0o644) //nolint:gosec // for everyone
}

// compose copies the compose files.
func (r *release) compose(context.Context) error {
	for _, name := range []string{"compose.yaml", "compose.postgres.yaml"} {
		text, err := os.ReadFile(filepath.Join("release", "compose", name))
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(text, []byte("studycircle:VERSION"), []byte("studycircle:"+r.version))
		if err := os.WriteFile(r.file(name), text, 0o644); err != nil { //nolint:gosec // for everyone
			return err
		}
	}
	return nil
}

// sums is the file with the checksums of all others.
const sums = "SHA256SUMS"

// checksums writes what `sha256sum --check` reads.
func (r *release) checksums(context.Context) error {
	files, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var text []byte
	for _, f := range files {
		content, err := os.ReadFile(r.file(f.Name()))
		if err != nil {
			return err
		}
		text = fmt.Appendf(text, "%x  %s\n", sha256.Sum256(content), f.Name())
	}
	return os.WriteFile(r.file(sums), text, 0o644) //nolint:gosec // for everyone
}

// sign signs the checksums with the releaser's key and checks the signature.
func (r *release) sign(ctx context.Context) error {
	if r.key == "" {
		fmt.Println("not signed: no key was given")
		return nil
	}
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-Y", "sign", "-q", "-f", r.key, "-n", "studycircle-release", r.file(sums)) //nolint:gosec // our own
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("sign the checksums: %w", err)
	}
	text, err := os.Open(r.file(sums))
	if err != nil {
		return err
	}
	check := exec.CommandContext(ctx, "ssh-keygen", "-Y", "check-novalidate", "-n", "studycircle-release", "-s", r.file(sums+".sig")) //nolint:gosec // our own
	check.Stdin, check.Stderr = text, os.Stderr
	return errors.Join(check.Run(), text.Close())
}
