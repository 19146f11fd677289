package nodetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/app"
)

// A circle whose only owner is suspended stays theirs; the operator gives it another owner.
func TestOperatorReplacesASuspendedOwner(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		id := ada.circle(t, "Readers")
		ada.admits(t, id, "member", bob)
		n.moderate(t, studycircle.Suspend, studycircle.OfUser, ada.id(t))
		ada.endsWithinFiveSeconds(t)
		require.Equal(t, []string{"Ada owner", "Bob member"}, bob.members(t, id, ""))
		operator := app.Unlimited(n.app.Store, n.clock.now)
		for _, email := range []string{"BOB@example.org", cleo.email} {
			changed, err := operator.MakeOwner(t.Context(), id, email)
			require.NoError(t, err)
			require.True(t, changed)
		}
		require.Equal(t, []string{"Ada owner", "Bob owner", "Cleo owner"}, cleo.members(t, id, ""))
		account, err := n.app.Store.AccountByEmail(t.Context(), ada.email)
		require.NoError(t, err)
		bob.patch(t, "/api/circle/"+id+"/members/"+account.ID, doc{"role": "member"}).is(t, http.StatusOK)
		_, err = operator.MakeOwner(t.Context(), id, "nobody@example.org")
		require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err))
	})
}

// The operator's bounds are those of owners, also for 32 users at once.
func TestOperatorsAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		people := make([]*client, crowd)
		for i := range people {
			people[i] = n.user(t, fmt.Sprint("Bob", i))
		}
		operator := app.Unlimited(n.app.Store, n.clock.now)
		codes := make([]studycircle.Code, crowd)
		together(t, crowd, func(i int) error {
			_, err := operator.MakeOwner(t.Context(), id, people[i].email)
			if codes[i] = studycircle.CodeOf(err); codes[i] == studycircle.CodeInternal {
				return err
			}
			_, err = operator.ArchiveAnyCircle(t.Context(), id, i%2 == 0)
			return err
		})
		made := 0
		for _, code := range codes {
			if code == "" {
				made++
				continue
			}
			require.Equal(t, studycircle.CodeTooManyOwners, code)
		}
		require.Equal(t, studycircle.MaxOwners-1, made)
		require.Len(t, ada.members(t, id, "role=owner"), studycircle.MaxOwners)
	})
}

// In an archived circle nothing is due, nothing waits, and nothing reminds or notifies its members.
func TestArchivedCircleIsQuiet(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cleo")
		id := ada.circle(t, "Readers")
		ada.admits(t, id, "member", bob, cleo)
		due := n.clock.now().Add(26 * time.Hour)
		of := ada.publishIn(t, id, "Quiet tides", due)
		reviewed := ada.publishIn(t, id, "Reviewed tides", due.Add(-6*time.Hour), 2)
		bob.put(t, "/api/assignment/"+of+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		bob.submit(t, reviewed)
		bob.submit(t, of)
		address := bob.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url")[len(n.public):]
		n.looks(t)
		before, unread := bob.inbox(t)
		all := func(c *client) (text string) {
			for _, path := range []string{"/api/dashboard", "/api/today"} {
				text += string(c.get(t, path).is(t, http.StatusOK).body)
			}
			return text
		}
		require.Contains(t, all(bob), of)
		require.Contains(t, all(ada), reviewed) // too few submitters
		require.Contains(t, string(n.visitor().get(t, address).is(t, http.StatusOK).body), "Quiet tides")
		require.Len(t, bob.listed(t, "?state=due-soon&circle="+id), 2)

		ada.post(t, "/api/circle/"+id+"/archive", nil).modified(t, 1)
		for _, c := range []*client{ada, bob, cleo} {
			due := c.get(t, "/api/dashboard").is(t, http.StatusOK).json(t)
			require.Empty(t, due["due"])
			require.Empty(t, due["waiting"])
			require.NotContains(t, string(c.get(t, "/api/today").is(t, http.StatusOK).body), "Reviewed tides")
		}
		require.NotContains(t, string(n.visitor().get(t, address).is(t, http.StatusOK).body), "Quiet tides")
		require.Empty(t, bob.listed(t, "?state=due-soon&circle="+id))
		n.clock.advance(25 * time.Hour)
		n.looks(t)
		n.sendsAllMails(t)
		bob.newSession(t)
		after, stillUnread := bob.inbox(t)
		require.Equal(t, before, after)
		require.Equal(t, unread, stillUnread)
	})
}
