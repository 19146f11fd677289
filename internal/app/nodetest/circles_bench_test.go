package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
)

// The sizes of BenchmarkCircles.
const (
	benchCircles     = 10_000
	benchPeople      = 100_000 // all in the first circle
	benchMemberships = 1_000_000
	benchAssignments = 1_000_000 // half of them in circles
	benchInFirst     = 10_000    // of those
	benchPending     = 20_000    // submissions in the first circle
)

// BenchmarkCircles measures a server of 10,000 circles, 1,000,000 memberships and 1,000,000 assignments of which half
// are in circles, with one circle of 100,000 members and one person in 200 circles, one client alone. The bound is 5 ms
// (p50) for each list, page, search and count; joining may take twice the time of a create.
//
//	go test ./internal/app/nodetest -run '^$' -bench Circles -benchtime 200x -timeout 2h
func BenchmarkCircles(b *testing.B) {
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		began := time.Now()
		ada := n.user(b, "Ada")
		n.settle(b, ada)
		b.Logf("filled in %v", time.Since(began).Round(time.Second))
		one := "circle=c0"
		for _, k := range []struct {
			name string
			path func(i int) string
		}{
			{"page 1", func(int) string { return "/api/assignments?" + one }},
			{"any page", func(i int) string { return fmt.Sprintf("/api/assignments?%s&page=%d", one, 1+i*7919%1000) }},
			{"any circle", func(i int) string { return fmt.Sprintf("/api/assignments?circle=c%d", 1+i%199) }},
			{"level", func(i int) string { return fmt.Sprintf("/api/assignments?%s&level=hard&page=%d", one, 1+i%300) }},
			{"not taken", func(i int) string { return fmt.Sprintf("/api/assignments?%s&state=open&page=%d", one, 1+i%900) }},
			{"due soon", func(i int) string { return fmt.Sprintf("/api/assignments?%s&state=due-soon&page=%d", one, 1+i%50) }},
			{"search, a word of all", func(i int) string { return fmt.Sprintf("/api/assignments?%s&search=tides&page=%d", one, 1+i%100) }},
			{"search, words of all, never searched for", func(i int) string {
				all := []string{"tides", "explain", "why", "the", "sea", "comes", "and", "goes"}
				return fmt.Sprintf("/api/assignments?%s&search=%s+%s+%s", one, all[i%8], all[i/8%8], all[i/64%8])
			}},
			{"search, any circle", func(i int) string { return fmt.Sprintf("/api/assignments?circle=c%d&search=tides", 1+i%199) }},
			{"search, a word of one", func(i int) string { return fmt.Sprintf("/api/assignments?%s&search=number%d", one, i*37) }},
			{"one assignment", func(i int) string { return fmt.Sprintf("/api/assignment/b%d", i*7919%benchInFirst) }},
			{"pending", func(i int) string { return fmt.Sprintf("/api/submissions?status=pending&%s&page=%d", one, 1+i%900) }},
			{"the circle", func(int) string { return "/api/circle/c0" }},
			{"members", func(i int) string { return fmt.Sprintf("/api/circle/c0/members?page=%d", 1+i*7919%5000) }},
			{"members, a name", func(i int) string { return fmt.Sprintf("/api/circle/c0/members?search=name%d", i*97) }},
			{"members, of a label", func(i int) string { return fmt.Sprintf("/api/circle/c0/members?label=Red&page=%d", 1+i%500) }},
			{"my 200 circles", func(i int) string { return fmt.Sprintf("/api/circles?page=%d", 1+i%10) }},
			{"listed circles", func(i int) string { return fmt.Sprintf("/api/circles?listed=true&page=%d", 1+i%490) }},
			{"listed circles, a word", func(i int) string { return fmt.Sprintf("/api/circles?listed=true&search=readers&page=%d", 1+i%100) }},
			{"the hall", func(i int) string { return fmt.Sprintf("/api/assignments?page=%d", 1+i*7919%50000) }},
		} {
			b.Run(k.name, func(b *testing.B) {
				i := 0
				eachTakes(b, func() { i++; ada.served(b, http.MethodGet, k.path(i), nil, http.StatusOK) })
			})
		}
		joiner := n.people(b, "Bob", "Cem", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida")
		b.Run("publish in the hall", func(b *testing.B) {
			eachTakes(b, func() { ada.served(b, http.MethodPost, "/api/assignments", assignment(), http.StatusCreated) })
		})
		b.Run("publish in the circle of 100,000", func(b *testing.B) {
			eachTakes(b, func() {
				ada.served(b, http.MethodPost, "/api/assignments", with(assignment(), "circleId", "c0"), http.StatusCreated)
			})
		})
		b.Run("join", func(b *testing.B) {
			i := 0
			eachTakes(b, func() {
				c := joiner[i%len(joiner)]
				c.served(b, http.MethodPost, fmt.Sprintf("/api/circle/c%d/join", 300+i/len(joiner)), nil, http.StatusOK)
				i++
			})
		})
	})
}

