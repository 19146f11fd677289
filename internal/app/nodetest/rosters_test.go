package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

var csvFile = header{"Content-Type", "text/csv"}

// roster sends lines as a roster; the first names the columns.
func (c *client) roster(t *testing.T, circleID, query string, lines ...string) *answer {
	t.Helper()
	return c.post(t, "/api/circle/"+circleID+"/roster"+query, raw(strings.Join(lines, "\r\n")), csvFile)
}

// enrolled is what a roster does, without refused lines.
func enrolled(added, invited, changed, unchanged int) doc {
	return doc{
		"added": float64(added), "invited": float64(invited), "changed": float64(changed), "unchanged": float64(unchanged), "refused": []any{},
	}
}

// invitedTo returns the number of invitations that were emailed to an address.
func (n *node) invitedTo(t *testing.T, address string) (count int) {
	t.Helper()
	n.looks(t)
	n.sendsAllMails(t)
	n.mails.mu.Lock()
	defer n.mails.mu.Unlock()
	for _, m := range n.mails.mails {
		if m.to == address && strings.HasPrefix(m.header.Get("Subject"), "You are invited to a circle") {
			count++
			assert.Contains(t, m.text, n.public+"/join#")
		}
	}
	return count
}

// verifies confirms c's address by the link in its email.
func (c *client) verifies(t *testing.T) {
	t.Helper()
	_, token := c.n.mails.waitFor(t, 1, c.email, "/auth/verify")
	c.post(t, "/api/auth/email/verify", doc{"token": token}).is(t, http.StatusNoContent)
}

// Where the operator has named their domain, users with a verified address join at once, others once they have verified
// it. Sending a roster again changes nothing.
func TestRoster(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cleo")
		id := ada.circle(t, "Readers", "join", "ask")
		bob.post(t, "/api/circle/"+id+"/ask", nil).is(t, http.StatusOK)
		dan, fay := "dan@example.org", "fäy@例え.jp"
		file := []string{
			"\ufeffemail,name,role,label",
			" " + strings.ToUpper(bob.email) + " ,Bob Bold,organizer,",
			cleo.email + `,"Clay, Cleo",,Red`,
			"",
			"Dan@Example.ORG,Dan Day,Member,Red",
			ada.email + ",Ada Ash,organizer,",
			",,,",
		}
		require.Equal(t, enrolled(1, 2, 1, 0), ada.roster(t, id, "?dryRun=true", file...).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Ada owner"}, ada.members(t, id, ""))
		require.Zero(t, n.invitedTo(t, dan))

		require.Equal(t, enrolled(1, 2, 1, 0), ada.roster(t, id, "", file...).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Ada owner", "Bob organizer"}, bob.members(t, id, ""))
		require.Equal(t, []string{"Bob organizer"}, bob.members(t, id, "search=bold"))
		require.Equal(t, []string{"Ada owner"}, bob.members(t, id, "search=ash"))
		require.Empty(t, ada.get(t, "/api/circle/"+id+"/asking").is(t, http.StatusOK).json(t)["data"])
		require.Equal(t, []int{0, 1, 1}, []int{n.invitedTo(t, bob.email), n.invitedTo(t, cleo.email), n.invitedTo(t, dan)})
		require.Equal(t, enrolled(0, 0, 0, 4), ada.roster(t, id, "", file...).is(t, http.StatusOK).json(t))
		require.Equal(t, enrolled(0, 0, 0, 4), bob.roster(t, id, "", file...).is(t, http.StatusOK).json(t))
		require.Equal(t, enrolled(0, 0, 2, 1), ada.roster(t, id, "", "Label;eMail", "Blue;"+dan, "Blue;"+bob.email, ";"+cleo.email).is(t, http.StatusOK).json(t))

		invitations := ada.get(t, "/api/circle/"+id+"/invitations").is(t, http.StatusOK).json(t)["data"].([]any)
		require.Len(t, invitations, 2)
		newest := invitations[0].(doc)
		require.Equal(t, []any{dan, "Blue", "member", 1.0}, []any{newest["email"], newest["label"], newest["role"], newest["uses"]})

		cleo.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cleo.confirmed(t).newSession(t)
		require.Equal(t, []string{"Cleo member"}, cleo.members(t, id, "label=Red"))
		newcomer := n.browser(t)
		newcomer.register(t, dan)
		newcomer.email = dan
		newcomer.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		newcomer.verifies(t)
		require.Len(t, newcomer.members(t, id, "label=Blue"), 2)
		require.Equal(t, enrolled(0, 0, 0, 3), ada.roster(t, id, "", "email", dan, bob.email, cleo.email).is(t, http.StatusOK).json(t))
		invitations = ada.get(t, "/api/circle/"+id+"/invitations").is(t, http.StatusOK).json(t)["data"].([]any)
		require.InDelta(t, 1, invitations[0].(doc)["joins"], 0)

		// Who leaves is not admitted again by the same roster; another one asks.
		newcomer.post(t, "/api/circle/"+id+"/leave", nil).modified(t, 1)
		newcomer.newSession(t)
		newcomer.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", dan).is(t, http.StatusOK).json(t))
		newcomer.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		newcomer.answers(t, newcomer.only(t), "accept").is(t, http.StatusOK)
		newcomer.get(t, "/api/circle/"+id).is(t, http.StatusOK)

		// A revoked invitation admits the address no more, until another roster invites it.
		require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", strings.Replace(fay, "jp", "JP", 1)).is(t, http.StatusOK).json(t))
		revoked := ada.get(t, "/api/circle/"+id+"/invitations").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		require.Equal(t, fay, revoked["email"])
		ada.del(t, "/api/circle/"+id+"/invitations/"+revoked["_id"].(string)).is(t, http.StatusOK)
		require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", strings.Replace(fay, "jp", "JP", 1)).is(t, http.StatusOK).json(t))
		require.Equal(t, enrolled(0, 0, 0, 1), ada.roster(t, id, "", "email", strings.Replace(fay, "jp", "JP", 1)).is(t, http.StatusOK).json(t))
	})
}

