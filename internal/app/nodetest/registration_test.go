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
	"studycircle/internal/app"
	"studycircle/internal/store"
)

// registering starts a node with a mode of registration.
func (w *world) registering(t *testing.T, mode studycircle.RegistrationMode) *node {
	t.Helper()
	w.registration = mode
	return w.startWhereAsked(t)
}

// registers opens an account by an invitation.
func (c *client) registers(t *testing.T, email, invitation string) *answer {
	t.Helper()
	a := c.post(t, "/api/auth/register", with(registration(email), "invitation", invitation))
	if a.status == http.StatusCreated {
		c.token, c.email = a.text(t, "accessToken"), email
	}
	return a
}

// operatorInvites makes an invitation as the operator's command does.
func (n *node) operatorInvites(t *testing.T, in studycircle.ServerInvitation) string {
	t.Helper()
	if in.ExpiresAt.IsZero() {
		in.ExpiresAt = n.clock.now().Add(time.Hour)
	}
	_, secret, err := app.Unlimited(n.app.Store, n.clock.now).InviteToServer(t.Context(), in)
	require.NoError(t, err)
	require.Empty(t, n.tablesWith(t, []string{secret}))
	return secret
}

// written is the number of rows that registrations and refusals could write, by table.
func (n *node) written(t *testing.T) map[string]int {
	t.Helper()
	rows := map[string]int{}
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for _, table := range []string{"users", "sessions", "rate_limits", "circle_joins", "awaited_joins", "used_tickets", "action_codes", "mails"} {
			var n int
			if err := tx.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
				return err
			}
			rows[table] = n
		}
		return nil
	}))
	return rows
}

// Only an invitation that admits the address lets a person register; every other attempt gets one answer and writes
// nothing.
func TestRegistrationByInvitation(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.registering(t, studycircle.RegistrationInvited)
		ada := n.user(t, "Ada")
		id, gone, past := ada.circle(t, "Readers"), ada.circle(t, "Gone"), ada.circle(t, "Past")
		secret := func(circleID string, pairs ...any) string {
			_, s := ada.invite(t, circleID, pairs...)
			return s
		}
		revokedID, revoked := ada.invite(t, id)
		ada.del(t, "/api/circle/"+id+"/invitations/"+revokedID).is(t, http.StatusOK)
		soon := n.clock.now().Add(2 * time.Second)
		expired := secret(id, "expiresAt", soon.UTC().Format(time.RFC3339))
		over := n.operatorInvites(t, studycircle.ServerInvitation{ExpiresAt: soon})
		deleted, archived := secret(gone), secret(past)
		ada.del(t, "/api/circle/"+gone).is(t, http.StatusOK)
		ada.post(t, "/api/circle/"+past+"/archive", nil).modified(t, 1)
		n.clock.advance(3 * time.Second)
		eve := n.visitor()
		first := eve.post(t, "/api/auth/register", registration("eve@example.org")).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		first.header.Del("Date")
		before := n.written(t)
		for _, wrong := range []string{
			"", "unknown", revoked, expired, over, deleted, archived, repeated("x", 10_000),
		} {
			a := eve.registers(t, "eve@example.org", wrong).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
			a.header.Del("Date")
			require.Equal(t, string(first.body), string(a.body))
			require.Equal(t, first.header, a.header)
		}
		require.Equal(t, before, n.written(t))
		for _, other := range []string{
			secret(id, "onlyEmail", "bob@example.org"), secret(id, "onlyDomain", "example.com"),
			n.operatorInvites(t, studycircle.ServerInvitation{OnlyEmail: "bob@example.org"}),
		} {
			eve.registers(t, "eve@example.org", other).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		}
		eve.registers(t, "no address", "unknown").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		eve.registers(t, ada.email, "unknown").refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)

		open := secret(id, "uses", 2, "label", "Red")
		bob := n.visitor()
		bob.registers(t, ada.email, open).refused(t, http.StatusConflict, studycircle.CodeEmailInUse) // uses nothing
		bob.registers(t, "bob@example.org", open).is(t, http.StatusCreated)
		require.Equal(t, []string{"Ada member"}, bob.members(t, id, "label=Red"))
		n.visitor().registers(t, "cleo@example.org", open).is(t, http.StatusCreated)
		n.visitor().registers(t, "dan@example.org", open).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		ada.newSession(t) // accounts that exist keep signing in

		operators := n.operatorInvites(t, studycircle.ServerInvitation{Uses: new(int64(1)), OnlyEmail: "Fay@example.org"})
		fay := n.visitor()
		fay.registers(t, "fay@example.org", operators).is(t, http.StatusCreated)
		require.Empty(t, fay.circles(t))
		n.visitor().registers(t, "gus@example.org", operators).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
	})
}

