package api

import (
	"context"
	"fmt"

	"studycircle"
	"studycircle/internal/service"
)

// EnrolledRoster says what a roster has done, or would do.
type EnrolledRoster struct {
	Added     int64         `json:"added" doc:"Users with a verified address who have joined."`
	Invited   int64         `json:"invited" doc:"Addresses that get an invitation by email."`
	Changed   int64         `json:"changed" doc:"Members, and people who are invited, with another role, label or name."`
	Unchanged int64         `json:"unchanged"`
	Refused   []RefusedLine `json:"refused" doc:"While there is one, nothing is changed."`
}

// RefusedLine is a line of a roster that is not carried out.
type RefusedLine struct {
	Line   int64  `json:"line" doc:"From 1, which names the columns."`
	Reason string `json:"reason"`
}

type rosterInput struct {
	ID      string `path:"id"`
	DryRun  string `query:"dryRun" enum:"true,false" doc:"true: only say what would be done."`
	RawBody []byte `contentType:"text/csv" doc:"The columns email, name, role and label, or those of OneRoster's users.csv; at most 10,000 lines."`
}

func (o *operations) registerRosters(r *router) {
	operation(r, signedIn, circles.op(
		"send-roster", "POST /api/circle/{id}/roster",
		"Let the people of a file join: those with a verified address at once, the others by an invitation by email",
		401, 403, 404, 409, 413, 415, 422, 429,
	),
		o.sendRoster)
}

func (o *operations) sendRoster(ctx context.Context, in *rosterInput) (*EnrolledRoster, error) {
	roster, err := service.ReadRoster(in.RawBody)
	if err != nil {
		return nil, err
	}
	does, err := o.Service.EnrollRoster(ctx, viewer(ctx).User, in.ID, roster, in.DryRun == "true")
	if err != nil {
		return nil, err
	}
	if len(does.Refused) > 0 && in.DryRun != "true" {
		return nil, refusedLines(does.Refused)
	}
	out := EnrolledRoster{
		Added: int64(len(does.Added)), Invited: int64(len(does.Invited)),
		Changed:   int64(len(does.Changed) + len(does.Reworded)),
		Unchanged: int64(does.Unchanged), Refused: make([]RefusedLine, len(does.Refused)),
	}
	for i, l := range does.Refused {
		out.Refused[i] = RefusedLine{int64(l.Line), reasonOf(l.Err)}
	}
	return &out, nil
}

// refusedLines returns the error of a file with lines that are refused.
func refusedLines(lines []studycircle.RefusedLine) error {
	r := &refusedParts{message: "Some lines are invalid. Nothing was changed."}
	for _, l := range lines {
		r.faults = append(r.faults, fault{
			location: fmt.Sprintf("body.%d", l.Line), message: reasonOf(l.Err), line: int64(l.Line),
		})
	}
	return r
}
