package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func (b *bundle) search(t *testing.T, text string, level studycircle.Level) []string {
	t.Helper()
	return b.searchIn(t, anyone, studycircle.Hall, text, level)
}

func (b *bundle) searchIn(t *testing.T, v studycircle.Viewer, circleID, text string, level studycircle.Level) []string {
	t.Helper()
	titles := []string{}
	for number := int64(1); ; number++ {
		found, total, err := b.SearchAssignments(t.Context(), v, circleID, text, level, studycircle.Page{Number: number, Limit: 3})
		require.NoError(t, err)
		if len(found) == 0 {
			require.Len(t, titles, int(total), "total of %q", text)
			return titles
		}
		for _, a := range found {
			titles = append(titles, a.Title)
		}
	}
}

func TestSearchFindsWords(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		u := b.user(t, "Ada")
		for _, a := range []struct{ title, description string }{
			{"Photosynthesis in leaves", "Light becomes sugar."},
			{"Sugar and spice", "A story of photosynthesis, told twice."},
			{"Ökonomie für Anfänger", "Straße und Naïveté; c'est déjà l'été."},
			{"Ελληνική ιστορία", "Ο Οδυσσέας επιστρέφει."},
			{"Русская литература", "Чтение и Ёлка."},
			{"الكِتاب القديم", "قراءة"},
			{"हिन्दी कविता", "कविता पढ़ो"},
			{"日本の俳句", "朝の通学路で一句"},
			{"한국어 문법", "조사와 어미"},
			{"Chapter 42: e-mail, C++ & co.", "It's 3.14 'quoted' \"text\" -- OR NOT NEAR(x) AND *"},
		} {
			b.assignment(t, u, studycircle.Easy, a.title, a.description)
		}
		for text, want := range map[string][]string{
			"photosynthesis":      {"Photosynthesis in leaves", "Sugar and spice"},
			"PHOTO":               {"Photosynthesis in leaves", "Sugar and spice"},
			"sugar":               {"Sugar and spice", "Photosynthesis in leaves"},
			"photo sugar":         {},
			"photosynthesis suga": {"Sugar and spice", "Photosynthesis in leaves"},
			"leaves photosynth":   {"Photosynthesis in leaves"},
			"okonomie":            {"Ökonomie für Anfänger"},
			"strasse naivete":     {"Ökonomie für Anfänger"},
			"STRASSE":             {"Ökonomie für Anfänger"},
			"ete":                 {"Ökonomie für Anfänger"},
			"ελληνικη":            {"Ελληνική ιστορία"},
			"οδυσσεασ":            {"Ελληνική ιστορία"},
			"елка":                {"Русская литература"},
			"الكتاب":              {"الكِتاب القديم"},
			"हिन्दी":              {"हिन्दी कविता"},
			"俳句":                  {"日本の俳句"},
			"句俳":                  {"日本の俳句"},
			"한국":                  {"한국어 문법"},
			"42":                  {"Chapter 42: e-mail, C++ & co."},
			"mail e":              {"Chapter 42: e-mail, C++ & co."},
			`"quoted"`:            {"Chapter 42: e-mail, C++ & co."},
			"near":                {"Chapter 42: e-mail, C++ & co."},
			"title : photo":       {},
			"!!! ---":             {},
			"'; DROP TABLE users": {},
			"=easy":               {},
		} {
			require.Equal(t, want, b.search(t, text, ""), "search for %q", text)
			require.Empty(t, b.search(t, text, studycircle.Hard))
		}
		require.Len(t, b.search(t, "photo", studycircle.Easy), 2)
	})
}

