package nodetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/testrival"
)

// attack is a way in which some of a class review badly. mates reports that the submitter
// belongs to the reviewer's group.
type attack struct {
	name  string
	share float64
	group int // so many bad reviewers favour each other; 0 if all act alone
	mark  func(random *rand.Rand, honest int, mates bool) int
}

var queueAttacks = func() []attack {
	full := func(*rand.Rand, int, bool) int { return classTotal }
	dice := func(random *rand.Rand, _ int, _ bool) int { return random.IntN(classTotal + 1) }
	hostile := func(random *rand.Rand, _ int, _ bool) int { return random.IntN(4) }
	favour := func(_ *rand.Rand, honest int, mates bool) int {
		if mates {
			return classTotal
		}
		return max(honest-6, 0)
	}
	return []attack{
		{"none", 0, 0, full},
		{"a fifth give all full marks", .2, 0, full},
		{"a fifth give all 14", .2, 0, func(*rand.Rand, int, bool) int { return 14 }},
		{"a fifth roll dice", .2, 0, dice},
		{"a fifth give all 0 to 3", .2, 0, hostile},
		{"a fifth turn marks around", .2, 0, func(_ *rand.Rand, honest int, _ bool) int { return classTotal - honest }},
		{"two fifths give all full marks", .4, 0, full},
		{"two fifths roll dice", .4, 0, dice},
		{"two fifths give all 0 to 3", .4, 0, hostile},
		{"a fifth favour a partner", .2, 2, favour},
		{"a fifth favour two others", .2, 3, favour},
		{"a fifth are cliques of five", .2, 5, favour},
	}
}()

// pupil is a member of a class under attack.
type pupil struct {
	user        studycircle.User
	truth       float64
	bias, noise float64
	group       int // 0 for honest ones
	own         string
	given       int
}

// knownMarks are the exemplars' marks: a good one and a poor one.
var knownMarks = []int64{18, 7}

// attackedClass hands in, asks the real queue for work, and reviews it. reviews has them by
// submission.
type attackedClass struct {
	pupils    []*pupil
	reviews   map[string][]grademodel.Review
	exemplars []string
	of        string
}

func newAttackedClass(t *testing.T, n *node, random *rand.Rand, name string, size int, a attack) *attackedClass {
	t.Helper()
	account := func(name string) studycircle.User {
		found, err := n.app.Store.AccountByEmail(t.Context(), n.user(t, name).email)
		require.NoError(t, err)
		return found.User
	}
	creator := n.user(t, name+"Creator")
	c := &attackedClass{reviews: map[string][]grademodel.Review{}, of: creator.publish(t, "reviewsNeeded", 4, "marks", classTotal)}
	owner, err := n.app.Store.AccountByEmail(t.Context(), creator.email)
	require.NoError(t, err)
	link := studycircle.SubmissionInput{DocsLink: "https://docs.example.org/1"}
	for _, mark := range knownMarks {
		id, err := n.app.Service.AddExemplar(t.Context(), owner.User, c.of, studycircle.ExemplarInput{
			SubmissionInput: link, ExemplarMark: studycircle.ExemplarMark{Mark: mark, Reason: "It is known."},
		})
		require.NoError(t, err)
		c.exemplars = append(c.exemplars, id)
	}
	bad := int(math.Round(a.share * float64(size)))
	for i := range size {
		p := &pupil{
			user:  account(fmt.Sprint(name, "Pupil", i)),
			truth: min(max(14+3.5*random.NormFloat64(), 0), classTotal), bias: 1.2 * random.NormFloat64(), noise: 1 + 2*random.Float64(),
		}
		if i < bad {
			p.group = 1 + i/max(a.group, 1)
		}
		p.own, err = n.app.Service.Submit(t.Context(), p.user, c.of, link)
		require.NoError(t, err)
		c.pupils = append(c.pupils, p)
	}
	c.review(t, n, random, a)
	return c
}

// review lets the pupils come in random order until each has given as many reviews as a
// submission gets, and the exemplars, or nothing is left for them.
func (c *attackedClass) review(t *testing.T, n *node, random *rand.Rand, a attack) {
	t.Helper()
	by := map[string]*pupil{}
	for _, p := range c.pupils {
		by[p.own] = p
	}
	for moved := true; moved; {
		moved = false
		for _, i := range random.Perm(len(c.pupils)) {
			p := c.pupils[i]
			if p.given == 4+len(knownMarks) {
				continue
			}
			task, err := n.app.Service.NextReview(t.Context(), p.user, studycircle.Hall, c.of)
			require.NoError(t, err)
			if task == nil {
				continue
			}
			id := task.Submission.ID
			truth, mates := 0., false
			if at := slices.Index(c.exemplars, id); at >= 0 {
				truth = float64(knownMarks[at])
			} else {
				truth, mates = by[id].truth, a.group > 0 && by[id].group == p.group
			}
			mark := int64(math.Round(min(max(truth+p.bias+p.noise*random.NormFloat64(), 0), classTotal)))
			if p.group > 0 {
				mark = int64(a.mark(random, int(mark), mates))
			}
			_, err = n.app.Service.Grade(t.Context(), p.user, id, studycircle.ReviewInput{Mark: &mark})
			require.NoError(t, err)
			c.reviews[id] = append(c.reviews[id], grademodel.Review{Reviewer: p.user.ID, Mark: float64(mark)})
			p.given++
			moved = true
		}
	}
}

