package grademodel_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
)

// The file classes.txt has one class a line, for implementations in other languages: the
// total, the submissions, and a checksum of the marks by SC2, SC1K and SC1. A submission is its
// reviews, reviewer:mark, after the known mark and an equals sign if it is an exemplar.
// The checksum is FNV-1a of the rows of sharedRows.
func TestClassesSharedWithOtherLanguages(t *testing.T) {
	t.Parallel()
	name := filepath.Join("testdata", "classes.txt")
	if *update {
		random := rand.New(rand.NewPCG(2026, 31))
		var text strings.Builder
		for range 3000 {
			subs := randomClass(random)
			if random.IntN(4) == 0 {
				known := float64(random.IntN(subs[0].Total + 1))
				subs[0].Known = &known
			}
			fmt.Fprintf(&text, "%s %08x\n", writeClass(subs), checksum(subs))
		}
		require.NoError(t, os.WriteFile(name, []byte(text.String()), 0o600))
	}
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 3000)
	for _, line := range lines {
		subs, sum := parseClass(t, line)
		require.Equal(t, sum, fmt.Sprintf("%08x", checksum(subs)), line)
	}
}

func writeClass(subs []grademodel.Submission) string {
	words := []string{strconv.Itoa(subs[0].Total)}
	for _, s := range subs {
		reviews := make([]string, len(s.Reviews))
		for i, r := range s.Reviews {
			reviews[i] = r.Reviewer + ":" + strconv.FormatFloat(r.Mark, 'f', -1, 64)
		}
		word := strings.Join(reviews, ",")
		if s.Known != nil {
			word = strconv.FormatFloat(*s.Known, 'f', -1, 64) + "=" + word
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func parseClass(t *testing.T, line string) (subs []grademodel.Submission, sum string) {
	t.Helper()
	words := strings.Fields(line)
	total, err := strconv.Atoi(words[0])
	require.NoError(t, err)
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		return x
	}
	for _, word := range words[1 : len(words)-1] {
		sub := grademodel.Submission{Assignment: "A", Total: total}
		if known, rest, exemplar := strings.Cut(word, "="); exemplar {
			mark := number(known)
			sub.Known, word = &mark, rest
		}
		for review := range strings.SplitSeq(word, ",") {
			reviewer, mark, _ := strings.Cut(review, ":")
			sub.Reviews = append(sub.Reviews, grademodel.Review{Reviewer: reviewer, Mark: number(mark)})
		}
		subs = append(subs, sub)
	}
	return subs, words[len(words)-1]
}

func checksum(subs []grademodel.Submission) uint32 {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(sharedRows(subs)))
	return sum.Sum32()
}

// sharedRows has one row for each model and submission, with four decimals.
func sharedRows(subs []grademodel.Submission) string {
	var text strings.Builder
	for _, model := range []string{grademodel.SC2, grademodel.SC1K, grademodel.SC1} {
		for _, s := range grademodel.ModelOf(model).Grade(subs) {
			fmt.Fprintf(&text, "%d", s.Mark)
			for _, x := range []float64{s.Estimate, s.Low, s.High, s.Open, s.UsualMark, s.Scale.Noise, s.Scale.Counts()} {
				fmt.Fprintf(&text, ",%.4f", x)
			}
			text.WriteString("\n")
		}
	}
	return text.String()
}
