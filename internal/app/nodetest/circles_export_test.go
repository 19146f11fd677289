package nodetest

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/transfer"
)

// exported returns the files of a circle that c owns, by their names, and the archive.
func (c *client) exported(t *testing.T, circleID, query string) (files map[string]string, archive []byte) {
	t.Helper()
	a := c.get(t, "/api/circle/"+circleID+"/export"+query).is(t, http.StatusOK)
	require.Equal(t, "application/zip", a.header.Get("Content-Type"))
	require.Equal(t, `attachment; filename="circle.zip"`, a.header.Get("Content-Disposition"))
	in, err := zip.NewReader(bytes.NewReader(a.body), int64(len(a.body)))
	require.NoError(t, err)
	files = map[string]string{}
	for _, f := range in.File {
		r, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NotContains(t, files, f.Name)
		files[f.Name] = string(text)
	}
	return files, a.body
}

// zipped writes files into an archive and returns its path.
func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "circle.zip")
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(f, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o600))
	return path
}

func (n *node) importCircle(t *testing.T, file, owner string) (transfer.CircleCounts, error) {
	t.Helper()
	return n.importPeople(t, file, transfer.People{Owner: owner})
}

func (n *node) importPeople(t *testing.T, file string, people transfer.People) (transfer.CircleCounts, error) {
	t.Helper()
	return transfer.ImportCircle(t.Context(), n.app.Store, file, people, time.Now(), func(int) {}, func() {})
}

// elsewhere starts a node of another server with the engine of n.
func (n *node) elsewhere(t *testing.T) *node {
	t.Helper()
	if n.database.URL != "" {
		return onPostgres(t).start(t)
	}
	return onSQLite(t).start(t)
}

// as returns the client of a user whose account an import opened.
func (n *node) as(t *testing.T, email string) *client {
	t.Helper()
	account, err := n.app.Store.AccountByEmail(t.Context(), email)
	require.NoError(t, err)
	c := &client{n: n, email: email, name: account.DisplayName}
	c.hasSession(t, account.ID)
	return c
}

// classroomToExport plays a circle of Ada's with everything that an export has, and returns it.
func classroomToExport(t *testing.T, n *node) (ada *client, circle string) {
	t.Helper()
	ada = n.user(t, "Ada")
	people := n.people(t, "Bob", "Cem", "Dot", "Eve")
	circle = ada.circle(t, "Readers", "description", "We *read*.", "join", "ask")
	ada.admits(t, circle, "member", people...)
	bob, cem := people[0], people[1]
	ada.patch(t, "/api/circle/"+circle+"/members/"+bob.id(t), doc{"role": "organizer", "label": "Team 1", "name": "Robert"}).is(t, http.StatusOK)
	graded := bob.publish(t, "circleId", circle, "title", "Poems", "marks", 20)
	ada.grade(t, cem.submit(t, graded), 15)
	people[2].submit(t, graded)
	reviewed := ada.publish(t, "circleId", circle, "title", "Essays", "marks", 20, "reviewsNeeded", 2)
	ada.post(t, "/api/assignment/"+reviewed+"/exemplars", doc{"docsLink": "https://docs.example/sample", "mark": 12, "reason": "It is short."}).is(t, http.StatusCreated)
	for _, c := range people[1:] {
		c.submit(t, reviewed)
	}
	for _, c := range people[1:] {
		for range 3 { // the exemplar and two others
			task := c.post(t, "/api/reviews/next", doc{"assignmentId": reviewed}).is(t, http.StatusOK)
			c.patch(t, "/api/submissions/"+task.text(t, "submissionId"), doc{"marks": 12, "feedback": "Clear."}).is(t, http.StatusOK)
		}
	}
	ada.post(t, "/api/assignment/"+reviewed+"/settle", nil).is(t, http.StatusOK)
	thread := cem.post(t, "/api/assignment/"+graded+"/comments", doc{"text": "Is *one* page enough?"}).id(t)
	ada.post(t, "/api/assignment/"+graded+"/comments", doc{"text": "Yes.", "parentId": thread}).is(t, http.StatusCreated)
	gone := bob.post(t, "/api/assignment/"+graded+"/comments", doc{"text": "Oops"}).id(t)
	cem.post(t, "/api/assignment/"+graded+"/comments", doc{"text": "What?", "parentId": gone}).is(t, http.StatusCreated)
	bob.del(t, "/api/comment/"+gone).is(t, http.StatusOK)
	return ada, circle
}

