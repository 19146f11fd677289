package nodetest

import (
	"encoding/csv"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// table returns the rows of a file of comma-separated values.
func (c *client) table(t *testing.T, path string) [][]string {
	t.Helper()
	a := c.get(t, path).is(t, http.StatusOK)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(a.body), "\ufeff"))).ReadAll()
	require.NoError(t, err)
	return rows
}

// markedClass is a circle with an organizer, two members with marks, one who has left with a mark, and one without.
func markedClass(t *testing.T, n *node) (ada, dan *client, at string) {
	t.Helper()
	ada, people := n.user(t, "Ada"), n.people(t, "Bob", "Cleo", "Dan", "Eve")
	id := ada.circle(t, "Class")
	ada.admits(t, id, "organizer", people[0])
	ada.admits(t, id, "member", people[1:]...)
	ada.roster(t, id, "", "email,givenName,familyName,sourcedId,label", people[1].email+",Cleo,Clay,007,=Red").is(t, http.StatusOK)
	first := ada.publish(t, "circleId", id, "marks", 20, "title", "Essay (2)")
	second := ada.publish(t, "circleId", id, "marks", 10, "title", "=Talk")
	third := ada.publish(t, "circleId", id, "marks", 10, "title", "essay (2)")
	for i, mark := range map[int]int{0: 20, 1: 15, 2: 7} {
		ada.grade(t, people[i].submit(t, first), mark)
	}
	ada.grade(t, people[1].submit(t, third), 5)
	people[3].submit(t, second)
	people[2].post(t, "/api/circle/"+id+"/leave", nil).is(t, http.StatusOK)
	return ada, people[2], "/api/circle/" + id + "/marks.csv"
}

// A line for each student and a column for each assignment, as grade books want it: PrairieLearn #5682, CoCalc #1640,
// JuiceMind #1060. Organizers are left out if asked for: RELATE #1328, Artemis #6029. Who has left and has a mark is
// there, marked so: Hypothesis #1565, Pawtograder #383, iPeer #412.
func TestMarksAsOneTable(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, dan, at := markedClass(t, n)
		head := []string{"member", "rosterName", "email", "sourcedId", "label", "role", "left", "Essay (2)", "'=Talk", "essay (2) 2"}
		got := ada.table(t, at+"?form=wide&students=true")
		require.Equal(t, [][]string{
			head,
			{"Cleo", "Cleo Clay", "cleo@example.org", "007", "'=Red", "member", "false", "15", "", "5"},
			{"Eve", "", "eve@example.org", "", "", "member", "false", "", "", ""},
			{"Dan", "", dan.email, "", "", "", "true", "7", "", ""},
		}, withAddresses(got, 2))
		require.Equal(t, []string{"Ada", "Bob", "Cleo", "Eve", "Dan"}, firstColumn(ada.table(t, at+"?form=wide")))
		coded := ada.table(t, at+"?form=wide&codes=true")
		require.Len(t, coded, 6)
		for _, row := range coded[1:] {
			require.Equal(t, []string{"", "", "", "", "", ""}, row[1:7])
			require.NotContains(t, "Ada Bob Cleo Dan Eve", row[0])
		}
		require.IsIncreasing(t, firstColumn(coded), "in an order that tells nothing")
		require.Len(t, ada.table(t, at+"?form=wide&codes=true&students=true"), 4)

		long := ada.file(t, at+"?students=true")
		require.Len(t, long, 3+3+1, "of who has left, only what has a mark")
		require.Equal(t, "left", long[6]["state"])
		require.Equal(t, []string{"Dan", "7", "20"}, []string{long[6]["member"], long[6]["mark"], long[6]["total"]})
		require.Equal(t, long, ada.file(t, at+"?form=long&students=true"))
		ada.get(t, at+"?form=other").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		ada.get(t, at+"?students=perhaps").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
	})
}

// firstColumn returns the cells of the first column below its heading.
func firstColumn(rows [][]string) (cells []string) {
	for _, row := range rows[1:] {
		cells = append(cells, row[0])
	}
	return cells
}

// withAddresses returns rows whose addresses of test users are as their names say.
func withAddresses(rows [][]string, column int) [][]string {
	for _, row := range rows[1:] {
		if name := strings.ToLower(row[0]); strings.HasPrefix(strings.TrimPrefix(row[column], "'"), name) && name != "dan" {
			row[column] = name + "@example.org"
		}
	}
	return rows
}

// The grade books of Canvas and Moodle import the files: PrairieLearn #4547, #651 and #14703, Materia #1071,
// edulinq LMS toolkit #13.
func TestMarksForGradeBooks(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, dan, at := markedClass(t, n)
		rows := ada.table(t, at+"?form=canvas&students=true")
		for _, row := range rows[2:] {
			require.Contains(t, row[3], "@", "the login is the address")
			row[3] = ""
		}
		require.Equal(t, [][]string{
			{"Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Essay [2]", "'=Talk", "essay [2] 2"},
			{"    Points Possible", "", "", "", "", "20", "10", "10"},
			{"Cleo Clay", "", "007", "", "'=Red", "15", "", "5"},
			{"Eve", "", "", "", "", "", "", ""},
			{"Dan (left)", "", "", "", "", "7", "", ""},
		}, rows, "no title ends with a number that Canvas takes for an assignment's id, and none is there twice")
		rows = ada.table(t, at+"?form=moodle&students=true")
		require.Equal(t, []string{"Full name", "Email address", "ID number", "Groups", "Left", "Essay (2)", "'=Talk", "essay (2) 2"}, rows[0])
		require.Equal(t, []string{"Cleo Clay", "007", "'=Red", "", "15", "", "5"}, append(rows[1][:1:1], rows[1][2:]...))
		require.Equal(t, []string{"Dan", dan.email, "", "", "yes", "7", "", ""}, rows[3])
		for _, form := range []string{"canvas", "moodle"} {
			ada.get(t, at+"?codes=true&form="+form).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		}
	})
}

// Files are the same for many clients at once.
func TestMarksFilesAtOnce(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n := w.start(t)
		ada, _, at := markedClass(t, n)
		want := string(ada.get(t, at+"?form=wide").is(t, http.StatusOK).body)
		bodies := make([]string, crowd)
		require.Equal(t, map[int]int{http.StatusOK: crowd}, atOnce(t, func(i int) (*answer, error) {
			a, err := ada.try(t.Context(), http.MethodGet, at+"?form=wide", nil)
			if a != nil {
				bodies[i] = string(a.body)
			}
			return a, err
		}))
		for _, body := range bodies {
			require.Equal(t, want, body)
		}
	})
}
