package api

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/service"
)

const contentCSV = "text/csv; charset=utf-8"

type fileInput struct {
	ID    string `path:"id"`
	BOM   string `query:"bom" enum:"true,false" doc:"Begin with a byte order mark, by which spreadsheets know UTF-8."`
	Codes string `query:"codes" enum:"true,false" doc:"Codes in place of people, the same ones in all files about a circle."`
}

// download is a file that is sent row by row.
type download struct {
	http.ResponseWriter
	name  string
	mark  bool // begins with a byte order mark
	codes bool
	out   *csvfile.Writer
	begun bool
}

// begin sends the header of the answer and the columns. Errors before it are answered as usual.
func (d *download) begin(columns ...string) {
	h := d.Header()
	h.Set("Content-Type", contentCSV)
	h.Set("Content-Disposition", `attachment; filename="`+d.name+`.csv"`)
	h.Set("Cache-Control", "no-store")
	d.begun, d.out = true, csvfile.NewWriter(d.ResponseWriter)
	if d.mark {
		columns[0] = csvfile.Mark + columns[0]
	}
	_ = d.out.Row(columns...) // Flush returns its error
}

// sendFile sends what send writes. A connection that breaks is the only way to say that rows are missing.
func sendFile(
	ctx context.Context, w http.ResponseWriter, in *fileInput, name string,
	send func(context.Context, *download, *fileInput) error,
) error {
	d := &download{
		ResponseWriter: w, name: strings.TrimPrefix(name, "download-"), mark: in.BOM == "true", codes: in.Codes == "true",
	}
	err := send(ctx, d, in)
	if err == nil {
		err = d.out.Flush()
	}
	if err != nil && d.begun {
		slog.Log(ctx, WarnLevel(ctx), "file broken off", "file", name, "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// person returns the cells of a user: name and address, or a code in place of both.
func (o *operations) person(
	d *download, placeID string, who studycircle.Person, rosterName string, addresses bool,
) []string {
	switch {
	case who.UserID == "":
		return []string{"", "", ""}
	case d.codes:
		return []string{o.Identity.PersonCode(placeID, who.UserID), "", ""}
	case addresses:
		return []string{csvfile.Text(who.DisplayName), csvfile.Text(rosterName), csvfile.Text(who.Email)}
	default:
		return []string{csvfile.Text(who.DisplayName), csvfile.Text(rosterName), ""}
	}
}

func (o *operations) marksFile(ctx context.Context, d *download, in *fileInput) error {
	var m service.Marks
	addresses := false
	var coded func(string) string
	if d.codes { // the order of joining would tell who they are
		coded = func(userID string) string { return o.Identity.PersonCode(in.ID, userID) }
	}
	return o.Service.EachMarks(ctx, viewer(ctx).User, in.ID, coded, func(found service.Marks) {
		m, addresses = found, studycircle.MaySeeAddresses(found.Circle, found.Circle.ID) == nil
		d.begin(
			"member", "rosterName", "email", "label", "assignment", "title", "state", "mark", "total", "percent", "late",
			"reviewsGiven", "reviewsOwed", "exemplarsReviewed", "accuracy",
		)
	}, func(rows []studycircle.MarkRow) error {
		for _, row := range rows {
			who := append(o.person(d, m.Circle.ID, row.Account, row.Name, addresses), label(d, row.Label))
			for i, cell := range row.Cells {
				cells := markCells(m.Columns[i], markCellOf(m.Columns[i], row, cell))
				if err := d.out.Row(slices.Concat(who, cells, accuracyCells(d, row.Accuracy))...); err != nil {
					return err
				}
			}
		}
		return nil
	})
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

func numberCell(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func percentCell(percent *float64) string {
	if percent == nil {
		return ""
	}
	return strconv.FormatFloat(*percent, 'f', 1, 64)
}

func (o *operations) resultsFile(ctx context.Context, d *download, in *fileInput) error {
	var a studycircle.Assignment
	addresses, place := false, ""
	return o.Service.EachResults(ctx, viewer(ctx).User, in.ID, func(own studycircle.OwnCircle, of studycircle.Assignment) {
		a, addresses, place = of, studycircle.MaySeeAddresses(own, of.CircleID) == nil, of.CircleID
		if place == studycircle.Hall {
			place = of.ID
		}
		d.begin(
			"submission", "member", "rosterName", "email", "label", "status", "submittedAt", "late", "mark", "total", "percent",
			"markedAt", "feedback", "linkChangedAt",
		)
	}, func(found []service.NamedResult) error {
		if d.codes {
			slices.SortFunc(found, func(a, b service.NamedResult) int { return strings.Compare(a.ID, b.ID) })
		}
		for _, r := range found {
			who := append(o.person(d, place, r.Submitter, r.RosterName, addresses), label(d, r.Label))
			if err := d.out.Row(slices.Concat([]string{r.ID}, who, resultCells(d, a, r))...); err != nil {
				return err
			}
		}
		return nil
	})
}

func resultCells(d *download, a studycircle.Assignment, r service.NamedResult) []string {
	total := r.Marks
	cells := []string{
		string(r.Status), timeCell(d, a, r.SubmittedAt), strconv.FormatBool(r.Late), "", strconv.FormatInt(total, 10), "",
		"", "", "",
	}
	if r.LinkLate {
		cells[8] = timeCell(d, a, r.LinkChangedAt)
	}
	if g := r.Grade; g != nil {
		of := studycircle.Obtained{Mark: g.Mark, Total: total}
		percent := of.Percent()
		cells[3], cells[5], cells[6] = strconv.FormatInt(g.Mark, 10), percentCell(&percent), timeCell(d, a, g.MarkedAt)
		if !d.codes { // a feedback may name its reader
			cells[7] = csvfile.Text(g.Feedback)
		}
	}
	return cells
}

// timeCell returns a time, and only its day where a time could tell who someone is: in a file with codes, and where
// several people review.
func timeCell(d *download, a studycircle.Assignment, at time.Time) string {
	if d.codes || a.Reviews > 0 {
		return at.UTC().Format(time.DateOnly)
	}
	return at.UTC().Format(time.RFC3339)
}

var reviewColumns = []string{"assignment", "submission", "reviewer", "mark", "total"}

func (o *operations) reviewsFile(ctx context.Context, d *download, in *fileInput) error {
	return o.Service.EachReviews(
		ctx, viewer(ctx).User, in.ID, func() { d.begin(slices.Clone(reviewColumns)...) }, o.reviewRows(d),
	)
}

func (o *operations) circleReviewsFile(ctx context.Context, d *download, in *fileInput) error {
	return o.Service.EachReviewsIn(
		ctx, viewer(ctx).User, in.ID, func() { d.begin(slices.Clone(reviewColumns)...) }, o.reviewRows(d),
	)
}

// reviewRows writes the reviews of a submission to a file that has begun when they come.
func (o *operations) reviewRows(d *download) func([]studycircle.ReleasedReview) error {
	return func(reviews []studycircle.ReleasedReview) error { return o.writeReviews(d.out, reviews) }
}

// writeReviews writes the reviews of a submission in the order of their reviewers' codes, which tells nothing.
func (o *operations) writeReviews(out *csvfile.Writer, reviews []studycircle.ReleasedReview) error {
	rows := make([][]string, len(reviews))
	for i, r := range reviews {
		rows[i] = []string{
			r.AssignmentID, r.SubmissionID, o.Identity.ReviewerCode(r.AssignmentID, r.Reviewer), strconv.FormatInt(r.Mark, 10),
			strconv.FormatInt(r.Total, 10),
		}
	}
	slices.SortFunc(rows, slices.Compare)
	for _, row := range rows {
		if err := out.Row(row...); err != nil {
			return err
		}
	}
	return nil
}
