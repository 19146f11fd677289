package transfer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
	"studycircle/internal/transfer"
)

func TestMain(m *testing.M) {
	os.Exit(testpg.Main(m, teststore.Migrate))
}

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func onBothEngines(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	teststore.OnBothEngines(t, func(t *testing.T, c store.Config) { t.Helper(); test(t, open(t, c)) })
}

func open(t *testing.T, c store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// folder writes files named like their keys.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600))
	}
	return dir
}

func load(ctx context.Context, s *store.Store, dir string) (transfer.Counts, error) {
	return transfer.Import(ctx, s, dir, now, func(int) {}, func() {})
}

func titles(t *testing.T, s *store.Store) []string {
	t.Helper()
	found, _, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 100})
	require.NoError(t, err)
	out := []string{}
	for _, a := range found {
		out = append(out, a.Title)
	}
	return out
}

func line(title, more string) string {
	return fmt.Sprintf(`{"title":%q,"description":"Text.","thumbnail":"https://example.org/a.png","marks":10,"level":"easy","dueDate":"2001-02-03T23:59:59+05:30"%s}`+"\n", title, more)
}

func TestImportKeepsWhatLinesSay(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, s *store.Store) {
		dir := folder(t, map[string]string{
			"users": `{"email":"Ada@Example.org","displayName":"Ada","photoURL":"https://example.org/ada.png"}` + "\n",
			"assignments": line("Third", `,"_id":"c3","creatorEmail":"ada@example.org","createdAt":"2026-01-03T00:00:00Z"`) +
				line("First", `,"_id":"a1","creatorEmail":"unknown","creatorName":"Anonymous","createdAt":"2026-01-01T00:00:00Z"`) + "\n" +
				line("Second", `,"creatorEmail":"new@example.org","creatorName":"New One","createdAt":"2026-01-02T00:00:00Z"`),
			"submissions": `{"_id":"s1","assignmentId":"a1","submittedBy":"ada@example.org","docsLink":"https://example.org/1","submittedAt":"2026-01-05T00:00:00Z"}` + "\n" +
				`{"_id":"s2","assignmentId":"c3","submittedBy":"late@example.org","docsLink":"https://example.org/2","status":"completed","marks":20,"givenMark":18,"feedback":"Good.","late":false}` + "\n" +
				`{"_id":"s3","assignmentTitle":"Gone","marks":5,"submittedBy":null,"docsLink":"https://example.org/3","status":"completed","givenMark":0}`,
		})
		counts, err := load(t.Context(), s, dir)
		require.NoError(t, err)
		require.Equal(t, transfer.Counts{Users: 3, Assignments: 3, Submissions: 3}, counts)
		require.Equal(t, []string{"Third", "Second", "First"}, titles(t, s))
		// Also by the names of creators that the line gives by address only.
		for name, title := range map[string]string{"new one": "Second", "ada": "Third"} {
			found, _, err := s.SearchAssignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, name, "", studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			require.Len(t, found, 1, name)
			require.Equal(t, title, found[0].Title)
		}

		a, err := s.Assignment(t.Context(), studycircle.ViewerOf("anyone"), "a1")
		require.NoError(t, err)
		require.Equal(t, studycircle.Person{}, a.Creator)
		require.Equal(t, "2001-02-03T23:59:59+05:30", a.Due.String())
		ada, err := s.AccountByEmail(t.Context(), "ada@example.org")
		require.NoError(t, err)
		require.Equal(t, "https://example.org/ada.png", ada.PhotoURL)
		require.Empty(t, ada.PasswordHash)
		own, total, err := s.OwnSubmissions(t.Context(), studycircle.ViewerOf(ada.ID), "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.True(t, own[0].Late)
		require.Equal(t, "First", own[0].AssignmentTitle)
		require.EqualValues(t, 10, own[0].Marks)

		// Importing again changes nothing.
		counts, err = load(t.Context(), s, dir)
		require.NoError(t, err)
		require.Equal(t, transfer.Counts{}, counts)
		require.Len(t, titles(t, s), 3)
	})
}

