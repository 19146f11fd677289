package nodetest

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hostileNames are texts that break careless writers and readers of CSV, and spreadsheets.
var hostileNames = []string{
	"=1+1", "+49 170", "-Minus", "@Home", `=HYPERLINK("https://example.org","x")`, "=cmd|' /C calc'!A0", `"Quoted"`, `A "b" c`, `"`, `""`,
	"Comma, Ada", ",", ";", "Semi; colon", "'Apostrophe", "''", "'=1", "1e5", "007", "TRUE",
	"NULL", "#REF!", `Back\slash`, `\N`, "日本語", "👩‍🏫 Teacher", "\u202eright to left", "<script>alert(1)</script>", "../../etc/passwd", "Ünïcødé",
}

// course is a class that is played over HTTP, and what the test itself keeps count of.
type course struct {
	t       *testing.T
	n       *node
	owner   *client
	members []*pupil
	circle  string
	tasks   []*courseTask // oldest first
}

// pupil is a member of the course.
type pupil struct {
	*client
	rosterName string
	signedIn   time.Time
}

// courseTask is an assignment of the course.
type courseTask struct {
	id, title     string
	total, needed int // needed is 0 if one grade is the mark
	middle        func(marks []int) float64
	works         map[string]*courseWork // by the submissions' ids
	of            map[*pupil]*courseWork
}

// courseWork is a submission.
type courseWork struct {
	id       string
	by       *pupil
	late     bool
	reviews  []*courseReview
	settled  bool
	mark     int // once it is settled
	answered bool
}

type courseReview struct {
	by   *pupil
	mark int
	said string
	day  int // of the year
}

func median(marks []int) float64 {
	slices.Sort(marks)
	n := len(marks)
	return float64(marks[(n-1)/2]+marks[n/2]) / 2
}

func average(marks []int) float64 {
	sum := 0
	for _, mark := range marks {
		sum += mark
	}
	return float64(sum) / float64(len(marks))
}

// A class gets its circle by a roster, hands in, asks, answers, reviews, corrects and settles, over HTTP alone. At each
// stage who owes what, the marks and the files are what the test computes from its own record.
func TestAClassOfThirty(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 9, 0, 0, 0, time.UTC))
		c := &course{t: t, n: w.start(t)}
		c.enrol()
		c.publish()
		c.stage("published")

		w.clock.stand(time.Date(2027, 3, 4, 9, 0, 0, 0, time.UTC))
		for i, p := range c.members[:len(c.members)-1] { // the last one hands in nothing
			if i != len(c.members)-2 {
				c.handIn(p, false)
			}
		}
		c.stage("handed in")
		w.clock.stand(time.Date(2027, 3, 9, 9, 0, 0, 0, time.UTC))
		c.handIn(c.members[len(c.members)-2], true)
		c.stage("one hands in late")

		for day := range 3 {
			w.clock.stand(time.Date(2027, 3, 9+day, 12, 0, 0, 0, time.UTC))
			for _, task := range c.tasks[:2] {
				for i, p := range c.members {
					c.review(task, p, i, day)
				}
			}
			c.stage(fmt.Sprint("reviewed on day ", day))
		}
		w.clock.stand(time.Date(2027, 3, 12, 9, 0, 0, 0, time.UTC))
		c.stage("the day after")
		c.grade()
		c.settle()
		c.stage("settled")
		c.files()
	})
}

// signIn renews a session that the clock has ended.
func (c *course) signIn(p *pupil) *pupil {
	if now := c.n.clock.now(); now.Sub(p.signedIn) > 10*time.Minute {
		p.newSession(c.t)
		p.signedIn = now
	}
	return p
}

// registers opens an account and verifies its address.
func (c *course) registers(name, email string) *client {
	u := c.n.visitor()
	u.email, u.name = email, name
	a := u.post(c.t, "/api/auth/register", with(registration(email), "name", name)).is(c.t, http.StatusCreated)
	u.token = a.text(c.t, "accessToken")
	u.verifies(c.t)
	return u
}

// enrol has the owner make the circle and send the roster, and the people of the roster join.
func (c *course) enrol() {
	c.owner = c.registers("Ada", "ada@example.org")
	c.circle = c.owner.circle(c.t, "Class of thirty")
	quoted := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
	lines := []string{"email,name,label"}
	for i, name := range hostileNames {
		lines = append(lines, fmt.Sprintf("pupil%d@example.org,%s,%s", i, quoted(name), quoted(fmt.Sprint("=Section ", i%3))))
	}
	require.Equal(c.t, enrolled(0, len(hostileNames), 0, 0), c.owner.roster(c.t, c.circle, "", lines...).is(c.t, http.StatusOK).json(c.t))
	for i, name := range hostileNames {
		u := c.registers(fmt.Sprint("Pupil ", i), fmt.Sprintf("pupil%d@example.org", i))
		c.members = append(c.members, &pupil{client: u, rosterName: name, signedIn: c.n.clock.now()})
	}
	got := c.owner.get(c.t, "/api/circle/"+c.circle+"/members").is(c.t, http.StatusOK).json(c.t)
	require.InDelta(c.t, len(hostileNames)+1, got["pagination"].(doc)["total"], 0)
}

