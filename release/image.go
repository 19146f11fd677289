package main

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// unprivileged is the user and group that the image's program runs as.
const unprivileged = 65532

// images makes an image for each architecture, without a container engine. The archive is an OCI layout and also what
// `docker load` and `podman load` read.
func (r *release) images(ctx context.Context) error {
	for _, arch := range r.architectures() {
		if err := r.image(ctx, arch); err != nil {
			return fmt.Errorf("make the image for %s: %w", arch, err)
		}
	}
	return nil
}

func (r *release) image(_ context.Context, arch string) (err error) {
	files, err := r.rootFiles(arch)
	if err != nil {
		return err
	}
	layer, err := tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil },
	)
	if err != nil {
		return err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return err
	}
	image, err = mutate.ConfigFile(image, r.imageConfig(image, arch))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "studycircle-image-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tag := "studycircle:" + r.version
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	err = path.AppendImage(image, layout.WithPlatform(v1.Platform{OS: "linux", Architecture: arch}),
		layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": tag}))
	if err != nil {
		return err
	}
	if err := writeManifest(dir, image, tag); err != nil {
		return err
	}
	return r.archive(dir, r.file(fmt.Sprintf("studycircle-%s-image-%s.tar", r.version, arch)))
}

// imageConfig is how the image runs.
func (r *release) imageConfig(image v1.Image, arch string) *v1.ConfigFile {
	user := fmt.Sprintf("%d:%d", unprivileged, unprivileged)
	config, err := image.ConfigFile()
	if err != nil {
		config = &v1.ConfigFile{}
	}
	config.OS, config.Architecture, config.Created = "linux", arch, v1.Time{Time: r.made}
	config.History = []v1.History{{Created: v1.Time{Time: r.made}, CreatedBy: "make release"}}
	config.Config = v1.Config{
		User:         user,
		Entrypoint:   []string{"/studycircle"},
		Cmd:          []string{"serve"},
		Env:          []string{"STUDYCIRCLE_ADDR=0.0.0.0:8080", "STUDYCIRCLE_DATA=/data", "PATH=/"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Volumes:      map[string]struct{}{"/data": {}},
		WorkingDir:   "/",
		StopSignal:   "SIGTERM",
		Healthcheck: &v1.HealthConfig{
			Test: []string{"CMD", "/studycircle", "healthcheck"}, Interval: 10 * time.Second,
			Timeout: 5 * time.Second, StartPeriod: time.Minute,
		},
		Labels: map[string]string{
			"org.opencontainers.image.title":   "StudyCircle",
			"org.opencontainers.image.version": r.version, "org.opencontainers.image.licenses": "MIT",
		},
	}
	return config
}

// rootFiles returns the image's files as an archive.
func (r *release) rootFiles(arch string) ([]byte, error) {
	program, err := os.ReadFile(r.binary("linux/" + arch))
	if err != nil {
		return nil, err
	}
	notices, err := os.ReadFile(r.file("THIRD-PARTY-NOTICES.txt"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range []struct {
		name  string
		mode  int64
		owner int
		text  []byte
	}{
		{"data/", 0o700, unprivileged, nil},
		{"etc/passwd", 0o644, 0, fmt.Appendf(nil, "studycircle:x:%d:%d::/data:/none\n", unprivileged, unprivileged)},
		{"studycircle", 0o755, 0, program},
		{"THIRD-PARTY-NOTICES.txt", 0o644, 0, notices},
		{"tmp/", 0o1777, 0, nil},
	} {
		h := &tar.Header{
			Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.text)),
			ModTime: r.made, Typeflag: tar.TypeReg,
		}
		if f.text == nil {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), w.Close()
}

// writeManifest adds the list that `docker load` reads to an OCI layout.
func writeManifest(dir string, image v1.Image, tag string) error {
	manifest, err := image.Manifest()
	if err != nil {
		return err
	}
	blob := func(d v1.Descriptor) string { return "blobs/" + d.Digest.Algorithm + "/" + d.Digest.Hex }
	entry := tarball.Descriptor{Config: blob(manifest.Config), RepoTags: []string{tag}}
	for _, l := range manifest.Layers {
		entry.Layers = append(entry.Layers, blob(l))
	}
	text, err := json.Marshal(tarball.Manifest{entry})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o600)
}

// archive packs a folder, in the order of names.
func (r *release) archive(dir, target string) (err error) {
	out, err := os.Create(target) //nolint:gosec // our own
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w := tar.NewWriter(out)
	root := os.DirFS(dir)
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{
			Name: name, Mode: 0o644, Size: int64(len(text)), ModTime: r.made, Typeflag: tar.TypeReg,
		}); err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
	return errors.Join(err, w.Close())
}