// eachTakes runs f b.N times and reports its median and 99th percentile, in milliseconds.
func eachTakes(b *testing.B, f func()) {
	b.Helper()
	took := make([]time.Duration, 0, b.N)
	for b.Loop() {
		began := time.Now()
		f()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
}

// settle fills a new database. Person is in the first 200 circles.
func (n *node) settle(b *testing.B, person *client) {
	b.Helper()
	account, err := n.app.Store.AccountByEmail(b.Context(), person.email)
	require.NoError(b, err)
	now := n.clock.now()
	write := func(f func(ctx context.Context, tx *store.Tx) error) {
		b.Helper()
		require.NoError(b, n.app.Store.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), f))
	}
	counted := func(n int) string {
		return fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", n-1)
	}
	hexadecimal := "lower(hex('name' || i))"
	if n.database.URL != "" {
		hexadecimal = "encode(convert_to('name' || i, 'UTF8'), 'hex')"
	}
	each := (benchMemberships - benchPeople) / (benchCircles - 1)
	write(func(ctx context.Context, tx *store.Tx) error {
		for _, text := range []string{
			"INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) " + counted(benchPeople) +
				"SELECT 'u' || i, 'u' || i || '@example.org', 'Name' || i, '', '', 0 FROM n",
			"INSERT INTO circles (id, name, sort_key, listed, joining, publishing, grading, created_at, updated_at) " + counted(benchCircles) +
				"SELECT 'c' || i, CASE i % 5 WHEN 0 THEN 'Readers ' ELSE 'Circle ' END || i, CASE i % 5 WHEN 0 THEN ' readers ' ELSE ' circle ' END || i, FALSE, 'open', 'members', 'members', 0, 0 FROM n",
			"INSERT INTO circle_members (circle_id, user_id, role, label, joined_at) " + counted(benchPeople) +
				"SELECT 'c0', 'u' || i, 'member', CASE i % 2 WHEN 0 THEN 'Red' ELSE 'Blue' END, 0 FROM n",
			"INSERT INTO circle_member_words (circle_id, word, seq, for_organizers) " + counted(benchPeople) +
				"SELECT 'c0', " + hexadecimal + ", m.seq, FALSE FROM n JOIN circle_members m ON m.circle_id = 'c0' AND m.user_id = 'u' || i",
			"INSERT INTO circle_members (circle_id, user_id, role, joined_at) " + counted(each*(benchCircles-1)) +
				fmt.Sprintf("SELECT 'c' || (1 + i / %d), 'u' || (i %% %d), CASE i %% %d WHEN 0 THEN 'owner' ELSE 'member' END, 0 FROM n", each, benchPeople, each),
			"INSERT INTO circle_members (circle_id, user_id, role, joined_at) " + counted(200) + "SELECT 'c' || i, '" + account.ID + "', 'member', 0 FROM n",
			"UPDATE circles SET members = (SELECT COUNT(*) FROM circle_members m WHERE m.circle_id = circles.id)",
		} {
			if _, err := tx.DB.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	})
	const listedAtOnce = 500
	for from := 0; from < benchCircles; from += listedAtOnce {
		write(func(ctx context.Context, tx *store.Tx) error {
			for i := from; i < from+listedAtOnce; i++ {
				name := "Circle "
				if i%5 == 0 {
					name = "Readers "
				}
				c := studycircle.Circle{ID: fmt.Sprint("c", i), CircleInput: studycircle.NewCircle}
				c.Name, c.Listed, c.Join = fmt.Sprint(name, i), true, studycircle.JoinOpen
				if err := tx.UpdateCircle(ctx, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	levels := []studycircle.Level{studycircle.Easy, studycircle.Medium, studycircle.Hard}
	const batch = 5000
	for from := 0; from < benchAssignments; from += batch {
		var all []studycircle.Assignment
		for i := from; i < from+batch; i++ {
			due, err := studycircle.ParseDueDate(now.Add(time.Duration(1+i%1000) * time.Hour).UTC().Format(time.RFC3339))
			require.NoError(b, err)
			a := studycircle.Assignment{
				ID: fmt.Sprint("b", i), Creator: studycircle.Person{UserID: fmt.Sprint("u", i%benchPeople)}, Title: fmt.Sprint("Tides, number", i), Description: "Explain why the sea comes and goes.",
				Thumbnail: "https://example.org/tides.png", Marks: 20, Level: levels[i%3], Due: due, CreatedAt: now, UpdatedAt: now,
			}
			switch {
			case i < benchInFirst:
				a.CircleID = "c0"
			case i < benchAssignments/2:
				a.CircleID = fmt.Sprint("c", 1+i%(benchCircles-1))
			}
			all = append(all, a)
		}
		write(func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportAssignments(ctx, tx.Tx, all)
			return err
		})
	}
	for from := 0; from < benchPending; from += batch {
		var all []studycircle.Submission
		for i := from; i < from+batch; i++ {
			all = append(all, studycircle.Submission{
				ID: fmt.Sprint("s", i), AssignmentID: fmt.Sprint("b", i%benchInFirst), Submitter: studycircle.Person{UserID: fmt.Sprint("u", 7+i/benchInFirst)},
				AssignmentTitle: "Tides", CircleID: "c0", Marks: 20, DocsLink: "https://example.org", Status: studycircle.Pending, SubmittedAt: now,
			})
		}
		write(func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportSubmissions(ctx, tx.Tx, all)
			return err
		})
	}
	if n.database.URL != "" { // as autovacuum does within a minute
		write(func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "ANALYZE")
			return err
		})
	}
}