// publish has the owner publish three assignments: by three reviews with a rubric and a review due date, by two
// reviews, and by one grade.
func (c *course) publish() {
	due := "2027-03-08T12:00:00Z"
	for _, task := range []*courseTask{
		{title: `=Essay, "tides"`, total: 20, needed: 3, middle: median}, {title: "@Talk\u202e", total: 10, needed: 2, middle: average}, {title: "-Test", total: 50},
	} {
		fields := []any{"circleId", c.circle, "title", task.title, "marks", task.total, "dueDate", due}
		switch task.needed {
		case 3:
			fields = append(fields, "reviewsNeeded", 3, "rubric", twoCriteria(), "markBy", "median", "reviewDueDate", "2027-03-12T12:00:00Z")
		case 2:
			fields = append(fields, "reviewsNeeded", 2, "markBy", "average")
		}
		task.id, task.works, task.of = c.owner.publish(c.t, fields...), map[string]*courseWork{}, map[*pupil]*courseWork{}
		c.tasks = append(c.tasks, task)
	}
}

func (c *course) handIn(p *pupil, late bool) {
	c.signIn(p)
	for _, task := range c.tasks {
		work := &courseWork{id: p.submit(c.t, task.id), by: p, late: late}
		task.works[work.id], task.of[p] = work, work
	}
	p.put(c.t, "/api/submissions/"+c.tasks[0].of[p].id+"/self-assessment", doc{"levels": []int{2, 1}}).is(c.t, http.StatusOK)
}

// review has a member who has handed in review the next submission. Some ask a question first, which is answered. One
// corrects the review.
func (c *course) review(task *courseTask, p *pupil, i, day int) {
	own := task.of[p]
	if own == nil || c.given(task, p) >= task.needed {
		return
	}
	a := c.signIn(p).post(c.t, "/api/reviews/next", doc{"assignmentId": task.id})
	if a.status == http.StatusNoContent {
		return
	}
	work := task.works[a.is(c.t, http.StatusOK).text(c.t, "submissionId")]
	require.NotNil(c.t, work)
	require.NotEqual(c.t, own, work)
	at := "/api/submissions/" + work.id
	if i%5 == day && !work.answered {
		p.post(c.t, at+"/question", doc{"text": "Which edition?"}).is(c.t, http.StatusCreated)
		c.signIn(work.by).post(c.t, at+"/answer", doc{"text": "The second."}).is(c.t, http.StatusCreated)
		require.Equal(c.t, "The second.", p.get(c.t, at+"/question").is(c.t, http.StatusOK).json(c.t)["question"].(doc)["answer"].(doc)["text"])
		work.answered = true
	}
	r := &courseReview{by: p, said: fmt.Sprintf("=Said \"%d\",\nby %d", day, i), day: c.n.clock.now().YearDay()}
	body := doc{"feedback": r.said}
	if task.needed == 3 {
		argument, language := 1+i%2, 1
		body["levels"], r.mark = []int{argument, language}, []int{0, 5, 12}[argument]+8
	} else {
		r.mark = 6 + i%3
		body["marks"] = r.mark
	}
	if task.needed == 2 && i == 0 && day == 0 { // sent in haste
		p.patch(c.t, at, with(body, "marks", 1)).is(c.t, http.StatusOK)
		p.put(c.t, "/api/reviews/"+p.client.given(c.t)["_id"].(string), body).is(c.t, http.StatusOK)
	} else {
		p.patch(c.t, at, body).is(c.t, http.StatusOK)
	}
	work.reviews = append(work.reviews, r)
	if own := work.by.own(c.t, work.id); own["status"] == "completed" {
		c.settled(task, work)
	}
}

// settled records the mark of a submission.
func (c *course) settled(task *courseTask, work *courseWork) {
	marks := make([]int, len(work.reviews))
	for i, r := range work.reviews {
		marks[i] = r.mark
	}
	require.NotEmpty(c.t, marks)
	work.settled, work.mark = true, int(math.Floor(task.middle(marks)+.5))
}

// given counts the reviews that a member has given for an assignment.
func (c *course) given(task *courseTask, p *pupil) (n int) {
	for _, work := range task.works {
		for _, r := range work.reviews {
			if r.by == p {
				n++
			}
		}
	}
	return n
}

