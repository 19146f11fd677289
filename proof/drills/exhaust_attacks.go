package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// backAfter is how long a refused attacker waits.
const backAfter = time.Second

// each runs do concurrently, the given number of times with different numbers, until ctx is
// done.
func each(ctx context.Context, times int, do func(ctx context.Context, n int)) error {
	var all sync.WaitGroup
	for n := range times {
		all.Go(func() {
			_ = pause(ctx, backAfter*time.Duration(n)/time.Duration(times)) // ends with ctx
			for ctx.Err() == nil {
				do(ctx, n)
				_ = pause(ctx, backAfter) // ends with ctx
			}
		})
	}
	all.Wait()
	return nil
}

// connected calls do with a connection that closes with ctx.
func (f *field) connected(ctx context.Context, d *net.Dialer, do func(net.Conn)) {
	c, err := d.DialContext(ctx, "tcp", f.address)
	if err != nil {
		return // the node refuses connections; the attacker retries
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	do(c)
	_ = c.Close()
}

// request is a raw request; length is the declared length of its body.
func request(method, path, more string, length int) string {
	return fmt.Sprintf(
		"%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n",
		method, path, serverAddress, length, more,
	)
}

func nestedLogins(ctx context.Context, f *field) error {
	bodies := []string{
		`{"name":[` + strings.Repeat(`{"":0},`, 149_000) + `0]}`, `{"name":[` + strings.Repeat(`[],`, 340_000) + `0]}`,
		"{" + unknownFields(60_000) + `"z":0}`,
	}
	return each(ctx, 100, func(ctx context.Context, n int) {
		f.connected(ctx, from(n%50), func(c net.Conn) {
			body := bodies[n%len(bodies)]
			if _, err := io.WriteString(
				c, request(http.MethodPost, "/api/auth/login", "Connection: close\r\n", len(body))+body,
			); err == nil {
				_, _ = io.Copy(io.Discard, c) // whatever the answer
			}
			_ = pause(ctx, 3*backAfter) // ends with ctx; more would be a flood of bytes
		})
	})
}

func unknownFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"f%d":0,`, i)
	}
	return b.String()
}

// readNothing sends requests repeatedly on connections whose answers it does not read.
func readNothing(ctx context.Context, f *field) error {
	script := f.someScript(ctx)
	return each(ctx, 900, func(ctx context.Context, n int) {
		f.connected(ctx, deaf(n%50), func(c net.Conn) {
			path := []string{
				"/", "/api/assignments?limit=100&page=" + fmt.Sprint(1+n%20), script, "/assignments?page=" + fmt.Sprint(n),
			}[n%4]
			if _, err := io.WriteString(c, strings.Repeat(request(http.MethodGet, path, "", 0), 20)); err == nil {
				<-ctx.Done()
			}
		})
	})
}

// someScript returns a script of the home page.
func (f *field) someScript(ctx context.Context) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url()+"/", http.NoBody)
	if err != nil {
		return "/"
	}
	response, err := client(0).Do(r)
	if err != nil {
		return "/"
	}
	page, _ := io.ReadAll(response.Body) // whatever arrives
	_ = response.Body.Close()
	_, after, _ := strings.Cut(string(page), `src="/assets/`)
	name, _, _ := strings.Cut(after, `"`)
	return "/assets/" + name
}

// madeUpAddresses requests reset emails for unknown addresses, and one for a real account.
func madeUpAddresses(ctx context.Context, f *field) error {
	var all sync.WaitGroup
	for n := range 40 {
		all.Go(func() {
			p := &person{crowd: &crowd{url: f.url()}, client: client(n)}
			for i := 0; i < 50 && ctx.Err() == nil; i++ {
				_, _ = p.send(
					http.MethodPost, "/api/auth/password/forgot",
					map[string]any{"email": fmt.Sprintf("made-up-%d-%d@example.org", n, i)}, nil,
				)
			}
		})
	}
	all.Go(func() { f.askForMail(ctx, f.users[0]) })
	all.Wait()
	<-ctx.Done()
	return nil
}