// An invitation that asks for a verified address admits the newcomer once it is; its use is spent at registration, and
// its revocation ends it.
func TestRegistrationAwaitsVerification(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.registering(t, studycircle.RegistrationInvited)
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		invitationID, domain := ada.invite(t, id, "onlyDomain", "example.org", "uses", 1, "role", "organizer",
			"expiresAt", n.clock.now().Add(time.Hour).UTC().Format(time.RFC3339))
		bob, cleo := n.visitor(), n.visitor()
		bob.registers(t, "bob@example.org", domain).is(t, http.StatusCreated)
		cleo.registers(t, "cleo@example.org", domain).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		bob.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		n.clock.advance(2 * time.Hour) // the invitation ends; the account is there
		bob.newSession(t)
		bob.verifies(t)
		require.Equal(t, []string{"Ada owner", "Ada organizer"}, bob.members(t, id, ""))
		ada.newSession(t)
		invitations := ada.invitations(t, id)
		require.Equal(t, []any{invitationID, 0.0, 1.0}, []any{invitations[0]["_id"], invitations[0]["uses"], invitations[0]["joins"]})

		revokedID, own := ada.invite(t, id, "onlyEmail", "dan@example.org")
		dan := n.visitor()
		dan.registers(t, "dan@example.org", own).is(t, http.StatusCreated)
		ada.del(t, "/api/circle/"+id+"/invitations/"+revokedID).is(t, http.StatusOK)
		dan.verifies(t)
		dan.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

func (c *client) invitations(t *testing.T, circleID string) (list []doc) {
	t.Helper()
	for _, one := range c.get(t, "/api/circle/"+circleID+"/invitations").is(t, http.StatusOK).json(t)["data"].([]any) {
		list = append(list, one.(doc))
	}
	return list
}

// The email of a roster has a secret with which its address alone registers, to join once it is verified.
func TestRosterEmailsOpenAccounts(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.registering(t, studycircle.RegistrationInvited)
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		dan := "dan@example.org"
		ada.roster(t, id, "", "email,label", dan+",Blue").is(t, http.StatusOK)
		require.Equal(t, 1, n.invitedTo(t, dan))
		secret := n.rosterSecret(t, dan)
		require.Empty(t, n.tablesWith(t, []string{secret}))
		n.visitor().registers(t, "eve@example.org", secret).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		newcomer := n.visitor()
		newcomer.registers(t, dan, secret).is(t, http.StatusCreated)
		newcomer.join(t, secret).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		newcomer.verifies(t)
		require.Equal(t, []string{"Ada member"}, newcomer.members(t, id, "label=Blue"))
		newcomer.invited(t, secret).is(t, http.StatusOK)
	})
}

// rosterSecret returns the secret in the latest invitation that was emailed to an address.
func (n *node) rosterSecret(t *testing.T, address string) (secret string) {
	t.Helper()
	n.mails.mu.Lock()
	defer n.mails.mu.Unlock()
	for _, m := range n.mails.mails {
		if _, after, found := strings.Cut(m.text, n.public+"/join#"); found && m.to == address {
			secret = strings.Fields(after)[0]
		}
	}
	require.NotEmpty(t, secret)
	return secret
}

// A closed server opens no account, whatever the invitation; an import adds people, who claim their accounts.
func TestClosedRegistration(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.registering(t, studycircle.RegistrationClosed)
		ada := n.user(t, "Ada")
		_, secret := ada.invite(t, ada.circle(t, "Readers"))
		for _, invitation := range []string{"", secret, n.operatorInvites(t, studycircle.ServerInvitation{})} {
			n.visitor().registers(t, "eve@example.org", invitation).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		}
		b := n.browser(t)
		p.is("subject-1", "Eve", "eve@example.org", true)
		b.signInBy(t, p, "school").out(t, b, http.StatusForbidden, string(studycircle.CodeRegistrationClosed))
		n.imported(t, map[string]string{"users.jsonl": `{"email":"eve@example.org","displayName":"Eve","photoURL":""}`})
		b.signInBy(t, p, "school").in(t, b)
	})
}

// An invitation reaches the account that a provider's pop-up opens, by a ticket that works in one browser. A verified
// address joins at once.
func TestProviderRegistersByInvitation(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.registering(t, studycircle.RegistrationInvited)
		owner := n.user(t, "Owner")
		id := owner.circle(t, "Readers")
		_, secret := owner.invite(t, id, "onlyDomain", "example.org", "uses", 1)
		b, thief := n.browser(t), n.browser(t)
		b.signInBy(t, p, "school").out(t, b, http.StatusForbidden, string(studycircle.CodeRegistrationClosed))
		require.NotContains(t, w.users(t), ada)
		ticket := b.bringsInvitation(t, secret)
		thief.goTo(t, "/api/auth/oidc/school?attempt=attempt-1&ticket="+ticket).out(t, thief, http.StatusBadRequest, string(studycircle.CodeInvalidState))
		b.goTo(t, p.authorize(t, b.begin(t, "school", "&ticket="+ticket)).RequestURI()).in(t, b)
		require.Equal(t, []string{"Owner owner", "Ada Lovelace member"}, b.members(t, id, ""))
		again := n.browser(t)
		again.signInBy(t, p, "school").in(t, again) // an account that exists

		p.is("subject-2", "Eve", "eve@example.org", true)
		late := n.browser(t)
		late.goTo(t, p.authorize(t, late.begin(t, "school", "&ticket="+late.bringsInvitation(t, secret))).RequestURI()).
			out(t, late, http.StatusForbidden, string(studycircle.CodeRegistrationClosed))
		require.NotContains(t, w.users(t), "eve@example.org")
		n.visitor().post(t, "/api/auth/oidc/school/invitation", doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
	})
}

