package shell

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
)

// checkoutWay is how a command for a checkout is tested.
type checkoutWay struct {
	run func(t *testing.T, p program)
	why string // not run
}

// inCheckout are the commands that pages give for a checkout.
var inCheckout = map[string]checkoutWay{
	"make help": {run: func(t *testing.T, _ program) {
		t.Helper()
		out := output(t, exec.CommandContext(t.Context(), "make", "-C", "../..", "--no-print-directory", "help"))
		require.Contains(t, out, "make test ")
	}},
	// The recipe is the program, built, with the sample content.
	"make run": {run: func(t *testing.T, p program) {
		t.Helper()
		makefile, err := os.ReadFile("../../Makefile")
		require.NoError(t, err)
		require.Contains(t, string(makefile), "\nrun: build ## build and serve sample content on http://127.0.0.1:8080\n\t@exec bin/studycircle serve --demo\n")
		require.Contains(t, p.serve(t, t.TempDir(), "bin/studycircle serve --demo"), "sample sign-in: ada@studycircle.example")
	}},
	"make build":                            {why: "make test builds the program before this test, which builds it again from the same tree"},
	"make test":                             {why: "it runs this test"},
	"make check":                            {why: "the gate runs it beside make test"},
	"npm --prefix web run e2e -- list live": {why: "make test runs all browser tests"},
	"npm --prefix web run e2e -- list --repeat-each=20":    {why: "make test runs all browser tests"},
	"npm --prefix web run e2e -- --last-failed --trace on": {why: "make test runs all browser tests"},
}

// program is the built program, reachable as studycircle and bin/studycircle.
type program struct{ path string }

// build builds the program as make does, so that it comes from the build's cache.
func build(t *testing.T) program {
	t.Helper()
	p := program{filepath.Join(t.TempDir(), "bin", "studycircle")}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-trimpath", "-o", p.path, "./cmd/studycircle")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	output(t, cmd)
	return p
}

func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(cmd.Args, " "), out)
	return string(out)
}

// command prepares a command line in a folder. A server that is given no address takes a free one, and no certificate
// authority is asked.
func (p program) command(ctx context.Context, dir, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-euc", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"PATH="+filepath.Dir(p.path)+":"+os.Getenv("PATH"), "HOME="+dir,
		"STUDYCIRCLE_ADDR=127.0.0.1:0", "STUDYCIRCLE_ACME_DIRECTORY=https://127.0.0.1:9/directory")
	return cmd
}

// serve runs a server until it says that it is ready, asks it whether it is, where it can be reached without TLS, and
// stops it as systemd does. It returns what the server printed.
func (p program) serve(t *testing.T, dir, line string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "bin"), 0o700))
	if err := os.Symlink(p.path, filepath.Join(dir, "bin", "studycircle")); err != nil {
		require.ErrorIs(t, err, os.ErrExist)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, dir, "exec "+line)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer func() { require.NoError(t, log.Close()) }()
	cmd.Stderr = log
	logged := func() string {
		text, err := os.ReadFile(log.Name())
		require.NoError(t, err)
		return string(text)
	}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	printed := ""
	lines := bufio.NewScanner(out)
	for !strings.Contains(printed, "is ready at ") && lines.Scan() { // the log says why it ends early
		printed += lines.Text() + "\n"
	}
	at := listening.FindStringSubmatch(logged())
	if at != nil && !strings.Contains(line, "--tls-") && !strings.Contains(line, "--acme-") {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at[1]+"/readyz", nil)
		require.NoError(t, err)
		answer, err := (&http.Client{Timeout: time.Minute}).Do(request)
		require.NoError(t, err, logged())
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	stopped := cmd.Process.Signal(syscall.SIGTERM)
	for lines.Scan() {
		printed += lines.Text() + "\n"
	}
	require.NoError(t, cmd.Wait(), "%s\n%s", line, logged())
	require.NoError(t, stopped, logged())
	require.NotNil(t, at, "%s\n%s", line, logged())
	return printed
}

var listening = regexp.MustCompile(`listening addr=(\S+)`)

// machine replaces what a reader's machine has and the test's has not.
func machine(dir, postgres string) func(string) string {
	addresses := regexp.MustCompile(`--(addr|redirect-addr|metrics-addr) \S+`)
	others := strings.NewReplacer(
		"/var/lib/studycircle", filepath.Join(dir, "data"),
		"/backups/", filepath.Join(dir, "backups")+"/",
		"postgres://study@db/study", "'"+postgres+"'",
		"'postgres://study:…@pg1,pg2/study?target_session_attrs=read-write'", "'"+postgres+"&target_session_attrs=read-write'",
		"smtp://…", "smtp://127.0.0.1:9",
	)
	return func(line string) string {
		return others.Replace(addresses.ReplaceAllString(line, "--$1 127.0.0.1:0"))
	}
}