// askForMail requests a reset email in the middle of an attack and measures the time until it
// is sent.
func (f *field) askForMail(ctx context.Context, owner *person) {
	_ = pause(ctx, attackBefore) // ends with ctx
	asked, status, arrived := time.Now(), 0, "not at all"
	for ctx.Err() == nil && arrived == "not at all" {
		if status != http.StatusAccepted {
			status, _ = owner.send(http.MethodPost, "/api/auth/password/forgot", map[string]any{"email": owner.email}, nil)
		}
		if f.hasMail(owner.email, "/auth/reset?token=") {
			arrived = "after " + inMs(time.Since(asked))
		}
		_ = pause(ctx, 50*time.Millisecond) // ends with ctx
	}
	f.found(arrived != "not at all", "a real reset mail among 2,000 made-up ones went out: %s", arrived)
}

func (f *field) hasMail(to, link string) bool {
	files, _ := filepath.Glob(filepath.Join(f.dir, "data", "mail", "*.eml"))
	for _, file := range files {
		text, err := os.ReadFile(file)                                                         //nolint:gosec // the drill's own folder
		plain := strings.NewReplacer("=\r\n", "", "=\n", "", "=3D", "=").Replace(string(text)) // of quoted-printable
		if err == nil && strings.Contains(plain, to) && strings.Contains(plain, link) {
			return true
		}
	}
	return false
}

func manySpellings(ctx context.Context, f *field) error {
	greedy := f.users[0]
	return each(ctx, 8, func(_ context.Context, n int) {
		p := &person{crowd: greedy.crowd, token: greedy.token, client: client(n)}
		for blanks := 50_000 + n*1000; blanks < 50_000+(n+1)*1000 && ctx.Err() == nil; blanks++ {
			for range 2 {
				_, _ = p.send(http.MethodGet, "/api/submissions?submittedBy="+greedy.email+strings.Repeat("+", blanks), nil, nil)
			}
		}
	})
}

// silentProvider accepts connections and never answers, while many clients start to sign in
// there.
func silentProvider(ctx context.Context, f *field) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", silentAddress)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	go func() {
		for {
			if _, err := listener.Accept(); err != nil {
				return
			}
		}
	}()
	return each(ctx, 700, func(ctx context.Context, n int) {
		f.connected(ctx, from(n%50), func(c net.Conn) {
			if _, err := io.WriteString(
				c, request(http.MethodGet, "/api/auth/oidc/silent?attempt=a", "Connection: close\r\n", 0),
			); err == nil {
				_, _ = io.Copy(io.Discard, c) // whatever it answers
			}
		})
	})
}

func stopInTheMiddle(ctx context.Context, f *field) error {
	return each(ctx, 150, func(ctx context.Context, n int) {
		f.connected(ctx, from(n%50), func(c net.Conn) {
			if _, err := io.WriteString(
				c, request(http.MethodPost, "/api/auth/login", "", 900_000)+`{"email":"`+strings.Repeat("a", 20_000),
			); err == nil {
				_, _ = io.Copy(io.Discard, c) // until the node closes it
			}
		})
	})
}

// manyStreams opens streams as one user and one visitor, and then one as each other client.
func manyStreams(ctx context.Context, f *field) error {
	greedy := f.users[0]
	var all sync.WaitGroup
	all.Go(func() {
		_ = each(ctx, 2600, func(ctx context.Context, _ int) { f.listen(ctx, from(0), greedy.token, true) })
	})
	all.Go(func() {
		_ = each(ctx, 1500, func(ctx context.Context, _ int) { f.listen(ctx, from(1), "", true) })
	})
	_ = pause(ctx, attackBefore+attackFor/2) // ends with ctx
	heard := 0
	for n, user := range f.users[1:] {
		heard += f.listen(ctx, from(200+n), user.token, false) + f.listen(ctx, from(220+n), "", false)
	}
	f.found(heard == 2*len(f.users[1:]), "of %d others' streams %d opened", 2*len(f.users[1:]), heard)
	all.Wait()
	return nil
}

