package grademodel_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

func marksOf(known *float64, marks ...any) grademodel.Submission {
	sub := grademodel.Submission{Assignment: "A", Total: 20, Known: known}
	for i := 0; i < len(marks); i += 2 {
		sub.Reviews = append(sub.Reviews, grademodel.Review{Reviewer: marks[i].(string), Mark: float64(marks[i+1].(int))})
	}
	return sub
}

func TestLooks(t *testing.T) {
	t.Parallel()
	twelve := 12.
	subs := []grademodel.Submission{
		marksOf(nil, "u1", 18, "u2", 15, "u3", 12), marksOf(nil, "u1", 20, "u2", 20, "u4", 20), marksOf(nil, "u3", 4, "u4", 18, "u1", 17),
		marksOf(nil, "u2", 11), marksOf(nil), marksOf(&twelve, "u1", 12),
	}
	falls, all := grademodel.Looks(subs, nil)
	require.Zero(t, falls[4], "no review")
	require.Zero(t, falls[5], "known")
	for i := range 4 {
		s := grademodel.ModelOf(grademodel.SC2).Grade(subs)[i]
		require.Greater(t, falls[i], s.SD*s.SD, "itself, and what it teaches")
		require.Less(t, falls[i], 2*s.SD*s.SD)
	}
	require.Greater(t, falls[2], falls[1], "reviews that differ")
	var squares float64
	for i := range 4 {
		s := grademodel.ModelOf(grademodel.SC2).Grade(subs)[i]
		squares += s.SD * s.SD
	}
	require.InDelta(t, squares, all, 1e-6)
	alone, _ := grademodel.Looks(subs[3:4], nil)
	require.InDelta(t, grademodel.ModelOf(grademodel.SC2).Grade(subs[3:4])[0].SD, math.Sqrt(alone[0]), 1e-6, "a reviewer of nothing else learns nothing")
	settled, _ := grademodel.Looks(subs, []bool{false, true, true, true, false, false})
	last := grademodel.ModelOf(grademodel.SC2).Grade(subs)[0]
	require.InDelta(t, last.SD*last.SD, settled[0], 1e-6, "final marks do not move")
	require.Greater(t, settled[1], 0., "but a look at them helps")

	order := []int{5, 3, 1, 0, 2, 4}
	mixed := make([]grademodel.Submission, len(subs))
	for to, from := range order {
		mixed[to] = subs[from]
	}
	again, _ := grademodel.Looks(mixed, nil)
	for to, fall := range again {
		require.Equal(t, falls[order[to]], fall, "the order of the submissions changes no bit") //nolint:testifylint // exactly
	}
	none, _ := grademodel.Looks(nil, nil)
	require.Empty(t, none)
}

// TestLooksAtFivePercent prints, with -v, the distance from the truth when an expert marks 5 % of a simulated class: of
// the work that Looks names, five at a time, and of random work; and how much of the error that bad reviewers add the
// former removes.
func TestLooksAtFivePercent(t *testing.T) {
	t.Parallel()
	const classes, looks = 5, classSize / 20
	var table strings.Builder
	for _, model := range []string{grademodel.SC2, grademodel.SC1} {
		for _, taught := range []bool{false, true} {
			var honest float64
			for _, a := range attacks {
				var before, after, random float64
				for seed := range uint64(classes) {
					c := drawClass(seed, a.share, a.marks)
					subs := c.submissions(taught)
					before += c.squares(c.graded(model, subs))
					looked := slices.Clone(subs)
					for range looks / 5 {
						falls, _ := grademodel.Looks(looked, nil)
						for range 5 {
							at := slices.Index(falls, slices.Max(falls))
							falls[at] = 0
							c.know(looked, at)
						}
					}
					after += c.squares(c.graded(model, looked))
					for i := range looks {
						c.know(subs, 20*i+3)
					}
					random += c.squares(c.graded(model, subs))
				}
				rmse := func(squares float64) float64 { return math.Sqrt(squares / (classes * classSize)) }
				fmt.Fprintf(&table, "%s, exemplars %-5v %-15s %.2f, looks %.2f, random %.2f", model, taught, a.name, rmse(before), rmse(after), rmse(random))
				if a.share == 0 {
					honest = rmse(before)
				} else {
					fmt.Fprintf(&table, ", removed %.0f %%", 100*(rmse(before)-rmse(after))/(rmse(before)-honest))
				}
				table.WriteByte('\n')
				require.Less(t, after, before, "%s, %s: known work helps", model, a.name)
				if a.share > 0 {
					require.Less(t, after, random, "%s, %s: more than random work", model, a.name)
				}
			}
		}
	}
	t.Log("RMSE in marks of 20\n" + table.String())
}

func (c class) submissions(taught bool) (subs []grademodel.Submission) {
	for _, of := range c.reviews {
		subs = append(subs, submissionOf(of))
	}
	for i := range c.exemplars {
		if taught {
			sub := submissionOf(c.exemplars[i].reviews)
			sub.Known = &c.exemplars[i].known
			subs = append(subs, sub)
		}
	}
	return subs
}

// know makes the true mark of a submission known.
func (c class) know(subs []grademodel.Submission, at int) {
	known := math.Round(c.truth[at])
	subs[at].Known = &known
}

// graded returns the marks of a class: the known ones, and the model's estimates.
func (c class) graded(model string, subs []grademodel.Submission) []float64 {
	marks := make([]float64, len(c.reviews))
	for i, s := range grademodel.ModelOf(model).Grade(subs)[:len(c.reviews)] {
		if marks[i] = s.Estimate; subs[i].Known != nil {
			marks[i] = *subs[i].Known
		}
	}
	return marks
}