// Search against a plain scan of all texts, after random changes, in the hall and in circles with the same words, on
// the node that made the change and on another.
func TestSearchIsExactAfterAnyHistory(t *testing.T) {
	t.Parallel()
	words := strings.Fields("alpha alps beta betal gamma gam delta del")
	onBothEngines(t, func(t *testing.T, b *bundle) {
		random := rand.New(rand.NewPCG(3, 5))
		u := b.user(t, "Ada")
		places := []string{studycircle.Hall, "one", "two"}
		for _, id := range places[1:] {
			b.group(t, id, u)
		}
		nodes := []*bundle{b, b.another(t)}
		text := func(n int) string {
			out := make([]string, n)
			for i := range out {
				out[i] = words[random.IntN(len(words))]
			}
			return strings.Join(out, " ")
		}
		all := map[string][]studycircle.Assignment{}
		check := func(on *bundle, place string) {
			t.Helper()
			query := text(1 + random.IntN(2))
			query = query[:len(query)-random.IntN(3)]
			level := append([]studycircle.Level{""}, studycircle.Levels...)[random.IntN(4)]
			require.Equal(t, readAll(all[place], query, level), on.searchIn(t, studycircle.ViewerOf(u.ID), place, query, level), "search for %q of %q in %q", query, level, place)
		}
		for step := range 300 {
			place, on := places[random.IntN(3)], nodes[random.IntN(2)]
			live := all[place]
			switch n := random.IntN(10); {
			case n < 6 || len(live) < 3:
				title := fmt.Sprint(text(1+random.IntN(2)), " no", step)
				live = append(live, on.assignmentIn(t, place, u, studycircle.Levels[random.IntN(3)], title, text(3)))
			case n < 8:
				i := random.IntN(len(live))
				after := live[i]
				after.Title, after.Description = fmt.Sprint(text(2), " no", step), text(2)
				after.Level = studycircle.Levels[random.IntN(3)]
				after.UpdatedAt = after.UpdatedAt.Add(time.Microsecond)
				on.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAssignment(ctx, live[i], after) })
				live[i] = after
			default:
				gone := take(random, &live)
				on.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, gone.ID, now) })
			}
			all[place] = live
			check(nodes[random.IntN(2)], place)
			if step == 200 && !b.sqlite {
				_, err := b.plain.ExecContext(t.Context(), "ANALYZE")
				require.NoError(t, err)
			}
		}
		for range 60 {
			check(nodes[random.IntN(2)], places[random.IntN(3)])
		}
	})
}

// readAll implements search as the documentation defines it.
func readAll(live []studycircle.Assignment, query string, level studycircle.Level) []string {
	asked := strings.Fields(query)
	has := func(text string) bool {
		for i, word := range asked {
			found := slices.ContainsFunc(strings.Fields(text), func(w string) bool {
				return w == word || (i == len(asked)-1 && strings.HasPrefix(w, word))
			})
			if !found {
				return false
			}
		}
		return true
	}
	inTitle, elsewhere := []string{}, []string{}
	slices.SortFunc(live, func(a, b studycircle.Assignment) int { return int(b.Seq - a.Seq) })
	for _, a := range live {
		switch {
		case level != "" && a.Level != level:
		case has(a.Title):
			inTitle = append(inTitle, a.Title)
		case has(a.Title + " " + a.Description):
			elsewhere = append(elsewhere, a.Title)
		}
	}
	return append(inTitle, elsewhere...)
}

