package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"studycircle"
	"studycircle/internal/store"
)

// library is the stored data that clients read.
type library struct {
	*bundle
	people []studycircle.User
	all    []studycircle.Assignment // newest first
}

func (b *bundle) library(t *testing.T) *library {
	t.Helper()
	l := &library{bundle: b}
	for i := range 7 {
		l.people = append(l.people, b.user(t, fmt.Sprint("Person", i)))
	}
	for i := range 60 {
		by := l.people[i%len(l.people)]
		a := b.assignment(t, by, studycircle.Levels[i%3], fmt.Sprint("Number ", i), fmt.Sprintf("%*s.", 1+40*i, "Text"))
		a.Creator = studycircle.Person{UserID: by.ID, Email: by.Email, DisplayName: by.DisplayName}
		l.all = append([]studycircle.Assignment{a}, l.all...)
		if i%20 == 0 {
			b.skipSeqs(t, "assignments", 200)
		}
	}
	return l
}

// must reads something that only this client requests, and compares it with what is
// stored.
func (l *library) must(ctx context.Context, client, round int) error {
	n := client*7 + round
	if n%3 == 0 {
		if _, err := l.Assignment(ctx, anyone, fmt.Sprint("unknown ", n)); !errors.Is(err, studycircle.ErrNotFound) {
			return fmt.Errorf("a missing one: %w", err)
		}
		want := l.all[n%len(l.all)]
		got, err := l.Assignment(ctx, anyone, want.ID)
		if err != nil {
			return err
		}
		return same("one", []studycircle.Assignment{want}, []studycircle.Assignment{got})
	}
	level := append([]studycircle.Level{""}, studycircle.Levels...)[n%4]
	page := studycircle.Page{Number: int64(1 + n%5), Limit: int64(1 + n%13)}
	var want []studycircle.Assignment
	for _, a := range l.all {
		if level == "" || a.Level == level {
			want = append(want, a)
		}
	}
	count := int64(len(want))
	want = want[min(page.Skip(), count):min(page.Skip()+page.Limit, count)]
	got, total, err := l.Assignments(ctx, anyone, studycircle.Hall, level, page)
	if err != nil {
		return err
	}
	if total != count {
		return fmt.Errorf("%d of %d in all", total, count)
	}
	return same(fmt.Sprint(level, page), want, got)
}

func same(what string, want, got []studycircle.Assignment) error {
	if len(want) != len(got) {
		return fmt.Errorf("%s: %d rows and not %d", what, len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(want[i], got[i]) {
			return fmt.Errorf("%s: %v and not %v", what, got[i], want[i])
		}
	}
	return nil
}

// Concurrent clients read different things, some of them missing: each gets exactly its
// own, whichever clients cancel and whichever connections break.
func TestConcurrentReads(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		l := b.library(t)
		for _, trouble := range []bool{false, true, false} {
			var told answered
			atOnce(func(client int) {
				for round := range 12 {
					who := fmt.Sprint("client ", client, " round ", round)
					if client%8 == 7 {
						left, leave := context.WithCancel(t.Context())
						if round%2 == 0 {
							leave()
						} else {
							go leave()
						}
						if err := l.must(left, client, round); err != nil && left.Err() == nil {
							told.is(who, "", err)
						}
						leave()
						continue
					}
					if trouble && client == 0 && !b.sqlite {
						// Kills the readers' connections; each read is retried by itself.
						_, err := b.plain.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
							WHERE datname = current_database() AND pid <> pg_backend_pid()
							AND (query LIKE '%LEFT JOIN users%' OR query LIKE '%CROSS JOIN LATERAL%')`)
						told.is(who, "", err)
					}
					err := l.must(t.Context(), client, round)
					if trouble && studycircle.CodeOf(err) == studycircle.CodeUnavailable {
						continue
					}
					told.is(who, "", err)
				}
			})
			told.check(t)
		}
	})
}

// A user who changes their name sees the new one beside everything they made, in
// concurrently read pages, also on the other node.
func TestNamesInPagesAreExact(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		l := b.library(t)
		nodes := []*bundle{b, b.another(t)}
		for round := range 8 {
			renamed := l.people[round%2]
			name := fmt.Sprint("New name ", round)
			nodes[round%2].do(t, func(ctx context.Context, tx *store.Tx) error {
				return tx.UpdateProfile(ctx, renamed.ID, studycircle.Profile{DisplayName: name})
			})
			var told answered
			atOnce(func(client int) {
				found, _, err := nodes[(round+client/16)%2].Assignments(t.Context(), anyone, studycircle.Hall, "", studycircle.Page{Number: int64(1 + client%4), Limit: 15})
				told.is("page", "", err)
				for _, a := range found {
					if a.Creator.UserID == renamed.ID && a.Creator.DisplayName != name {
						told.is("page", "", fmt.Errorf("%s and not %s", a.Creator.DisplayName, name))
					}
				}
			})
			told.check(t)
		}
	})
}
