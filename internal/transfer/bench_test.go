package transfer_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// BenchmarkImport imports 100,000 assignments of 500 creators into an empty
// database and reports assignments/s, durable on both engines:
//
//	go test ./internal/transfer -run '^$' -bench Import -benchtime 1x
func BenchmarkImport(b *testing.B) {
	const lines = 100_000
	dir := b.TempDir()
	writeAssignments(b, dir, lines)
	cluster, err := testpg.StartIn(os.TempDir(), "fsync=on", "full_page_writes=on")
	require.NoError(b, err)
	defer func() { require.NoError(b, cluster.Stop()) }()
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(engine, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				c := store.Config{Dir: b.TempDir()}
				if engine == "postgres" {
					name, err := cluster.Create("template1")
					require.NoError(b, err)
					c = store.Config{URL: cluster.URL(name)}
				}
				s, err := store.Open(b.Context(), c)
				require.NoError(b, err)
				b.StartTimer()
				counts, err := load(b.Context(), s, dir)
				b.StopTimer()
				require.NoError(b, err)
				require.Equal(b, lines, counts.Assignments)
				require.NoError(b, s.Close())
			}
			b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "assignments/s")
		})
	}
}

func writeAssignments(b *testing.B, dir string, n int) {
	b.Helper()
	words := strings.Fields("study circle algebra geometry history essay river poem physics chemistry theorem " +
		"argument source language grammar vocabulary chapter exercise solution proof evidence summary question answer")
	var text strings.Builder
	for i := range n {
		var description strings.Builder
		for j := range 40 {
			fmt.Fprintf(&description, "%s%d ", words[(i*7+j*j)%len(words)], (i*31+j*17)%200)
		}
		fmt.Fprintf(&text, `{"title":"%s %s %d","description":%q,"thumbnail":"https://example.org/%d.png","marks":%d,"level":%q,`+
			`"dueDate":"2030-01-02T23:59:59+05:30","creatorEmail":"u%d@example.org","createdAt":%q}`+"\n",
			words[i%len(words)], words[(i*5+3)%len(words)], i, description.String(), i, i%100+1, []string{"easy", "medium", "hard"}[i%3],
			i%500, now.Add(time.Duration(i-n)*time.Second).Format(time.RFC3339))
	}
	require.NoError(b, os.WriteFile(dir+"/assignments.jsonl", []byte(text.String()), 0o600))
}
