package grademodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle/internal/grademodel"
)

// history draws the reviews of a few people in a few assignments.
func history(t *rapid.T) []grademodel.Submission {
	people := rapid.IntRange(1, 8).Draw(t, "people")
	subs := make([]grademodel.Submission, rapid.IntRange(1, 10).Draw(t, "submissions"))
	for i := range subs {
		subs[i] = grademodel.Submission{
			Assignment: rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "assignment"),
			Total:      rapid.SampledFrom([]int{1, 5, 20, 100}).Draw(t, "total"),
		}
		total := subs[i].Total
		if rapid.IntRange(0, 9).Draw(t, "is exemplar") == 0 {
			known := float64(rapid.IntRange(0, total).Draw(t, "known"))
			subs[i].Known = &known
		}
		for _, who := range rapid.Permutation(names(people)).Draw(t, "who")[:rapid.IntRange(0, people).Draw(t, "reviews")] {
			subs[i].Reviews = append(subs[i].Reviews, grademodel.Review{Reviewer: who, Mark: float64(rapid.IntRange(0, total).Draw(t, "mark"))})
		}
	}
	return subs
}

func names(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("u%d", i)
	}
	return all
}

func TestAMarkLiesAmongItsReviews(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		subs := history(t)
		model := anyModel(t)
		for i, s := range model.Grade(subs) {
			if len(subs[i].Reviews) == 0 {
				require.Zero(t, s)
				continue
			}
			require.Equal(t, model.Name(), s.Model)
			require.LessOrEqual(t, s.Low, s.Estimate)
			require.GreaterOrEqual(t, s.High, s.Estimate)
			require.LessOrEqual(t, s.Low, float64(s.Mark), "the interval holds the rounded mark too")
			require.GreaterOrEqual(t, s.High, float64(s.Mark))
			require.GreaterOrEqual(t, s.Low, 0.)
			require.LessOrEqual(t, s.High, float64(s.Total))
			require.GreaterOrEqual(t, s.Open, 0.)
			if subs[i].Known != nil {
				continue
			}
			lowest, highest := lowestAndHighest(subs[i].Reviews)
			require.GreaterOrEqual(t, s.Estimate, lowest)
			require.LessOrEqual(t, s.Estimate, highest)
			require.GreaterOrEqual(t, float64(s.Mark), lowest)
			require.LessOrEqual(t, float64(s.Mark), highest)
			if lowest == highest {
				require.InDelta(t, lowest, s.Estimate, 0, "one review, or all alike, is the mark")
			}
		}
	})
}

// anyModel draws one of the models whose marks have intervals.
func anyModel(t *rapid.T) grademodel.Model {
	return grademodel.ModelOf(rapid.SampledFrom([]string{grademodel.SC2, grademodel.SC1K, grademodel.SC1}).Draw(t, "model"))
}

// recorded draws one of the models that the server settles by.
func recorded(t *rapid.T) string {
	return rapid.SampledFrom([]string{grademodel.SC1K, grademodel.SC1}).Draw(t, "model")
}

func lowestAndHighest(reviews []grademodel.Review) (lowest, highest float64) {
	lowest, highest = reviews[0].Mark, reviews[0].Mark
	for _, r := range reviews {
		lowest, highest = min(lowest, r.Mark), max(highest, r.Mark)
	}
	return lowest, highest
}

// Other names for people and assignments, as after a deleted account, and another order of everything leave every bit
// unchanged.
func TestOrderAndNamesMeanNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		subs := history(t)
		model := anyModel(t)
		want := model.Grade(subs)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		renamed := map[string]string{}
		rename := func(name string) string {
			if renamed[name] == "" {
				renamed[name] = fmt.Sprintf("%x %s", random.Uint64(), name)
			}
			return renamed[name]
		}
		order := random.Perm(len(subs))
		inner := make([][]int, len(subs))
		other := make([]grademodel.Submission, len(subs))
		for to, from := range order {
			sub := subs[from]
			other[to] = grademodel.Submission{Assignment: rename(sub.Assignment), Total: sub.Total, Known: sub.Known}
			inner[to] = random.Perm(len(sub.Reviews))
			for _, j := range inner[to] {
				other[to].Reviews = append(other[to].Reviews, grademodel.Review{Reviewer: rename(sub.Reviews[j].Reviewer), Mark: sub.Reviews[j].Mark})
			}
		}
		for to, got := range model.Grade(other) {
			from := want[order[to]]
			for at, j := range inner[to] {
				require.Equal(t, from.Reviews[j], got.Reviews[at])
				require.Equal(t, from.Counted[j], got.Counted[at])
			}
			got.Reviews, got.Counted = from.Reviews, from.Counted
			require.Equal(t, from, got)
		}
	})
}

