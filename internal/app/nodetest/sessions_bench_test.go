package nodetest

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
)

// owasp are the program's parameters.
var owasp = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// BenchmarkKnownAndUnknown requests an address with an account and one without in turn,
// and reports the ratio of the medians: at 1 the time reveals nothing. Even and odd pairs
// begin with different ones.
func BenchmarkKnownAndUnknown(b *testing.B) {
	for engine, made := range engines {
		for _, call := range []struct{ name, path string }{{"login", "/api/auth/login"}, {"forgot", "/api/auth/password/forgot"}} {
			b.Run(call.name+"/"+engine, func(b *testing.B) {
				w := made(b)
				w.mails, w.hash = catch(b), owasp
				n := w.start(b)
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

// BenchmarkSignInsAtOnce signs 300 browsers in concurrently at the real program and
// reports its peak memory.
func BenchmarkSignInsAtOnce(b *testing.B) {
	const browsers = 300
	n, pid := program(b)
	n.browser(b).register(b, ada)
	before := rssAnon(b, pid)

	for b.Loop() {
		highest, stop := make(chan int), make(chan struct{})
		go watch(b, pid, stop, highest)
		began, statuses, answers := time.Now(), map[int]int{}, make(chan int)
		for range browsers {
			go func() {
				a, err := n.visitor().try(context.Background(), http.MethodPost, "/api/auth/login", doc{"email": ada, "password": password})
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
		took := time.Since(began)
		close(stop)
		b.ReportMetric(float64(before)/1024, "MiB-before")
		b.ReportMetric(float64(<-highest)/1024, "MiB-highest")
		b.ReportMetric(float64(statuses[http.StatusOK]), "ok")
		b.ReportMetric(float64(statuses[http.StatusServiceUnavailable]), "shed")
		b.ReportMetric(float64(browsers-statuses[http.StatusOK]-statuses[http.StatusServiceUnavailable]), "other")
		b.ReportMetric(took.Seconds(), "s-for-all")
	}
}

// watch sends the peak anonymous memory of a process until stop.
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
