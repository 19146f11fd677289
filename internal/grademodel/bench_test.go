package grademodel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"studycircle/internal/grademodel"
)

// BenchmarkGrade recomputes 100,000 submissions of 500 assignments with four
// reviews each:
//
//	go test ./internal/grademodel -run '^$' -bench Grade
func BenchmarkGrade(b *testing.B) {
	subs := manySubmissions(100_000)
	b.ReportAllocs()
	for _, model := range []string{grademodel.SC2, grademodel.SC1} {
		b.Run(model, func(b *testing.B) {
			for b.Loop() {
				grademodel.ModelOf(model).Grade(subs)
			}
		})
	}
}

// BenchmarkArrivingReview measures one review without reading and writing: the parts of its submission and a
// settlement, in an assignment whose 200 submissions give the scale.
func BenchmarkArrivingReview(b *testing.B) {
	subs := manySubmissions(200)
	spreads := make([]grademodel.Spread, len(subs))
	for i, s := range subs {
		spreads[i] = grademodel.SpreadOf(s.Total, s.Reviews)
	}
	records := make([]grademodel.Record, 4)
	b.ReportAllocs()
	for b.Loop() {
		in := grademodel.Inputs{Model: grademodel.SC1, Total: subs[0].Total, Scale: grademodel.ScaleOf(grademodel.SC1, spreads)}
		in.Scale.PartsOf(subs[0])
		for i, r := range subs[0].Reviews {
			strictness, weight := records[i].Judge()
			in.Reviews = append(in.Reviews, grademodel.Input{Mark: r.Mark, Strictness: strictness, Weight: weight})
		}
		in.Settle()
	}
}

func manySubmissions(n int) []grademodel.Submission {
	random := rand.New(rand.NewPCG(1, 1))
	subs := make([]grademodel.Submission, n)
	for i := range subs {
		subs[i] = grademodel.Submission{Assignment: fmt.Sprint(i / 200), Total: 20}
		for j := range 4 {
			subs[i].Reviews = append(subs[i].Reviews, grademodel.Review{
				Reviewer: fmt.Sprintf("user-%d@example.org", (i*7+j*13)%20_000), Mark: float64(random.IntN(21)),
			})
		}
	}
	return subs
}
