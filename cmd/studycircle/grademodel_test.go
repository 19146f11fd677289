package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

// The command stops reading a pipe without a writer when the program is told to stop.
func TestGradeModelStopsWhileItWaits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, writer.Close()) })
	_, err = writer.WriteString(strings.Join(reviewColumns, ",") + "\nA,s1,u1,18,20\n")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- gradeCommand{Reviews: pipe, Out: filepath.Join(dir, "E.csv")}.Run(ctx) }()
	cancel()
	select {
	case err := <-ended:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(10 * time.Second):
		t.Fatal("it still waits for the pipe")
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "the pipe alone")
}

func TestOutputAppearsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "E.csv")
	require.NoError(t, os.WriteFile(name, []byte("older"), 0o600))
	out, err := newOutput(name)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := func(yield func([]string) bool) {
		yield([]string{"half of it"})
		cancel()
	}
	require.ErrorIs(t, out.write(ctx, []string{"estimate"}, stopped), context.Canceled)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "older", string(text))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left beside it")
}

// BenchmarkGradeModel grades a file of 100,000 submissions with four reviews each,
// in random order, and writes the answer:
//
//	go test ./cmd/studycircle -run '^$' -bench GradeModel
func BenchmarkGradeModel(b *testing.B) {
	const submissions, each = 100_000, 4
	dir := b.TempDir()
	command := gradeCommand{Reviews: filepath.Join(dir, "R.csv"), Model: grademodel.SC2, Out: filepath.Join(dir, "E.csv")}
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
	text.WriteString(strings.Join(reviewColumns, ",") + "\n")
	for _, i := range random.Perm(submissions * each) {
		of := i / each
		fmt.Fprintf(&text, "assignment-%d,submission-%06d,user-%d@example.org,%d,20\n", of/200, of, (of*7+i%each*13)%20_000, random.IntN(21))
	}
	require.NoError(b, os.WriteFile(name, text.Bytes(), 0o600))
}
