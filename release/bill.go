package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bill writes the software bill of materials: the Go modules of the program and the npm packages of its app.
func (r *release) bill(ctx context.Context) error {
	modules, err := read(ctx, "go", "tool", "-modfile", "release/go.mod", "cyclonedx-gomod", "bin", "-json", "-noserial", "-notimestamp", "-std",
		"-licenses", "-assert-licenses", "-version", r.version, r.binary(r.platforms[0]))
	if err != nil {
		return err
	}
	packages, err := read(ctx, "npm", "--prefix", "web", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only")
	if err != nil {
		return err
	}
	all := cdx.NewBOM()
	all.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "studycircle", Type: cdx.ComponentTypeApplication, Name: "studycircle", Version: r.version,
		Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}},
	}}
	components := append(*modules.Components, *packages.Components...)
	slices.SortFunc(components, func(a, b cdx.Component) int { return cmp.Compare(a.PackageURL, b.PackageURL) })
	all.Components = &components
	var text bytes.Buffer
	if err := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true).Encode(all); err != nil {
		return fmt.Errorf("write the bill of materials: %w", err)
	}
	return os.WriteFile(r.file("studycircle-"+r.version+"-sbom.cdx.json"), text.Bytes(), 0o644) //nolint:gosec // for everyone
}

// read returns the bill that a command prints.
func read(ctx context.Context, name string, args ...string) (*cdx.BOM, error) {
	text, err := output(ctx, name, args...)
	if err != nil {
		return nil, err
	}
	var bill cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader([]byte(text)), cdx.BOMFileFormatJSON).Decode(&bill); err != nil {
		return nil, fmt.Errorf("read the bill of %s: %w", name, err)
	}
	if bill.Components == nil || len(*bill.Components) == 0 {
		return nil, fmt.Errorf("the bill of %s is empty", name)
	}
	return &bill, nil
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
