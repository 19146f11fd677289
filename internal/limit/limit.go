// Package limit counts uses in sliding windows, exact to the second, as values that
// memory and a database can both hold. It knows neither what is counted nor where it is
// kept.
package limit

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
)

// Window allows Max uses in any interval of length Per.
type Window struct {
	// Name identifies the window in its storage; short, without a colon.
	Name string
	Max  int
	Per  time.Duration
	// Message tells the user what exceeded the limit. It is a format for the time to wait.
	Message string
}

// Use is one use of a window by a subject. The zero Use counts nothing and is always
// allowed.
type Use struct {
	Window
	Subject string
	At      time.Time
}

// None reports whether u is the zero Use.
func (u Use) None() bool { return u.Name == "" }

// Log holds times of uses in seconds since 1970, oldest first, at most Max of its Window.
type Log []int64

// Parse reads the output of String. It skips invalid stamps: a broken row must not lock a
// user out.
func Parse(s string) Log {
	var l Log
	for word := range strings.FieldsSeq(s) {
		if n, err := strconv.ParseInt(word, 36, 64); err == nil {
			l = append(l, n)
		}
	}
	return l
}

// String formats l in about six characters per stamp.
func (l Log) String() string {
	var b strings.Builder
	for i, n := range l {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(n, 36))
	}
	return b.String()
}

// skew is how far nodes' clocks may differ, in seconds.
const skew = 60

// recent returns the stamps of l that still count. A stamp from the future comes from a
// wrong clock and does not count.
func (w Window) recent(l Log, now time.Time) Log {
	from, to := now.Add(-w.Per).Unix(), now.Unix()+skew
	return slices.DeleteFunc(slices.Clone(l), func(n int64) bool { return n <= from || n > to })
}

// Wait returns how long until one more use is allowed; zero if it is now.
func (w Window) Wait(l Log, now time.Time) time.Duration {
	l = w.recent(l, now)
	if len(l) < w.Max {
		return 0
	}
	// The next use is allowed when the oldest of the newest Max leaves the window.
	leaves := time.Unix(l[len(l)-w.Max], 0).Add(w.Per)
	return max(leaves.Sub(now), time.Second)
}

// With returns l with one more use, without the stamps that no longer count.
func (w Window) With(l Log, now time.Time) Log {
	l = append(w.recent(l, now), now.Unix())
	slices.Sort(l)
	return l[max(0, len(l)-w.Max):]
}

// Refuse returns the error for a use that has to wait.
func (w Window) Refuse(wait time.Duration) error {
	return &studycircle.Error{
		Code: studycircle.CodeRateLimited, RetryAfter: wait,
		Message: w.Message, Args: []any{studycircle.Wait(wait)},
	}
}