// A circle moves to another server with its people, work, marks and discussions. Exported there, it is the same.
func TestACircleMovesToAnotherServer(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, circle := classroomToExport(t, n)
		files, archive := ada.exported(t, circle, "")
		require.Equal(t, []string{
			"assignments.jsonl", "circle.jsonl", "comments.jsonl", "exemplars.jsonl", "members.jsonl", "reviews.csv", "submissions.jsonl",
		}, slices.Sorted(maps.Keys(files)))
		require.NotContains(t, files["comments.jsonl"], "Oops")
		require.Contains(t, files["reviews.csv"], "assignment,submission,reviewer,mark,total\r\n")
		require.Equal(t, 1+6, strings.Count(files["reviews.csv"], "\n"))
		for _, name := range []string{"Bob", "Cem", "Dot", "Eve", "@"} { // an id may contain one in small letters
			require.NotContains(t, files["reviews.csv"], name)
		}
		path := filepath.Join(t.TempDir(), "circle.zip")
		require.NoError(t, os.WriteFile(path, archive, 0o600))

		to := n.elsewhere(t)
		counts, err := to.importCircle(t, path, "ADA@example.org")
		require.NoError(t, err)
		require.Equal(t, transfer.CircleCounts{
			Counts: transfer.Counts{Users: 5, Assignments: 2, Submissions: 5}, Circle: circle, Members: 4, Exemplars: 1, Comments: 4,
		}, counts)
		there := to.as(t, "ada@example.org")
		require.Equal(t, []string{"Readers"}, there.circles(t))
		require.Equal(t, []string{"Ada owner", "Bob organizer", "Cem member", "Dot member", "Eve member"}, there.members(t, circle, ""))
		cem := to.as(t, "cem@example.org")
		require.InDelta(t, 15, cem.marksByTitle(t)["Poems"], 0)
		require.InDelta(t, 12, cem.marksByTitle(t)["Essays"], 0)
		for _, c := range []*client{to.user(t, "Stranger"), to.visitor()} {
			require.Empty(t, c.get(t, "/api/assignments?limit=100").is(t, http.StatusOK).json(t)["data"])
		}
		again, _ := there.exported(t, circle, "")
		delete(files, "reviews.csv") // an import has none
		require.Equal(t, files, again)

		counts, err = to.importCircle(t, path, "ada@example.org")
		require.NoError(t, err)
		require.Equal(t, transfer.CircleCounts{Circle: circle}, counts)
		later, _ := there.exported(t, circle, "")
		require.Equal(t, again, later)
		_, repairs, err := to.app.Store.RepairFigures(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, repairs)
	})
}

// marksByTitle returns the marks that c received, by the titles of the assignments.
func (c *client) marksByTitle(t *testing.T) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, s := range c.get(t, "/api/submissions?submittedBy="+c.email).is(t, http.StatusOK).array(t) {
		out[s["assignmentTitle"].(string)] = s["givenMark"]
	}
	return out
}

// Only owners export a circle, also an archived one. For others it does not exist.
func TestWhoMayExportACircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "organizer", bob)
		ada.admits(t, circle, "member", cem)
		at := "/api/circle/" + circle + "/export"
		for _, c := range []*client{bob, cem} {
			c.get(t, at).refused(t, http.StatusForbidden, "not-an-owner")
		}
		eve.get(t, at).refused(t, http.StatusNotFound, "not-found")
		n.visitor().get(t, at).refused(t, http.StatusUnauthorized, "unauthenticated")
		ada.get(t, at+"?codes=perhaps").refused(t, http.StatusUnprocessableEntity, "invalid")
		ada.post(t, "/api/circle/"+circle+"/archive", nil).is(t, http.StatusOK)
		files, _ := ada.exported(t, circle, "")
		require.Contains(t, files["circle.jsonl"], `"archivedAt":`)
		to := n.elsewhere(t)
		_, err := to.importCircle(t, zipped(t, files), ada.email)
		require.NoError(t, err)
		moved := to.as(t, ada.email).get(t, "/api/circle/"+circle).is(t, http.StatusOK).json(t)
		require.NotNil(t, moved["archivedAt"])
		ada.del(t, "/api/circle/"+circle).is(t, http.StatusOK)
		ada.get(t, at).refused(t, http.StatusNotFound, "not-found")
	})
}

