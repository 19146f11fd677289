package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// A day after an account is deleted, no row of any table contains its address, name or
// id, whatever its user did. Search words are removed later
// (TestWordsOfRemovedTextsAreForgotten in store/sqlite).
func TestDeletedAccountsLeaveNoTrace(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		w.limits = true
		n := w.startWhereAsked(t)
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		gone := n.user(t, "Xanthippe")
		gone.patch(t, "/api/auth/profile", doc{"displayName": "Xanthippe", "photoURL": "https://example.org/xanthippe.png"}).is(t, http.StatusOK)
		account, err := n.app.Store.AccountByEmail(t.Context(), gone.email)
		require.NoError(t, err)
		everyNoun(t, gone, ada, bob, eve)
		n.visitor().post(t, "/api/auth/login", doc{"email": gone.email, "password": "Wrong1Horse"}).is(t, http.StatusUnauthorized)
		n.visitor().post(t, "/api/auth/password/forgot", doc{"email": gone.email}).is(t, http.StatusAccepted)
		gone.post(t, "/api/auth/email/verification", nil).is(t, http.StatusAccepted)
		marks := []string{"xanthippe", strings.ToLower(account.ID)}
		require.NotEmpty(t, n.tablesWith(t, marks), "they are found where they are")

		gone.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Eventually(t, func() bool {
			var waiting int
			err := n.app.Store.Engine().Reads().QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM fanouts) + (SELECT COUNT(*) FROM circle_fanouts) + (SELECT COUNT(*) FROM notices)").Scan(&waiting)
			return err == nil && waiting == 0
		}, time.Minute, 50*time.Millisecond, "all notifications are delivered")
		require.NoError(t, n.app.Store.CutStale(t.Context()))
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteExpired(ctx, n.clock.now().Add(24*time.Hour))
		}))
		require.NoError(t, n.app.Store.TrimEvents(t.Context(), -time.Hour, 0))
		require.Empty(t, n.tablesWith(t, marks))
	})
}

// everyNoun makes a user use everything that the API offers, together with others.
func everyNoun(t *testing.T, who, ada, bob, eve *client) {
	t.Helper()
	plain, theirs := who.publish(t), ada.publish(t)
	who.grade(t, bob.submit(t, theirs), 20)
	graded := who.submit(t, theirs)
	eve.grade(t, graded, 10)
	who.post(t, "/api/submissions/"+graded+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
	who.submit(t, theirs)
	bob.submit(t, plain)

	reviewed, own := ada.publish(t, "reviewsNeeded", 2), who.publish(t, "reviewsNeeded", 2)
	who.post(t, "/api/assignment/"+own+"/exemplars", exemplar(12)).is(t, http.StatusCreated)
	at := "/api/submissions/" + eve.submit(t, reviewed)
	for _, c := range []*client{who, bob} {
		c.task(t, reviewed)
		c.patch(t, at, doc{"marks": 20, "feedback": "Clear."}).is(t, http.StatusOK)
	}
	bob.submit(t, reviewed)
	who.task(t, reviewed)
	eve.submit(t, own)
	bob.task(t, own)
	who.submit(t, reviewed)

	thread := who.write(t, plain, "Who knows?")
	who.reply(t, theirs, ada.write(t, theirs, "Ask here."), "I do.")
	bob.reply(t, plain, thread, "Nobody.")
	for _, c := range []*client{who, bob} {
		c.put(t, "/api/comment/"+thread+"/reactions/like", nil).is(t, http.StatusOK)
	}
	who.post(t, "/api/assignment/"+theirs+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated)

	who.post(t, "/api/circle/"+who.circle(t, "Readers")+"/invitations", doc{}).is(t, http.StatusCreated)
	who.post(t, "/api/circle/"+ada.circle(t, "Writers", "join", "ask")+"/ask", nil).is(t, http.StatusOK)
	who.put(t, "/api/assignment/"+theirs+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
	who.post(t, "/api/calendar", nil).is(t, http.StatusCreated)
	who.put(t, "/api/settings/time-zone", doc{"timeZone": "Europe/Berlin"}).is(t, http.StatusOK)
	for _, c := range []*client{who, ada} { // bob's and eve's wait to be delivered
		c.get(t, "/api/notifications").is(t, http.StatusOK)
	}
}

// tablesWith returns the tables, on SQLite with columns, in which a row contains any of
// the marks.
func (n *node) tablesWith(t *testing.T, marks []string) (found []string) {
	t.Helper()
	d := n.app.Store.Engine().Reads()
	list := func(query string) (out []string) {
		rows, err := d.QueryContext(t.Context(), query)
		require.NoError(t, err)
		defer func() { require.NoError(t, rows.Close()) }()
		for rows.Next() {
			var name string
			require.NoError(t, rows.Scan(&name))
			out = append(out, name)
		}
		require.NoError(t, rows.Err())
		return out
	}
	has := func(place, text, table string) {
		for _, mark := range marks {
			var rows int
			query := fmt.Sprintf("SELECT COUNT(*) FROM %s AS t WHERE LOWER(CAST(%s AS TEXT)) LIKE '%%%s%%'", table, text, mark)
			require.NoError(t, d.QueryRowContext(t.Context(), query).Scan(&rows), query)
			if rows > 0 {
				found = append(found, fmt.Sprintf("%s: %s", place, mark))
			}
		}
	}
	if n.database.URL != "" {
		for _, table := range list("SELECT tablename FROM pg_tables WHERE schemaname = 'public'") {
			has(table, "t", table)
		}
		return found
	}
	for _, table := range list("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' AND name <> 'search_words'") {
		for _, column := range list("SELECT name FROM pragma_table_info('" + table + "')") {
			has(table+"."+column, `t."`+column+`"`, `"`+table+`"`)
		}
	}
	return found
}