// Work is late if it was handed in after the due date, to the microsecond; the greatest total is 1,000; an assignment
// was not changed before it was created.
func TestImportAtTheBounds(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, s *store.Store) {
		due := time.Date(2001, 2, 3, 18, 29, 59, 0, time.UTC)
		var submissions strings.Builder
		for i, at := range []time.Time{due.Add(-time.Microsecond), due, due.Add(time.Microsecond)} {
			fmt.Fprintf(&submissions, `{"_id":"s%d","assignmentId":"a","submittedBy":"ada@example.org","docsLink":"https://example.org/1","status":"completed","givenMark":1,"submittedAt":%q}`+"\n", i, at.Format(time.RFC3339Nano))
		}
		submissions.WriteString(`{"_id":"s3","assignmentTitle":"Gone","marks":1000,"submittedBy":"ada@example.org","docsLink":"https://example.org/1","status":"completed","givenMark":1000}`)
		_, err := load(t.Context(), s, folder(t, map[string]string{
			"assignments": line("Earlier", `,"_id":"a","createdAt":"2026-01-03T00:00:00Z","updatedAt":"2026-01-02T00:00:00Z"`) +
				line("Later", `,"_id":"b","createdAt":"2026-01-03T00:00:00Z","updatedAt":"2026-01-04T00:00:00Z"`),
			"submissions": submissions.String(),
		}))
		require.NoError(t, err)
		for id, day := range map[string]int{"a": 3, "b": 4} {
			a, err := s.Assignment(t.Context(), studycircle.ViewerOf("anyone"), id)
			require.NoError(t, err)
			require.Equal(t, time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), a.UpdatedAt)
		}
		for id, late := range map[string]bool{"s0": false, "s1": false, "s2": true, "s3": false} {
			got, err := s.Submission(t.Context(), studycircle.System(), id)
			require.NoError(t, err)
			require.Equal(t, late, got.Late, id)
		}
	})
}

func TestImportRefusesAsAWhole(t *testing.T) {
	t.Parallel()
	good := line("Good", `,"_id":"g"`)
	submission := `{"assignmentId":"g","submittedBy":"ada@example.org","docsLink":"https://example.org/1"`
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no JSON":                 {map[string]string{"assignments": good + "nonsense\n"}, "assignments.jsonl line 2"},
		"unknown field":           {map[string]string{"assignments": good + line("X", `,"colour":"red"`)}, "assignments.jsonl line 2"},
		"repeated field":          {map[string]string{"assignments": good + line("X", `,"title":"Y"`)}, "assignments.jsonl line 2"},
		"out of bounds":           {map[string]string{"assignments": good + "\n\n" + line(strings.Repeat("x", 201), "")}, "assignments.jsonl line 4"},
		"number as text":          {map[string]string{"assignments": good + strings.Replace(good, ":10,", `:"10",`, 1)}, "assignments.jsonl line 2"},
		"bad id":                  {map[string]string{"assignments": good + line("X", `,"_id":"a b"`)}, "assignments.jsonl line 2"},
		"bad creator":             {map[string]string{"assignments": good + line("X", `,"creatorEmail":"nobody at all"`)}, "assignments.jsonl line 2"},
		"bad user":                {map[string]string{"assignments": good, "users": `{"email":"x"}`}, "users.jsonl line 1"},
		"reference to nothing":    {map[string]string{"assignments": good, "submissions": strings.Replace(submission, `"g"`, `"zz"`, 1) + "}"}, "submissions.jsonl line 1"},
		"mark above the total":    {map[string]string{"assignments": good, "submissions": submission + `,"status":"completed","givenMark":11}`}, "submissions.jsonl line 1"},
		"completed without mark":  {map[string]string{"assignments": good, "submissions": submission + `,"status":"completed"}`}, "submissions.jsonl line 1"},
		"pending with mark":       {map[string]string{"assignments": good, "submissions": submission + `,"givenMark":1}`}, "submissions.jsonl line 1"},
		"two pending":             {map[string]string{"assignments": good, "submissions": submission + "}\n" + submission + `,"note":"again"}`}, "submissions.jsonl line 2"},
		"two pending of a user":   {map[string]string{"users": `{"email":"ada@example.org","displayName":"Ada"}`, "assignments": good, "submissions": submission + "}\n" + submission + `,"note":"again"}`}, "submissions.jsonl line 2"},
		"line without an end":     {map[string]string{"assignments": good + strings.Repeat("x", 1<<20+1)}, "assignments.jsonl line 2"},
		"nothing to import":       {map[string]string{"assignments": "\n"}, "holds none"},
		"NUL in a text":           {map[string]string{"assignments": good + line("a\x00b", "")}, "assignments.jsonl line 2"},
		"pending of no user":      {map[string]string{"assignments": good, "submissions": `{"assignmentId":"g","docsLink":"https://example.org/1"}`}, "submissions.jsonl line 1"},
		"total above the bound":   {map[string]string{"submissions": `{"assignmentTitle":"Gone","marks":1001,"docsLink":"https://example.org/1","status":"completed","givenMark":1}`}, "submissions.jsonl line 1"},
		"total of nothing":        {map[string]string{"submissions": `{"assignmentTitle":"Gone","marks":0,"docsLink":"https://example.org/1","status":"completed","givenMark":0}`}, "submissions.jsonl line 1"},
		"link that runs a script": {map[string]string{"assignments": good, "submissions": `{"assignmentId":"g","submittedBy":"a@example.org","docsLink":"javascript:alert(1)"}`}, "submissions.jsonl line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBothEngines(t, func(t *testing.T, s *store.Store) {
				counts, err := load(t.Context(), s, folder(t, c.files))
				require.ErrorContains(t, err, c.want)
				require.Zero(t, counts)
				require.Empty(t, titles(t, s))
				require.NoError(t, s.EachUser(t.Context(), func(u studycircle.User) error {
					return fmt.Errorf("there is %s", u.Email)
				}))
			})
		})
	}
}

