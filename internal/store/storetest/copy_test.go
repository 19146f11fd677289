package storetest

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// A copy from SQLite to PostgreSQL and back keeps rows, pages and words, and new rows
// continue the numbering.
func TestCopyMovesEverything(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	from := setup(t, store.Config{Dir: teststore.DirBeside(t)})
	h := newHistory(t, from, 11)
	h.personal = true
	for range 200 {
		h.step()
	}
	link, passkey := from.waysIn(t, h.creator, "one")
	key, err := from.SettingOr(t.Context(), "key", "secret")
	require.NoError(t, err)
	for _, config := range []store.Config{{URL: testpg.DB(t)}, {Dir: teststore.DirBeside(t)}} {
		to := setup(t, config)
		_, err := to.SettingOr(t.Context(), "key", "another")
		require.NoError(t, err)
		before, err := bulk.CountRows(t.Context(), from.Store)
		require.NoError(t, err)
		n, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		require.EqualValues(t, before, n)
		_, err = bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.ErrorContains(t, err, "writes over nothing")

		copied, err := to.SettingOr(t.Context(), "key", "third")
		require.NoError(t, err)
		require.Equal(t, key, copied)
		links, err := to.ProviderLinksOf(t.Context(), h.creator.ID)
		require.NoError(t, err)
		require.Equal(t, []studycircle.ProviderLink{link}, links)
		passkeys, err := to.PasskeysOf(t.Context(), h.creator.ID)
		require.NoError(t, err)
		require.Equal(t, []studycircle.Passkey{passkey}, passkeys)
		used, err := to.TicketUsed(t.Context(), "one")
		require.NoError(t, err)
		require.True(t, used)
		h.b = to
		h.compare()
		require.Equal(t, from.search(t, "work", ""), to.search(t, "work", ""))
		for range 50 {
			h.step()
		}
		h.compare()
		h.compareDue()
		h.comparePersonal(h.creator)
		h.comparePersonal(h.people[0])
		from = to
	}
}

// A copied circle is searched, listed and joined as before, and only its members find what is in it.
func TestCopyMovesCircles(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	from := setup(t, store.Config{Dir: teststore.DirBeside(t)})
	ada, bob := from.user(t, "Ada"), from.user(t, "Bob")
	circle := from.circle(t, "Readers", ada, studycircle.Membership{UserID: bob.ID, Role: studycircle.CircleMember, Label: "Red"})
	from.assignmentIn(t, circle, ada, studycircle.Easy, "Tides", "Read.")
	grow := func(b *bundle, name string) {
		u, friend := b.user(t, name), b.user(t, name+"'s friend")
		for viewer, f := range map[studycircle.User]func(ctx context.Context, tx *store.Tx) error{
			u: func(ctx context.Context, tx *store.Tx) error { return tx.InsertRequest(ctx, circle, now) },
			ada: func(ctx context.Context, tx *store.Tx) error {
				i := studycircle.Invitation{ID: studycircle.NewID(now), CircleID: circle, CreatedAt: now, InvitationInput: studycircle.InvitationInput{Role: studycircle.CircleMember, ExpiresAt: now}}
				if err := tx.InsertInvitation(ctx, i, "hash of "+name); err != nil {
					return err
				}
				return tx.InsertMember(ctx, studycircle.Membership{CircleID: circle, UserID: friend.ID, Role: studycircle.CircleMember, JoinedAt: now})
			},
		} {
			require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(viewer.ID), func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.LockCircle(ctx, circle); err != nil {
					return err
				}
				return f(ctx, tx)
			}))
		}
	}
	grow(from, "Cleo")
	grow(from, "Dan")
	members := 4 // Ada, Bob and two friends; two users ask
	for _, config := range []store.Config{{URL: testpg.DB(t)}, {Dir: teststore.DirBeside(t)}} {
		to := setup(t, config)
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		require.Empty(t, to.search(t, "tides", ""), "in the hall")
		p := studycircle.Page{Number: 1, Limit: 100}
		found, total, err := to.SearchAssignments(t.Context(), studycircle.ViewerOf(bob.ID), circle, "tides", "", p)
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.EqualValues(t, 1, total)
		grow(to, "Eve"+config.Dir) // new rows continue the numbering
		members++
		for _, f := range []studycircle.MemberFilter{{}, {Search: "bob"}, {Label: "Red"}} {
			want := 1
			if f == (studycircle.MemberFilter{}) {
				want = members
			}
			got, total, err := to.Members(t.Context(), studycircle.ViewerOf(ada.ID), circle, f, true, p)
			require.NoError(t, err)
			require.Len(t, got, want, "%+v", f)
			require.EqualValues(t, want, total, "%+v", f)
		}
		got, total, err := to.Asking(t.Context(), studycircle.ViewerOf(ada.ID), circle, p)
		require.NoError(t, err)
		require.EqualValues(t, members-2, total)
		require.Len(t, got, members-2)
		from = to
	}
}

