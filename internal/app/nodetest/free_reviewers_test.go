package nodetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// free returns the ids of the users who may review a submission of a circle, by the decision that the server makes
// when they ask: those who had it, its submitter and its creator may not.
func (g *grading) free(w handedInBy) (ids []string) {
	for _, c := range g.people {
		id := c.id(g.t)
		in, err := g.n.app.Store.OwnCircle(g.t.Context(), studycircle.ViewerOf(id), g.circle)
		if studycircle.CodeOf(err) != studycircle.CodeNotFound {
			require.NoError(g.t, err)
		}
		if c != w.by && c != g.created[w.of] && !g.had[w.id][c] && studycircle.MayReviewIn(in, g.circle) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// counted returns what an appeal of a submission counts.
func (g *grading) counted(w handedInBy) (n int64) {
	require.NoError(g.t, g.n.app.Store.Write(g.t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		found, err := tx.LoadReviewCase(ctx, w.id, "")
		if err == nil {
			n, err = tx.CountFreeReviewers(ctx, found)
		}
		return err
	}))
	return n
}

// grading plays random steps of a circle whose members come, go, get roles and review.
type grading struct {
	t       *testing.T
	n       *node
	random  *rand.Rand
	owner   *client
	people  []*client // all but the owner, members or not
	circle  string
	order   []string
	created map[string]*client
	works   []handedInBy
	had     map[string]map[*client]bool // who was ever given a submission
}

func newGrading(t *testing.T, n *node, seed uint64) *grading {
	t.Helper()
	g := &grading{
		t: t, n: n, random: rand.New(rand.NewPCG(seed, 11)), created: map[string]*client{}, had: map[string]map[*client]bool{},
		owner: n.user(t, "Owner"), people: n.people(t, "Ada", "Bob", "Cem", "Dot", "Eve", "Fay"),
	}
	g.circle = g.owner.circle(t, "Readers")
	g.owner.admits(t, g.circle, "member", g.people[:5]...)
	for i, needed := range []int{2, 1, 3, 0} {
		fields := []any{"circleId", g.circle, "marks", 20}
		if needed > 0 {
			fields = append(fields, "reviewsNeeded", needed)
		}
		of := g.people[i%2].publish(t, fields...)
		g.order, g.created[of] = append(g.order, of), g.people[i%2]
	}
	return g
}

// step does one thing at random. A refused request changes nothing.
func (g *grading) step() {
	c, of := g.people[g.random.IntN(len(g.people))], g.order[g.random.IntN(len(g.order))]
	at := "/api/circle/" + g.circle
	member := at + "/members/" + c.id(g.t)
	switch chance := g.random.IntN(100); {
	case chance < 30:
		if a := c.post(g.t, "/api/submissions", submission(of)); a.status == http.StatusCreated {
			g.works = append(g.works, handedInBy{c, a.id(g.t), of})
			g.had[a.id(g.t)] = map[*client]bool{}
		}
	case chance < 65:
		a := c.post(g.t, "/api/reviews/next", doc{"assignmentId": of})
		if a.status != http.StatusOK {
			return
		}
		id := a.text(g.t, "submissionId")
		g.had[id][c] = true
		switch g.random.IntN(3) {
		case 0:
			c.del(g.t, "/api/reviews/lease/"+id)
		case 1:
			c.patch(g.t, "/api/submissions/"+id, doc{"marks": g.random.IntN(21)})
		}
	case chance < 70 && len(g.works) > 0:
		w := g.works[g.random.IntN(len(g.works))] // one grade is a mark, and its grader does not review it again
		if a := c.patch(g.t, "/api/submissions/"+w.id, doc{"marks": 9}); a.status == http.StatusOK {
			g.had[w.id][c] = true
		}
	case chance < 75 && len(g.works) > 0:
		w := g.works[g.random.IntN(len(g.works))]
		w.by.post(g.t, "/api/submissions/"+w.id+"/appeal", doc{"reason": "Please look again."})
	case chance < 80:
		g.owner.patch(g.t, member, doc{"role": []string{"member", "organizer"}[g.random.IntN(2)]})
	case chance < 84:
		g.owner.del(g.t, member)
	case chance < 90:
		_, secret := g.owner.invite(g.t, g.circle, "role", "member")
		c.join(g.t, secret)
	case chance < 93:
		who := []string{"members", "organizers"}[g.random.IntN(2)]
		g.owner.put(g.t, at, doc{"name": "Readers", "grading": who}).is(g.t, http.StatusOK)
	default:
		g.n.clock.advance(time.Duration(1+g.random.IntN(30)) * time.Hour)
		require.NoError(g.t, g.n.app.Service.PassTime(g.t.Context()))
		for _, c := range append(g.people, g.owner) {
			c.newSession(g.t)
		}
	}
}

// An appeal counts as many free reviewers as there are users whom the decision about reviews allows, after any history.
func TestFreeReviewersAreThoseWhoMayReview(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			onBothEngines(t, func(t *testing.T, n *node) {
				g, seen := newGrading(t, n, seed), map[int64]int{}
				for range 12 {
					for range 12 {
						g.step()
					}
					for _, w := range g.works {
						counted := g.counted(w)
						require.EqualValues(t, min(len(g.free(w)), studycircle.AppealReviews), counted, "seed %d: %v", seed, g.free(w))
						seen[counted]++
					}
				}
				require.Greater(t, len(seen), 1, "all submissions had the same number")
			})
		})
	}
}