// The server's computation for one arriving review (the submission's parts anew, records summed from stored parts in
// any order, one submission settled) equals recomputing everything.
func TestOneSubmissionSettledFromStoredParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		subs := history(t)
		model := recorded(t)
		whole := grademodel.GradeByRecords(model, subs, nil)
		at := rapid.IntRange(0, len(subs)-1).Draw(t, "which")
		sub := subs[at]
		if len(sub.Reviews) == 0 {
			return
		}
		var spreads []grademodel.Spread
		for _, s := range subs {
			if s.Assignment == sub.Assignment && s.Known == nil && len(s.Reviews) > 0 {
				spreads = append(spreads, grademodel.SpreadOf(s.Total, s.Reviews))
			}
		}
		scale := grademodel.ScaleOf(model, spreads)
		require.Equal(t, whole[at].Parts, scale.PartsOf(sub))
		in := grademodel.Inputs{Model: model, Total: sub.Total, Exemplar: sub.Known != nil, Scale: scale}
		for _, r := range sub.Reviews {
			var record grademodel.Record
			for i, s := range slices.Backward(subs) {
				j := slices.IndexFunc(s.Reviews, func(o grademodel.Review) bool { return o.Reviewer == r.Reviewer })
				if i != at && j >= 0 {
					record = record.Plus(grademodel.Record(whole[i].Parts[j]))
				}
			}
			b, a := record.Judge()
			in.Reviews = append(in.Reviews, grademodel.Input{Mark: r.Mark, Strictness: b, Weight: a})
		}
		requireEqual(t, whole[at].Settlement, in.Settle())
	})
}

// One assignment recomputed with its reviewers' records from the others equals recomputing all assignments.
func TestOneAssignmentRecomputed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		subs := history(t)
		model := recorded(t)
		whole := grademodel.GradeByRecords(model, subs, nil)
		elsewhere := map[string]grademodel.Record{}
		var one []grademodel.Submission
		var want []grademodel.Graded
		for i, s := range subs {
			if s.Assignment == "A" {
				one, want = append(one, s), append(want, whole[i])
				continue
			}
			for j, r := range s.Reviews {
				elsewhere[r.Reviewer] = elsewhere[r.Reviewer].Plus(grademodel.Record(whole[i].Parts[j]))
			}
		}
		for i, g := range grademodel.GradeByRecords(model, one, elsewhere) {
			require.Equal(t, want[i].Parts, g.Parts)
			requireEqual(t, want[i].Settlement, g.Settlement)
		}
	})
}

// A settlement recomputed from its stored inputs is the same.
func TestASettlementRecomputesItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, s := range anyModel(t).Grade(history(t)) {
			if len(s.Reviews) > 0 {
				require.Equal(t, s, s.Settle())
			}
		}
	})
}

func TestStrictnessAndWeightAreRounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, g := range grademodel.GradeByRecords(grademodel.SC1, history(t), nil) {
			for _, r := range g.Settlement.Reviews {
				require.InDelta(t, r.Strictness*20, float64(int(r.Strictness*20+.5*sign(r.Strictness))), 1e-9)
				require.Contains(t, []float64{0, .25, .5, .75, 1, 1.25, 1.5}, r.Weight)
			}
		}
	})
	b, a := grademodel.Record{M: .1, P: 1, XX: 8, XE: 2}.Judge()
	require.Equal(t, []float64{.05, .75}, []float64{b, a}, ".025 is rounded to .05, .625 to .75")
	b, _ = grademodel.Record{M: -.1, P: 1}.Judge()
	require.InDelta(t, -.05, b, 0, "half away from zero")
	b, a = grademodel.Record{}.Judge()
	require.Equal(t, []float64{0, 1}, []float64{b, a}, "nothing is known of them")
	_, a = grademodel.Record{XX: 1, XE: 100}.Judge()
	require.InDelta(t, 1.5, a, 0, "1.5 is the greatest weight")
	_, a = grademodel.Record{XX: 1, XE: -100}.Judge()
	require.Zero(t, a)
}

// Sums stay whole numbers of Unit, as they are stored, through any changes.
func TestMovedTotalsAreStoredExactly(t *testing.T) {
	t.Parallel()
	review := func(mark float64) []grademodel.Review {
		return []grademodel.Review{{Reviewer: "a", Mark: mark}, {Reviewer: "b", Mark: 7}}
	}
	var sums grademodel.Totals
	for mark := range 20 {
		sums = sums.Moved(20, nil, review(float64(mark)))
		for _, sum := range []float64{sums.Means, sums.Squares, sums.Unsaid, sums.Said, sums.SaidSquares} {
			require.Zero(t, math.Mod(sum*grademodel.Unit, 1), "%d", mark)
		}
	}
	for mark := range 20 {
		sums = sums.Moved(20, review(float64(mark)), nil)
	}
	require.Zero(t, sums)
}

