package api

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/service"
)

// The forms of a file of marks: a line for each member and assignment, or for each member, for spreadsheets and as the
// grade books of Canvas and Moodle import it.
const (
	formLong   = "long"
	formWide   = "wide"
	formCanvas = "canvas"
	formMoodle = "moodle"
)

type marksFileInput struct {
	FileInput
	Form     string `query:"form" enum:"long,wide,canvas,moodle" default:"long" doc:"A line for each member and assignment; one for each member; or that as Canvas or Moodle imports it."`
	Students string `query:"students" enum:"true,false" doc:"true: without organizers and owners."`
}

// check implements checked. Grade books find students by what codes hide.
func (in *marksFileInput) check(wrong *faults) {
	if in.Codes == "true" && (in.Form == formCanvas || in.Form == formMoodle) {
		wrong.add("query.codes", "A grade book cannot find students by codes.")
	}
}

// marksTable writes a file of marks.
type marksTable struct {
	*download
	service.Marks
	circleID  string
	person    func(studycircle.MarkRow) []string // name, name in the roster and address, or a code
	addresses bool
}

func (o *operations) marksFile(ctx context.Context, d *download, in *marksFileInput) error {
	t := &marksTable{download: d, circleID: in.ID}
	how := service.MarksFile{Students: in.Students == "true"}
	if d.codes { // the order of joining would tell who they are
		how.Coded = func(userID string) string { return o.Identity.PersonCode(in.ID, userID) }
	}
	t.person = func(r studycircle.MarkRow) []string {
		return o.person(d, in.ID, r.Account, r.Name, t.addresses)
	}
	form, head := t.long, t.longHead
	switch in.Form {
	case formWide:
		form, head = t.wide, t.wideHead
	case formCanvas:
		form, head = t.canvas, t.canvasHead
	case formMoodle:
		form, head = t.moodle, t.moodleHead
	}
	return o.Service.EachMarks(ctx, viewer(ctx).User, in.ID, how, func(found service.Marks) {
		t.Marks, t.addresses = found, studycircle.MaySeeAddresses(found.Circle, found.Circle.ID) == nil
		head()
	}, func(rows []studycircle.MarkRow) error {
		for _, row := range rows {
			if err := form(row); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *marksTable) longHead() {
	t.begin(
		"member", "rosterName", "email", "label", "assignment", "title", "state", "mark", "total", "percent", "late",
		"reviewsGiven", "reviewsOwed", "exemplarsReviewed", "accuracy",
	)
}

// stateLeft is the state of a user who has left the circle.
const stateLeft = "left"

func (t *marksTable) long(row studycircle.MarkRow) error {
	who := append(t.person(row), label(t.download, row.Label))
	for i, of := range row.Cells {
		cell := markCellOf(t.Columns[i], row, of)
		if left := row.Role == ""; left && of.Best == nil {
			continue
		} else if left && !t.codes { // it would tell whose code it is
			cell.State = stateLeft
		}
		cells := slices.Concat(who, markCells(t.Columns[i], cell), accuracyCells(t.download, row.Accuracy))
		if err := t.out.Row(cells...); err != nil {
			return err
		}
	}
	return nil
}

// titles returns the titles of the assignments, oldest first. Each is unlike the others and the headings before it.
func (t *marksTable) titles(plain func(string) string, before ...string) []string {
	used := map[string]bool{}
	for _, heading := range before {
		used[strings.ToLower(heading)] = true
	}
	titles := make([]string, 0, len(t.Columns))
	for _, c := range slices.Backward(t.Columns) {
		title := plain(c.Title)
		for n := 2; used[strings.ToLower(title)]; n++ {
			title = plain(c.Title) + " " + strconv.Itoa(n)
		}
		used[strings.ToLower(title)] = true
		titles = append(titles, csvfile.Text(title))
	}
	return titles
}

// marks returns the marks of a row, of the assignments' present totals, oldest first.
func (t *marksTable) marks(row studycircle.MarkRow) []string {
	cells := make([]string, 0, len(row.Cells))
	for i, cell := range slices.Backward(row.Cells) {
		text := ""
		if best := cell.Best; best != nil {
			const hundredths = 100
			mark := float64(best.Mark) * float64(t.Columns[i].Marks) / float64(best.Total)
			text = strconv.FormatFloat(math.Round(mark*hundredths)/hundredths, 'f', -1, 64)
		}
		cells = append(cells, text)
	}
	return cells
}

func same(title string) string { return title }

var wideColumns = []string{"member", "rosterName", "email", "sourcedId", "label", "role", "left"}

func (t *marksTable) wideHead() {
	t.begin(append(slices.Clone(wideColumns), t.titles(same, wideColumns...)...)...)
}

func (t *marksTable) wide(row studycircle.MarkRow) error {
	who := append(t.person(row), "", "", "", "") // the rest would tell whose code it is
	if !t.codes {
		copy(who[3:], []string{
			t.sourceID(row), csvfile.Text(row.Label), string(row.Role), strconv.FormatBool(row.Role == ""),
		})
	}
	return t.out.Row(append(who, t.marks(row)...)...)
}

func (t *marksTable) sourceID(row studycircle.MarkRow) string {
	if !t.addresses {
		return ""
	}
	return csvfile.Text(row.SourceID)
}

var canvasColumns = []string{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}

// numbered is the end of a title that Canvas takes for the id of an assignment.
var numbered = regexp.MustCompile(`\((\d+)\)\s*$`)

func (t *marksTable) canvasHead() {
	t.begin(append(slices.Clone(canvasColumns), t.titles(func(title string) string {
		return numbered.ReplaceAllString(title, "[$1]")
	}, canvasColumns...)...)...)
	totals := []string{"    Points Possible", "", "", "", ""}
	for _, c := range slices.Backward(t.Columns) {
		totals = append(totals, strconv.FormatInt(c.Marks, 10))
	}
	_ = t.out.Row(totals...) // Flush returns its error
}

func (t *marksTable) canvas(row studycircle.MarkRow) error {
	name := shownName(row)
	if row.Role == "" {
		name += " (left)"
	}
	who := []string{csvfile.Text(name), "", t.sourceID(row), t.person(row)[2], csvfile.Text(row.Label)}
	return t.out.Row(append(who, t.marks(row)...)...)
}

var moodleColumns = []string{"Full name", "Email address", "ID number", "Groups", "Left"}

func (t *marksTable) moodleHead() {
	t.begin(append(slices.Clone(moodleColumns), t.titles(same, moodleColumns...)...)...)
}

func (t *marksTable) moodle(row studycircle.MarkRow) error {
	left := ""
	if row.Role == "" {
		left = "yes"
	}
	who := []string{csvfile.Text(shownName(row)), t.person(row)[2], t.sourceID(row), csvfile.Text(row.Label), left}
	return t.out.Row(append(who, t.marks(row)...)...)
}

// shownName returns the name as in the roster, or the display name.
func shownName(row studycircle.MarkRow) string {
	if row.Name != "" {
		return row.Name
	}
	return row.Account.DisplayName
}

// label returns a member's label, which may name a person.
func label(d *download, text string) string {
	if d.codes {
		return ""
	}
	return csvfile.Text(text)
}

func markCells(c studycircle.MarkColumn, cell MarkCell) []string {
	return []string{
		c.ID, csvfile.Text(c.Title), cell.State, numberCell(cell.GivenMark), numberCell(cell.Marks),
		percentCell(cell.Percent), strconv.FormatBool(cell.Late), numberCell(cell.ReviewsGiven), numberCell(cell.ReviewsOwed),
	}
}

// accuracyCells returns how many exemplars a member reviewed, and how accurately. A file with codes has neither: they
// would tell whose code it is.
func accuracyCells(d *download, of studycircle.Accuracy) []string {
	a := accuracyOf(of)
	if d.codes || a == nil {
		return []string{"", ""}
	}
	return []string{strconv.FormatInt(a.Reviews, 10), percentCell(&a.Percent)}
}
