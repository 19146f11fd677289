package postgres

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// snapshot is PostgreSQL's pg_snapshot: every transaction below max had ended, except those in running, which is
// sorted.
type snapshot struct {
	max     uint64
	running []uint64
}

// parseSnapshot reads xmin:xmax:xip,xip…
func parseSnapshot(text string) (s snapshot, ok bool) {
	f := strings.Split(text, ":")
	if len(f) != 3 {
		return s, false
	}
	lowest, err1 := strconv.ParseUint(f[0], 10, 63)
	highest, err2 := strconv.ParseUint(f[1], 10, 63)
	if err1 != nil || err2 != nil || lowest == 0 || lowest > highest {
		return s, false
	}
	s.max = highest
	if f[2] == "" {
		return s, true
	}
	for text := range strings.SplitSeq(f[2], ",") {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n < lowest || n >= highest {
			return s, false
		}
		s.running = append(s.running, n)
	}
	return s, slices.IsSorted(s.running)
}

// String returns the form that PostgreSQL parses.
func (s snapshot) String() string {
	lowest := s.max
	if len(s.running) > 0 {
		lowest = s.running[0]
	}
	numbers := make([]string, len(s.running))
	for i, n := range s.running {
		numbers[i] = strconv.FormatUint(n, 10)
	}
	return fmt.Sprintf("%d:%d:%s", lowest, s.max, strings.Join(numbers, ","))
}

// saw reports whether a transaction had ended.
func (s snapshot) saw(n uint64) bool {
	if n >= s.max {
		return false
	}
	_, running := slices.BinarySearch(s.running, n)
	return !running
}

// upTo returns the snapshot of a reader of s that has then read, in the order of their numbers, the transactions up
// to n that now sees.
func (s snapshot) upTo(n uint64, now snapshot) snapshot {
	out := snapshot{max: max(s.max, n+1)}
	open := slices.Concat(s.running, now.running)
	slices.Sort(open)
	for _, x := range slices.Compact(open) {
		if x < out.max && !s.saw(x) && (x > n || !now.saw(x)) {
			out.running = append(out.running, x)
		}
	}
	return out
}

// misses reports whether rows that s had not seen may have been removed: rows up to floor are removed, and news has
// the positions of those that s has not seen and that still exist. A transaction that was running in s and left no
// row counts as one whose row was removed.
func (s snapshot) misses(floor uint64, now snapshot, news []uint64) bool {
	if floor >= s.max {
		return true
	}
	for _, x := range s.running {
		if _, there := slices.BinarySearch(news, x); x <= floor && now.saw(x) && !there {
			return true
		}
	}
	return false
}
