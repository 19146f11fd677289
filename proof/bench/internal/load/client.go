package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Request is one request. Token and Body may be empty.
type Request struct {
	Method, Path, Token string
	Body                string // JSON
}

// Answer is the response to a request.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Calls describes requests that differ from each other.
type Calls struct {
	URL     string
	Clients int
	For     time.Duration // no new requests after this
	Count   int           // at most this many; 0 means no limit
	// Before, if set, returns an unmeasured request to send before each one.
	Before func() Request
	// Next returns the next request. Clients call it concurrently.
	Next func() Request
	// Check returns an error for a wrong answer.
	Check func(Answer) error
}

// Send sends requests from all clients. Each waits for its answer before it sends the next
// request. Every answer is read completely and checked.
func Send(ctx context.Context, c Calls) (Round, error) {
	at, err := url.Parse(c.URL)
	if err != nil {
		return Round{}, err
	}
	clients := make([]*client, c.Clients)
	for i := range clients {
		if clients[i], err = dial(ctx, at.Host); err != nil {
			return Round{}, err
		}
		defer clients[i].close()
	}
	var sent atomic.Int64
	more := func() bool { return c.Count == 0 || sent.Add(1) <= int64(c.Count) }
	start := time.Now()
	var wait sync.WaitGroup
	for _, client := range clients {
		wait.Go(func() {
			for ctx.Err() == nil && time.Since(start) < c.For && more() {
				client.once(ctx, c)
			}
		})
	}
	wait.Wait()
	r := Round{Elapsed: time.Since(start)}
	var took []time.Duration
	for _, client := range clients {
		took = append(took, client.took...)
		r.Errors += client.errors
		r.Problem = errors.Join(r.Problem, client.problem)
	}
	slices.Sort(took)
	r.Requests, r.P50, r.P99 = len(took), percentile(took, 50), percentile(took, 99)
	return r, ctx.Err()
}

func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}

// Once sends a single request.
func Once(ctx context.Context, base string, r Request, header map[string]string) (Answer, time.Duration, error) {
	at, err := url.Parse(base)
	if err != nil {
		return Answer{}, 0, err
	}
	c, err := dial(ctx, at.Host)
	if err != nil {
		return Answer{}, 0, err
	}
	defer c.close()
	start := time.Now()
	a, err := c.do(r, header)
	return a, time.Since(start), err
}

// client is one connection.
type client struct {
	host    string
	conn    net.Conn
	reader  *bufio.Reader
	out     []byte
	took    []time.Duration
	errors  int
	problem error // the first error
}

const answerPatience = 2 * time.Minute

func dial(ctx context.Context, host string) (*client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	return &client{host: host, conn: conn, reader: bufio.NewReaderSize(conn, 32<<10)}, nil
}

func (c *client) close() { _ = c.conn.Close() }

func (c *client) once(ctx context.Context, calls Calls) {
	if calls.Before != nil {
		before := calls.Before()
		if a, err := c.do(before, nil); err != nil || a.Status >= 400 {
			c.errors++
			c.problem = errors.Join(err, fmt.Errorf("%s %s: status %d", before.Method, before.Path, a.Status))
			return
		}
	}
	request := calls.Next()
	start := time.Now()
	answer, err := c.do(request, nil)
	took := time.Since(start)
	broken := err != nil
	if err == nil {
		err = calls.Check(answer)
	}
	if err == nil {
		c.took = append(c.took, took)
		return
	}
	c.errors++
	if c.problem == nil {
		c.problem = fmt.Errorf("%s %s: %w", request.Method, request.Path, err)
	}
	if broken {
		c.close()
		if again, err := dial(ctx, c.host); err == nil {
			c.conn, c.reader = again.conn, again.reader
		}
	}
}

func (c *client) do(r Request, header map[string]string) (Answer, error) {
	c.out = append(c.out[:0], r.Method...)
	c.out = append(c.out, ' ')
	c.out = append(c.out, r.Path...)
	c.out = append(c.out, " HTTP/1.1\r\nHost: "...)
	c.out = append(c.out, c.host...)
	if r.Token != "" {
		c.out = append(c.out, "\r\nAuthorization: Bearer "...)
		c.out = append(c.out, r.Token...)
	}
	for key, value := range header {
		c.out = fmt.Appendf(c.out, "\r\n%s: %s", key, value)
	}
	if r.Body != "" {
		c.out = fmt.Appendf(c.out, "\r\nContent-Type: application/json\r\nContent-Length: %d", len(r.Body))
	}
	c.out = append(c.out, "\r\n\r\n"...)
	c.out = append(c.out, r.Body...)
	if err := c.conn.SetDeadline(time.Now().Add(answerPatience)); err != nil {
		return Answer{}, err
	}
	if _, err := c.conn.Write(c.out); err != nil {
		return Answer{}, err
	}
	answer, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return Answer{}, err
	}
	body, err := io.ReadAll(answer.Body)
	return Answer{Status: answer.StatusCode, Header: answer.Header, Body: body}, errors.Join(err, answer.Body.Close())
}