// Sums that follow single reviews give the scale that the whole assignment gives.
func TestMovedTotalsGiveTheScale(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var sums grademodel.Totals
		var spreads []grademodel.Spread
		for _, s := range history(t) {
			for n := range s.Reviews {
				sums = sums.Moved(s.Total, s.Reviews[:n], s.Reviews[:n+1])
			}
			if len(s.Reviews) > 0 {
				spreads = append(spreads, grademodel.SpreadOf(s.Total, s.Reviews))
			}
		}
		want, got := grademodel.ScaleOf(grademodel.SC1K, spreads), sums.Scale(grademodel.SC1K)
		require.InDeltaSlice(t, []float64{want.Usual, want.Noise, want.Kappa}, []float64{got.Usual, got.Noise, got.Kappa}, 1e-7)
	})
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

// Raising one of two reviews never lowers the mark as long as neither counts for less than 9/16 of its reviewer's
// weight, before and after.
func TestRaisingOneOfTwoReviews(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 100).Draw(t, "total")
		mark := func(from int, name string) float64 { return float64(rapid.IntRange(from, total).Draw(t, name)) }
		input := func() grademodel.Input {
			return grademodel.Input{
				Mark:       mark(0, "mark"),
				Strictness: float64(rapid.IntRange(-10, 10).Draw(t, "strictness")) / 20,
				Weight:     float64(rapid.IntRange(0, 6).Draw(t, "weight")) / 4,
			}
		}
		before := grademodel.Inputs{Model: grademodel.SC1,
			Total:   total,
			Scale:   grademodel.Scale{Usual: rapid.Float64Range(.1, 1.5).Draw(t, "usual"), Noise: rapid.Float64Range(.05, .4).Draw(t, "noise")},
			Reviews: []grademodel.Input{input(), input()},
		}
		after := before
		after.Reviews = slices.Clone(before.Reviews)
		after.Reviews[0].Mark = mark(int(before.Reviews[0].Mark), "raised")
		x, y := before.Settle(), after.Settle()
		if trusted(x) && trusted(y) {
			require.GreaterOrEqual(t, y.Estimate, x.Estimate-1e-9)
		}
	})
}

func trusted(s grademodel.Settlement) bool {
	for i, c := range s.Counted {
		if c.Weight < s.Reviews[i].Weight*9/16 {
			return false
		}
	}
	return true
}

// Beyond that it may fall: a review far off counts for more when it comes nearer, and can lower the mark by more than
// it has risen. In a small class a raised review also changes the scale and all reviewers' records.
func TestRaisingAReviewFarOffMayLowerTheMark(t *testing.T) {
	t.Parallel()
	two := func(a, b int) float64 {
		return grademodel.Inputs{Model: grademodel.SC1, Total: 20, Scale: grademodel.Scale{Usual: 1.05, Noise: .24}, Reviews: []grademodel.Input{
			{Mark: float64(a), Weight: 1}, {Mark: float64(b), Weight: 1},
		}}.Settle().Estimate
	}
	var steps, falls int
	var most float64
	for a := range 21 {
		for b := range 20 {
			steps++
			if fall := two(a, b) - two(a, b+1); fall > 1e-9 {
				falls++
				most = max(most, fall)
			}
		}
	}
	require.Equal(t, []int{420, 8}, []int{steps, falls}, "steps by one mark, and those that lower the estimate")
	require.InDelta(t, .2611, most, .0001)
	require.InDelta(t, 15.0106, two(20, 0), .0001)
	require.InDelta(t, 14.7495, two(20, 1), .0001)

	class := func(raised float64) grademodel.Settlement {
		return grademodel.GradeByRecords(grademodel.SC1, []grademodel.Submission{
			{Assignment: "A", Total: 20, Reviews: []grademodel.Review{{Reviewer: "u1", Mark: 18}, {Reviewer: "u2", Mark: 3}, {Reviewer: "u3", Mark: 1}}},
			{Assignment: "A", Total: 20, Reviews: []grademodel.Review{{Reviewer: "u3", Mark: raised}, {Reviewer: "u1", Mark: 0}}},
		}, nil)[1].Settlement
	}
	require.Equal(t, 12, class(19).Mark)
	require.Equal(t, 11, class(20).Mark)
}
