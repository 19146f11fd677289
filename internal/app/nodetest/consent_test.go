package nodetest

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// asking is a world in which rosters enroll no one without an answer.
func asking(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		w.enrol = nil
		f(t, w.start(t))
	})
}

// waiting returns the invitations that wait for c's answer, as both lists show them, without their ids and times.
func (c *client) waiting(t *testing.T) (ids []string, shown []doc) {
	t.Helper()
	all := c.get(t, "/api/circles/invited").is(t, http.StatusOK).json(t)["data"].([]any)
	today := c.get(t, "/api/today").is(t, http.StatusOK).json(t)
	if len(all) == 0 {
		require.NotContains(t, today, "invitations")
		return nil, nil
	}
	require.Equal(t, all, today["invitations"])
	for _, one := range all {
		one := one.(doc)
		ids = append(ids, one["_id"].(string))
		require.NotEmpty(t, one["invitedAt"])
		require.NotEmpty(t, one["expiresAt"])
		shown = append(shown, with(one, "_id", absent{}, "invitedAt", absent{}, "expiresAt", absent{}))
	}
	return ids, shown
}

// only returns the id of the one invitation that waits for c's answer.
func (c *client) only(t *testing.T) string {
	t.Helper()
	ids, _ := c.waiting(t)
	require.Len(t, ids, 1)
	return ids[0]
}

// answers answers an invitation: by accept, decline or block.
func (c *client) answers(t *testing.T, id, how string) *answer {
	t.Helper()
	return c.post(t, "/api/circles/invited/"+id+"/"+how, nil)
}

// A roster invites the user of a verified address, who joins by accepting. Before, the user sees the circle's name and
// the organizer's, and nothing else changes for anyone.
func TestRosterAsks(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers", "description", "Canary of the description")
		secret := ada.publish(t, "title", "Canary of the assignment", "circleId", id)
		require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email,name,label,role", bob.email+",Bob Bold,Red,organizer").is(t, http.StatusOK).json(t))

		ids, shown := bob.waiting(t)
		require.Equal(t, []doc{{"circleName": "Readers", "invitedBy": "Ada", "role": "organizer"}}, shown)
		require.Equal(t, []doc{{"actorName": "Ada", "count": 1.0, "title": "Readers", "url": "/circles"}}, bob.told(t, studycircle.NotifyInvited))
		require.Equal(t, 1, n.invitedTo(t, bob.email))
		require.Equal(t, []string{"Ada owner"}, ada.members(t, id, ""))
		require.InDelta(t, 1, ada.get(t, "/api/circle/"+id).is(t, http.StatusOK).json(t)["members"], 0)
		require.Equal(t, enrolled(0, 0, 0, 1), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t), "an invitation waits")
		require.Equal(t, 1, n.invitedTo(t, bob.email))
		for _, path := range []string{
			"/api/circles", "/api/circles?listed=true", "/api/circles/invited", "/api/today", "/api/dashboard", "/api/notifications",
			"/api/assignments", "/api/assignments?search=canary", "/api/submissions?status=pending", "/api/rubrics", "/api/auth/export",
		} {
			require.NotContains(t, string(bob.get(t, path).is(t, http.StatusOK).body), "Canary", path)
			require.NotContains(t, string(bob.get(t, path).body), id, path)
		}
		for _, path := range []string{"", "/members", "/marks", "/invitations", "/asking"} {
			bob.get(t, "/api/circle/"+id+path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		bob.get(t, "/api/assignment/"+secret).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		preview := bob.invited(t, n.rosterSecret(t, bob.email)).is(t, http.StatusOK).json(t)
		require.Equal(t, doc{"circleId": id, "name": "Readers", "html": "", "members": 0.0, "member": false}, preview)

		require.Equal(t, doc{"circleId": id}, bob.answers(t, ids[0], "accept").is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Bob organizer"}, ada.members(t, id, "label=Red"))
		bob.get(t, "/api/assignment/"+secret).is(t, http.StatusOK)
		require.Empty(t, bob.told(t, studycircle.NotifyInvited))
		_, shown = bob.waiting(t)
		require.Empty(t, shown)
		require.Equal(t, doc{"circleId": id}, bob.answers(t, ids[0], "accept").is(t, http.StatusOK).json(t), "once more")
		bob.answers(t, ids[0], "decline").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// The secret in the email of an invitation is another way to accept it, for its address alone.
func TestRosterEmailIsAnAcceptance(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Eve").confirmed(t)
		id := ada.circle(t, "Readers")
		dan := "dan@example.org"
		require.Equal(t, enrolled(0, 2, 0, 0), ada.roster(t, id, "", "email", bob.email, dan).is(t, http.StatusOK).json(t))
		require.Equal(t, []int{1, 1}, []int{n.invitedTo(t, bob.email), n.invitedTo(t, dan)})
		eve.join(t, n.rosterSecret(t, bob.email)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.join(t, n.rosterSecret(t, bob.email)).is(t, http.StatusOK)
		require.Empty(t, bob.told(t, studycircle.NotifyInvited))

		// A newcomer is asked once the address is verified.
		newcomer := n.browser(t)
		newcomer.register(t, dan)
		newcomer.email = dan
		require.Empty(t, newcomer.get(t, "/api/circles/invited").is(t, http.StatusOK).json(t)["data"])
		newcomer.verifies(t)
		require.Empty(t, newcomer.circles(t))
		newcomer.answers(t, newcomer.only(t), "accept").is(t, http.StatusOK)
		require.Equal(t, []string{"Readers"}, newcomer.circles(t))
	})
}

// The notification of an invitation is neither listed nor counted while its circle is deleted.
func TestInvitedNotificationFollowsItsCircle(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers")
		ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK)
		tells := func(count int) {
			t.Helper()
			for _, query := range []string{"", "?unread=true"} {
				list, unread := bob.notifications(t, query)
				require.Len(t, list, count)
				require.Equal(t, fmt.Sprint(count), unread)
			}
		}
		tells(1)
		ada.del(t, "/api/circle/"+id).is(t, http.StatusOK)
		tells(0)
		ada.post(t, "/api/circle/"+id+"/restore", nil).is(t, http.StatusOK)
		tells(1)
	})
}