// An export of an imported export is the same.
func TestExportAndImportAgree(t *testing.T) {
	t.Parallel()
	from := open(t, store.Config{Dir: teststore.DirBeside(t)})
	var assignments, submissions strings.Builder
	for i := range 30 {
		assignments.WriteString(line(fmt.Sprintf("№ %d \"quoted\" <b>", i), fmt.Sprintf(`,"_id":"a%d","creatorEmail":"u%d@example.org"`, i, i%4)))
		fmt.Fprintf(&submissions, `{"assignmentId":"a%d","submittedBy":"s%d@example.org","docsLink":"https://example.org/%d","note":"line 1\nline 2"}`+"\n", i, i%5, i)
		fmt.Fprintf(&submissions, `{"assignmentId":"a%d","submittedBy":"s%d@example.org","docsLink":"https://example.org/%d","status":"completed","givenMark":7,"feedback":"*Good*.","format":%q}`+"\n", i, i%5, i, []string{"plain", "markdown"}[i%2])
	}
	_, err := load(t.Context(), from, folder(t, map[string]string{"assignments": assignments.String(), "submissions": submissions.String()}))
	require.NoError(t, err)
	require.NoError(t, from.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteAssignment(ctx, "a7", now)
	}))
	first := filepath.Join(t.TempDir(), "first")
	counts, err := transfer.Export(t.Context(), from, first)
	require.NoError(t, err)
	require.Equal(t, transfer.Counts{Users: 9, Assignments: 29, Submissions: 60}, counts)
	for _, format := range []string{"plain", "markdown"} {
		require.Equal(t, 15, strings.Count(read(t, first, "submissions.jsonl"), `"format":"`+format+`"`))
	}
	_, err = transfer.Export(t.Context(), from, first)
	require.ErrorIs(t, err, os.ErrExist)

	onBothEngines(t, func(t *testing.T, to *store.Store) {
		imported, err := load(t.Context(), to, first)
		require.NoError(t, err)
		require.Equal(t, counts, imported)
		second := t.TempDir()
		_, err = transfer.Export(t.Context(), to, second)
		require.NoError(t, err)
		for _, name := range []string{"users.jsonl", "assignments.jsonl", "submissions.jsonl"} {
			require.Equal(t, read(t, first, name), read(t, second, name), name)
		}
	})
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// More lines than one batch, each twice and far apart, with repeated users; the error of a bad line after the first
// batch names the line.
// Files are read as programs on Windows write them; a line in another encoding is refused with its number.
func TestImportOfOtherEncodings(t *testing.T) {
	t.Parallel()
	wide := func(text string) []byte {
		out := []byte("\xff\xfe")
		for _, r := range text {
			out = append(out, byte(r), byte(r>>8))
		}
		return out
	}
	const line = `{"email":"a@example.org","displayName":"Jürgen"}`
	onBothEngines(t, func(t *testing.T, s *store.Store) {
		for name, file := range map[string][]byte{
			"a byte order mark": []byte("\ufeff" + line + "\r\n"), "UTF-16": wide(line + "\r\n"),
		} {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "users.jsonl"), file, 0o600))
			_, err := load(t.Context(), s, dir)
			require.NoError(t, err, name)
			account, err := s.AccountByEmail(t.Context(), "a@example.org")
			require.NoError(t, err)
			require.Equal(t, "Jürgen", account.DisplayName, name)
		}
		dir := t.TempDir()
		file := []byte(`{"email":"b@example.org"}` + "\n" + `{"email":"c@example.org","displayName":"J` + "\xfc" + `rgen"}`)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "users.jsonl"), file, 0o600))
		_, err := load(t.Context(), s, dir)
		require.EqualError(t, err, "users.jsonl line 2: this line is not in UTF-8; save the file as UTF-8")
	})
}