// A copy is the state of one moment, whatever is written meanwhile.
func TestCopyIsOfOneMoment(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, from *bundle) {
		ada, bob := from.user(t, "Ada"), from.user(t, "Bob")
		from.assignment(t, ada, studycircle.Easy, "Before", "Read.")
		to := setup(t, store.Config{Dir: teststore.DirBeside(t)})
		var once sync.Once
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {
			once.Do(func() {
				a := from.assignment(t, from.user(t, "Late"), studycircle.Easy, "Meanwhile", "Read.")
				require.NoError(t, handedIn(t.Context(), from.Store, handIn(a, bob)))
			})
		})
		require.NoError(t, err)
		require.Equal(t, []string{"Before"}, to.search(t, "read", ""))
		require.Zero(t, to.count(t, "submissions"))
		require.Equal(t, 2, to.count(t, "users"))
		n, err := repairFigures(t.Context(), to.Store)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// rules returns PostgreSQL's indexes and constraints, as it formats them.
func (b *bundle) rules(t *testing.T) []string {
	t.Helper()
	return b.ids(t, `SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
		UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated FROM pg_constraint WHERE conrelid <> 0 ORDER BY 1`)
}

// A copy drops PostgreSQL's indexes and foreign keys temporarily. They exist again afterwards, also if the copy is
// interrupted.
func TestCopyLeavesTheSchemaAsItWas(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	from := setup(t, store.Config{Dir: teststore.DirBeside(t)})
	h := newHistory(t, from, 12)
	for range 100 {
		h.step()
	}
	to := setup(t, store.Config{URL: testpg.DB(t)})
	before := to.rules(t)
	require.Greater(t, len(before), 40)
	rows, err := bulk.CountRows(t.Context(), from.Store)
	require.NoError(t, err)

	for _, stop := range []int64{1, rows / 2, rows} {
		ctx, cancel := context.WithCancel(t.Context())
		done := int64(0)
		_, err := bulk.Copy(ctx, from.Store, to.Store, func() {
			if done++; done == stop {
				cancel()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, before, to.rules(t))
		n, err := bulk.CountRows(t.Context(), to.Store)
		require.NoError(t, err)
		require.LessOrEqual(t, n, int64(1), "a setting of its own, perhaps")
	}

	_, err = bulk.Copy(t.Context(), from.Store, to.Store, func() {})
	require.NoError(t, err)
	require.Equal(t, before, to.rules(t))
	h.b = to
	h.compare()
}

// Analyze updates PostgreSQL's statistics and visibility map. On SQLite it collects none, and opening a database removes
// those that there are.
func TestAnalyze(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator := b.user(t, "Ann")
		for range 20 {
			b.assignment(t, creator, studycircle.Easy, "Some work", "To do.")
		}
		steps := 0
		require.NoError(t, bulk.Analyze(t.Context(), b.Store, func() { steps++ }))
		require.Equal(t, bulk.AnalyzeSteps(b.Store), steps)
		if b.sqlite {
			statistics := "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'"
			require.Empty(t, b.ids(t, statistics))
			b.exec(t, "ANALYZE")
			require.NotEmpty(t, b.ids(t, statistics))
			b.another(t)
			require.Empty(t, b.ids(t, statistics))
			return
		}
		known := `SELECT CAST(c.oid::regclass AS TEXT) FROM pg_class c WHERE c.oid IN ('assignments'::regclass, 'users'::regclass)
			AND pg_stat_get_vacuum_count(c.oid) = 1 AND c.reltuples = CASE c.relname WHEN 'users' THEN 1 ELSE 20 END
			AND EXISTS (SELECT 1 FROM pg_stats s WHERE s.schemaname = current_schema() AND s.tablename = c.relname) ORDER BY 1`
		require.Equal(t, []string{"assignments", "users"}, b.ids(t, known))
	})
}

// If a row differs after its transfer, the copy fails and leaves nothing.
func TestCopyDetectsCorruption(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, to *bundle) {
		from := setup(t, store.Config{Dir: teststore.DirBeside(t)})
		from.user(t, "Ada")
		corrupt := `CREATE TRIGGER corrupt AFTER INSERT ON users BEGIN UPDATE users SET display_name = 'Eve' WHERE id = NEW.id; END`
		if !to.sqlite {
			corrupt = `CREATE FUNCTION corrupt() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN NEW.display_name = 'Eve'; RETURN NEW; END $$;
				CREATE TRIGGER corrupt BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION corrupt()`
		}
		_, err := to.plain.ExecContext(t.Context(), corrupt)
		require.NoError(t, err)
		_, err = bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.ErrorContains(t, err, "the checksums differ")
		require.Empty(t, to.ids(t, "SELECT id FROM users"))
	})
}
