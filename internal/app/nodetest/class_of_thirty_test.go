package nodetest

import (
	"fmt"
	"net/http"
	"slices"
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
	members []*classmate
	circle  string
	tasks   []*courseTask // oldest first
}

// classmate is a member of the course.
type classmate struct {
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
	of            map[*classmate]*courseWork
}

// courseWork is a submission.
type courseWork struct {
	id       string
	by       *classmate
	late     bool
	reviews  []*courseReview
	settled  bool
	mark     int // once it is settled
	answered bool
}

type courseReview struct {
	by   *classmate
	mark int
	said string
	day  int // of the year
}

func medianMark(marks []int) float64 {
	slices.Sort(marks)
	n := len(marks)
	return float64(marks[(n-1)/2]+marks[n/2]) / 2
}

func averageMark(marks []int) float64 {
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
func (c *course) signIn(p *classmate) *classmate {
	if now := c.n.clock.now(); now.Sub(p.signedIn) > 10*time.Minute {
		p.newSession(c.t)
		p.signedIn = now
	}
	return p
}

// registers opens an account, whose address is to be verified.
func (c *course) registers(name, email string) *client {
	u := c.n.visitor()
	u.email, u.name = email, name
	a := u.post(c.t, "/api/auth/register", with(registration(email), "name", name)).is(c.t, http.StatusCreated)
	u.token = a.text(c.t, "accessToken")
	return u
}

// enrol has the owner make the circle and send the roster, and the people of the roster join by verifying their
// addresses.
func (c *course) enrol() {
	c.owner = c.registers("Ada", "ada@example.org")
	c.circle = c.owner.circle(c.t, "Class of thirty")
	quoted := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
	lines := []string{"email,name,label"}
	for i, name := range hostileNames {
		u := c.registers(fmt.Sprint("Classmate ", i), fmt.Sprintf("classmate%d@example.org", i))
		c.members = append(c.members, &classmate{client: u, rosterName: name, signedIn: c.n.clock.now()})
		lines = append(lines, fmt.Sprintf("%s,%s,%s", u.email, quoted(name), quoted(fmt.Sprint("=Section ", i%3))))
	}
	require.Equal(c.t, enrolled(0, len(hostileNames), 0, 0), c.owner.roster(c.t, c.circle, "", lines...).is(c.t, http.StatusOK).json(c.t))
	for _, p := range c.members {
		p.verifies(c.t)
	}
	got := c.owner.get(c.t, "/api/circle/"+c.circle+"/members").is(c.t, http.StatusOK).json(c.t)
	require.InDelta(c.t, len(hostileNames)+1, got["pagination"].(doc)["total"], 0)
}

// publish has the owner publish three assignments: by three reviews with a rubric and a review due date, by two
// reviews, and by one grade.
func (c *course) publish() {
	due := "2027-03-08T12:00:00Z"
	for _, task := range []*courseTask{
		{title: `=Essay, "tides"`, total: 20, needed: 3, middle: medianMark}, {title: "@Talk\u202e", total: 10, needed: 2, middle: averageMark}, {title: "-Test", total: 50},
	} {
		fields := []any{"circleId", c.circle, "title", task.title, "marks", task.total, "dueDate", due}
		switch task.needed {
		case 3:
			fields = append(fields, "reviewsNeeded", 3, "rubric", twoCriteria(), "markBy", "median", "reviewDueDate", "2027-03-12T12:00:00Z")
		case 2:
			fields = append(fields, "reviewsNeeded", 2, "markBy", "average")
		}
		task.id, task.works, task.of = c.owner.publish(c.t, fields...), map[string]*courseWork{}, map[*classmate]*courseWork{}
		c.tasks = append(c.tasks, task)
	}
}

func (c *course) handIn(p *classmate, late bool) {
	c.signIn(p)
	for _, task := range c.tasks {
		work := &courseWork{id: p.submit(c.t, task.id), by: p, late: late}
		task.works[work.id], task.of[p] = work, work
	}
	p.put(c.t, "/api/submissions/"+c.tasks[0].of[p].id+"/self-assessment", doc{"levels": []int{2, 1}}).is(c.t, http.StatusOK)
}

// review has a member who has handed in review the next submission. Some ask a question first, which is answered. One
// corrects the review.
func (c *course) review(task *courseTask, p *classmate, i, day int) {
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
	if own := c.signIn(work.by).own(c.t, work.id); own["status"] == "completed" {
		c.settled(task, work)
	}
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