// Users who want no emails about invitations get none, and may end them by a link in one. Suspended users get none.
func TestInvitationEmailsCanBeEnded(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		ada.roster(t, ada.circle(t, "Readers"), "", "email", bob.email).is(t, http.StatusOK)
		require.Equal(t, 1, n.invitedTo(t, bob.email))
		n.mails.mu.Lock()
		link := strings.Trim(n.mails.mails[0].header.Get("List-Unsubscribe"), "<>")
		n.mails.mu.Unlock()
		require.True(t, strings.HasPrefix(link, n.public+"/unsubscribe/"), link)
		n.visitor().post(t, strings.TrimPrefix(link, n.public), nil).is(t, http.StatusOK)
		ada.roster(t, ada.circle(t, "Writers"), "", "email", bob.email).is(t, http.StatusOK)
		require.Equal(t, 1, n.invitedTo(t, bob.email))
		require.Len(t, bob.told(t, studycircle.NotifyInvited), 2)

		cem := n.user(t, "Cem").confirmed(t)
		n.moderate(t, studycircle.Suspend, studycircle.OfUser, cem.id(t))
		ada.roster(t, ada.circle(t, "Singers"), "", "email", cem.email).is(t, http.StatusOK)
		require.Zero(t, n.invitedTo(t, cem.email))
	})
}

