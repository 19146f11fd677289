package nodetest

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// memberRows lists the members of a circle for an organizer as “name|family name|id”.
func (c *client) memberRows(t *testing.T, circleID, query string) (out []string) {
	t.Helper()
	for _, one := range c.get(t, "/api/circle/"+circleID+"/members?"+query).is(t, http.StatusOK).json(t)["data"].([]any) {
		row := one.(doc)
		text := row["displayName"].(string)
		for _, field := range []string{"name", "familyName", "sourcedId"} {
			cell, _ := row[field].(string)
			text += "|" + cell
		}
		out = append(out, text)
	}
	return out
}

// A roster in the encoding of a German Excel, and one in UTF-16, are read right.
func TestRosterInOtherEncodings(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers")
		windows := "Vorname;Nachname;E-Mail-Adresse\r\nJ\xfcrgen;M\xfcller;" + bob.email + "\r\n"
		require.Equal(t, enrolled(1, 0, 0, 0), ada.roster(t, id, "", windows).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Ada|||", "Bob|Jürgen Müller|Müller|"}, ada.memberRows(t, id, ""))
		var wide strings.Builder
		wide.WriteString("\xff\xfe")
		for _, r := range "email\tname\r\n" + bob.email + "\tJörg\r\n" {
			wide.WriteString(string([]byte{byte(r), byte(r >> 8)}))
		}
		require.Equal(t, enrolled(0, 0, 1, 0), ada.roster(t, id, "", wide.String()).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Ada|||", "Bob|Jörg||"}, ada.memberRows(t, id, ""), "another name without a family name forgets it")
		require.Equal(t, []string{"Bob member"}, ada.members(t, id, "search=jorg"))
	})
}

// A dry run of a file with unknown headings says what the columns are; users choose.
func TestRosterColumns(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers")
		file := "Kontakt,Wer\n" + bob.email + ",Bob Bold\n"
		does := ada.roster(t, id, "?dryRun=true", file).is(t, http.StatusOK).json(t)
		require.Equal(t, []any{doc{"heading": "Kontakt", "example": bob.email}, doc{"heading": "Wer", "example": "Bob Bold"}}, does["columns"])
		require.Len(t, does["refused"], 1)
		require.Nil(t, does["missing"])
		ada.roster(t, id, "", file).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		for _, wrong := range []string{"email", "email=%239", "age=Wer"} {
			ada.roster(t, id, "?dryRun=true&columns="+wrong, file).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		}
		ada.roster(t, id, "?columns="+strings.Repeat("a", 3000), file).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		require.Equal(t, enrolled(1, 0, 0, 0), ada.roster(t, id, "?columns=email=%231,name=wer", file).is(t, http.StatusOK).json(t))
		require.Equal(t, []string{"Ada|||", "Bob|Bob Bold||"}, ada.memberRows(t, id, ""))
	})
}

