package testpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

var errNoServer = errors.New("PostgreSQL's server programs (initdb, postgres) are not on this machine: " +
	"install the Debian package postgresql, as `make setup` does (sudo apt-get install postgresql)")

// serverBins is where Debian installs the programs of each major version.
const serverBins = "/usr/lib/postgresql/*/bin"

// findServer returns the folder of the newest server's programs: in bins first, since
// Debian does not put them on the PATH, then on the PATH.
func findServer(bins string) (string, error) {
	newest, bin := 0, ""
	found, err := filepath.Glob(filepath.Join(bins, "initdb"))
	if err != nil {
		return "", err
	}
	for _, initdb := range found {
		dir := filepath.Dir(initdb)
		if version, err := strconv.Atoi(filepath.Base(filepath.Dir(dir))); err == nil && version > newest {
			newest, bin = version, dir
		}
	}
	if bin != "" {
		return bin, nil
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return "", errNoServer
	}
	return filepath.Dir(initdb), nil
}

// account is the user that runs the server; nil is the tests' own.
type account struct{ credential *syscall.Credential }

// serverUser picks that account: PostgreSQL refuses to run as root, so tests that run as
// root use an unprivileged user.
func serverUser() (account, error) {
	if os.Geteuid() != 0 {
		return account{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(errUID, errGID); err != nil {
			return account{}, fmt.Errorf("user %s: %w", name, err)
		}
		return account{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

// command runs a program as the account, in its own process group, so that Ctrl-C reaches
// the tests and not the server.
func (a account) command(dir, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: a.credential}
	return cmd
}

// makeDir creates a folder in parent that only the account may read.
func (a account) makeDir(parent string) (string, error) {
	dir, err := os.MkdirTemp(parent, "testpg-")
	if err != nil || a.credential == nil {
		return dir, err
	}
	return dir, os.Chown(dir, int(a.credential.Uid), int(a.credential.Gid))
}

// roomyDir prefers memory to disk if there is enough of it: a cluster takes 40 MB, each
// database 8 MB more, and containers often have 64 MB in all.
func roomyDir() string {
	const memory, enough = "/dev/shm", 2 << 30
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memory, &fs); err == nil && fs.Bsize > 0 && fs.Bavail >= enough/uint64(fs.Bsize) {
		return memory
	}
	return os.TempDir()
}