// Organizers, and others by their rosters, learn nothing of accounts: answers are the same but for the address.
func TestRosterTellsNothingOfAccounts(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		people := map[string]*client{
			"verified": n.user(t, "Bob").confirmed(t), "unverified": n.user(t, "Cleo"), "declines": n.user(t, "Dan").confirmed(t),
			"blocks": n.user(t, "Eve").confirmed(t), "unknown": {n: n, email: "fay@example.org"},
		}
		id := ada.circle(t, "Readers")
		same := func(what, query, cells string) {
			t.Helper()
			var first []byte
			for name, c := range people {
				got := ada.roster(t, id, query, "email,label", c.email+","+cells).is(t, http.StatusOK).body
				if first == nil {
					first = got
				}
				require.Equal(t, string(first), string(got), "%s: %s", what, name)
			}
			require.True(t, bytes.Contains(first, []byte(what)), "%s: %s", what, first)
		}
		list := func() map[string]doc {
			out := map[string]doc{}
			for _, one := range ada.get(t, "/api/circle/"+id+"/invitations?limit=100").is(t, http.StatusOK).json(t)["data"].([]any) {
				one := one.(doc)
				out[one["email"].(string)] = with(one, "_id", absent{}, "email", absent{}, "createdAt", absent{}, "expiresAt", absent{})
			}
			return out
		}
		same(`"invited":1`, "?dryRun=true", "Red")
		same(`"invited":1`, "", "Red")
		require.Equal(t, []int{1, 1}, []int{n.invitedTo(t, people["blocks"].email), n.invitedTo(t, people["declines"].email)})
		people["declines"].answers(t, people["declines"].only(t), "decline").modified(t, 1)
		people["blocks"].answers(t, people["blocks"].only(t), "block").modified(t, 1)
		same(`"unchanged":1`, "?dryRun=true", "Red")
		same(`"unchanged":1`, "", "Red")
		same(`"changed":1`, "?dryRun=true", "Blue")
		same(`"changed":1`, "", "Blue")
		all := list()
		for _, c := range people {
			require.Equal(t, all["fay@example.org"], all[c.email], c.email)
		}
		for _, one := range ada.get(t, "/api/circle/"+id+"/invitations?limit=100").is(t, http.StatusOK).json(t)["data"].([]any) {
			ada.del(t, "/api/circle/"+id+"/invitations/"+one.(doc)["_id"].(string)).is(t, http.StatusOK)
		}
		n.clock.advance(time.Second)
		same(`"invited":1`, "?dryRun=true", "Blue")
		same(`"invited":1`, "", "Blue")
		require.Len(t, people["declines"].only(t), len(id), "asked again by a new invitation")
		blocked, _ := people["blocks"].waiting(t)
		require.Empty(t, blocked, "never again")
		require.Empty(t, people["blocks"].told(t, studycircle.NotifyInvited))
		require.Equal(t, 1, n.invitedTo(t, people["blocks"].email))
		require.Equal(t, 2, n.invitedTo(t, people["declines"].email))
	})
}

// Invitations count for nothing: strangers cannot fill a user's circles, and a flood of them is neither long nor loud.
func TestStrangersFillNoCircles(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		bob := n.user(t, "Bob").confirmed(t)
		const strangers, each = 5, 40
		for i := range strangers {
			eve := n.user(t, fmt.Sprint("Eve", i))
			for k := range each {
				circle := eve.circle(t, fmt.Sprint("Trap ", i, ".", k))
				require.Equal(t, enrolled(0, 1, 0, 0), eve.roster(t, circle, "", "email", bob.email).is(t, http.StatusOK).json(t))
			}
		}
		ids, shown := bob.waiting(t)
		require.Len(t, ids, studycircle.MaxInvited)
		require.Equal(t, "Trap 4.39", shown[0]["circleName"], "the newest first")
		all, _ := bob.notifications(t, "?limit=100")
		require.Len(t, all, studycircle.MaxInvitedADay)
		bob.circle(t, "Readers")
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Class")
		ada.admits(t, id, "member", bob)
		require.Equal(t, []string{"Class", "Readers"}, bob.circles(t))
		other := ada.circle(t, "Another class")
		ada.roster(t, other, "", "email", bob.email).is(t, http.StatusOK)
		ids, _ = bob.waiting(t)
		require.Equal(t, doc{"circleId": other}, bob.answers(t, ids[0], "accept").is(t, http.StatusOK).json(t))
	})
}

