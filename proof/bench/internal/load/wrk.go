// Package load sends requests to servers and measures the answers: wrk for many reading
// clients, its own client for writes, sequences and checked answers. It knows no particular
// server.
package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const threads = 2 // of wrk

// Round is the result of one short round of load.
type Round struct {
	Requests int
	Elapsed  time.Duration
	P50, P99 time.Duration
	Errors   int // refused, broken off, timed out, answered with 4xx or 5xx, or rejected by the check
	Problem  error
}

// Rate returns requests per second.
func (r Round) Rate() float64 { return float64(r.Requests) / r.Elapsed.Seconds() }

// Reads describes requests that many clients repeat.
type Reads struct {
	URL string // of the server
	// Path is a format with one verb for a number, such as %d or %014d, if High is set. Each
	// request draws a number from Low to High, inclusive.
	Path      string
	Low, High int
	Header    map[string]string
	Clients   int
	For       time.Duration
	Seed      int
}

// script draws the numbers and prints the result in one line. wrk builds a request without a
// number once.
const script = `local threads = 0
function setup(thread)
  thread:set("id", threads)
  threads = threads + 1
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration,
    e.connect + e.read + e.write + e.status + e.timeout, latency:percentile(50), latency:percentile(99)))
end
`

const drawing = `function init(args)
  local path, low, high = args[1], tonumber(args[2]), tonumber(args[3])
  math.randomseed(tonumber(args[4]) * 64 + id)
  local whole = wrk.format("GET", "@")
  local head, tail = whole:match("^(.-)@(.*)$")
  request = function()
    return head .. string.format(path, math.random(low, high)) .. tail
  end
end
`

// Wrk runs wrk.
func Wrk(ctx context.Context, r Reads) (Round, error) {
	dir, err := os.MkdirTemp("", "bench-wrk-")
	if err != nil {
		return Round{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	text, address := script, r.URL+r.Path
	if r.High > 0 {
		text, address = script+drawing, r.URL
	}
	name := filepath.Join(dir, "load.lua")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return Round{}, err
	}
	args := []string{"-t", strconv.Itoa(min(threads, r.Clients)), "-c", strconv.Itoa(r.Clients),
		"-d", strconv.FormatFloat(r.For.Seconds(), 'f', 0, 64) + "s", "--timeout", "60s", "-s", name}
	for key, value := range r.Header {
		args = append(args, "-H", key+": "+value)
	}
	args = append(args, address, "--", r.Path, strconv.Itoa(r.Low), strconv.Itoa(r.High), strconv.Itoa(r.Seed))
	out, err := exec.CommandContext(ctx, "wrk", args...).CombinedOutput()
	if err != nil {
		return Round{}, fmt.Errorf("wrk: %w\n%s", err, out)
	}
	return parse(string(out))
}

func parse(out string) (Round, error) {
	var r Round
	var micros [3]int64
	_, line, found := strings.Cut(out, "RESULT ")
	if !found {
		return r, errors.New("wrk printed no result:\n" + out)
	}
	if _, err := fmt.Sscan(line, &r.Requests, &micros[0], &r.Errors, &micros[1], &micros[2]); err != nil {
		return r, fmt.Errorf("wrk: %w in %q", err, line)
	}
	r.Elapsed, r.P50, r.P99 = time.Duration(micros[0])*time.Microsecond, time.Duration(micros[1])*time.Microsecond,
		time.Duration(micros[2])*time.Microsecond
	return r, nil
}