// The file of the members is a roster that changes nothing, whatever is in the names.
func TestMembersAsAFile(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "=Cem"), n.user(t, "Eve")
		id := ada.circle(t, "Readers")
		at := "/api/circle/" + id + "/members.csv"
		ada.admits(t, id, "organizer", bob)
		ada.admits(t, id, "member", cem)
		eve.get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cem.get(t, at).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
		n.visitor().get(t, at).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		require.Equal(t, "email,name,role,label\r\n"+ada.email+",,owner,\r\n"+bob.email+",,organizer,\r\n'"+cem.email+",,member,\r\n",
			string(ada.get(t, at).is(t, http.StatusOK).body))
		same := func() {
			t.Helper()
			for _, who := range []*client{ada, bob} {
				file := string(who.get(t, at+"?bom=true").is(t, http.StatusOK).body)
				require.Equal(t, enrolled(0, 0, 0, 3), who.roster(t, id, "?dryRun=true", file).is(t, http.StatusOK).json(t))
				require.Equal(t, enrolled(0, 0, 0, 3), who.roster(t, id, "", file).is(t, http.StatusOK).json(t))
			}
		}
		same()
		for _, name := range []string{`=1+1`, `'=x`, `-Ada, "the"`, "O'Neil", "@a;b", "Łukasz"} {
			ada.patch(t, "/api/circle/"+id+"/members/"+bob.id(t), doc{"name": name, "label": name}).is(t, http.StatusOK)
			same()
		}
		require.Equal(t, enrolled(0, 0, 1, 0), ada.roster(t, id, "", "email,givenName,familyName,sourcedId", bob.email+",Bob,Bold,-0070").is(t, http.StatusOK).json(t))
		require.Contains(t, string(ada.get(t, at).is(t, http.StatusOK).body), "email,name,role,label,familyName,sourcedId\r\n"+ada.email+",,owner,,,\r\n"+bob.email+",Bob Bold,organizer,Łukasz,Bold,'-0070\r\n")
		same()
		// Download, edit, upload.
		edited := strings.Replace(string(ada.get(t, at).is(t, http.StatusOK).body), ",,member,,,", ",Cem Clay,member,Red,,", 1)
		require.Equal(t, enrolled(0, 0, 1, 2), ada.roster(t, id, "", strings.ReplaceAll(edited, ",", ";")).is(t, http.StatusOK).json(t))
		require.Contains(t, ada.memberRows(t, id, ""), "=Cem|Cem Clay||")
	})
}

// A trial run lists the members who are not in the file, and their memberships end only if the organizer asks for it.
// Organizers stay, as in Autolab #130 and #91; who is in a later file joins again, as in Autolab #901.
func TestRosterEndsMemberships(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, people := n.user(t, "Ada"), n.people(t, "Bob", "Cleo", "Dan", "Eve")
		id := ada.circle(t, "Readers")
		ada.admits(t, id, "organizer", people[0])
		ada.admits(t, id, "member", people[1:]...)
		file := []string{"email,name", people[1].email + ",Cleo"}
		missing := func(lines ...string) (all []string, key string) {
			t.Helper()
			m, _ := ada.roster(t, id, "?dryRun=true", lines...).is(t, http.StatusOK).json(t)["missing"].(doc)
			if m == nil {
				return nil, ""
			}
			require.InDelta(t, len(m["data"].([]any)), m["total"], 0)
			return names(t, m), m["key"].(string)
		}
		all, key := missing(file...)
		require.Equal(t, []string{"Dan", "Eve"}, all)
		require.Equal(t, enrolled(0, 0, 1, 0), ada.roster(t, id, "", file...).is(t, http.StatusOK).json(t), "never by itself")
		require.Len(t, ada.members(t, id, ""), 5)

		// Who was not shown does not go: the key is of these members.
		ada.roster(t, id, "?end=other", file...).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		fay := n.user(t, "Fay")
		ada.admits(t, id, "member", fay)
		ada.roster(t, id, "?end="+key, file...).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		all, key = missing(file...)
		require.Equal(t, []string{"Dan", "Eve", "Fay"}, all)
		people[1].roster(t, id, "?end="+key, file...).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
		ada.roster(t, id, "?end="+key, append(file, "no-address")...).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		require.Len(t, ada.members(t, id, ""), 6)

		does := ada.roster(t, id, "?end="+key, file...).is(t, http.StatusOK).json(t)
		require.InDelta(t, 3, does["ended"], 0)
		require.Equal(t, []string{"Ada owner", "Bob organizer", "Cleo member"}, ada.members(t, id, ""))
		fay.newSession(t)
		fay.get(t, "/api/circle/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		all, _ = missing(file...)
		require.Empty(t, all)
		fay.confirmed(t)
		require.Equal(t, enrolled(1, 0, 0, 0), ada.roster(t, id, "", "email", fay.email).is(t, http.StatusOK).json(t))
	})
}