// With codes a circle moves without anything that names its people.
func TestACircleWithCodes(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, circle := classroomToExport(t, n)
		files, _ := ada.exported(t, circle, "?codes=true")
		require.NotContains(t, files, "comments.jsonl")
		for name, text := range files {
			for _, secret := range []string{"@example.org", "Ada", "Bob", "Robert", "Team 1", "Well done.", "photoURL"} {
				require.NotContains(t, text, secret, name)
			}
		}
		to := n.elsewhere(t)
		_, err := to.importCircle(t, zipped(t, files), "teacher@example.org")
		require.NoError(t, err)
		teacher := to.as(t, "teacher@example.org")
		require.Len(t, teacher.members(t, circle, ""), 6)
		rows := teacher.file(t, "/api/circle/"+circle+"/marks.csv")
		coded := ada.file(t, "/api/circle/"+circle+"/marks.csv?codes=true")
		marked := func(rows []map[string]string) (out []string) {
			for _, row := range rows {
				if row["mark"] != "" {
					out = append(out, row["member"]+" "+row["assignment"]+" "+row["mark"])
				}
			}
			slices.Sort(out)
			return out
		}
		require.Equal(t, marked(coded), marked(rows), "a person has one code in all files")
	})
}

// A refused import names the line and changes nothing.
func TestRefusedImportsOfCircles(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, circle := classroomToExport(t, n)
		good, archive := ada.exported(t, circle, "")
		other := n.elsewhere(t)
		other.user(t, "Cem") // who has not proved the address
		with := func(file, text string) map[string]string {
			files := maps.Clone(good)
			if files[file] = text; text == "" {
				delete(files, file)
			}
			return files
		}
		of := firstID(t, good["assignments.jsonl"])
		_, rest, _ := strings.Cut(good["assignments.jsonl"], "\n")
		second := firstID(t, rest)
		fresh := n.elsewhere(t)
		for _, c := range []struct {
			name   string
			on     *node
			files  map[string]string
			reason string
		}{
			{"no circle", fresh, with("circle.jsonl", ""), "has no circle.jsonl"},
			{"two circles", fresh, with("circle.jsonl", good["circle.jsonl"]+good["circle.jsonl"]), "circle.jsonl has 2 lines in place of one"},
			{"a circle without a name", fresh, with("circle.jsonl", `{"_id":"c","name":""}`), "circle.jsonl line 1: "},
			{"a member without an address", fresh, with("members.jsonl", good["members.jsonl"]+`{"email":"x","role":"member"}`), "members.jsonl line 6: email"},
			{"a member without a role", fresh, with("members.jsonl", `{"email":"x@example.org","role":""}`), "members.jsonl line 1: role"},
			{"six owners", fresh, with("members.jsonl", owners(6)), "members.jsonl line 5: role"},
			{"an exemplar of an unknown assignment", fresh, with("exemplars.jsonl", `{"_id":"e","assignmentId":"x","docsLink":"https://docs.example/1","mark":1,"reason":"So"}`), "exemplars.jsonl line 1: assignmentId"},
			{"an exemplar where one person grades", fresh, with("exemplars.jsonl", `{"_id":"e","assignmentId":"`+of+`","docsLink":"https://docs.example/1","mark":1,"reason":"So"}`), "exemplars.jsonl line 1: assignmentId"},
			{"a reply to nothing", fresh, with("comments.jsonl", `{"_id":"k","assignmentId":"`+of+`","parentId":"x","text":"So","createdAt":"2026-01-01T00:00:00Z"}`), "comments.jsonl line 1: parentId"},
			{"a reply on another assignment", fresh, with("comments.jsonl", good["comments.jsonl"]+`{"_id":"k","assignmentId":"`+second+`","parentId":"`+firstID(t, good["comments.jsonl"])+`","text":"So","createdAt":"2199-01-01T00:00:00Z"}`), "comments.jsonl line 5: parentId"},
			{"a comment on nothing", fresh, with("comments.jsonl", `{"_id":"k","assignmentId":"x","text":"So","createdAt":"2026-01-01T00:00:00Z"}`), "comments.jsonl line 1: assignmentId"},
			{"an account that another user may have opened", other, good, "members.jsonl line 3: the account of cem@example.org has not verified its address"},
		} {
			before := c.on.everything(t)
			_, err := c.on.importCircle(t, zipped(t, c.files), "teacher@example.org")
			require.ErrorContains(t, err, c.reason, c.name)
			require.Equal(t, before, c.on.everything(t), c.name)
		}
		path := filepath.Join(t.TempDir(), "circle.zip")
		require.NoError(t, os.WriteFile(path, archive[:len(archive)-30], 0o600))
		_, err := fresh.importCircle(t, path, ada.email)
		require.ErrorContains(t, err, "is not a complete ZIP archive")
		fresh.user(t, "Teacher")
		_, err = fresh.importCircle(t, zipped(t, good), "teacher@example.org")
		require.ErrorContains(t, err, "owner: the account of teacher@example.org has not verified its address")
		_, err = fresh.importCircle(t, zipped(t, good), "nonsense")
		require.ErrorContains(t, err, "owner: email")
	})
}

