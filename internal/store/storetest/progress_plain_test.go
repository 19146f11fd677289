package storetest

import (
	"math"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/tables"
)

// stateOf is SQL for the state of assignment a for user $1.
const stateOf = `CASE WHEN a.creator_id = $1 THEN 'mine' ELSE COALESCE((SELECT CASE s.status WHEN 'pending' THEN 'pending' ELSE 'graded' END
	FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = a.id ORDER BY s.submitter_no DESC LIMIT 1), 'open') END`

func (h *history) plainProgress(userID string) (out []studycircle.Progress) {
	h.t.Helper()
	h.query("SELECT a.id, "+stateOf+`, EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = $1 AND r.assignment_id = a.id),
		COALESCE((SELECT s.id FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = a.id ORDER BY s.submitter_no DESC LIMIT 1), ''),
		(SELECT COUNT(*) FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = a.id)
		FROM assignments a WHERE a.deleted_at IS NULL ORDER BY a.seq`, func(scan func(...any)) {
		var p studycircle.Progress
		scan(&p.AssignmentID, &p.State, &p.Remind, &p.SubmissionID, &p.Attempts)
		out = append(out, p)
	}, userID)
	for i := range out {
		h.query(`SELECT given_mark, marks FROM submissions WHERE submitter_id = $1 AND assignment_id = $2 AND status = 'completed'
			ORDER BY given_mark * 1.0 / marks DESC, submitter_no LIMIT 1`, func(scan func(...any)) {
			out[i].Best = &studycircle.Obtained{}
			scan(&out[i].Best.Mark, &out[i].Best.Total)
		}, userID, out[i].AssignmentID)
	}
	return out
}

// query runs a plain query.
func (h *history) query(text string, row func(scan func(...any)), args ...any) {
	h.t.Helper()
	rows, err := h.b.plain.QueryContext(h.t.Context(), text, args...)
	require.NoError(h.t, err)
	defer func() { require.NoError(h.t, rows.Close()) }()
	for rows.Next() {
		row(func(into ...any) { require.NoError(h.t, rows.Scan(into...)) })
	}
	require.NoError(h.t, rows.Err())
}

// plainDashboard is computed from all rows, percents as fractions.
func (h *history) plainDashboard(userID string) studycircle.Dashboard {
	h.t.Helper()
	d := studycircle.Dashboard{Taken: studycircle.TakenFigures{ByLevel: map[studycircle.Level]studycircle.Average{}}}
	for _, l := range studycircle.Levels {
		d.Taken.ByLevel[l] = studycircle.Average{}
	}
	h.query("SELECT COUNT(*) FROM assignments WHERE creator_id = $1 AND deleted_at IS NULL", func(scan func(...any)) { scan(&d.Created.Total) }, userID)
	var waits []int64
	h.query(`SELECT COALESCE(a.creator_id, '') = $1 AND a.deleted_at IS NULL, COALESCE(s.submitter_id, '') = $1, COALESCE(s.grader_id, '') = $1, COALESCE(a.level, ''),
		s.status, COALESCE(s.given_mark, 0), s.marks, s.submitted_at, COALESCE(s.marked_at, 0) FROM submissions s LEFT JOIN assignments a ON a.id = s.assignment_id`,
		func(scan func(...any)) {
			var created, taken, given bool
			var level studycircle.Level
			var status studycircle.Status
			var mark, marks, at, markedAt int64
			scan(&created, &taken, &given, &level, &status, &mark, &marks, &at, &markedAt)
			if status == studycircle.Pending {
				d.Created.Pending += number(created)
				d.Taken.Pending += number(taken)
				return
			}
			percent := int64(math.Round(float64(mark) / float64(marks) * 100 * studycircle.PercentUnit))
			add := func(yes bool, to studycircle.Average) studycircle.Average {
				return studycircle.Average{N: to.N + number(yes), Sum: to.Sum + percent*number(yes)}
			}
			d.Created.Graded, d.Taken.Graded, d.Given.Graded = add(created, d.Created.Graded), add(taken, d.Taken.Graded), add(given, d.Given.Graded)
			if taken {
				d.Taken.Best = max(d.Taken.Best, math.Round(float64(mark)/float64(marks)*1000)/10)
				if level != "" {
					d.Taken.ByLevel[level] = add(true, d.Taken.ByLevel[level])
				}
			}
			if given {
				waits = append(waits, int64(math.Round(time.Duration((markedAt-at)*1000).Hours()*100)))
			}
		}, userID)
	slices.Sort(waits)
	if n := len(waits); n > 0 {
		d.Given.MedianWait = time.Duration(waits[(n-1)/2]+waits[n/2]) * (time.Hour / 200)
	}
	h.query(`SELECT s.id, COALESCE(s.assignment_id, ''), s.assignment_title, COALESCE(a.level, ''), s.given_mark, s.marks, s.marked_at
		FROM submissions s LEFT JOIN assignments a ON a.id = s.assignment_id WHERE s.submitter_id = $1 AND s.status = 'completed'
		ORDER BY s.marked_at DESC, s.submitter_no DESC LIMIT 50`, func(scan func(...any)) {
		var m studycircle.TakenMark
		var at int64
		scan(&m.SubmissionID, &m.AssignmentID, &m.AssignmentTitle, &m.Level, &m.Obtained.Mark, &m.Obtained.Total, &at)
		m.MarkedAt, m.AssignmentTitle = time.UnixMicro(at).UTC(), tables.Shown(m.AssignmentTitle)
		d.Taken.Marks = append(d.Taken.Marks, m)
	}, userID)
	slices.Reverse(d.Taken.Marks)
	h.query("SELECT COUNT(*) FROM reviews r WHERE r.reviewer = $1 AND NOT r.exemplar", func(scan func(...any)) { scan(&d.Given.Reviews) }, userID)
	d.Due = []studycircle.Due{}
	h.query(`SELECT d.id, d.title, d.due_at, d.due_offset, d.state, d.remind FROM (SELECT a.*, `+stateOf+` AS state,
		EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = $1 AND r.assignment_id = a.id) AS remind FROM assignments a) d
		WHERE d.deleted_at IS NULL AND d.due_at > $2 AND d.due_at <= $3 AND d.state <> 'mine' AND (d.state = 'pending' OR d.remind)
		ORDER BY d.due_at, d.seq LIMIT 20`, func(scan func(...any)) {
		var due studycircle.Due
		var at int64
		var offset int
		scan(&due.AssignmentID, &due.Title, &at, &offset, &due.State, &due.Remind)
		due.DueDate = studycircle.DueDateAt(at, offset)
		d.Due = append(d.Due, due)
	}, userID, now.UnixMicro(), now.Add(studycircle.DueSoon).UnixMicro())
	pending, _, err := h.b.PendingSubmissions(h.t.Context(), anyone, studycircle.Hall, now, studycircle.Page{Number: 1, Limit: 1000})
	require.NoError(h.t, err)
	d.Waiting, d.Duties = []studycircle.Submission{}, map[string]studycircle.Duty{}
	for _, s := range pending {
		if s.Submitter.UserID != userID && len(d.Waiting) < 5 {
			d.Waiting = append(d.Waiting, s.Submission)
		}
	}
	return d
}

func number(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}
