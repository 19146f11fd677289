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

// FileInput names what a file is about. Only embedded types that are exported are in the document.
type FileInput struct {
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
	ctx context.Context, w http.ResponseWriter, in *FileInput, name string, send func(context.Context, *download) error,
) error {
	d := &download{
		ResponseWriter: w, name: strings.TrimPrefix(name, "download-"), mark: in.BOM == "true", codes: in.Codes == "true",
	}
	err := send(ctx, d)
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
		return []string{csvfile.Text(who.DisplayName), csvfile.Text(rosterName), csvfile.Text(shown(who.Email))}
	default:
		return []string{csvfile.Text(who.DisplayName), csvfile.Text(rosterName), ""}
	}
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

// membersFile is a roster of the members: sending it unchanged changes nothing.
func (o *operations) membersFile(ctx context.Context, d *download, in *FileInput) error {
	columns := len(service.MemberColumns)
	return o.Service.EachMember(ctx, viewer(ctx).User, in.ID, func(keeps bool) {
		if !keeps {
			columns -= 2
		}
		d.begin(slices.Clone(service.MemberColumns[:columns])...)
	}, func(members []studycircle.Member) error {
		for _, m := range members {
			cells := []string{
				csvfile.Text(m.Account.Email), csvfile.Text(m.Name), string(m.Role), csvfile.Text(m.Label),
				csvfile.Text(m.FamilyName), csvfile.Text(m.SourceID),
			}
			if err := d.out.Row(cells[:columns]...); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *operations) resultsFile(ctx context.Context, d *download, in *FileInput) error {
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
	}, func(found []service.Result) error {
		if d.codes {
			slices.SortFunc(found, func(a, b service.Result) int { return strings.Compare(a.ID, b.ID) })
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

func resultCells(d *download, a studycircle.Assignment, r service.Result) []string {
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

func (o *operations) reviewsFile(ctx context.Context, d *download, in *FileInput) error {
	return o.Service.EachReviews(
		ctx, viewer(ctx).User, in.ID, func() { d.begin(slices.Clone(reviewColumns)...) }, o.reviewRows(d),
	)
}

func (o *operations) circleReviewsFile(ctx context.Context, d *download, in *FileInput) error {
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