// OneRoster's users.csv is a roster too.
func TestOneRoster(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers")
		require.Equal(t, enrolled(1, 1, 0, 2), ada.roster(t, id, "",
			`"sourcedId","status","dateLastModified","enabledUser","orgSourcedIds","role","username","userIds","givenName","familyName","middleName","identifier","email"`,
			`"1","","","true","o","teacher","bob","","Bob","Bold","","",`+strings.ToUpper(bob.email),
			`"2","active","","TRUE","o","student","cleo","","Cleo","Clay","","","cleo@example.org"`,
			`"3","tobedeleted","","true","o","student","dan","","Dan","Day","","","dan@example.org"`,
			`"4","active","","false","o","student","eve","","Eve","Elm","","","eve@example.org"`,
		).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Bob organizer"}, ada.members(t, id, "search=bold"))
	})
}

// A file with a refused line changes nothing.
func TestRosterIsRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo, dan, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Dan").confirmed(t), n.user(t, "Eve")
		id := ada.circle(t, "Readers")
		ada.admits(t, id, "organizer", bob)
		ada.admits(t, id, "member", cleo)
		head := "email,name,role,label"
		for name, test := range map[string]struct {
			by      *client
			lines   []string
			refused []int
		}{
			"an address that is none":       {ada, []string{dan.email, "no-address", ""}, []int{3}},
			"no address":                    {ada, []string{dan.email, ",Fay"}, []int{3}},
			"a role that does not exist":    {ada, []string{dan.email + ",,guest"}, []int{2}},
			"a guardian":                    {ada, []string{dan.email + ",,guardian"}, []int{2}},
			"an owner":                      {ada, []string{dan.email + ",,owner"}, []int{2}},
			"the last owner as a member":    {ada, []string{ada.email + ",,member", dan.email}, []int{2}},
			"a long label":                  {ada, []string{dan.email + ",,," + repeated("é", 41)}, []int{2}},
			"a long name":                   {ada, []string{dan.email + "," + repeated("é", 101)}, []int{2}},
			"two lines of one address":      {ada, []string{dan.email + ",,,Red", "", strings.ToUpper(dan.email) + ",,,Blue"}, []int{4}},
			"quotation marks":               {ada, []string{dan.email, `"a`, dan.email + ",,,Blue"}, []int{3}},
			"bytes of no known encoding":    {ada, []string{dan.email, "fay@example.org,F\x8fy"}, []int{3}},
			"a role by an organizer":        {bob, []string{cleo.email + ",,organizer", dan.email}, []int{2}},
			"several lines, in the order":   {ada, []string{"no-address", ada.email + ",,member", "no-address"}, []int{2, 3, 4}},
			"a member who becomes an owner": {ada, []string{cleo.email + ",,owner"}, []int{2}},
		} {
			t.Run(name, func(t *testing.T) {
				lines := append([]string{head}, test.lines...)
				a := test.by.roster(t, id, "", lines...).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
				var at []int
				for _, one := range a.json(t)["errors"].([]any) {
					at = append(at, int(one.(doc)["line"].(float64)))
					require.NotEmpty(t, one.(doc)["message"])
				}
				require.Equal(t, test.refused, at)
				at = nil
				for _, one := range test.by.roster(t, id, "?dryRun=true", lines...).is(t, http.StatusOK).json(t)["refused"].([]any) {
					at = append(at, int(one.(doc)["line"].(float64)))
					require.NotEmpty(t, one.(doc)["reason"])
				}
				require.Equal(t, test.refused, at)
			})
		}
		require.Equal(t, []string{"Ada owner", "Bob organizer", "Cleo member"}, ada.members(t, id, ""))
		invitations := func() int {
			return int(ada.get(t, "/api/circle/"+id+"/invitations").is(t, http.StatusOK).json(t)["pagination"].(doc)["total"].(float64))
		}
		require.Equal(t, 2, invitations())

		line := "\n" + dan.email
		for name, test := range map[string]struct {
			a      *answer
			status int
			code   studycircle.Code
		}{
			"a visitor":              {n.visitor().roster(t, id, "", head), 401, studycircle.CodeUnauthenticated},
			"an outsider":            {eve.roster(t, id, "", head), 404, studycircle.CodeNotFound},
			"a member":               {cleo.roster(t, id, "", head), 403, studycircle.CodeNotOrganizer},
			"another media type":     {ada.post(t, "/api/circle/"+id+"/roster", doc{}), 415, studycircle.CodeUnsupportedMedia},
			"another encoding":       {ada.post(t, "/api/circle/"+id+"/roster", raw(head), header{"Content-Type", "text/csv; charset=latin1"}), 415, studycircle.CodeUnsupportedMedia},
			"a large file":           {ada.roster(t, id, "", head, strings.Repeat("a", 4<<20)), 413, studycircle.CodeTooLarge},
			"no file":                {ada.roster(t, id, ""), 422, studycircle.CodeInvalid},
			"no column of addresses": {ada.roster(t, id, "", "name,role"), 422, studycircle.CodeInvalid},
			"too many lines":         {ada.roster(t, id, "", head+strings.Repeat(line, studycircle.MaxRoster+1)), 422, studycircle.CodeInvalid},
			"a wrong dryRun":         {ada.roster(t, id, "?dryRun=perhaps", head), 422, studycircle.CodeInvalid},
		} {
			t.Run(name, func(t *testing.T) { test.a.refused(t, test.status, test.code) })
		}
		// Repeated lines ask for nothing, even very many; a file may be larger than other bodies.
		filler := strings.Repeat(" ", 150)
		does := ada.roster(t, id, "?dryRun=true", head+strings.Repeat(line+filler, studycircle.MaxRoster)).is(t, http.StatusOK).json(t)
		require.Equal(t, []string{"Cleo"}, names(t, does["missing"].(doc)))
		delete(does, "missing")
		require.Equal(t, enrolled(1, 0, 0, studycircle.MaxRoster-1), does)
		ada.post(t, "/api/circle/"+id+"/archive", nil).modified(t, 1)
		ada.roster(t, id, "?dryRun=true", head+line).refused(t, http.StatusConflict, studycircle.CodeCircleArchived)
		ada.del(t, "/api/circle/"+id).is(t, http.StatusOK)
		ada.roster(t, id, "", head+line).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// A user whom an organizer has removed joins by a roster that is sent later.
