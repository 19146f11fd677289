package nodetest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// needs is how many reviews each submission gets in these tests.
const needs = 3

// group is a class whose first few members try to review each other.
type group struct {
	t       *testing.T
	n       *node
	random  *rand.Rand
	creator *client
	members []*client
	mates   int
	of      string // the present assignment

	owner   map[string]int // member, by submission
	order   []string       // submissions
	given   []int          // reviews by each member
	turns   map[int]map[string]bool
	reviews map[string][]int // reviewers, by submission
	back    []int            // given back today
}

func newGroup(t *testing.T, n *node, size, mates int, seed uint64) *group {
	t.Helper()
	g := &group{t: t, n: n, random: rand.New(rand.NewPCG(seed, 3)), mates: mates}
	g.creator = n.user(t, fmt.Sprint("Creator", seed))
	for i := range size {
		g.members = append(g.members, n.user(t, fmt.Sprintf("Member%dof%d", i, seed)))
	}
	return g
}

// assign begins the next assignment, a week after the one before.
func (g *group) assign() {
	g.t.Helper()
	if g.of != "" {
		g.n.clock.advance(7 * 24 * time.Hour)
		for _, c := range append(g.members, g.creator) {
			c.newSession(g.t)
		}
	}
	g.of = g.creator.publish(g.t, "reviewsNeeded", needs, "marks", 20, "dueDate", g.n.clock.now().Add(6*24*time.Hour).UTC().Format(time.RFC3339))
	g.owner, g.reviews, g.turns = map[string]int{}, map[string][]int{}, map[int]map[string]bool{}
	g.given, g.back, g.order = make([]int, len(g.members)), make([]int, len(g.members)), nil
}

func (g *group) handIn(i int) {
	g.t.Helper()
	id := g.members[i].submit(g.t, g.of)
	g.owner[id] = i
	g.order = append(g.order, id)
}

func (g *group) reviewed(reviewer, submitter int) bool {
	for _, id := range g.order {
		if g.owner[id] == submitter && g.turns[reviewer][id] {
			return true
		}
	}
	return false
}

func (g *group) isMate(i int) bool { return i < g.mates }

// ask has a member review the next submission. A member who picks gives back what is not a mate's, twice a day. It
// reports whether there was a submission.
func (g *group) ask(i int, picks bool) bool {
	g.t.Helper()
	c := g.members[i]
	a := c.post(g.t, "/api/reviews/next", doc{"assignmentId": g.of})
	if a.status == http.StatusNoContent {
		return false
	}
	id := a.is(g.t, http.StatusOK).text(g.t, "submissionId")
	g.check(i, id)
	if picks && !g.isMate(g.owner[id]) && g.back[i] < 2 {
		c.del(g.t, "/api/reviews/lease/"+id).is(g.t, http.StatusOK)
		g.back[i]++
		g.take(i, id, false)
		return true
	}
	c.patch(g.t, "/api/submissions/"+id, doc{"marks": 20}).is(g.t, http.StatusOK)
	g.take(i, id, true)
	g.given[i]++
	g.reviews[id] = append(g.reviews[id], i)
	return true
}

func (g *group) take(i int, id string, reviewed bool) {
	if g.turns[i] == nil {
		g.turns[i] = map[string]bool{}
	}
	g.turns[i][id] = reviewed
}

// check requires that a member who gets a direct trade had nothing else to do.
func (g *group) check(i int, id string) {
	g.t.Helper()
	if !g.reviewed(g.owner[id], i) || len(g.order) <= 2*needs {
		return
	}
	for _, other := range g.order {
		_, had := g.turns[i][other]
		if g.owner[other] != i && !had && len(g.reviews[other]) < needs {
			require.True(g.t, g.reviewed(g.owner[other], i), "member %d gets a trade with %d, but %d waits", i, g.owner[id], g.owner[other])
		}
	}
}

// shuffled returns the numbers of some members in random order.
func (g *group) shuffled(mates bool) (some []int) {
	for _, i := range g.random.Perm(len(g.members)) {
		if g.isMate(i) == mates {
			some = append(some, i)
		}
	}
	return some
}

// work has members review, in turns, until each has given the reviews that they owe, or nothing is left for them.
func (g *group) work(who []int, picks bool) {
	g.t.Helper()
	for left := true; left; {
		left = false
		for _, i := range who {
			if g.given[i] < needs && g.ask(i, picks && g.isMate(i)) {
				left = true
			}
		}
	}
}