// Rosters do not put users back who have left, not even those of the operator's domains.
func TestLeavingHolds(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		for _, enrol := range [][]string{nil, {"example.org"}} {
			w.enrol = enrol
			n := w.start(t)
			name := fmt.Sprint(len(enrol))
			ada, bob := n.user(t, "Ada"+name), n.user(t, "Bob"+name).confirmed(t)
			id := ada.circle(t, "Readers"+name)
			added := len(enrol)
			require.Equal(t, enrolled(added, 1-added, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
			if added == 0 {
				bob.answers(t, bob.only(t), "accept").is(t, http.StatusOK)
			}
			outside := func() {
				t.Helper()
				bob.newSession(t)
				bob.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
			bob.post(t, "/api/circle/"+id+"/leave", nil).modified(t, 1)
			outside()
			require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "?dryRun=true", "email", bob.email).is(t, http.StatusOK).json(t))
			require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
			require.Equal(t, enrolled(0, 0, 0, 1), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
			outside()
			bob.answers(t, bob.only(t), "accept").is(t, http.StatusOK)
			require.Equal(t, []string{"Readers" + name}, bob.circles(t))

			// A user who joins by a link while an invitation waits, and then leaves, has answered the invitation, too.
			other := ada.circle(t, "Writers"+name, "join", "open", "listed", true)
			bob.post(t, "/api/circle/"+other+"/join", nil).is(t, http.StatusOK)
			bob.post(t, "/api/circle/"+other+"/leave", nil).modified(t, 1)
			ada.roster(t, other, "", "email", bob.email).is(t, http.StatusOK)
			bob.post(t, "/api/circle/"+other+"/join", nil).is(t, http.StatusOK)
			bob.post(t, "/api/circle/"+other+"/leave", nil).modified(t, 1)
			_, left := bob.waiting(t)
			require.Empty(t, left)

			// A user whom an organizer removes is put back as before, and one who comes back by a link may be again.
			n.clock.advance(time.Second)
			ada.del(t, "/api/circle/"+id+"/members/"+bob.id(t)).is(t, http.StatusOK)
			n.clock.advance(time.Second)
			require.Equal(t, enrolled(added, 1-added, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
			if added == 0 {
				bob.answers(t, bob.only(t), "accept").is(t, http.StatusOK)
			}
			bob.post(t, "/api/circle/"+id+"/leave", nil).modified(t, 1)
			ada.admits(t, id, "member", bob)
			n.clock.advance(time.Second)
			ada.del(t, "/api/circle/"+id+"/members/"+bob.id(t)).is(t, http.StatusOK)
			n.clock.advance(time.Second)
			require.Equal(t, enrolled(added, 1-added, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
		}
	})
}

// A user who blocked a circle is not enrolled either, and may join it all the same.
func TestBlockingHolds(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers")
		ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK)
		bob.post(t, "/api/circle/"+id+"/leave", nil).modified(t, 1)
		ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK)
		bob.answers(t, bob.only(t), "block").modified(t, 1)
		for _, one := range ada.get(t, "/api/circle/"+id+"/invitations").is(t, http.StatusOK).json(t)["data"].([]any) {
			ada.del(t, "/api/circle/"+id+"/invitations/"+one.(doc)["_id"].(string)).is(t, http.StatusOK)
		}
		require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
		bob.newSession(t)
		require.Empty(t, bob.circles(t))
		ada.admits(t, id, "member", bob)
		require.Equal(t, []string{"Readers"}, bob.circles(t))
	})
}

// Invitations of others, unknown ones and those that are over are the same to a user.
func TestInvitationsOfOthersDoNotExist(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cleo").confirmed(t), n.user(t, "Dan")
		id := ada.circle(t, "Readers")
		link, _ := ada.invite(t, id)
		ada.roster(t, id, "", "email", bob.email, dan.email).is(t, http.StatusOK)
		invitation := bob.only(t)
		dans := ada.get(t, "/api/circle/"+id+"/invitations").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["_id"].(string)
		unknown := studycircle.NewID(n.clock.now())
		for _, how := range []string{"accept", "decline", "block"} {
			n.visitor().answers(t, invitation, how).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			want := cleo.answers(t, unknown, how).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			for _, other := range []string{invitation, link, dans, id, "x", "%00"} {
				require.Equal(t, string(want.body), string(cleo.answers(t, other, how).refused(t, http.StatusNotFound, studycircle.CodeNotFound).body), other)
			}
			dan.answers(t, dans, how).refused(t, http.StatusNotFound, studycircle.CodeNotFound) // not verified
			ada.answers(t, invitation, how).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		bob.answers(t, invitation, "decline").modified(t, 1)
		require.Empty(t, bob.told(t, studycircle.NotifyInvited))
		for _, how := range []string{"accept", "decline", "block"} {
			bob.answers(t, invitation, how).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}

		// A revoked invitation, and those of archived and deleted circles, are in no list.
		other := ada.circle(t, "Writers")
		ada.roster(t, other, "", "email", bob.email).is(t, http.StatusOK)
		again := bob.only(t)
		require.Len(t, bob.told(t, studycircle.NotifyInvited), 1)
		ada.post(t, "/api/circle/"+other+"/archive", nil).modified(t, 1)
		none, _ := bob.waiting(t)
		require.Empty(t, none)
		bob.answers(t, again, "accept").refused(t, http.StatusConflict, studycircle.CodeCircleArchived)
		ada.post(t, "/api/circle/"+other+"/unarchive", nil).modified(t, 1)
		require.Equal(t, again, bob.only(t))
		bobs := bob.hears(t)
		ada.del(t, "/api/circle/"+other+"/invitations/"+again).is(t, http.StatusOK)
		bobs.expect(t, event{kind: "notifications"}, event{kind: "assignment.created", subject: ada.publish(t)})
		bob.answers(t, again, "accept").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Empty(t, bob.told(t, studycircle.NotifyInvited), "the name is gone with the invitation")
	})
}

