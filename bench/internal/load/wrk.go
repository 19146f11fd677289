// Package load asks servers for answers and measures how they come: wrk for many
// clients that read, a client of its own for those that write, wait for each
// other or check what they get. It knows no server.
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

// Round is what one short round of load gave.
type Round struct {
	Requests int
	Elapsed  time.Duration
	P50, P99 time.Duration
	Errors   int // refused, broken off, timed out, or answered with 4xx, 5xx or what the check did not like
	Problem  error
}

// Rate is in requests a second.
func (r Round) Rate() float64 { return float64(r.Requests) / r.Elapsed.Seconds() }

// Reads describes requests that many clients send again and again.
type Reads struct {
	URL string // of the server
	// Path, where High is given, is a format with one verb for a number, %d or
	// %014d for example, which is drawn anew for every request from Low to High,
	// both inclusive.
	Path      string
	Low, High int
	Header    map[string]string
	Clients   int
	For       time.Duration
	Seed      int
}

// script draws the numbers and prints the result in one line. A request without
// a number in it is left to wrk, which then builds it once.
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
		return r, errors.New("wrk gave no result:\n" + out)
	}
	if _, err := fmt.Sscan(line, &r.Requests, &micros[0], &r.Errors, &micros[1], &micros[2]); err != nil {
		return r, fmt.Errorf("wrk: %w in %q", err, line)
	}
	r.Elapsed, r.P50, r.P99 = time.Duration(micros[0])*time.Microsecond, time.Duration(micros[1])*time.Microsecond, time.Duration(micros[2])*time.Microsecond
	return r, nil
}
