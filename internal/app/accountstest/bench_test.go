package accountstest

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// owasp is what the program uses.
var owasp = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// BenchmarkKnownAndUnknown asks about an address that has an account and about
// one that has none, in turn, and reports how the medians relate: 1 tells
// nothing. An even and an odd pair start with the other one.
func BenchmarkKnownAndUnknown(b *testing.B) {
	engines := map[string]func() store.Config{
		"sqlite":   func() store.Config { return store.Config{Dir: b.TempDir()} },
		"postgres": func() store.Config { return store.Config{URL: testpg.DB(b)} },
	}
	for engine, database := range engines {
		for _, call := range []struct{ name, path string }{{"login", "/api/auth/login"}, {"forgot", "/api/auth/password/forgot"}} {
			b.Run(call.name+"/"+engine, func(b *testing.B) {
				n := (&world{database: database(), clock: &clock{}, mails: catch(b), scheme: "http", hash: owasp}).start(b)
				visitor := n.browser(b)
				visitor.register(b, ada)
				visitor = n.browser(b)
				ask := func(email string) time.Duration {
					body := doc{"email": email}
					if call.name == "login" {
						body["password"] = wrong
					}
					start := time.Now()
					visitor.post(b, call.path, body)
					return time.Since(start)
				}
				for range 5 {
					ask(ada)
					ask("nobody@example.org")
				}
				var known, unknown []time.Duration
				for b.Loop() {
					if len(known)%2 == 0 {
						known = append(known, ask(ada))
						unknown = append(unknown, ask("nobody@example.org"))
					} else {
						unknown = append(unknown, ask("nobody@example.org"))
						known = append(known, ask(ada))
					}
				}
				k, u := median(known), median(unknown)
				b.ReportMetric(float64(k)/float64(u), "known/unknown")
				b.ReportMetric(float64(k.Microseconds()), "known-µs")
				b.ReportMetric(float64(u.Microseconds()), "unknown-µs")
			})
		}
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// BenchmarkSignInsAtOnce lets 300 browsers sign in at once to the program itself
// and reports the most memory it took for it.
func BenchmarkSignInsAtOnce(b *testing.B) {
	const browsers = 300
	dir := b.TempDir()
	program := filepath.Join(dir, "studycircle")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, "studycircle/cmd/studycircle")
	build.Stderr = os.Stderr
	require.NoError(b, build.Run())
	serve := exec.CommandContext(b.Context(), program, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(dir, "data"), "--rate-limits", "off")
	out, err := serve.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, serve.Start())
	b.Cleanup(func() { _ = serve.Process.Signal(os.Interrupt); _ = serve.Wait() }) // it answers with how it ended, which is by us
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(b, err)
	_, address, ready := strings.Cut(line, " is ready at ")
	require.True(b, ready, line)
	n := &node{url: strings.TrimSpace(address)}
	n.browser(b).register(b, ada)
	before := rssAnon(b, serve.Process.Pid)

	for b.Loop() {
		highest, stop := make(chan int), make(chan struct{})
		go watch(b, serve.Process.Pid, stop, highest)
		start, statuses, answers := time.Now(), map[int]int{}, make(chan int)
		for range browsers {
			go func() {
				browser := &browser{n: n, client: &http.Client{Timeout: time.Minute}}
				a, err := browser.try(context.Background(), http.MethodPost, "/api/auth/login", doc{"email": ada, "password": password})
				if err != nil {
					answers <- 0
					return
				}
				answers <- a.status
			}()
		}
		for range browsers {
			statuses[<-answers]++
		}
		took := time.Since(start)
		close(stop)
		b.ReportMetric(float64(before)/1024, "MiB-before")
		b.ReportMetric(float64(<-highest)/1024, "MiB-highest")
		b.ReportMetric(float64(statuses[http.StatusOK]), "ok")
		b.ReportMetric(float64(statuses[http.StatusServiceUnavailable]), "shed")
		b.ReportMetric(float64(browsers-statuses[http.StatusOK]-statuses[http.StatusServiceUnavailable]), "other")
		b.ReportMetric(took.Seconds(), "s-for-all")
	}
}

// watch sends the most anonymous memory that a process had until stop.
func watch(b *testing.B, pid int, stop <-chan struct{}, highest chan<- int) {
	b.Helper()
	most := 0
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			most = max(most, rssAnon(b, pid))
		case <-stop:
			highest <- most
			return
		}
	}
}

// rssAnon is a process's anonymous memory in KiB, as Linux counts it.
func rssAnon(b *testing.B, pid int) int {
	b.Helper()
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		b.Errorf("read the process's memory: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "RssAnon:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Errorf("read the process's memory: %v", err)
	}
	return n
}