func TestRosterAdmitsRemovedUsers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := ada.circle(t, "Readers")
		require.Equal(t, enrolled(0, 1, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
		ada.admits(t, id, "member", bob)
		n.clock.advance(time.Second)
		ada.del(t, "/api/circle/"+id+"/members/"+bob.id(t)).is(t, http.StatusOK)
		bob.confirmed(t).newSession(t)
		bob.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		n.clock.advance(time.Second)
		require.Equal(t, enrolled(1, 0, 0, 0), ada.roster(t, id, "", "email", bob.email).is(t, http.StatusOK).json(t))
		bob.get(t, "/api/circle/"+id).is(t, http.StatusOK)
	})
}

// A roster that is sent many times at once is carried out once.
func TestRosterAtOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		const verified, unknown = 5, 20
		ada := n.user(t, "Ada")
		id := ada.circle(t, "Readers")
		lines, address := []string{"email,name"}, ""
		for i := range verified {
			lines = append(lines, n.user(t, fmt.Sprint("Bob", i)).confirmed(t).email+",Bob")
		}
		for i := range unknown {
			address = fmt.Sprintf("cleo%d@example.org", i)
			lines = append(lines, address+",Cleo")
		}
		file := raw(strings.Join(lines, "\n"))
		answers := make([]*answer, crowd)
		statuses := atOnce(t, func(i int) (a *answer, err error) {
			answers[i], err = ada.try(t.Context(), http.MethodPost, "/api/circle/"+id+"/roster", file, csvFile)
			return answers[i], err
		})
		require.Equal(t, map[int]int{http.StatusOK: crowd}, statuses)
		sum := map[string]float64{}
		for _, a := range answers {
			for name, n := range a.json(t) {
				if n, is := n.(float64); is {
					sum[name] += n
				}
			}
		}
		require.Equal(t, map[string]float64{"added": verified, "invited": unknown, "changed": 0, "unchanged": (crowd - 1) * (verified + unknown)}, sum)
		require.Len(t, ada.members(t, id, "limit=100"), 1+verified)
		require.Equal(t, 1, n.invitedTo(t, address))
	})
}
