package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
)

// growing are the tables with rows for what users do, but for those whose rows wait for background work: notices,
// fanouts, circle_fanouts and page_deltas.
var growing = regexp.MustCompile(`^(?:users|sessions|action_codes|provider_links|passkeys|assignments|submissions|comments|reactions|reports|moderation_log|` +
	`reminders|inboxes|notifications|review_\w+|reviews|settlements|reopenings|exemplars|link_checks|circles|circle_(?:invitations|joins|listings|member_words|members|refusals|removals|requests)|` +
	`saved_rubrics|phrases|page_counts|self_assessments|events)$`)

var (
	planned      = regexp.MustCompile(`(?i)^\s*(?:--[^\n]*\s)*(?:select|insert|update|delete|with)`)
	anyParameter = regexp.MustCompile(`\$\d+|\?\d*`)
)

// No statement of a write scans a table that grows: neither before nor after the statistics of an import, which are
// those of a moment when other tables were empty.
func TestWritesFindRowsByIndexes(t *testing.T) {
	t.Parallel()
	recorded(t, func(t *testing.T, b *bundle, of *statements) {
		require.NoError(t, bulk.Analyze(t.Context(), b.Store, func() {}))
		writeAll(t, b)
		texts := of.all()
		require.Greater(t, len(texts), 100)
		scanned := b.scanned
		if !b.sqlite {
			scanned = b.scannedByPostgres
		}
		on := plainDB(t, b.config) // a new connection reads the statistics
		defer func() { require.NoError(t, on.Close()) }()
		for _, text := range texts {
			for _, table := range scanned(t, on, text) {
				assert.NotRegexp(t, growing, table, "a write scans it:\n%s", text)
			}
		}
	})
}

// writeAll makes the main writes of users and of background work.
func writeAll(t *testing.T, b *bundle) {
	t.Helper()
	h := newHistory(t, b, 5)
	h.personal = true
	for range 80 {
		h.step()
		h.reviewStep()
	}
	discussion := &talk{history: h, under: h.live[:2:2]}
	for range 60 {
		discussion.step()
	}
	for _, write := range newCircle(t, b, 1).disperse(b) {
		require.NoError(t, write(t.Context()))
	}
	ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
	circle := b.circle(t, "Readers", ada, studycircle.Membership{UserID: bob.ID, Role: studycircle.CircleMember})
	a := b.assignmentIn(t, circle, ada, studycircle.Easy, "Tides", "Read.")
	b.forReview(t, b.assignmentIn(t, circle, ada, studycircle.Easy, "Reviewed", "Read."), bob)
	s := handIn(a, bob)
	require.NoError(t, submit(t.Context(), b.Store, studycircle.ViewerOf(bob.ID), a.ID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) { return s, nil }))
	var imported []studycircle.Submission
	for i := range 3 {
		s := handIn(h.live[0], bob)
		s.Status, s.Grade = studycircle.Completed, &studycircle.Grade{Mark: int64(i), MarkedAt: now.Add(time.Minute)}
		imported = append(imported, s)
	}
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		if _, _, err := bulk.ImportAccounts(ctx, tx.Tx, []studycircle.User{{ID: studycircle.NewID(now), Email: "eve@example.org", DisplayName: "Eve"}}); err != nil {
			return err
		}
		if _, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{sample(ada, studycircle.Easy, "Imported", "Read.")}); err != nil {
			return err
		}
		if _, err := bulk.ImportSubmissions(ctx, tx.Tx, imported); err != nil {
			return err
		}
		if _, err := bulk.AccountsInUse(ctx, tx.Tx, []string{"eve@example.org"}); err != nil {
			return err
		}
		if _, err := tx.Rostered(ctx, circle, []string{"eve@example.org"}, now); err != nil {
			return err
		}
		_, err := bulk.ImportComments(ctx, tx.Tx, []studycircle.Comment{remark(h.live[0], ada, "", "Imported")})
		return err
	})
	_, err := b.DeliverNotices(t.Context())
	require.NoError(t, err)
}

// scanned returns the tables that SQLite scans for a statement.
func (*bundle) scanned(t *testing.T, on *sql.DB, text string) (tables []string) {
	t.Helper()
	if !planned.MatchString(text) {
		return nil
	}
	for _, line := range plan(t, on, anyParameter.ReplaceAllString(text, "?1")+" -- ?1") {
		if name, scans := strings.CutPrefix(line, "SCAN "); scans {
			name, _, _ = strings.Cut(name, " ")
			tables = append(tables, aliased(text, name))
		}
	}
	return tables
}

// aliased returns the table that an alias stands for.
func aliased(text, alias string) string {
	found := regexp.MustCompile(`(?i)(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)(?:\s+AS)?\s+` + regexp.QuoteMeta(alias) + `\b`).FindStringSubmatch(text)
	if found == nil {
		return alias
	}
	return found[1]
}

// scannedByPostgres returns the tables that PostgreSQL can find by no index for a statement.
func (*bundle) scannedByPostgres(t *testing.T, on *sql.DB, text string) (tables []string) {
	t.Helper()
	if !planned.MatchString(text) {
		return nil
	}
	conn, err := on.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	for _, setting := range []string{"SET enable_seqscan = off", "SET plan_cache_mode = force_generic_plan"} {
		_, err = conn.ExecContext(t.Context(), setting)
		require.NoError(t, err)
	}
	_, err = conn.ExecContext(t.Context(), "PREPARE planned AS "+text)
	require.NoError(t, err, text)
	var parameters int
	require.NoError(t, conn.QueryRowContext(t.Context(), "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'planned'").Scan(&parameters))
	execute := "EXPLAIN (FORMAT TEXT, COSTS off) EXECUTE planned"
	if parameters > 0 {
		execute += fmt.Sprintf("(%s)", strings.TrimSuffix(strings.Repeat("NULL, ", parameters), ", "))
	}
	rows, err := conn.QueryContext(t.Context(), execute)
	require.NoError(t, err, text)
	defer func() { require.NoError(t, rows.Close()) }()
	scan := regexp.MustCompile(`Seq Scan on (\w+)`)
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		if found := scan.FindStringSubmatch(line); found != nil {
			tables = append(tables, found[1])
		}
	}
	require.NoError(t, rows.Err())
	_, err = conn.ExecContext(t.Context(), "DEALLOCATE planned")
	require.NoError(t, err)
	return tables
}