// Of many rosters at once that end the same memberships one ends them; the others see that the members have changed.
func TestRosterEndsMembershipsOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, people := n.user(t, "Ada"), n.people(t, "Bob", "Cleo", "Dan", "Eve", "Fay")
		id := ada.circle(t, "Readers")
		ada.admits(t, id, "member", people...)
		file := "email\n" + people[0].email
		key := ada.roster(t, id, "?dryRun=true", file).is(t, http.StatusOK).json(t)["missing"].(doc)["key"].(string)
		statuses := atOnce(t, func(int) (*answer, error) {
			return ada.try(t.Context(), http.MethodPost, "/api/circle/"+id+"/roster?end="+key, raw(file), csvFile)
		})
		require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusPreconditionFailed: crowd - 1}, statuses)
		require.Equal(t, []string{"Ada owner", "Bob member"}, ada.members(t, id, ""))
		require.InDelta(t, 2, ada.get(t, "/api/circle/"+id).is(t, http.StatusOK).json(t)["members"], 0)
	})
}

// Members stand in the order of joining, of names or of family names, with any filter; organizers read names as in the
// roster: JuiceMind #733, ComPAIR #619, CoCalc #1447, nbgrader #76, Hypothesis #1629.
func TestMembersAreSorted(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, people := n.user(t, "Zoe Ash"), n.people(t, "łukasz Żak", "Åsa Berg", "Li", "ben Cole Jr.", "Ørsted, Hans", "😀")
		id := ada.circle(t, "Readers")
		ada.admits(t, id, "member", people...)
		shown := func(c *client, query string) (all []string) {
			for _, one := range c.get(t, "/api/circle/"+id+"/members?"+query).is(t, http.StatusOK).json(t)["data"].([]any) {
				all = append(all, one.(doc)["displayName"].(string))
			}
			return all
		}
		byName := []string{"Åsa Berg", "ben Cole Jr.", "Li", "łukasz Żak", "Ørsted, Hans", "Zoe Ash", "😀"}
		byFamily := []string{"Zoe Ash", "Åsa Berg", "ben Cole Jr.", "Li", "Ørsted, Hans", "łukasz Żak", "😀"}
		for _, c := range []*client{ada, people[0]} {
			require.Equal(t, byName, shown(c, "sort=name"))
			require.Equal(t, byFamily, shown(c, "sort=family"))
		}
		for page := range 4 { // from both ends
			from := page * 2
			require.Equal(t, byName[from:min(from+2, 7)], shown(ada, "sort=name&limit=2&page="+strconv.Itoa(page+1)))
		}
		require.Empty(t, shown(ada, "sort=name&limit=2&page=5"))
		require.Equal(t, []string{"Zoe Ash"}, shown(ada, "sort=family&role=owner"))
		require.Equal(t, byFamily[1:], shown(ada, "sort=family&role=member"))
		require.Equal(t, []string{"Li", "łukasz Żak"}, shown(ada, "sort=name&search=l"))
		ada.get(t, "/api/circle/"+id+"/members?sort=age").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)

		// The roster keeps the family name of one apart, which other members do not learn.
		ada.roster(t, id, "", "email,name,familyName", people[2].email+",Li Aalto Wang,Aalto").is(t, http.StatusOK)
		require.Equal(t, "Li", shown(ada, "sort=family")[0])
		require.Equal(t, byFamily, shown(people[0], "sort=family"))
		marks := ada.get(t, "/api/circle/"+id+"/marks?sort=family").is(t, http.StatusOK).json(t)
		require.Equal(t, append([]string{"Li", "Zoe Ash"}, byFamily[1], byFamily[2]), names(t, marks)[:4])
		// Another display name moves a member.
		people[4].patch(t, "/api/auth/profile", doc{"displayName": "Aaron", "photoURL": ""}).is(t, http.StatusOK)
		require.Equal(t, "Aaron", shown(people[0], "sort=name")[0])
		require.Equal(t, "Aaron", shown(ada, "sort=name")[0])
	})
}
