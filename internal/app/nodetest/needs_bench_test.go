package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkToday measures Today of a user in 50 circles, an organizer in half of them, with 2,000 assignments in these,
// 20 of the user's own with 30 open submissions each, and requests and reports; in all, 2,000 circles and 42,000
// assignments. The bound is 5 ms (p50).
//
//	go test ./internal/app/nodetest -run '^$' -bench Today -benchtime 300x
func BenchmarkToday(b *testing.B) {
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		ada, idle := n.user(b, "Ada"), n.user(b, "Bob")
		account, err := n.app.Store.AccountByEmail(b.Context(), ada.email)
		require.NoError(b, err)
		counted := func(n int) string {
			return fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", n-1)
		}
		day := int64(24 * 60 * 60 * 1e6)
		now := n.clock.now().UnixMicro()
		me := "'" + account.ID + "'"
		insert := "INSERT INTO assignments (id, circle_id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at, reviews_needed) "
		for _, text := range []string{
			"INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) " + counted(2000) +
				"SELECT 'u' || i, 'u' || i || '@example.org', 'Name', '', '', 0 FROM n",
			"INSERT INTO circles (id, name, sort_key, joining, publishing, grading, created_at, updated_at) " + counted(2000) +
				"SELECT 'c' || i, 'Readers', ' readers ', 'ask', 'members', 'members', 0, 0 FROM n",
			"INSERT INTO circle_members (circle_id, user_id, role, joined_at) " + counted(50) +
				"SELECT 'c' || i, " + me + ", CASE WHEN i < 25 THEN 'owner' ELSE 'member' END, 0 FROM n",
			"INSERT INTO circle_members (circle_id, user_id, role, joined_at) " + counted(40000) +
				"SELECT 'c' || (i / 20), 'u' || (i % 2000), 'member', 0 FROM n",
			insert + counted(42000) + fmt.Sprintf(
				"SELECT 'a' || i, 'c' || CASE WHEN i < 2000 THEN i %% 50 ELSE i %% 2000 END, CASE WHEN i >= 40000 AND i < 40020 THEN %s ELSE 'u1' END, 'Title', 'Text', '', 20, 'easy', %d + (i %% 80 - 40) * %d, 0, 0, 0, 3 FROM n",
				me, now, day,
			),
			"UPDATE assignments SET circle_id = 'c0' WHERE creator_id = " + me,
			"INSERT INTO taken (user_id, seq, level, state, submission_id, attempts, due_at) SELECT " + me + ", seq, 'easy', 'graded', 'none', 1, due_at FROM assignments WHERE seq % 2 = 0 AND circle_id IN ('c30', 'c31', 'c32', 'c33')",
			"INSERT INTO submissions (id, assignment_id, circle_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late, reviews_needed) " +
				counted(600) + "SELECT 's' || i, 'a' || (40000 + i % 20), 'c0', 'Title', 20, 'u' || i, i, 'https://example.org', '', 'pending', 0, FALSE, 3 FROM n",
			"INSERT INTO review_states (id, circle_id, seq, assignment_id, submitter_id, attempt, label, phase, reviews, needed, wanted, last_day, before_last_day, settle_at) " +
				"SELECT id, circle_id, seq, assignment_id, submitter_id, 1, 'Heron', CASE WHEN seq % 60 = 0 THEN 'appealed' ELSE 'open' END, 1 + seq % 3, 3, 4, 0, 0, 9000000000000000 FROM submissions",
			"INSERT INTO circle_requests (circle_id, user_id, asked_at) " + counted(75) + "SELECT 'c' || (i % 25), 'u' || (1000 + i), 0 FROM n",
			"INSERT INTO reports (id, kind, subject_id, circle_id, reason, created_at, first) " + counted(10) +
				"SELECT 'r' || i, 'assignment', 'a' || i, 'c' || (i % 25), 'Look.', 0, TRUE FROM n",
		} {
			n.exec(b, text)
		}
		if n.database.URL != "" { // as autovacuum does within a minute
			n.exec(b, "ANALYZE")
		}
		for name, c := range map[string]*client{"in 50 circles": ada, "in none": idle} {
			b.Run(name, func(b *testing.B) {
				eachTakes(b, func() { c.served(b, http.MethodGet, "/api/today", nil, http.StatusOK) })
			})
		}
	})
}
