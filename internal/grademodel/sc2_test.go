package grademodel

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// readClass returns the submissions of a CSV file of reviews and, if named, of known
// marks, in the order of their names.
func readClass(t *testing.T, reviews, known string) []Submission {
	t.Helper()
	var subs []Submission
	index := map[string]int{}
	for _, row := range rowsOf(t, reviews) {
		total, err := strconv.Atoi(row[4])
		require.NoError(t, err)
		at, met := index[row[1]]
		if !met {
			at = len(subs)
			index[row[1]] = at
			subs = append(subs, Submission{Assignment: row[0], Total: total})
		}
		subs[at].Reviews = append(subs[at].Reviews, Review{Reviewer: row[2], Mark: number(t, row[3])})
	}
	if known != "" {
		for _, row := range rowsOf(t, known) {
			mark := number(t, row[2])
			subs[index[row[1]]].Known = &mark
		}
	}
	return subs
}

func rowsOf(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	return rows[1:]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return x
}

func TestGoldenFilesOfSC2(t *testing.T) {
	t.Parallel()
	for want, subs := range map[string][]Submission{
		"golden1.sc2.csv": readClass(t, "golden1.csv", ""),
		"golden2.sc2.csv": readClass(t, "golden2.csv", "golden2.known.csv"),
	} {
		rows := rowsOf(t, want)
		for i, s := range (sc2{}).Grade(subs) {
			got := []string{"A", fmt.Sprintf("s%d", i+1), strconv.Itoa(len(s.Reviews)), digits(s.Estimate), strconv.Itoa(s.Mark)}
			for _, x := range []float64{s.Low, s.High, s.Open, s.UsualMark, s.Scale.Noise, s.Scale.Kappa} {
				got = append(got, digits(x))
			}
			require.Equal(t, rows[i], got, want)
		}
	}
}

// Large classes are computed in parts, in which each submission is once.
func TestLargeClassesAreComputedWhole(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 4095, 4096, 4097, 8192, 10_000} {
		done := make([]int, n)
		inParallel(n, func(from, to int) {
			for i := from; i < to; i++ {
				done[i]++
			}
		})
		for i := range done {
			require.Equal(t, 1, done[i], "%d of %d", i, n)
		}
	}
}

// Of a class, half of the reviewers at most count as not looking, also where more of them mark whatever they see alike.
func TestAtMostHalfCountAsNotLooking(t *testing.T) {
	t.Parallel()
	const reviewers = 120
	random := rand.New(rand.NewPCG(1, 2))
	var subs []Submission
	for range 2 * reviewers {
		s, truth := Submission{Assignment: "A", Total: 20}, 20*random.Float64()
		for _, who := range random.Perm(reviewers)[:4] {
			mark := math.Round(min(max(truth+random.NormFloat64(), 0), 20))
			if who < reviewers*6/10 {
				mark = float64(who * 7 % 21)
			}
			s.Reviews = append(s.Reviews, Review{Reviewer: strconv.Itoa(who), Mark: mark})
		}
		subs = append(subs, s)
	}
	require.InDelta(t, .5, learn(subs).looking.not, 0)
}

func digits(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// Five values computed from the formulas alone, for the class of golden1.csv. Its reviews
// are numbered as in the file: those of s1 are 0 to 2, of s3 6 to 8.
func TestCheckValuesOfSC2(t *testing.T) {
	t.Parallel()
	const precision = 6e-7
	c := start(readClass(t, "golden1.csv", ""))
	s3 := &c.reviews[6] // by u3
	require.InDelta(t, 1.242437, angle(18, 20), precision)
	require.InDelta(t, 1.075271, c.assignments[0].scale.Usual, precision)
	require.InDelta(t, .250737, c.assignments[0].scale.Noise, precision)

	c.hearOthers()
	require.InDelta(t, 1.164994, s3.theta, precision)
	require.InDelta(t, 3.236711, 1/(1/s3.c-1), 5e-6, "W")

	s1 := c.reviews[2] // u3's only other review
	require.InDelta(t, 1.121552, s1.theta, precision)
	require.InDelta(t, .762190, s1.c, precision)
	require.InDelta(t, -.180254, s1.c*s1.d, precision)
	c.judgeReviewers()
	require.InDelta(t, -.031282, s3.b, precision)
	c.rescale()

	for range 6 {
		c.hearOthers()
		c.judgeReviewers()
		c.rescale()
	}
	c.hearOthers()
	require.InDelta(t, .187761, c.looking.not, precision)
	c.judgeReviewers()
	require.InDelta(t, .063591, c.reviews[2].hint, precision)
	require.InDelta(t, .821745, s3.p, precision)
	c.rescale()

	s := c.inputs(2).Settle()
	require.InDelta(t, 1.101099, s.Scale.Usual, precision)
	require.InDelta(t, .232015, s.Scale.Noise, precision)
	require.InDelta(t, 1, s.Scale.Kappa, precision)
	for i, want := range []struct{ b, a, w float64 }{
		{-.031861, .873751, .572065}, {.017027, 1.120431, 1.181224}, {.036422, 1.161975, 1.289751},
	} {
		require.InDelta(t, want.b, s.Reviews[i].Strictness, precision)
		require.InDelta(t, want.a, s.Reviews[i].Weight, precision)
		require.InDelta(t, want.w, s.Counted[i].Weight, 2e-6, "from values of six digits")
	}
	require.InDelta(t, 4.043040, s.Weights, 2e-6)
	require.InDelta(t, 1.062053, s.Theta, precision)
	require.InDelta(t, 15.3081, s.Estimate, 5e-5)
}
