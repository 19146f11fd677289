package nodetest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// classesEnv lists the sizes of simulated classes: small ones if it is empty, so that
// TestClasses takes seconds.
const classesEnv = "STUDYCIRCLE_TEST_CLASSES"

// askers returns how many users request a review at once: 200 if large classes are
// simulated.
func askers() int {
	if os.Getenv(classesEnv) != "" {
		return 200
	}
	return crowd
}

// habits are the behaviours of classes.
var habits = func() []habit {
	all, nobody := func(int) bool { return true }, func(int) bool { return false }
	fifth := func(i int) bool { return i%5 == 0 }
	week := func(random *rand.Rand, _ int) time.Duration { return hours(random, -7*24+1, 0) }
	lastHour := func(random *rand.Rand, _ int) time.Duration { return hours(random, -1, 0) }
	// A member who comes on two of three days until they have given their reviews.
	daily := func(random *rand.Rand) (at []time.Duration) {
		for d := -6; d < 7; d++ {
			if random.IntN(3) > 0 {
				at = append(at, hours(random, float64(24*d), float64(24*d+24)))
			}
		}
		return at
	}
	// All members in the hour after the due date, and an hour at noon of the next day.
	atOnce := func(random *rand.Rand) []time.Duration {
		return []time.Duration{hours(random, 0, 1), hours(random, 0, 1), hours(random, 12, 13)}
	}
	late := func(random *rand.Rand, i int) time.Duration {
		if fifth(i) {
			return hours(random, 24, 10*24)
		}
		return week(random, i)
	}
	return []habit{
		{"all review", week, daily, all, nobody},
		{"bursts", lastHour, atOnce, all, nobody},
		{"a fifth never review", week, daily, func(i int) bool { return !fifth(i) }, nobody},
		{"a fifth come late", late, daily, all, nobody},
		{"a third leave", week, daily, all, func(i int) bool { return i%3 == 0 }},
		{"all leave", week, daily, all, all},
		{"none reviews", week, daily, nobody, nobody},
	}
}()

// TestClasses simulates classes of each habit and size on a real node, under a clock that
// is driven through their weeks. With -v it prints how many reviews their submissions got
// and when.
//
// It checks these rules:
//
//   - Seven days after the later of submission and due date every submission has its mark or is a row of the pending list that any user may review.
//   - No member is offered their own work, anything twice, or work without a free slot.
//   - After all members delete their accounts, no mark has changed.
func TestClasses(t *testing.T) {
	sizes := []int{3}
	rooms := func(int) int { return 1 }
	if list := os.Getenv(classesEnv); list != "" {
		sizes = nil
		for text := range strings.SplitSeq(list, ",") {
			size, err := strconv.Atoi(text)
			require.NoError(t, err)
			sizes = append(sizes, size)
		}
		rooms = func(size int) int { return max(1, 20/size) } // shares of small classes vary
	}
	onBothEngines(t, func(t *testing.T, n *node) {
		s := newSchool(t, n, 1)
		for _, size := range sizes {
			for _, h := range habits {
				for range rooms(size) {
					s.open(size, h)
				}
			}
		}
		s.run()
		table := s.table()
		for _, r := range s.rooms {
			r.clearUp()
			r.leaveMarks()
		}
		t.Log("submissions with at least so many of 3 reviews, so long after the later of hand-in and due date\n" + table)
	})
}

// clearUp has an outsider review the unattended submissions: the first review settles
// each, and the class has all its marks.
func (r *room) clearUp() {
	r.t.Helper()
	outsider := r.n.user(r.t, "Outsider"+r.creator.name)
	for _, id := range r.pendingRows() {
		w := r.works[id]
		require.True(r.t, w.unattended)
		r.creator.patch(r.t, "/api/submissions/"+id, doc{"marks": 10}).refused(r.t, http.StatusForbidden, studycircle.CodeNotLeased)
		outsider.patch(r.t, "/api/submissions/"+id, doc{"marks": 10}).is(r.t, http.StatusOK)
		w.marks = append(w.marks, 10)
	}
	require.Empty(r.t, r.pendingRows())
	outsider.idle(r.t, r.of)
	for _, row := range r.creator.pending(r.t) {
		require.NotEqual(r.t, r.of, row["assignmentId"], "nothing is open any more")
	}
}

// leaveMarks deletes all accounts: the explanation of each mark stays the same to the
// last digit.
func (r *room) leaveMarks() {
	r.t.Helper()
	r.signIn(r.creator)
	marks := func() (all []string) {
		for _, w := range r.handedIn() {
			if !w.withdrawn {
				all = append(all, string(r.creator.get(r.t, "/api/submissions/"+w.id+"/mark").is(r.t, http.StatusOK).body))
			}
		}
		return all
	}
	before := marks()
	for _, m := range r.members {
		if !m.gone {
			r.leave(m)
			require.False(r.t, r.works[m.own].withdrawn)
		}
	}
	require.Equal(r.t, before, marks())
}

// table formats a line for each size and habit.
func (s *school) table() string {
	type kind struct {
		size  int
		habit string
	}
	var kinds []kind
	of := map[kind][]*work{}
	for _, r := range s.rooms {
		k := kind{r.size, r.habit.name}
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], r.handedIn()...)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%4s  %-20s %5s %6s %6s %6s %6s %6s %6s %8s %8s %6s\n", "size", "habit", "works",
		"1, 3 d", "2, 3 d", "3, 3 d", "1, 7 d", "2, 7 d", "3, 7 d", "longest", "unattended", "gone")
	for _, k := range kinds {
		fmt.Fprintf(&text, "%4d  %-20s %s\n", k.size, k.habit, s.figures(of[k]))
	}
	return text.String()
}

// figures formats the shares of works with so many reviews, the longest time until a mark
// or a row of the pending list, how many became such a row, and how many were deleted
// with their submitter's account.
func (s *school) figures(works []*work) string {
	var enough [2][classNeeded]int
	var stayed, unattended int
	var longest time.Duration
	for _, w := range works {
		if w.withdrawn {
			continue
		}
		stayed++
		for i, after := range []time.Duration{3 * day, 7 * day} {
			had := 0
			for _, at := range w.reviewed {
				if !at.After(w.later.Add(after)) {
					had++
				}
			}
			for k := range min(had, classNeeded) {
				enough[i][k]++
			}
		}
		if w.unattended {
			unattended++
			longest = studycircle.SettleAfter
			continue
		}
		settled, err := s.n.app.Store.Settlements(s.t.Context(), w.id)
		require.NoError(s.t, err)
		longest = max(longest, settled[0].At.Sub(w.later))
	}
	line := fmt.Sprintf("%5d", len(works))
	for _, shares := range enough {
		for _, n := range shares {
			line += fmt.Sprintf(" %4.0f %%", 100*float64(n)/float64(max(stayed, 1)))
		}
	}
	return line + fmt.Sprintf(" %6.1f d %8d %6d", longest.Hours()/24, unattended, len(works)-stayed)
}
