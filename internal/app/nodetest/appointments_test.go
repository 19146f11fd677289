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

// The operator appoints moderators from the shell; running nodes notice within five seconds.
func TestAppointedModerators(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		mo, ada, bob := n.user(t, "Mo"), n.user(t, "Ada"), n.user(t, "Bob")
		operator := app.Unlimited(n.app.Store, n.clock.now)
		_, err := operator.AppointModerator(t.Context(), mo.email)
		require.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(err))
		_, err = operator.AppointModerator(t.Context(), "nobody@example.org")
		require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err))
		mo.confirmed(t)
		mo.get(t, "/api/reports").refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		changed, err := operator.AppointModerator(t.Context(), " MO@example.org")
		require.NoError(t, err)
		require.True(t, changed)
		mo.moderatesWithinFiveSeconds(t, true)
		of := ada.publish(t)
		bob.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated)
		require.Len(t, mo.told(t, studycircle.NotifyReport), 1)
		require.Equal(t, true, mo.sessionUser(t)["moderator"])
		// Moderators do not decide about moderators, however they became ones.
		theirs := mo.publish(t)
		bob.post(t, "/api/assignment/"+theirs+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated)
		for _, r := range mo.reported(t, "") {
			require.Equal(t, r["subjectId"] == of, r["mayDecide"])
		}
		changed, err = operator.DismissModerator(t.Context(), mo.email)
		require.NoError(t, err)
		require.True(t, changed)
		mo.moderatesWithinFiveSeconds(t, false)
		require.Nil(t, mo.sessionUser(t)["moderator"])
	})
}

func (c *client) moderatesWithinFiveSeconds(t *testing.T, want bool) {
	t.Helper()
	require.Eventually(t, func() bool { return (c.get(t, "/api/reports").status == http.StatusOK) == want }, 5*time.Second, 50*time.Millisecond)
}

// Of 32 appointments at once one changes something, and of 32 dismissals.
func TestConcurrentAppointments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		mo := n.user(t, "Mo").confirmed(t)
		operator := app.Unlimited(n.app.Store, n.clock.now)
		for _, change := range []func(i int) (bool, error){
			func(int) (bool, error) { return operator.AppointModerator(t.Context(), mo.email) },
			func(int) (bool, error) { return operator.DismissModerator(t.Context(), mo.email) },
		} {
			changed := make([]bool, crowd)
			together(t, crowd, func(i int) (err error) {
				changed[i], err = change(i)
				return err
			})
			n := 0
			for _, c := range changed {
				if c {
					n++
				}
			}
			require.Equal(t, 1, n)
		}
		left, err := operator.AppointedModerators(t.Context())
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// Those who decide on reports hear of each report and each decision, and others do not.
func TestDecidersHearOfReports(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, oz, bob, eve := n.user(t, "Ada"), n.user(t, "Oz"), n.user(t, "Bob"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "organizer", oz)
		ada.admits(t, circle, "member", bob)
		inHall, inCircle := ada.publish(t), bob.publishIn(t, circle, "Tides", time.Now().Add(5*24*time.Hour))
		said := bob.write(t, inHall, "You are all stupid")
		n.looks(t)
		hears := func(c *client) *stream {
			s, err := c.listen(t.Context(), "")
			require.NoError(t, err)
			t.Cleanup(s.close)
			_, err = s.next()
			require.NoError(t, err)
			return s
		}
		moderator, organizer := hears(mo), hears(oz)
		others := []*stream{hears(bob), hears(eve), hears(n.visitor())}
		// next skips other events, up to the assignment that marks the end.
		next := func(s *stream) string {
			for {
				e, err := s.told()
				require.NoError(t, err)
				if e.kind == "reports" || e.kind == "assignment.created" {
					require.Equal(t, e.kind == "reports", e.subject == "")
					return e.kind
				}
			}
		}
		first := eve.post(t, "/api/assignment/"+inHall+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated).id(t)
		require.Equal(t, "reports", next(moderator))
		mo.post(t, "/api/reports/"+first, doc{"action": "dismiss"}).modified(t, 1)
		require.Equal(t, "reports", next(moderator))
		n.moderate(t, studycircle.Hide, studycircle.OfComment, said)
		require.Equal(t, "reports", next(moderator))
		second := ada.post(t, "/api/assignment/"+inCircle+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated).id(t)
		require.Equal(t, "reports", next(organizer))
		oz.post(t, "/api/reports/"+second, doc{"action": "dismiss"}).modified(t, 1)
		require.Equal(t, "reports", next(organizer))
		eve.publish(t)
		for _, s := range append(others, moderator, organizer) {
			require.Equal(t, "assignment.created", next(s))
		}
	})
}

// A stream ends when its user becomes a moderator or is one no more, and the next one hears what they may.
func TestStreamsFollowAppointments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		mo := n.user(t, "Mo").confirmed(t)
		s, err := mo.listen(t.Context(), "")
		require.NoError(t, err)
		defer s.close()
		_, err = app.Unlimited(n.app.Store, n.clock.now).AppointModerator(t.Context(), mo.email)
		require.NoError(t, err)
		s.ended(t)
	})
}

// While 32 people register by an invitation that is revoked meanwhile, none is let in once the revocation is
// acknowledged.
func TestConcurrentUsesOfARevokedInvitation(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.registering(t, studycircle.RegistrationInvited)
		secret := n.operatorInvites(t, studycircle.ServerInvitation{})
		operator := app.Unlimited(n.app.Store, n.clock.now)
		all, err := operator.ServerInvitations(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
		let := make([]int, crowd)
		begun := make(chan struct{}, crowd)
		acknowledged := make(chan struct{})
		var people int
		together(t, crowd+1, func(i int) error {
			if i == crowd {
				for range crowd / 2 {
					<-begun
				}
				err := operator.RevokeServerInvitation(t.Context(), all[0].ID)
				people = len(w.users(t))
				close(acknowledged)
				return err
			}
			for attempt := 0; ; attempt++ {
				late := false
				select {
				case <-acknowledged:
					late = true
				default:
				}
				a, err := n.visitor().persist(t.Context(), http.MethodPost, "/api/auth/register",
					with(registration(fmt.Sprintf("p%d-%d@example.org", i, attempt)), "invitation", secret))
				if err != nil {
					return err
				}
				if a.status == http.StatusCreated {
					let[i]++
				}
				if attempt == 0 {
					begun <- struct{}{}
				}
				if late && a.status == http.StatusCreated {
					return fmt.Errorf("client %d was let in after the revocation", i)
				}
				if late {
					return a.expect(http.StatusForbidden)
				}
			}
		})
		total := 0
		for _, n := range let {
			total += n
		}
		require.Positive(t, total)
		require.Len(t, w.users(t), people, "no account is newer than the revocation")
		require.Len(t, w.users(t), total)
		err = operator.RevokeServerInvitation(t.Context(), all[0].ID)
		require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err))
		require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(operator.RevokeServerInvitation(t.Context(), "no id")))
	})
}
