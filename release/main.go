// Command release builds everything that a release consists of into one folder. The same commit gives the same bytes on
// every machine with the same Go, Hugo and npm packages. It runs at the repository's root, after the web app is
// built.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"studycircle/release/licences"
)

// everyPlatform lists pairs of GOOS and GOARCH. The packages and images are for Linux.
const everyPlatform = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64"

// release is a release being built.
type release struct {
	version string
	// made is the commit's time, which all files carry.
	made time.Time
	dist string
	key  string
	// platforms are pairs of GOOS and GOARCH.
	platforms []string
	// dependencies are found by notices.
	dependencies []licences.Dependency
}

// architectures returns those of packages and images; Debian's, Go's and OCI's names agree.
func (r *release) architectures() (all []string) {
	for _, platform := range r.platforms {
		if arch, linux := strings.CutPrefix(platform, "linux/"); linux {
			all = append(all, arch)
		}
	}
	return all
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var r release
	flag.StringVar(&r.version, "version", "", "version, as 1.2.3; default: from git")
	flag.StringVar(&r.dist, "out", "dist", "folder to write to")
	flag.StringVar(&r.key, "key", "", "the releaser's SSH key; without it nothing is signed")
	platforms := flag.String("platforms", everyPlatform, "what to build for, as GOOS/GOARCH")
	flag.Parse()
	r.platforms = strings.Split(*platforms, ",")
	if err := r.build(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

func (r *release) build(ctx context.Context) error {
	if err := r.identify(ctx); err != nil {
		return err
	}
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dist, 0o755); err != nil { //nolint:gosec // what is in it is for everyone
		return err
	}
	for _, step := range []func(context.Context) error{
		r.notices, r.binaries, r.packages, r.images, r.bill, r.compose, r.checksums, r.sign,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Printf("studycircle %s is in %s\n", r.version, r.dist)
	return nil
}

var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$`)

// identify finds the version and the time of the commit.
func (r *release) identify(ctx context.Context) error {
	at, err := output(ctx, "git", "log", "-1", "--format=%ct %h")
	if err != nil {
		return err
	}
	seconds, commit, _ := strings.Cut(at, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return fmt.Errorf("read the commit's time: %w", err)
	}
	r.made = time.Unix(unix, 0).UTC()
	if r.version == "" {
		r.version = "0.0.0-git." + r.made.Format("20060102") + "." + commit
	}
	if r.version = strings.TrimPrefix(r.version, "v"); !semantic.MatchString(r.version) {
		return fmt.Errorf("%q is no version like 1.2.3", r.version)
	}
	return nil
}

// file returns the path of a file of the release.
func (r *release) file(name string) string { return filepath.Join(r.dist, name) }

// binary names the program for a platform.
func (r *release) binary(platform string) string {
	name := r.file("studycircle-" + r.version + "-" + strings.ReplaceAll(platform, "/", "-"))
	if strings.HasPrefix(platform, "windows/") {
		name += ".exe"
	}
	return name
}

// notices finds what the program contains and writes its licences.
func (r *release) notices(context.Context) (err error) {
	if r.dependencies, err = licences.Find(".", r.platforms); err != nil {
		return err
	}
	var text strings.Builder
	if err := licences.WriteNotices(&text, r.dependencies); err != nil {
		return err
	}
	return os.WriteFile(r.file("THIRD-PARTY-NOTICES.txt"), []byte(text.String()), 0o644) //nolint:gosec // for everyone
}

// binaries builds the program for all platforms.
func (r *release) binaries(ctx context.Context) error {
	for _, platform := range r.platforms {
		goos, goarch, _ := strings.Cut(platform, "/")
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", //nolint:gosec // our own
			"-ldflags", "-s -w -buildid= -X main.version="+r.version, "-o", r.binary(platform), "./cmd/studycircle")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch, "GOFLAGS=", "GOAMD64=v1")
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("build for %s: %w", platform, err)
		}
	}
	return nil
}

// output returns what a command prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // our own
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