// shown counts those that others see: while work is open, without today's.
func (c *course) shown(task *courseTask, p *pupil) (n int) {
	for _, work := range task.works {
		for _, r := range work.reviews {
			if r.by == p && (!c.open(task) || r.day < c.n.clock.now().YearDay()) {
				n++
			}
		}
	}
	return min(n, task.needed)
}

func (c *course) open(task *courseTask) bool {
	for _, work := range task.works {
		if !work.settled {
			return true
		}
	}
	return false
}

// grade has the owner grade what takes one grade.
func (c *course) grade() {
	c.owner.newSession(c.t)
	task := c.tasks[2]
	for i, p := range c.members {
		if work := task.of[p]; work != nil {
			work.settled, work.mark = true, 20+i
			c.owner.grade(c.t, work.id, work.mark)
		}
	}
}

// settle has the owner settle the rest.
func (c *course) settle() {
	for _, task := range c.tasks[:2] {
		c.owner.post(c.t, "/api/assignment/"+task.id+"/settle", nil).is(c.t, http.StatusOK)
		for _, work := range task.works {
			if !work.settled {
				c.settled(task, work)
			}
		}
		require.False(c.t, c.open(task))
	}
}

// stage compares who owes what, and the table and the file of marks, with the record.
func (c *course) stage(state string) {
	c.owner.newSession(c.t)
	for _, task := range c.tasks {
		c.owes(state, task)
	}
	want := c.marks()
	rows := c.owner.file(c.t, "/api/circle/"+c.circle+"/marks.csv")
	require.Equal(c.t, want, signatures(rows, "email"), state)
	coded := c.owner.file(c.t, "/api/circle/"+c.circle+"/marks.csv?codes=true")
	require.Equal(c.t, blindly(want), blindly(signatures(coded, "member")), "%s: the same with codes", state)
	table := c.owner.get(c.t, "/api/circle/"+c.circle+"/marks?limit=100").is(c.t, http.StatusOK).json(c.t)
	require.Len(c.t, table["data"], len(c.members)+1)
	for _, row := range table["data"].([]any) {
		var cells []string
		for j, cell := range row.(doc)["cells"].([]any) {
			cells = append(cells, cellOf(table["assignments"].([]any)[j].(doc)["_id"], cell.(doc)))
		}
		require.Equal(c.t, want[row.(doc)["email"].(string)], cells, state)
	}
}

// owes compares who owes what for an assignment.
func (c *course) owes(state string, task *courseTask) {
	got := c.owner.get(c.t, "/api/assignment/"+task.id+"/owes?limit=100").is(c.t, http.StatusOK).json(c.t)
	type debt struct {
		handedIn bool
		given    any
	}
	want, had := map[string]debt{}, map[string]debt{}
	waiting, owing := 0, 0
	for _, p := range c.members {
		switch {
		case task.of[p] == nil:
			want[p.email] = debt{false, nil}
		case c.shown(task, p) < task.needed:
			want[p.email] = debt{true, float64(c.shown(task, p))}
			owing++
		}
		if work := task.of[p]; work != nil && !work.settled {
			waiting++
		}
	}
	for _, row := range got["data"].([]any) {
		row := row.(doc)
		had[row["email"].(string)] = debt{row["handedIn"].(bool), row["reviewsGiven"]}
		i := slices.IndexFunc(c.members, func(p *pupil) bool { return p.email == row["email"] })
		require.Equal(c.t, c.members[i].rosterName, row["name"])
	}
	require.Equal(c.t, want, had, "%s: %s", state, task.title)
	for field, n := range map[string]int{
		"people": len(c.members), "handedIn": len(task.of), "notHandedIn": len(c.members) - len(task.of), "owingReviews": owing, "waiting": waiting, "stuck": 0,
	} {
		require.InDelta(c.t, n, got[field], 0, "%s: %s of %s", state, field, task.title)
	}
}

// marks returns the cells of each member by address, newest assignment first.
func (c *course) marks() map[string][]string {
	want := map[string][]string{}
	for _, task := range slices.Backward(c.tasks) {
		want[c.owner.email] = append(want[c.owner.email], strings.Join([]string{task.id, "mine", "", "", "", "false", "", ""}, "|"))
		for _, p := range c.members {
			cells := []string{task.id, "open", "", "", "", "false", "", ""}
			if work := task.of[p]; work != nil {
				cells[1], cells[5] = "pending", strconv.FormatBool(work.late)
				if work.settled {
					cells[1], cells[2], cells[3] = "graded", strconv.Itoa(work.mark), strconv.Itoa(task.total)
					cells[4] = strconv.FormatFloat(100*float64(work.mark)/float64(task.total), 'f', 1, 64)
				}
				if task.needed > 0 {
					cells[6], cells[7] = strconv.Itoa(c.shown(task, p)), strconv.Itoa(task.needed)
				}
			}
			want[p.email] = append(want[p.email], strings.Join(cells, "|"))
		}
	}
	return want
}

