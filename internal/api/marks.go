package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/service"
)

// MarkColumn is an assignment of a circle's marks.
type MarkColumn struct {
	ID            string `json:"_id"`
	Title         string `json:"title"`
	Marks         int64  `json:"marks" doc:"The total."`
	DueDate       string `json:"dueDate"`
	ReviewDueDate string `json:"reviewDueDate,omitempty"`
	ReviewsOwed   int64  `json:"reviewsOwed,omitzero" doc:"By each submitter; absent if one grade is the mark."`
}

// MarkCell is where a member stands with an assignment.
type MarkCell struct {
	State        string   `json:"state" enum:"mine,open,pending,graded" doc:"The latest attempt's; open if nothing was handed in."`
	GivenMark    *int64   `json:"givenMark,omitempty" doc:"The mark that counts, of the best graded attempt; absent without one."`
	Marks        *int64   `json:"marks,omitempty" doc:"Its total."`
	Percent      *float64 `json:"percent,omitempty" doc:"One decimal."`
	Late         bool     `json:"late,omitzero" doc:"The attempt that counts was handed in after the due date."`
	ReviewsGiven *int64   `json:"reviewsGiven,omitempty" doc:"Of those owed; absent if the member owes none. While a submission is open, those of today are left out."`
	ReviewsOwed  *int64   `json:"reviewsOwed,omitempty"`
}

// Accuracy says how close reviews of exemplars come to the known marks.
type Accuracy struct {
	Reviews int64   `json:"reviews" doc:"Of exemplars, without those of today."`
	Percent float64 `json:"percent" doc:"100 less the average distance in percent of the total; one decimal."`
}

func accuracyOf(a studycircle.Accuracy) *Accuracy {
	if a.Reviews == 0 {
		return nil
	}
	return &Accuracy{a.Reviews, a.Percent()}
}

// MarkRow is a member with a cell for each assignment.
type MarkRow struct {
	UserID      string     `json:"userId"`
	DisplayName string     `json:"displayName"`
	PhotoURL    string     `json:"photoURL,omitempty"`
	Email       *string    `json:"email" nullable:"true" doc:"null except to organizers."`
	Name        string     `json:"name,omitempty" doc:"As in the roster."`
	Label       string     `json:"label,omitempty"`
	Role        string     `json:"role" enum:"owner,organizer,member"`
	Accuracy    *Accuracy  `json:"accuracy,omitempty" doc:"To organizers, if the circle counts it and there are reviews."`
	Cells       []MarkCell `json:"cells" doc:"In the order of assignments."`
}

// CircleMarks is a page of a circle's marks.
type CircleMarks struct {
	Assignments []MarkColumn `json:"assignments" doc:"Newest first, 100 at most; the file has all."`
	Data        []MarkRow    `json:"data" doc:"Members in the order of joining, unless sort says otherwise."`
	Pagination  Pagination   `json:"pagination"`
}

func markColumnOf(c studycircle.MarkColumn) MarkColumn {
	return MarkColumn{
		ID: c.ID, Title: c.Title, Marks: c.Marks, DueDate: c.Due.String(),
		ReviewDueDate: reviewDueOf(c.Assignment), ReviewsOwed: c.OwedEach(),
	}
}

func markRowOf(m service.Marks, r studycircle.MarkRow) MarkRow {
	out := MarkRow{
		UserID: r.UserID, DisplayName: r.Account.DisplayName, PhotoURL: r.Account.PhotoURL, Name: r.Name, Label: r.Label,
		Role:     string(r.Role),
		Email:    address(r.Account.Email, m.Circle.ID, studycircle.OwnCircles{m.Circle.ID: m.Circle}),
		Accuracy: accuracyOf(r.Accuracy), Cells: make([]MarkCell, len(r.Cells)),
	}
	for i, cell := range r.Cells {
		out.Cells[i] = markCellOf(m.Columns[i], r, cell)
	}
	return out
}