// errors returns the RMSE of each way to the marks.
func (c *attackedClass) errors(seed uint64) (out []float64) {
	var subs, known []grademodel.Submission
	var truths []float64
	var shares [][]testrival.Given
	who := map[string]int{}
	for i, p := range c.pupils {
		who[p.user.ID] = i
	}
	for _, p := range c.pupils {
		reviews := c.reviews[p.own]
		if len(reviews) == 0 {
			continue
		}
		subs, truths = append(subs, grademodel.Submission{Total: classTotal, Reviews: reviews}), append(truths, p.truth)
		given := make([]testrival.Given, len(reviews))
		for i, r := range reviews {
			given[i] = testrival.Given{By: who[r.Reviewer], Share: r.Mark / classTotal}
		}
		shares = append(shares, given)
	}
	for i, id := range c.exemplars {
		mark := float64(knownMarks[i])
		known = append(known, grademodel.Submission{Total: classTotal, Known: &mark, Reviews: c.reviews[id]})
	}
	rmse := func(estimate func(i int) float64) float64 {
		var squares float64
		for i, truth := range truths {
			squares += (estimate(i) - truth) * (estimate(i) - truth)
		}
		return math.Sqrt(squares / float64(len(truths)))
	}
	by := func(model string, subs []grademodel.Submission) float64 {
		made := grademodel.ModelOf(model).Grade(subs)
		return rmse(func(i int) float64 { return made[i].Estimate })
	}
	for _, model := range []string{grademodel.SC1K, grademodel.SC1, grademodel.SC2} {
		out = append(out, by(model, subs), by(model, slices.Concat(subs, known)))
	}
	rival := testrival.NewPG1(seed).Estimate(shares, len(c.pupils))
	return append(out, by(grademodel.Mean, subs), by(grademodel.Median, subs), rmse(func(i int) float64 { return classTotal * rival[i] }))
}

// attacksEnv is the number of classes of 60 for each attack; without it one class of 12
// under two attacks.
const attacksEnv = "STUDYCIRCLE_TEST_ATTACKS"

// TestAttacksThroughTheQueue prints, with -v, how far each way to the marks is from the
// truth where the real queue decides who reviews what: the RMSE in marks of 20, and twice
// its standard error over the classes. docs/trust.md has the table.
func TestAttacksThroughTheQueue(t *testing.T) {
	size, classes, attacks := 12, 1, queueAttacks[:2]
	if text := os.Getenv(attacksEnv); text != "" {
		var err error
		classes, err = strconv.Atoi(text)
		require.NoError(t, err)
		size, attacks = 60, queueAttacks
	}
	onBothEngines(t, func(t *testing.T, n *node) {
		t.Log("SC1K, with exemplars, SC1, with exemplars, SC2, with exemplars, mean, median, PG1\n" + attackTable(t, n, attacks, classes, size))
	})
}

func attackTable(t *testing.T, n *node, attacks []attack, classes, size int) string {
	t.Helper()
	var table strings.Builder
	for at, a := range attacks {
		var all [][]float64
		for class := range classes {
			random := rand.New(rand.NewPCG(uint64(at), uint64(class)))
			c := newAttackedClass(t, n, random, fmt.Sprint("Class", at, "n", class), size, a)
			enough := 0
			for _, p := range c.pupils {
				if len(c.reviews[p.own]) >= 3 {
					enough++
				}
			}
			require.Greater(t, enough, size*3/4, "most work gets three reviews or more")
			all = append(all, c.errors(uint64(class)))
		}
		fmt.Fprintf(&table, "| %s |", a.name)
		for way := range all[0] {
			mean, twice := meanAndError(all, way)
			fmt.Fprintf(&table, " %.2f ± %.2f |", mean, twice)
		}
		table.WriteString("\n")
	}
	return table.String()
}

// meanAndError returns the mean of a column and twice its standard error.
func meanAndError(rows [][]float64, column int) (mean, twice float64) {
	n := float64(len(rows))
	for _, row := range rows {
		mean += row[column] / n
	}
	for _, row := range rows {
		twice += (row[column] - mean) * (row[column] - mean)
	}
	if n > 1 {
		twice = 2 * math.Sqrt(twice/(n-1)/n)
	}
	return mean, twice
}
