package grademodel_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden is a file against which other implementations of the model can be tested: whole assignments with all
// results. Numbers have all their digits; sines differ between platforms in the last ones, so they are compared to
// 1e-9.
type golden struct {
	About       string       `json:"about"`
	Submissions []submission `json:"submissions"`
}

type submission struct {
	Assignment string                `json:"assignment"`
	Submission string                `json:"submission"`
	Total      int                   `json:"total"`
	Known      *float64              `json:"known,omitempty"`
	Reviews    []review              `json:"reviews"`
	Parts      []part                `json:"parts"` // of the reviews
	Settlement grademodel.Settlement `json:"settlement"`
}

type review struct {
	Reviewer string  `json:"reviewer"`
	Mark     float64 `json:"mark"`
}

// part is grademodel.Part.
type part struct {
	P  float64 `json:"p"`
	M  float64 `json:"m"`
	XX float64 `json:"xx"`
	XE float64 `json:"xe"`
	XD float64 `json:"xd"`
}

func partsOf(parts []grademodel.Part) []part {
	out := make([]part, len(parts))
	for i, p := range parts {
		out[i] = part(p)
	}
	return out
}

func (g golden) input() []grademodel.Submission {
	var out []grademodel.Submission
	for _, s := range g.Submissions {
		sub := grademodel.Submission{Assignment: s.Assignment, Total: s.Total, Known: s.Known}
		for _, r := range s.Reviews {
			sub.Reviews = append(sub.Reviews, grademodel.Review(r))
		}
		out = append(out, sub)
	}
	return out
}

func readGolden(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

// writeGolden writes one element a line.
func writeGolden[T any](t *testing.T, name, before string, elements []T, after string) {
	t.Helper()
	lines := make([]string, len(elements))
	for i, e := range elements {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		lines[i] = "  " + string(text)
	}
	text := before + "[\n" + strings.Join(lines, ",\n") + "\n]" + after + "\n"
	require.NoError(t, os.WriteFile(filepath.Join("testdata", name), []byte(text), 0o600))
}

func TestGoldenAssignments(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"example.json", "exemplar.json", "assignments.json"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want golden
			readGolden(t, name, &want)
			graded := grademodel.GradeByRecords(grademodel.SC1, want.input(), nil)
			if *update {
				for i, g := range graded {
					want.Submissions[i].Parts = partsOf(g.Parts)
					want.Submissions[i].Settlement = g.Settlement
				}
				writeGolden(t, name, fmt.Sprintf("{\"about\": %q, \"submissions\": ", want.About), want.Submissions, "}")
			}
			require.NotEmpty(t, graded)
			for i, g := range graded {
				requireEqualParts(t, want.Submissions[i].Parts, partsOf(g.Parts))
				requireEqual(t, want.Submissions[i].Settlement, g.Settlement)
			}
		})
	}
}

func TestGoldenSettlements(t *testing.T) {
	t.Parallel()
	if *update {
		var all []grademodel.Settlement
		for _, in := range sampleInputs() {
			all = append(all, in.Settle())
		}
		writeGolden(t, "settlements.json", "", all, "")
	}
	var want []grademodel.Settlement
	readGolden(t, "settlements.json", &want)
	require.NotEmpty(t, want)
	for _, s := range want {
		requireEqual(t, s, s.Settle())
	}
}

func requireEqualParts(t require.TestingT, want, got []part) {
	require.Len(t, got, len(want))
	for i, w := range want {
		g := got[i]
		require.InDeltaSlice(t, []float64{w.P, w.M, w.XX, w.XE, w.XD}, []float64{g.P, g.M, g.XX, g.XE, g.XD}, 1e-9)
	}
}