func markCellOf(c studycircle.MarkColumn, r studycircle.MarkRow, cell studycircle.MarkCell) MarkCell {
	out := MarkCell{State: string(cell.State), Late: cell.Late}
	if c.Creator.UserID == r.UserID {
		out.State = string(studycircle.StateMine)
	}
	if cell.Best != nil {
		percent := cell.Best.Percent()
		out.GivenMark, out.Marks, out.Percent = &cell.Best.Mark, &cell.Best.Total, &percent
	}
	if owed := cell.Duty.Owed(); owed > 0 {
		out.ReviewsGiven, out.ReviewsOwed = &cell.Duty.Given, &owed
	}
	return out
}

// check implements checked.
func (in *listMarksInput) check(wrong *faults) { checkSought("label", "label", in.Label, wrong) }

type listMarksInput struct {
	CirclePageInput
	Label string `query:"label" doc:"Members with this label."`
	Sort  string `query:"sort" enum:"name,family" doc:"By name or by family name, as in the roster where it has them; by default in the order of joining."`
}

func (o *operations) registerMarks(r *router) {
	operation(r, signedIn, circles.op(
		"list-marks", "GET /api/circle/{id}/marks", "List the members of a circle with their marks", 401, 403, 404, 422,
	),
		func(ctx context.Context, in *listMarksInput) (*private[CircleMarks], error) {
			m, rows, total, err := o.Service.Marks(
				ctx, viewer(ctx).User, in.ID,
				studycircle.MemberFilter{Label: in.Label, Order: studycircle.MemberOrder(in.Sort)}, in.page(),
			)
			out := CircleMarks{
				Assignments: make([]MarkColumn, len(m.Columns)), Data: make([]MarkRow, len(rows)),
				Pagination: paginationOf(in.page(), total),
			}
			for i, c := range m.Columns {
				out.Assignments[i] = markColumnOf(c)
			}
			for i, row := range rows {
				out.Data[i] = markRowOf(m, row)
			}
			return &private[CircleMarks]{out}, err
		})
	file := func(id, path, summary string, send func(context.Context, *download, *FileInput) error) {
		operation(r, signedIn, fileOp(id, path, summary), streamed(func(
			ctx context.Context, w http.ResponseWriter, in *FileInput,
		) error {
			return sendFile(ctx, w, in, id, func(ctx context.Context, d *download) error { return send(ctx, d, in) })
		}), within(exportWithin))
	}
	const marks = "download-marks"
	operation(r, signedIn, fileOp(marks, "/api/circle/{id}/marks.csv", "Download the marks of a circle"), streamed(func(
		ctx context.Context, w http.ResponseWriter, in *marksFileInput,
	) error {
		return sendFile(ctx, w, &in.FileInput, marks, func(ctx context.Context, d *download) error {
			return o.marksFile(ctx, d, in)
		})
	}), within(exportWithin))
	file(
		"download-members", "/api/circle/{id}/members.csv", "Download the members of a circle as a roster", o.membersFile,
	)
	file(
		"download-circle-reviews", "/api/circle/{id}/reviews.csv",
		"Download the reviews of all settled submissions in a circle, as grade-model reads them", o.circleReviewsFile,
	)
	file("download-results", "/api/assignment/{id}/results.csv", "Download the results of your assignment", o.resultsFile)
	file(
		"download-reviews", "/api/assignment/{id}/reviews.csv",
		"Download the reviews of all settled submissions for your assignment, as grade-model reads them", o.reviewsFile,
	)
}

// fileOp describes a file of comma-separated values.
func fileOp(id, path, summary string) huma.Operation {
	described := circles.op(id, "GET "+path, summary, 401, 403, 404, 422)
	described.Responses = map[string]*huma.Response{"200": {
		Description: "Comma-separated values, RFC 4180. The connection breaks if the file cannot be completed.",
		Content:     map[string]*huma.MediaType{contentCSV: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	return described
}