// listen opens a stream and returns 1 if it is accepted. With stay, it keeps the connection
// until ctx is done, accepted or not.
func (f *field) listen(ctx context.Context, d *net.Dialer, token string, stays bool) (opened int) {
	more := ""
	if token != "" {
		more = "Authorization: Bearer " + token + "\r\n"
	}
	f.connected(ctx, d, func(c net.Conn) {
		if _, err := io.WriteString(c, request(http.MethodGet, "/api/events", more, 0)); err != nil {
			return
		}
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			return
		}
		if response.StatusCode == http.StatusOK {
			opened = 1
		}
		if stays {
			_, _ = io.Copy(io.Discard, response.Body) // until it ends
			<-ctx.Done()
		}
		_ = c.Close() // otherwise its body would be read to an end that does not come
		_ = response.Body.Close()
	})
	return opened
}

// signInsAtOnce signs users in, three hundred at once.
func signInsAtOnce(ctx context.Context, f *field) error {
	return each(ctx, 300, func(_ context.Context, n int) {
		p := &person{crowd: f.users[0].crowd, client: client(n % 150)}
		p.client.Timeout = 30 * time.Second
		_, _ = p.send(
			http.MethodPost, "/api/auth/login",
			map[string]any{"email": f.users[n%honestUsers].email, "password": "Circle1"}, nil,
		)
		p.client.CloseIdleConnections()
	})
}

// amplification publishes texts whose HTML is as large as possible, as four users and as far
// as their limits allow, and then reads the lists and pages that hold them: 20 clients read
// all, 60 stop at the beginning of the answer.
func amplification(ctx context.Context, f *field) error {
	texts := []string{
		"[a]: https://example.org/" + strings.Repeat("x", 1200) + "\n\n" + strings.Repeat("[a]", 400), // one link, 400 times
		strings.Repeat("www.aa.b ", 900), // just within the bounds
	}
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			p := &person{crowd: &crowd{url: f.url()}, number: 1000 + n, client: client(150 + n)}
			p.register(ctx)
			for i := 0; i < 30 && ctx.Err() == nil; i++ {
				text := texts[i%len(texts)]
				_, _ = p.send(http.MethodPost, "/api/assignments", assignment(text), nil)
				_, _ = p.send(http.MethodPost, "/api/assignment/"+f.ids[0]+"/comments", map[string]any{"text": text}, nil)
			}
		})
	}
	paths := []string{
		"/api/assignments?limit=100", "/api/assignment/" + f.ids[0] + "/comments?limit=100",
		"/assignments", "/assignment/" + f.ids[0],
	}
	largest, of := 0, ""
	all.Go(func() {
		_ = each(ctx, 20, func(ctx context.Context, n int) {
			for _, path := range paths {
				size := f.sizeOf(ctx, client(100+n), path)
				f.mu.Lock()
				if size > largest {
					largest, of = size, path
				}
				f.mu.Unlock()
			}
		})
	})
	all.Go(func() {
		_ = each(ctx, 60, func(ctx context.Context, n int) {
			f.connected(ctx, deaf(n%50), func(c net.Conn) {
				if _, err := io.WriteString(c, request(http.MethodGet, paths[n%len(paths)], "", 0)); err == nil {
					<-ctx.Done()
				}
			})
		})
	})
	all.Wait()
	f.found(largest > 0 && largest <= mostAnswer, "the largest answer has %d KiB: %s", largest>>10, of)
	return nil
}

// sizeOf returns the size of an answer in bytes, 0 without one.
func (f *field) sizeOf(ctx context.Context, c *http.Client, path string) int {
	defer c.CloseIdleConnections()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url()+path, http.NoBody)
	if err != nil {
		return 0
	}
	response, err := c.Do(r)
	if err != nil {
		return 0
	}
	text, _ := io.ReadAll(response.Body) // whatever arrives
	_ = response.Body.Close()
	return len(text)
}