// requireEqual compares the numbers of two settlements to 1e-9, and rounded values exactly.
func requireEqual(t require.TestingT, want, got grademodel.Settlement) {
	require.Equal(t, want.Model, got.Model)
	require.Equal(t, want.Total, got.Total)
	require.Equal(t, want.Exemplar, got.Exemplar)
	require.Equal(t, want.Reviews, got.Reviews)
	require.Equal(t, want.Mark, got.Mark)
	require.Len(t, got.Counted, len(want.Counted))
	numbers := func(s grademodel.Settlement) []float64 {
		all := []float64{s.Scale.Usual, s.Scale.Noise, s.Theta, s.Weights, s.R, s.SD, s.Estimate, s.Low, s.High, s.Open, s.UsualMark}
		for _, c := range s.Counted {
			all = append(all, c.As, c.Weight)
		}
		return all
	}
	require.InDeltaSlice(t, numbers(want), numbers(got), 1e-9)
}

// sampleInputs returns the corner cases, and settlements of all kinds drawn with a fixed seed.
func sampleInputs() []grademodel.Inputs {
	scale := grademodel.Scale{Usual: 1.05, Noise: .24}
	one := func(total int, reviews ...grademodel.Input) grademodel.Inputs {
		return grademodel.Inputs{Model: grademodel.SC1, Total: total, Scale: scale, Reviews: reviews}
	}
	type r = grademodel.Input
	known := one(20, r{Mark: 18, Weight: 1}, r{Mark: 19, Strictness: .2, Weight: 1.5})
	known.Exemplar = true
	all := []grademodel.Inputs{
		one(20, r{Mark: 11, Weight: 1}),                                             // one review is the mark
		one(20, r{Mark: 20, Weight: 1}, r{Mark: 20, Strictness: .35, Weight: 1.5}),  // unanimous at the top
		one(20, r{Mark: 0, Weight: 1}, r{Mark: 0, Strictness: -.4, Weight: .25}),    // and at the bottom
		one(1, r{Mark: 1, Weight: 1}, r{Weight: 1}),                                 // the smallest total
		one(1000, r{Mark: 1000, Weight: 1}, r{Weight: 1}, r{Mark: 500, Weight: .5}), // the largest, as far apart as can be
		one(20, r{Mark: 3, Strictness: .1}, r{Mark: 9, Strictness: -.1}),            // all weights are 0
		one(20, r{Mark: 7.5, Weight: 1}, r{Mark: 8, Weight: 1.25}),                  // half a mark
		known,
	}
	random := rand.New(rand.NewPCG(2026, 11))
	totals := []int{1, 5, 10, 20, 25, 100, 1000}
	for range 40 {
		in := one(totals[random.IntN(len(totals))])
		in.Scale = grademodel.Scale{Usual: .1 + 1.4*random.Float64(), Noise: .05 + .35*random.Float64()}
		in.Exemplar = random.IntN(8) == 0
		for range 1 + random.IntN(7) {
			in.Reviews = append(in.Reviews, r{
				Mark:       float64(random.IntN(in.Total + 1)),
				Strictness: float64(random.IntN(21)-10) / 20,
				Weight:     float64(random.IntN(7)) / 4,
			})
		}
		all = append(all, in)
	}
	return all
}

// Values of the model's definition, computed by hand.
func TestDecidedValues(t *testing.T) {
	t.Parallel()
	var example, exemplar golden
	readGolden(t, "example.json", &example)
	readGolden(t, "exemplar.json", &exemplar)
	graded := grademodel.GradeByRecords(grademodel.SC1, example.input(), nil)
	estimates, lows, highs := []float64{15.7237, 20, 14.4028, 11}, []float64{12.35, 17.45, 9.86, 8.42}, []float64{18.33, 20, 18.01, 17.34}
	for i, g := range graded {
		s := g.Settlement
		require.InDelta(t, estimates[i], s.Estimate, .00005)
		require.InDelta(t, lows[i], s.Low, .005)
		require.InDelta(t, highs[i], s.High, .005)
		require.InDelta(t, 15.533, s.UsualMark, .0005)
		require.InDelta(t, .2507, s.Scale.Noise, .00005)
		require.Equal(t, grademodel.SC1, s.Model)
	}
	withKnown := []float64{15.7382, 20, 14.0046, 11}
	for i, g := range grademodel.GradeByRecords(grademodel.SC1, exemplar.input(), nil) {
		require.InDelta(t, withKnown[i], g.Settlement.Estimate, .00005)
	}
	require.Equal(t, "SC1", grademodel.SC1)
}