// An invitation that is accepted many times at once, or beside its revocation or a new roster, admits its user once or
// not at all.
func TestConcurrentAcceptances(t *testing.T) {
	asking(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		for name, beside := range map[string]func(circle, invitation string) (method, path string, body any){
			"alone": func(_, invitation string) (string, string, any) {
				return http.MethodPost, "/api/circles/invited/" + invitation + "/accept", nil
			},
			"revoked": func(circle, invitation string) (string, string, any) {
				return http.MethodDelete, "/api/circle/" + circle + "/invitations/" + invitation, nil
			},
			"roster": func(circle, _ string) (string, string, any) {
				return http.MethodPost, "/api/circle/" + circle + "/roster", raw("email,label\n" + bob.email + ",Red\n")
			},
		} {
			circle := ada.circle(t, "Circle "+name)
			ada.roster(t, circle, "", "email", bob.email).is(t, http.StatusOK)
			invitation := bob.only(t)
			statuses := atOnce(t, func(i int) (*answer, error) {
				if i%2 == 0 {
					return bob.try(t.Context(), http.MethodPost, "/api/circles/invited/"+invitation+"/accept", nil)
				}
				by := ada
				if name == "alone" {
					by = bob
				}
				method, path, body := beside(circle, invitation)
				if name == "roster" {
					return by.try(t.Context(), method, path, body, csvFile)
				}
				return by.try(t.Context(), method, path, body)
			})
			joined := len(ada.members(t, circle, "")) == 2
			if name == "revoked" {
				require.Equal(t, crowd, statuses[http.StatusOK]+statuses[http.StatusNotFound], statuses)
				if joined {
					require.GreaterOrEqual(t, statuses[http.StatusOK], crowd/2)
				}
			} else {
				require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses, name)
				require.True(t, joined, name)
			}
			none, _ := bob.waiting(t)
			require.Empty(t, none, name)
			require.Empty(t, bob.told(t, studycircle.NotifyInvited), name)
			counted := ada.get(t, "/api/circle/"+circle).is(t, http.StatusOK).json(t)["members"]
			require.InDelta(t, len(ada.members(t, circle, "")), counted, 0)
			if joined {
				bob.post(t, "/api/circle/"+circle+"/leave", nil).modified(t, 1)
			}
		}
	})
}

// Dry runs count against the limit of rosters, by the people whom they ask about.
func TestDryRunsAreLimited(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		many := make([]string, studycircle.MaxRoster+1)
		many[0] = "email"
		for i := range studycircle.MaxRoster {
			many[i+1] = fmt.Sprintf("p%d@example.com", i)
		}
		for range 4 {
			require.Equal(t, enrolled(0, studycircle.MaxRoster, 0, 0), ada.roster(t, id, "?dryRun=true", many...).is(t, http.StatusOK).json(t))
		}
		ada.roster(t, id, "?dryRun=true", "email", "one@example.com").refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		ada.roster(t, id, "", "email", "one@example.com").refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		require.Equal(t, enrolled(0, 0, 0, 1), ada.roster(t, id, "?dryRun=true", "email", ada.email).is(t, http.StatusOK).json(t), "asks about no one")
		n.clock.advance(24 * time.Hour)
		ada.newSession(t)
		ada.roster(t, id, "", "email", "one@example.com").is(t, http.StatusOK)
	})
}
