// Package limit counts how often things happen: sliding windows, exact to the
// second, as values that memory and a database can both hold. It knows neither
// what is counted nor where it is kept.
package limit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
)

// Window allows Max uses in any stretch of time as long as Per.
type Window struct {
	// Name tells windows apart where they are kept; short, without a colon.
	Name string
	Max  int
	Per  time.Duration
	// Sentence says what there was too much of, for the user.
	Sentence string
}

// Use is one use of a window by a subject. The zero Use is none, and has room always.
type Use struct {
	Window
	Subject string
	At      time.Time
}

// None tells whether u is the zero Use.
func (u Use) None() bool { return u.Name == "" }

// Log is when something happened, in seconds since 1970, oldest first. It is
// bounded by the Max of its Window.
type Log []int64

// Parse reads what String wrote. A stamp that cannot be read is left out: a
// limit must not lock anybody out because of a broken row.
func Parse(s string) Log {
	var l Log
	for word := range strings.FieldsSeq(s) {
		if n, err := strconv.ParseInt(word, 36, 64); err == nil {
			l = append(l, n)
		}
	}
	return l
}

// String is l in some six characters a stamp.
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

// skew is how far the clocks of two nodes may lie apart.
const skew = 60

// recent is what of l still counts. A stamp from the future is the trace of a
// clock that was wrong, and counts for nothing.
func (w Window) recent(l Log, now time.Time) Log {
	from, to := now.Add(-w.Per).Unix(), now.Unix()+skew
	return slices.DeleteFunc(slices.Clone(l), func(n int64) bool { return n <= from || n > to })
}

// Wait is how long from now until there is room for one more; zero where there is.
func (w Window) Wait(l Log, now time.Time) time.Duration {
	l = w.recent(l, now)
	if len(l) < w.Max {
		return 0
	}
	// Room comes when the oldest of the newest Max leaves the window.
	leaves := time.Unix(l[len(l)-w.Max], 0).Add(w.Per)
	return max(leaves.Sub(now), time.Second)
}

// With is l with one more, less what does not count any more.
func (w Window) With(l Log, now time.Time) Log {
	l = append(w.recent(l, now), now.Unix())
	slices.Sort(l)
	return l[max(0, len(l)-w.Max):]
}

// Refuse is the answer to a use that has to wait.
func (w Window) Refuse(wait time.Duration) error {
	return &studycircle.Error{
		Code: studycircle.CodeRateLimited, RetryAfter: wait,
		Message: fmt.Sprintf("%s Please try again in %s.", w.Sentence, inWords(wait)),
	}
}

// inWords rounds up, so that whoever waits as long as told is let in.
func inWords(d time.Duration) string {
	if d <= time.Minute {
		return "a minute"
	}
	return fmt.Sprintf("%d minutes", int((d+time.Minute-1)/time.Minute))
}