// An import takes nothing from another place of the server, and does not bring back a circle that is deleted.
func TestImportsOfCirclesStayInTheirPlace(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, circle := classroomToExport(t, n)
		files, _ := ada.exported(t, circle, "")
		to := n.elsewhere(t)
		_, err := to.importCircle(t, zipped(t, files), ada.email)
		require.NoError(t, err)
		_, err = to.importCircle(t, zipped(t, files), "bob@example.org")
		require.ErrorContains(t, err, "bob@example.org is no owner of it")
		for file, line := range map[string]string{"assignments.jsonl": "assignments.jsonl line 1: _id", "": "submissions.jsonl line 1: assignmentId"} {
			second := maps.Clone(files)
			second["circle.jsonl"] = strings.Replace(files["circle.jsonl"], circle, "second", 1)
			if file == "" {
				second["assignments.jsonl"] = ""
			}
			_, err = to.importCircle(t, zipped(t, second), ada.email)
			require.ErrorContains(t, err, line)
		}
		_, err = to.importCircle(t, zipped(t, map[string]string{
			"circle.jsonl":    strings.Replace(files["circle.jsonl"], circle, "second", 1),
			"exemplars.jsonl": strings.Replace(files["exemplars.jsonl"], firstID(t, files["exemplars.jsonl"]), "sample", 1),
		}), ada.email)
		require.ErrorContains(t, err, "exemplars.jsonl line 1: assignmentId")
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "submissions.jsonl"), []byte(files["submissions.jsonl"]), 0o600))
		_, err = transfer.Import(t.Context(), to.app.Store, dir, time.Now(), func(int) {}, func() {})
		require.ErrorContains(t, err, "submissions.jsonl line 1: assignmentId", "nor does an import into the hall")
		to.as(t, ada.email).del(t, "/api/circle/"+circle).is(t, http.StatusOK)
		_, err = to.importCircle(t, zipped(t, files), ada.email)
		require.ErrorContains(t, err, "is deleted here")
	})
}

// Of concurrent imports of one circle, each record is added by one.
func TestConcurrentImportsOfACircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, circle := classroomToExport(t, n)
		files, _ := ada.exported(t, circle, "")
		to, path := n.elsewhere(t), zipped(t, files)
		var all sync.WaitGroup
		counts, errs := make([]transfer.CircleCounts, 32), make([]error, 32)
		for i := range counts {
			all.Go(func() { counts[i], errs[i] = to.importCircle(t, path, ada.email) })
		}
		all.Wait()
		var sum transfer.CircleCounts
		for i, c := range counts {
			require.NoError(t, errs[i])
			sum.Members, sum.Comments, sum.Submissions = sum.Members+c.Members, sum.Comments+c.Comments, sum.Submissions+c.Submissions
		}
		require.Equal(t, transfer.CircleCounts{Counts: transfer.Counts{Submissions: 5}, Members: 4, Comments: 4}, sum)
		again, _ := to.as(t, ada.email).exported(t, circle, "")
		delete(files, "reviews.csv")
		require.Equal(t, files, again)
	})
}

func firstID(t *testing.T, lines string) string {
	t.Helper()
	_, rest, found := strings.Cut(lines, `"_id":"`)
	require.True(t, found)
	id, _, _ := strings.Cut(rest, `"`)
	require.True(t, studycircle.ValidID(id))
	return id
}

func owners(n int) (lines string) {
	for i := range n {
		lines += `{"email":"owner` + string(rune('a'+i)) + `@example.org","role":"owner"}` + "\n"
	}
	return lines
}