// Common words are counted by PostgreSQL's statistics, less the changes since they were
// taken.
func TestCommonWordsAreCountedRightlyAfterAnyChange(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	total := func() int64 {
		t.Helper()
		_, n, err := b.SearchAssignments(t.Context(), anyone, studycircle.Hall, "common", "", studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		return n
	}
	run := func(statements ...string) {
		t.Helper()
		conn, err := b.plain.Conn(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }()
		for _, s := range statements {
			_, err := conn.ExecContext(t.Context(), s)
			require.NoError(t, err)
		}
	}
	require.Zero(t, total())
	run(`INSERT INTO assignment_search (seq, title, words) SELECT n, array_to_tsvector(ARRAY['rare' || n]),
		array_to_tsvector(ARRAY['rare' || n, CASE WHEN n % 4 = 0 THEN 'seldom' ELSE 'common' END]) FROM generate_series(1, 40000) AS g (n)`, "ANALYZE assignment_search")
	require.EqualValues(t, store.MaxMatches, total())
	// Statistics are flushed at the end of the statement that requests it here, and
	// within seconds otherwise.
	run("DELETE FROM assignment_search WHERE seq > 12000", "SELECT pg_stat_force_next_flush()")
	require.EqualValues(t, 9000, total())
}

// Assignments are found by their creator's present name, after those with the words in
// their titles, and no longer by a former name.
func TestSearchFindsCreatorsByName(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ádá Lovelace"), b.user(t, "Bob")
		b.assignment(t, bob, studycircle.Easy, "The life of Lovelace", "A biography.")
		first := b.assignment(t, ada, studycircle.Easy, "Tides", "The sea.")
		b.assignment(t, ada, studycircle.Hard, "Rivers", "Water.")
		imported := sample(ada, studycircle.Medium, "Lakes", "Still water.")
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{imported})
			return err
		})
		require.Equal(t, []string{"The life of Lovelace", "Lakes", "Rivers", "Tides"}, b.search(t, "lovelace", ""))
		require.Equal(t, []string{"Rivers"}, b.search(t, "lovel", studycircle.Hard))
		require.Equal(t, []string{"Lakes", "Rivers"}, b.search(t, "ada water", ""), "some words of the name, others of the text")

		before, err := b.Assignment(t.Context(), anyone, first.ID)
		require.NoError(t, err)
		after := before
		after.Title, after.UpdatedAt = "Ebb and flow", before.UpdatedAt.Add(time.Microsecond)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAssignment(ctx, before, after) })
		require.Equal(t, []string{"Lakes", "Rivers", "Ebb and flow"}, b.search(t, "ada lovelace", ""))

		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.UpdateProfile(ctx, ada.ID, studycircle.Profile{DisplayName: "Countess"})
		})
		require.NoError(t, b.CutStale(t.Context()))
		require.Equal(t, []string{"The life of Lovelace"}, b.search(t, "lovelace", ""))
		require.Equal(t, []string{"Lakes", "Rivers", "Ebb and flow"}, b.search(t, "count", ""))

		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, ada.ID, time.Now()) })
		require.NoError(t, b.CutStale(t.Context()))
		require.Empty(t, b.search(t, "countess", ""))
		require.Equal(t, []string{"Ebb and flow"}, b.search(t, "ebb", ""))
	})
}

// After creators are renamed while they publish and update, their assignments are found
// by their present names.
func TestSearchFindsRenamedCreators(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people := []studycircle.User{b.user(t, "One"), b.user(t, "Two")}
		var crowd errgroup.Group
		for c := range 16 {
			who := people[c%2]
			crowd.Go(func() error {
				for n := range 6 {
					if err := teststore.Publish(t.Context(), b.Store, sample(who, studycircle.Easy, "Work", "To do.")); err != nil {
						return err
					}
					err := b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
						return tx.UpdateProfile(ctx, who.ID, studycircle.Profile{DisplayName: fmt.Sprintf("Name%dx%d", c, n)})
					})
					if err != nil {
						return err
					}
				}
				return nil
			})
		}
		require.NoError(t, crowd.Wait())
		// Some writes may not be committed yet.
		require.Eventually(t, func() bool {
			require.NoError(t, b.CutStale(t.Context()))
			for _, who := range people {
				u, err := b.User(t.Context(), who.ID)
				require.NoError(t, err)
				_, total, err := b.SearchAssignments(t.Context(), anyone, studycircle.Hall, u.DisplayName, "", studycircle.Page{Number: 1, Limit: 1})
				require.NoError(t, err)
				if total != 48 {
					return false
				}
			}
			return true
		}, time.Minute, 10*time.Millisecond)
	})
}
