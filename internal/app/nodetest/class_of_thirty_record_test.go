package nodetest

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

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
func (c *course) given(task *courseTask, p *classmate) (n int) {
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
func (c *course) shown(task *courseTask, p *classmate) (n int) {
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

// hasWorkFor reports whether p can give one more review: the last one may find that only their own work lacks one.
func (task *courseTask) hasWorkFor(p *classmate) bool {
	for _, work := range task.works {
		given := slices.ContainsFunc(work.reviews, func(r *courseReview) bool { return r.by == p })
		if work.by != p && !given && !work.settled && len(work.reviews) < task.needed {
			return true
		}
	}
	return false
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
	// Once all are done, others see it on the same day: no time reveals a reviewer.
	done := !slices.ContainsFunc(c.members, func(p *classmate) bool {
		return task.of[p] != nil && c.given(task, p) < task.needed && task.hasWorkFor(p)
	})
	for _, p := range c.members {
		switch {
		case task.of[p] == nil:
			want[p.email] = debt{false, nil}
		case c.shown(task, p) < task.needed && !done:
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
		i := slices.IndexFunc(c.members, func(p *classmate) bool { return p.email == row["email"] })
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
		byReviewer, counts := map[*classmate]int{}, map[string]int{}
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