// attacks are ways of a group of mates to get each other's work.
var attacks = []struct {
	name string
	play func(g *group)
}{
	{"review like the others", func(g *group) {
		g.handInAll()
		g.work(g.random.Perm(len(g.members)), false)
	}},
	{"give back other work", func(g *group) {
		g.handInAll()
		g.work(g.random.Perm(len(g.members)), true)
	}},
	{"ask last", func(g *group) {
		g.handInAll()
		g.work(g.shuffled(false), false)
		g.work(g.shuffled(true), true)
	}},
	{"come before all others", func(g *group) {
		for i := range g.mates {
			g.handIn(i)
			g.work(g.shuffled(true), false)
		}
		for _, i := range g.shuffled(false) {
			g.handIn(i)
		}
		g.work(g.random.Perm(len(g.members)), true)
	}},
}

func (g *group) handInAll() {
	g.t.Helper()
	for _, i := range g.random.Perm(len(g.members)) {
		g.handIn(i)
	}
}

// figures counts what mates achieved.
type figures struct{ works, placed, returned, rings float64 }

// count adds the reviews of the present assignment: those of a mate's work by a mate, and mates who got a review in
// return for theirs, from the mate whose work they reviewed or from one whose work that mate reviewed.
func (g *group) count(f *figures) {
	for a := range g.mates {
		f.works++
		returned, ring := false, false
		for b := range g.mates {
			if a == b {
				continue
			}
			if g.reviewed(b, a) {
				f.placed++
			}
			returned = returned || (g.reviewed(a, b) && g.reviewed(b, a))
			for c := range g.mates {
				ring = ring || (c != a && c != b && g.reviewed(a, b) && g.reviewed(b, c) && g.reviewed(c, a))
			}
		}
		if returned {
			f.returned++
		}
		if ring {
			f.rings++
		}
	}
}

// Groups of mates try to review each other through the queue. A member gets a direct trade only if nothing else is
// left. With STUDYCIRCLE_TEST_CLASSES the classes are those of trust.md, and -v prints the table.
func TestTradingThroughTheQueue(t *testing.T) {
	size, assignments, seeds := 8, 2, uint64(1)
	if os.Getenv(classesEnv) != "" {
		size, assignments, seeds = 30, 3, 2
	}
	onBothEngines(t, func(t *testing.T, n *node) {
		var table strings.Builder
		number := uint64(0)
		for _, attack := range attacks {
			for _, mates := range []int{2, 3, 5} {
				var f figures
				for range seeds {
					number++
					g := newGroup(t, n, size, mates, number)
					for range assignments {
						g.assign()
						attack.play(g)
						g.count(&f)
					}
				}
				fmt.Fprintf(&table, "%s | %d | %.0f | %.0f | %.0f\n", attack.name, mates, 100*f.placed/f.works, 100*f.returned/f.works, 100*f.rings/f.works)
			}
		}
		t.Log("reviews by mates for 100 works of theirs, mates of 100 who traded directly, and in rings of three\n" + table.String())
	})
}

// 32 members of a class ask at once, again and again: while other work waits, no two get each other's, and no three
// each other's in a ring.
func TestConcurrentRequestsDoNotTrade(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		of := ada.publish(t, "reviewsNeeded", needs, "marks", 20)
		owner := map[string]int{}
		for i, u := range users {
			owner[u.submit(t, of)] = i
		}
		gave := make([]map[int]bool, crowd)
		for round := range 2 {
			got := make([]string, crowd)
			together(t, crowd, func(i int) (err error) {
				got[i], err = users[i].reserve(t.Context(), of)
				return err
			})
			for i, id := range got {
				require.NotEmpty(t, id)
				if gave[i] == nil {
					gave[i] = map[int]bool{}
				}
				gave[i][owner[id]] = true
			}
			for a := range crowd {
				for b := range gave[a] {
					require.False(t, gave[b][a], "round %d: %d and %d review each other", round, a, b)
					for c := range gave[b] {
						require.False(t, gave[c][a], "round %d: a ring of %d, %d and %d", round, a, b, c)
					}
				}
			}
			together(t, crowd, func(i int) error {
				_, err := users[i].do(t.Context(), http.MethodPatch, "/api/submissions/"+got[i], doc{"marks": 14}, http.StatusOK)
				return err
			})
		}
	})
}
