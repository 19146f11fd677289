package transfer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/record"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
	"studycircle/internal/transfer"
)

// BenchmarkImport imports 100,000 assignments of 500 creators into an empty
// database and reports assignments/s, durable on both engines:
//
//	go test ./internal/transfer -run '^$' -bench Import -benchtime 1x
func BenchmarkImport(b *testing.B) {
	const lines = 100_000
	dir := b.TempDir()
	writeAssignments(b, dir, lines)
	onDurable(b, lines, "assignments/s", func(b *testing.B, s *store.Store) {
		b.Helper()
		counts, err := load(b.Context(), s, dir)
		b.StopTimer()
		require.NoError(b, err)
		require.Equal(b, lines, counts.Assignments)
	})
}

// BenchmarkImportCircle imports a circle into a database whose statistics know few users, and reports members/s, which
// do not depend on the number of members:
//
//	go test ./internal/transfer -run '^$' -bench ImportCircle -benchtime 1x
func BenchmarkImportCircle(b *testing.B) {
	for _, members := range []int{10_000, 30_000} {
		b.Run(fmt.Sprint(members), func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "circle.zip")
			writeCircle(b, file, members)
			onDurable(b, members, "members/s", func(b *testing.B, s *store.Store) {
				b.Helper()
				b.StopTimer()
				require.NoError(b, s.Write(b.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					_, _, err := bulk.ImportAccounts(ctx, tx.Tx, []studycircle.User{{ID: studycircle.NewID(now), Email: "owner@example.org", CreatedAt: now}})
					return err
				}))
				require.NoError(b, bulk.Analyze(b.Context(), s, func() {}))
				b.StartTimer()
				counts, err := transfer.ImportCircle(b.Context(), s, file, transfer.People{Owner: "owner@example.org"}, now, func(int) {}, func() {})
				b.StopTimer()
				require.NoError(b, err)
				require.Equal(b, members, counts.Members)
			})
		})
	}
}

// onDurable measures a load of some lines into an empty database of each engine.
func onDurable(b *testing.B, lines int, unit string, load func(*testing.B, *store.Store)) {
	b.Helper()
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
				load(b, s)
				require.NoError(b, s.Close())
			}
			b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), unit)
		})
	}
}

func writeCircle(b *testing.B, file string, members int) {
	b.Helper()
	var text strings.Builder
	for i := range members {
		fmt.Fprintf(&text, `{"email":"member%d@example.org","displayName":"Ada %d","role":"member","name":"Lovelace, Ada %d","label":"group %d"}`+"\n", i, i, i, i%30)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range map[string]string{
		record.CircleFile: `{"_id":"01J00000000000000000000000","name":"Large"}`, record.MembersFile: text.String(),
	} {
		f, err := w.Create(name)
		require.NoError(b, err)
		_, err = io.WriteString(f, text)
		require.NoError(b, err)
	}
	require.NoError(b, w.Close())
	require.NoError(b, os.WriteFile(file, out.Bytes(), 0o600))
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