func (c *client) bringsInvitation(t *testing.T, secret string) (ticket string) {
	t.Helper()
	ticket = c.post(t, "/api/auth/oidc/school/invitation", doc{"invitation": secret}).is(t, http.StatusOK).text(t, "ticket")
	require.NotContains(t, ticket, secret)
	return ticket
}

// The owner of an address that another person registered starts afresh only where they may register.
func TestConfirmedAccountsAreRegistrations(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		p := w.provider(t, "school")
		n := w.registering(t, studycircle.RegistrationInvited)
		operators := n.operatorInvites(t, studycircle.ServerInvitation{})
		n.visitor().registers(t, ada, operators).is(t, http.StatusCreated)
		b := n.browser(t)
		ticket := b.asked(t, p)
		b.confirm(t, ticket, false).refused(t, http.StatusForbidden, studycircle.CodeRegistrationClosed)
		b.confirm(t, ticket, true).is(t, http.StatusOK)
		require.Equal(t, []string{ada}, w.users(t))
	})
}

// Where registration is open, an invitation joins the newcomer, and one that is over is ignored.
func TestOpenRegistrationJoins(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		_, secret := ada.invite(t, id, "uses", 1)
		bob, cleo := n.visitor(), n.visitor()
		bob.registers(t, "bob@example.org", secret).is(t, http.StatusCreated)
		require.Equal(t, true, bob.invited(t, secret).is(t, http.StatusOK).json(t)["member"])
		cleo.registers(t, "cleo@example.org", secret).is(t, http.StatusCreated)
		require.Empty(t, cleo.circles(t))
	})
}

// Of 32 people who register at once by the last use of an invitation, one gets an account, which has joined; the others
// get a refusal and no account.
func TestTheLastUseOfAnInvitationRegistersOne(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.registering(t, studycircle.RegistrationInvited)
		owner := n.user(t, "Owner")
		id := owner.circle(t, "Readers")
		_, open := owner.invite(t, id, "uses", 1)
		_, verified := owner.invite(t, id, "uses", 1, "onlyDomain", "example.org")
		operators := n.operatorInvites(t, studycircle.ServerInvitation{Uses: new(int64(1))})
		for name, secret := range map[string]string{"open": open, "verified": verified, "operator": operators} {
			statuses := atOnce(t, func(i int) (*answer, error) {
				body := with(registration(fmt.Sprintf("%s-%d@example.org", name, i)), "invitation", secret)
				return n.visitor().try(t.Context(), http.MethodPost, "/api/auth/register", body)
			})
			require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusForbidden: crowd - 1}, statuses, name)
		}
		people := w.users(t)
		require.Len(t, people, 4, "%v", people)
		require.Len(t, owner.members(t, id, ""), 2)
	})
}

// An invitation's link that is posted in public and used up opens no account to thousands who try: a network's attempts
// are limited, and none of them writes.
func TestPostedInvitationIsTriedByThousands(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		w.limits = true
		n := w.registering(t, studycircle.RegistrationInvited)
		owner := n.user(t, "Owner")
		_, secret := owner.invite(t, owner.circle(t, "Readers"), "uses", 1)
		n.visitor().registers(t, "first@example.org", secret).is(t, http.StatusCreated)
		before := n.written(t)
		const networks, each = 60, 40
		together(t, networks, func(i int) error {
			c := n.visitor()
			c.address = fmt.Sprintf("198.51.%d.1", i)
			return c.triesToRegister(t.Context(), each, secret)
		})
		require.Equal(t, before, n.written(t))
		require.Len(t, w.users(t), 2)
	})
}

// triesToRegister registers many times by an invitation that is over: 20 attempts of an hour are refused for that, the
// others by the limit.
func (c *client) triesToRegister(ctx context.Context, times int, secret string) error {
	for n := range times {
		a, err := c.persist(ctx, http.MethodPost, "/api/auth/register", with(registration(fmt.Sprintf("e%d@example.org", n)), "invitation", secret))
		if err != nil {
			return err
		}
		want := http.StatusForbidden
		if n >= 20 {
			want = http.StatusTooManyRequests
		}
		if err := a.expect(want); err != nil {
			return fmt.Errorf("attempt %d: %w", n, err)
		}
	}
	return nil
}