// signatures returns the cells of a file of marks by the column that says whose they are.
func signatures(rows []map[string]string, whose string) map[string][]string {
	out := map[string][]string{}
	for _, row := range rows {
		cells := []string{row["assignment"], row["state"], row["mark"], row["total"], row["percent"], row["late"], row["reviewsGiven"], row["reviewsOwed"]}
		out[row[whose]] = append(out[row[whose]], strings.Join(cells, "|"))
	}
	return out
}

// cellOf spells a cell of the table as the file has it.
func cellOf(assignmentID any, cell doc) string {
	text := func(v any) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	percent := ""
	if p, there := cell["percent"].(float64); there {
		percent = strconv.FormatFloat(p, 'f', 1, 64)
	}
	late := cell["late"] == true
	return strings.Join([]string{
		text(assignmentID), text(cell["state"]), text(cell["givenMark"]), text(cell["marks"]), percent, strconv.FormatBool(late), text(cell["reviewsGiven"]), text(cell["reviewsOwed"]),
	}, "|")
}

// blindly returns the cells without whose they are, in an order of their own.
func blindly(marks map[string][]string) (all []string) {
	for _, cells := range marks {
		all = append(all, strings.Join(cells, "\n"))
	}
	slices.Sort(all)
	return all
}

// cell is a text as a file has it.
func cell(text string) string {
	if text != "" && strings.IndexByte("=+-@\t", text[0]) >= 0 {
		return "'" + text
	}
	return text
}

// files compares the files of results and reviews with the record.
func (c *course) files() {
	hostile := 0
	var all []map[string]string
	for _, task := range slices.Backward(c.tasks) {
		at := "/api/assignment/" + task.id
		results := c.owner.file(c.t, at+"/results.csv?bom=true")
		require.Len(c.t, results, len(task.works))
		for _, row := range results {
			work := task.works[row["submission"]]
			for column, want := range map[string]string{
				"member": work.by.name, "rosterName": cell(work.by.rosterName), "email": work.by.email, "status": "completed", "late": strconv.FormatBool(work.late),
				"mark": strconv.Itoa(work.mark), "total": strconv.Itoa(task.total),
			} {
				require.Equal(c.t, want, row[column], column)
			}
			require.True(c.t, strings.HasPrefix(row["label"], "'=Section "))
			for _, r := range work.reviews {
				require.Contains(c.t, row["feedback"], r.said)
				hostile++
			}
			hostile += 2
		}
		coded := c.owner.file(c.t, at+"/results.csv?codes=true")
		require.Equal(c.t, inOrder(results, "submission", "mark", "total", "late"), inOrder(coded, "submission", "mark", "total", "late"))
		reviews := c.owner.file(c.t, at+"/reviews.csv")
		require.Equal(c.t, reviews, c.owner.file(c.t, at+"/reviews.csv?codes=true"), "its people are codes in any case")
		var want []map[string]string
		byReviewer, counts := map[*pupil]int{}, map[string]int{}
		for _, work := range task.works {
			for _, r := range work.reviews {
				want = append(want, map[string]string{"assignment": task.id, "submission": work.id, "mark": strconv.Itoa(r.mark), "total": strconv.Itoa(task.total)})
				byReviewer[r.by]++
			}
		}
		columns := []string{"assignment", "submission", "mark", "total"}
		require.ElementsMatch(c.t, inOrder(want, columns...), inOrder(reviews, columns...))
		for _, code := range column(reviews, "reviewer") {
			counts[code]++
		}
		require.Equal(c.t, numbers(byReviewer), numbers(counts), "as many reviews of each code as of each reviewer")
		all = append(all, reviews...)
	}
	require.Equal(c.t, all, c.owner.file(c.t, "/api/circle/"+c.circle+"/reviews.csv"))
	require.Greater(c.t, hostile, 40)
}

// inOrder returns some columns of rows, sorted.
func inOrder(rows []map[string]string, columns ...string) (out []string) {
	for _, row := range rows {
		var cells []string
		for _, name := range columns {
			cells = append(cells, row[name])
		}
		out = append(out, strings.Join(cells, "|"))
	}
	slices.Sort(out)
	return out
}

// numbers returns the values of a map, sorted.
func numbers[K comparable](of map[K]int) (out []int) {
	for _, n := range of {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