// fixtures are the files that blocks of a page expect.
var fixtures = map[string]func(t *testing.T, dir string){
	"docs/operations.md": func(t *testing.T, dir string) {
		t.Helper()
		certificate(t, dir)
		release(t, dir)
	},
	"docs/receipts.md": func(t *testing.T, dir string) {
		t.Helper()
		text, err := os.ReadFile("../../internal/receipt/testdata/receipts.txt")
		require.NoError(t, err)
		lines := bytes.SplitN(text, []byte("\n"), 3)
		write(t, dir, "keys.json", lines[0])
		write(t, dir, "receipt.json", lines[1])
	},
	"docs/trust.md": func(t *testing.T, dir string) {
		t.Helper()
		write(t, dir, "R.csv", []byte("assignment,submission,reviewer,mark,total\n"+
			"a,s1,u1,18,20\na,s1,u2,15,20\na,s1,u3,12,20\na,s2,u1,20,20\na,s2,u2,20,20\na,s2,u4,20,20\n"+
			"a,s3,u3,4,20\na,s3,u4,18,20\na,s3,u1,17,20\na,s4,u2,11,20\n"))
		write(t, dir, "K.csv", []byte("assignment,submission,mark\na,s1,12\n"))
	},
}

// results check what the blocks of a page leave behind.
var results = map[string]func(t *testing.T, dir, printed string){
	"docs/operations.md": func(t *testing.T, dir, printed string) {
		t.Helper()
		backups, err := filepath.Glob(filepath.Join(dir, "backups", time.Now().Format("2006")+"-*.db"))
		require.NoError(t, err)
		require.Len(t, backups, 1)
		require.Contains(t, printed, `Good "studycircle-release" signature for releaser`)
		require.Contains(t, printed, "studycircle-1.0.0-linux-amd64: OK")
	},
	"docs/receipts.md": func(t *testing.T, _, printed string) {
		t.Helper()
		require.Contains(t, printed, "The receipt is valid: 3 of 12")
	},
	// The page's own example, with s1 as an exemplar.
	"docs/trust.md": func(t *testing.T, dir, _ string) {
		t.Helper()
		estimates, err := os.ReadFile(filepath.Join(dir, "E.csv"))
		require.NoError(t, err)
		page, err := os.ReadFile("../trust.md")
		require.NoError(t, err)
		for _, of := range []string{"a,s1,3,15.7382,", "a,s2,3,20.0000,", "a,s3,3,14.0046,", "a,s4,1,11.0000,"} {
			require.Contains(t, string(estimates), of)
			require.Contains(t, string(page), strings.Split(of, ",")[3])
		}
	},
}

func write(t *testing.T, dir, name string, text []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
}

// certificate writes the certificate of Go's test servers.
func certificate(t *testing.T, dir string) {
	t.Helper()
	sample := httptest.NewTLSServer(http.NotFoundHandler())
	defer sample.Close()
	pair := sample.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	require.NoError(t, err)
	write(t, dir, "chain.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}))
	write(t, dir, "key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
}

// release writes a release of one file, signed as `make release KEY=FILE` signs.
func release(t *testing.T, dir string) {
	t.Helper()
	write(t, dir, "studycircle-1.0.0-linux-amd64", []byte("a program"))
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", `ssh-keygen -q -t ed25519 -N '' -f releaser
sha256sum studycircle-1.0.0-linux-amd64 >SHA256SUMS
ssh-keygen -q -Y sign -f releaser -n studycircle-release SHA256SUMS
echo "releaser $(cat releaser.pub)" >allowed`)
	cmd.Dir = dir
	output(t, cmd)
}

// Blocks of a page run in their order in one folder.
func TestBlocksRunHere(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	p := build(t)
	cluster, err := testpg.Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Stop()) })
	byPage := map[string][]block{}
	for _, b := range blocks(t, os.DirFS("../..")) {
		if b.by == "here" {
			byPage[b.page] = append(byPage[b.page], b)
		}
	}
	for page, all := range byPage {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "backups"), 0o700))
			if prepare := fixtures[page]; prepare != nil {
				prepare(t, dir)
			}
			database, err := cluster.Create("template1")
			require.NoError(t, err)
			here := machine(dir, cluster.URL(database))
			var printed strings.Builder
			for _, b := range all {
				for _, command := range b.commands() {
					line := here(command)
					t.Logf("%s:%d: %s", page, b.line, command)
					if strings.Contains(line, "studycircle serve") {
						printed.WriteString(p.serve(t, dir, line))
					} else {
						printed.WriteString(output(t, p.command(t.Context(), dir, line)))
					}
				}
			}
			if check := results[page]; check != nil {
				check(t, dir, printed.String())
			}
		})
	}
	for name, way := range inCheckout {
		if way.run != nil {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				way.run(t, p)
			})
		}
	}
	for _, known := range []map[string]bool{keys(fixtures), keys(results)} {
		for page := range known {
			require.NotEmpty(t, byPage[page], "%s has no block to run here", page)
		}
	}
}

func keys[V any](m map[string]V) map[string]bool {
	all := map[string]bool{}
	for k := range m {
		all[k] = true
	}
	return all
}
