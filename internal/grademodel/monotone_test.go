package grademodel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

// randomClass draws a small class: honest reviewers and, in some classes, bad ones; or random marks.
func randomClass(random *rand.Rand) []grademodel.Submission {
	people, works, each := 3+random.IntN(10), 2+random.IntN(12), 2+random.IntN(4)
	total := []int{10, 20, 25, 100}[random.IntN(4)]
	bias, noise := make([]float64, people), make([]float64, people)
	for i := range people {
		bias[i], noise[i] = .06*random.NormFloat64(), .05+.1*random.Float64()
	}
	bad, wild := random.Float64()*.5, random.IntN(4) == 0
	subs := make([]grademodel.Submission, works)
	for i := range subs {
		subs[i] = grademodel.Submission{Assignment: "A", Total: total}
		truth := .7 + .18*random.NormFloat64()
		for _, who := range random.Perm(people)[:min(each, people)] {
			share := truth + bias[who] + noise[who]*random.NormFloat64()
			if wild || float64(who) < bad*float64(people) {
				share = random.Float64()
			}
			subs[i].Reviews = append(subs[i].Reviews, grademodel.Review{
				Reviewer: fmt.Sprint(who), Mark: math.Round(min(max(share, 0), 1) * float64(total)),
			})
		}
	}
	return subs
}

// falls counts the effects of raising one review in each of many classes on its own submission.
type falls struct {
	classes   int
	estimates int     // whose estimate is lower
	marks     int     // whose whole mark is lower
	more      int     // whose estimate is lower by more than rounding, half a mark
	most      float64 // the greatest fall of an estimate, in parts of the total
}

func (f falls) String() string {
	return fmt.Sprintf("%d classes; the estimate is lower in %d, by at most %.2f %% of the total; by more than half a mark in %d; the whole mark is lower in %d",
		f.classes, f.estimates, 100*f.most, f.more, f.marks)
}

func countFalls(model string, classes int) falls {
	random := rand.New(rand.NewPCG(31, 5))
	f := falls{classes: classes}
	for range classes {
		subs := randomClass(random)
		at := random.IntN(len(subs))
		raised := &subs[at].Reviews[random.IntN(len(subs[at].Reviews))]
		room := float64(subs[at].Total) - raised.Mark
		if room == 0 {
			continue
		}
		before := grademodel.ModelOf(model).Grade(subs)[at]
		raised.Mark += 1 + float64(random.IntN(int(room)))
		after := grademodel.ModelOf(model).Grade(subs)[at]
		fall := before.Estimate - after.Estimate
		f.most = max(f.most, fall/float64(before.Total))
		if fall > 1e-9 {
			f.estimates++
		}
		if after.Mark < before.Mark {
			f.marks++
		}
		if fall > .5 {
			f.more++
		}
	}
	return f
}

// Raising a review may lower the mark of its own submission: a review far off counts for more when it comes nearer.
// docs/trust.md has the figures of 100,000 classes (make bench-trust); this is a smaller table.
func TestHowOftenARaisedReviewLowersTheMark(t *testing.T) {
	t.Parallel()
	classes := 1000
	if text := os.Getenv("STUDYCIRCLE_TEST_MONOTONE"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		classes = n
	}
	for _, model := range []string{grademodel.Mean, grademodel.Median, grademodel.SC1, grademodel.SC1K, grademodel.SC2} {
		f := countFalls(model, classes)
		t.Log(model, f)
		if model == grademodel.Mean || model == grademodel.Median {
			require.Zero(t, f.estimates, model)
		}
		require.LessOrEqual(t, f.most, .05, "of the total, by %s", model)
	}
}
