package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// talkOf stores here of all comments under one assignment, and the others under further
// assignments, a hundred each. Half of them are replies.
func talkOf(b *testing.B, s *store.Store, here, all int) (assignmentID string) {
	b.Helper()
	ada := studycircle.User{ID: "ada", Email: "ada@example.org", DisplayName: "Ada", CreatedAt: now}
	under := make([]studycircle.Assignment, 1+(all-here)/100)
	require.NoError(b, s.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertAccount(ctx, studycircle.Account{User: ada})
	}))
	for i := range under {
		under[i] = sample(ada, studycircle.Easy, "Tides", "Read.")
		require.NoError(b, teststore.Publish(b.Context(), s, under[i]))
	}
	require.NoError(b, s.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		t, r := tables.Comments, rand.New(rand.NewPCG(1, 2))
		at := 0
		var last studycircle.Comment
		return tx.Engine.Fill(ctx, tx.Tx, "comments", append([]string{"seq"}, names(t.Columns, t.Inserted)...), func() ([]any, error) {
			if at == all {
				return nil, nil
			}
			at++
			c := remark(under[0], ada, "", "Why **twice** a day?")
			c.ID, c.Seq, c.Listed = fmt.Sprintf("c%09d", at), int64(at), true
			if r.IntN(all) >= here {
				c.AssignmentID = under[1+r.IntN(len(under)-1)].ID
			}
			if at%2 == 0 {
				c.ThreadID, c.AssignmentID = last.ID, last.AssignmentID
			} else {
				c.Replies, last = 1, c
			}
			return append([]any{c.Seq}, t.Values(&c, t.Inserted)...), nil
		})
	}))
	require.NoError(b, s.FoldPageDeltas(b.Context()))
	return under[0].ID
}

func names(columns []string, at []int) (out []string) {
	for _, i := range at {
		out = append(out, columns[i])
	}
	return out
}

// The first and any page of threads, with their first replies, of a long discussion among
// many: `go test -run xxx -bench Discussion ./internal/store/storetest`. The small
// database has a thousandth of the comments, but more than three pages under the
// assignment: its pages are as full as those of the large one.
func BenchmarkDiscussion(b *testing.B) {
	for engine, config := range map[string]func() store.Config{
		"sqlite": func() store.Config { return store.Config{Dir: b.TempDir()} }, "postgres": func() store.Config { return store.Config{URL: testpg.DB(b)} },
	} {
		for _, size := range [][2]int{{150, 1_000}, {10_000, 1_000_000}} {
			b.Run(fmt.Sprint(engine, "/", size[0], " of ", size[1]), func(b *testing.B) {
				s, err := store.Open(b.Context(), config())
				require.NoError(b, err)
				defer func() { require.NoError(b, s.Close()) }()
				of := talkOf(b, s, size[0], size[1])
				_, threads, err := s.Threads(b.Context(), anyone, of, studycircle.Page{Number: 1, Limit: 20})
				require.NoError(b, err)
				pages := studycircle.Page{Limit: 20}.Pages(threads)
				r := rand.New(rand.NewPCG(3, 4))
				for which, number := range map[string]func() int64{"first": func() int64 { return 1 }, "any": func() int64 { return 1 + r.Int64N(pages) }} {
					b.Run(which, func(b *testing.B) {
						took := make([]time.Duration, 0, b.N)
						for range b.N {
							begun := time.Now()
							found, _, err := s.Threads(b.Context(), anyone, of, studycircle.Page{Number: number(), Limit: 20})
							if err != nil {
								b.Fatal(err)
							}
							ids := make([]string, len(found))
							for i, c := range found {
								ids[i] = c.ID
							}
							if _, err := s.FirstReplies(b.Context(), anyone, ids, studycircle.FirstReplies); err != nil {
								b.Fatal(err)
							}
							took = append(took, time.Since(begun))
						}
						slices.Sort(took)
						b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
					})
				}
			})
		}
	}
}

// The participants that a composer offers while a user types a name, in a discussion with
// 10,000 authors: `go test -run xxx -bench Participants ./internal/store/storetest`.
func BenchmarkParticipants(b *testing.B) {
	const authors = 10_000
	for engine, config := range map[string]func() store.Config{
		"sqlite": func() store.Config { return store.Config{Dir: b.TempDir()} }, "postgres": func() store.Config { return store.Config{URL: testpg.DB(b)} },
	} {
		b.Run(engine, func(b *testing.B) {
			s, err := store.Open(b.Context(), config())
			require.NoError(b, err)
			defer func() { require.NoError(b, s.Close()) }()
			of := crowdedDiscussion(b, s, authors)
			took := make([]time.Duration, 0, b.N)
			for i := range b.N {
				begun := time.Now()
				if _, _, err := s.Participants(b.Context(), of, []string{"", "p", "lov", "nobody"}[i%4], 10); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
		})
	}
}

// crowdedDiscussion stores a discussion in which each author has written once.
func crowdedDiscussion(b *testing.B, s *store.Store, authors int) (assignmentID string) {
	b.Helper()
	people := make([]studycircle.User, authors)
	for i := range people {
		id := fmt.Sprintf("author%05d", i)
		people[i] = studycircle.User{ID: id, Email: id + "@example.org", DisplayName: fmt.Sprintf("Person%05d Lovelace", i*7919%authors), CreatedAt: now}
	}
	a := sample(people[0], studycircle.Easy, "Tides", "Read.")
	require.NoError(b, s.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, _, err := bulk.ImportAccounts(ctx, tx.Tx, people)
		return err
	}))
	var stored []studycircle.User
	require.NoError(b, s.EachUser(b.Context(), func(u studycircle.User) error {
		account, err := s.AccountByEmail(b.Context(), u.Email)
		stored = append(stored, account.User)
		return err
	}))
	a.Creator.UserID = stored[0].ID
	require.NoError(b, teststore.Publish(b.Context(), s, a))
	require.NoError(b, s.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for _, u := range stored {
			if err := tx.InsertComment(ctx, remark(a, u, "", "Why?")); err != nil {
				return err
			}
		}
		return nil
	}))
	return a.ID
}
