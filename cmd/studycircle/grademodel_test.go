package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkGradeModel grades a file of 100,000 submissions with four reviews each,
// in random order, and writes the answer:
//
//	go test ./cmd/studycircle -run '^$' -bench GradeModel
func BenchmarkGradeModel(b *testing.B) {
	const submissions, each = 100_000, 4
	dir := b.TempDir()
	command := gradeCommand{Reviews: filepath.Join(dir, "R.csv"), Out: filepath.Join(dir, "E.csv")}
	writeReviews(b, command.Reviews, submissions, each)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, command.Run(b.Context()))
	}
	b.ReportMetric(float64(submissions*each*b.N)/b.Elapsed().Seconds(), "reviews/s")
}

func writeReviews(b *testing.B, name string, submissions, each int) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	var text bytes.Buffer
	text.WriteString(reviewsHeader + "\n")
	for _, i := range random.Perm(submissions * each) {
		of := i / each
		fmt.Fprintf(&text, "assignment-%d,submission-%06d,user-%d@example.org,%d,20\n", of/200, of, (of*7+i%each*13)%20_000, random.IntN(21))
	}
	require.NoError(b, os.WriteFile(name, text.Bytes(), 0o600))
}