func TestImportOfManyBatches(t *testing.T) {
	t.Parallel()
	const n = 700
	var once, twice, submissions strings.Builder
	for i := range n {
		fmt.Fprint(&once, line(fmt.Sprint("Title ", i), fmt.Sprintf(`,"_id":"a%d","creatorEmail":"u%d@example.org","createdAt":%q`, i, i%90, now.Add(time.Duration(i)*time.Second).Format(time.RFC3339))))
		fmt.Fprintf(&submissions, `{"_id":"s%d","assignmentId":"a%d","submittedBy":"u%d@example.org","docsLink":"https://example.org/%d"}`+"\n", i, i, i%7, i)
	}
	twice.WriteString(once.String() + once.String())
	submissions.WriteString(submissions.String())
	files := map[string]string{"assignments": twice.String(), "submissions": submissions.String()}
	onBothEngines(t, func(t *testing.T, s *store.Store) {
		bad := map[string]string{"assignments": files["assignments"]}
		bad["submissions"] = files["submissions"] + `{"_id":"second","assignmentId":"a3","submittedBy":"u3@example.org","docsLink":"https://example.org/2"}`
		_, err := load(t.Context(), s, folder(t, bad))
		require.ErrorContains(t, err, fmt.Sprintf("submissions.jsonl line %d", 2*n+1))
		require.Empty(t, titles(t, s))

		counts, err := load(t.Context(), s, folder(t, files))
		require.NoError(t, err)
		require.Equal(t, transfer.Counts{Users: 90, Assignments: n, Submissions: n}, counts)
		require.Equal(t, "Title 699", titles(t, s)[0])
		require.Equal(t, "Title 600", titles(t, s)[99])
		_, found, err := s.SearchAssignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "title", "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, n, found)
		u, err := s.AccountByEmail(t.Context(), "u3@example.org")
		require.NoError(t, err)
		own, total, err := s.OwnSubmissions(t.Context(), studycircle.ViewerOf(u.ID), "", studycircle.Page{Number: 2, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, n/7, total)
		require.Equal(t, fmt.Sprint("s", 696-7*10), own[0].ID)

		counts, err = load(t.Context(), s, folder(t, files))
		require.NoError(t, err)
		require.Equal(t, transfer.Counts{}, counts)

		// Assignments of a second folder follow those of the first, on pages of their own.
		more := line("More", `,"_id":"more"`) + line("And more", `,"_id":"and-more"`)
		var graded []string // the best attempt is the first or the last one
		for of, marks := range map[string][]int{"more": {9, 3, 7}, "and-more": {3, 7, 9}} {
			for i, mark := range marks {
				graded = append(graded, fmt.Sprintf(`{"_id":"%s-%d","assignmentId":%q,"submittedBy":"u4@example.org","docsLink":"https://example.org/3","status":"completed","givenMark":%d}`, of, i, of, mark))
			}
		}
		_, err = load(t.Context(), s, folder(t, map[string]string{"assignments": more, "submissions": `{"_id":"t1","assignmentId":"more","submittedBy":"u3@example.org","docsLink":"https://example.org/1"}` + "\n" +
			`{"_id":"t2","assignmentId":"and-more","submittedBy":"u3@example.org","docsLink":"https://example.org/2"}` + "\n" + strings.Join(graded, "\n")}))
		require.NoError(t, err)
		b, err := s.AccountByEmail(t.Context(), "u4@example.org")
		require.NoError(t, err)
		best, err := s.Progress(t.Context(), studycircle.ViewerOf(b.ID), []string{"more", "and-more"}, time.Now())
		require.NoError(t, err)
		for _, p := range best {
			require.Equal(t, &studycircle.Obtained{Mark: 9, Total: 10}, p.Best)
			require.EqualValues(t, 3, p.Attempts)
		}
		require.Len(t, best, 2)
		for page, want := range []string{"t2", "t1", "s696"} {
			own, total, err = s.OwnSubmissions(t.Context(), studycircle.ViewerOf(u.ID), "", studycircle.Page{Number: int64(page) + 1, Limit: 1})
			require.NoError(t, err)
			require.EqualValues(t, n/7+2, total)
			require.Equal(t, want, own[0].ID)
		}
	})
}

// Several pieces of the file are checked at once, and the first bad line is reported: here after a piece of short
// lines, and before pieces of long ones.
func TestImportTellsTheFirstBadLine(t *testing.T) {
	t.Parallel()
	long := line(strings.Repeat("x", 200), "")
	for name, c := range map[string]struct {
		bad  string
		says string
	}{
		"no JSON":                   {"{\n", "line 601: "},
		"bad title":                 {line("", ""), "line 601: invalid: The title"},
		"longer than a line may be": {strings.Repeat(" ", 1<<20+1) + "\n", "line 601: the line is longer than 1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, store.Config{Dir: teststore.Dir(t)})
			text := strings.Repeat(line("Fine", ""), 600) + c.bad + strings.Repeat(long, 2000) + line("", "")
			_, err := load(t.Context(), s, folder(t, map[string]string{"assignments": text}))
			require.ErrorContains(t, err, "assignments.jsonl "+c.says)
			require.Empty(t, titles(t, s))
		})
	}
}

// Submissions with several reviewers arrive without a review, are open to review, and appear in no list with a name;
// the assignment keeps its rubric.
func TestImportOpensWhatSeveralReview(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, s *store.Store) {
		rubric := `{"criteria":[{"title":"All","levels":[{"label":"Poor","marks":0},{"label":"Good","marks":10}]}]}`
		dir := folder(t, map[string]string{
			"assignments": line("Reviewed", `,"_id":"a1","reviewsNeeded":3,"rubric":`+rubric),
			"submissions": `{"_id":"s1","assignmentId":"a1","submittedBy":"bob@example.org","docsLink":"https://example.org/1"}` + "\n" +
				`{"_id":"s2","assignmentId":"a1","submittedBy":"cem@example.org","docsLink":"https://example.org/2","status":"completed","givenMark":7}`,
		})
		_, err := load(t.Context(), s, dir)
		require.NoError(t, err)
		a, err := s.Assignment(t.Context(), studycircle.ViewerOf("anyone"), "a1")
		require.NoError(t, err)
		require.EqualValues(t, 3, a.Reviews)
		require.Equal(t, rubric, a.Rubric.String())
		rows, total, err := s.PendingSubmissions(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, time.Now(), studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.EqualValues(t, 1, *rows[0].Reviewable)
		require.Empty(t, rows[0].ID)
		for address, offered := range map[string]int{"bob@example.org": 0, "cem@example.org": 1} {
			account, err := s.AccountByEmail(t.Context(), address)
			require.NoError(t, err)
			require.NoError(t, s.Write(t.Context(), studycircle.ViewerOf(account.ID), func(ctx context.Context, tx *store.Tx) error {
				found, err := tx.NextToReview(ctx, account.ID, studycircle.Hall, "a1", time.Now())
				require.Len(t, found, offered, "to %s", address)
				return err
			}))
		}

		out := filepath.Join(t.TempDir(), "out")
		_, err = transfer.Export(t.Context(), s, out)
		require.NoError(t, err)
		text, err := os.ReadFile(filepath.Join(out, "assignments.jsonl"))
		require.NoError(t, err)
		require.Contains(t, string(text), `"reviewsNeeded":3,"rubric":`+rubric)
		_, err = load(t.Context(), s, folder(t, map[string]string{"assignments": line("Later", `,"reviewsNeeded":3,"model":"SC9"`)}))
		require.ErrorContains(t, err, `model: this server does not know version "SC9" of the grade model`)
		_, err = load(t.Context(), s, folder(t, map[string]string{"assignments": line("Wrong", `,"reviewsNeeded":1,"rubric":`+rubric)}))
		require.ErrorContains(t, err, "two reviews")
	})
}
