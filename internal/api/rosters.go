package api

import (
	"context"
	"fmt"
	"slices"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/service"
)

// EnrolledRoster says what a roster has done, or would do.
type EnrolledRoster struct {
	Added     int64           `json:"added" doc:"Users with a verified address of a domain that the operator has named, who have joined."`
	Invited   int64           `json:"invited" doc:"Other addresses: their users get an invitation, now or once they have an account."`
	Changed   int64           `json:"changed" doc:"Members, and people who are invited, with another role, label or name."`
	Unchanged int64           `json:"unchanged"`
	Refused   []RefusedLine   `json:"refused" doc:"While there is one, nothing is changed."`
	Ended     int64           `json:"ended,omitzero" doc:"Memberships of members who are not in the file, if asked for."`
	Missing   *MissingMembers `json:"missing,omitempty" doc:"On a dry run, if members are not in the file."`
	Columns   []RosterColumn  `json:"columns,omitempty" doc:"On a dry run, if no column is known to have the addresses: all of them, 100 at most."`
}

// MissingMembers are the members of a circle who are not in a roster. Organizers and owners are left out.
type MissingMembers struct {
	Total int64           `json:"total"`
	Key   string          `json:"key" doc:"Sent as end, it ends these memberships, unless the members have changed."`
	Data  []MissingMember `json:"data" doc:"1,000 at most, in the order of joining. Of more, no membership ends."`
}

// MissingMember is a member of a circle who is not in a roster.
type MissingMember struct {
	UserID      string `json:"userId"`
	DisplayName string `json:"displayName"`
	Name        string `json:"name,omitempty" doc:"As in the roster before."`
	Email       string `json:"email"`
	Label       string `json:"label,omitempty"`
}

// RosterColumn is a column of a roster.
type RosterColumn struct {
	Heading string `json:"heading"`
	Example string `json:"example,omitempty" doc:"The first text below it."`
	As      string `json:"as,omitempty" doc:"As which column it is read."`
}

// RefusedLine is a line of a roster that is not carried out.
type RefusedLine struct {
	Line   int64  `json:"line" doc:"From 1, which names the columns."`
	Reason string `json:"reason"`
}

type rosterInput struct {
	ID      string `path:"id"`
	DryRun  string `query:"dryRun" enum:"true,false" doc:"true: only say what would be done."`
	Columns string `query:"columns" doc:"Which columns are which, by their headings or numbers: email=Contact,name=#2."`
	End     string `query:"end" doc:"The key of a dry run: ends the memberships of those who are missing."`
	RawBody []byte `contentType:"text/csv" doc:"A table with the columns email, name, role, label, familyName and sourcedId, those of OneRoster's users.csv, or those of lists from Moodle, Canvas, Google, Outlook and Sakai, as spreadsheets write it; at most 10,000 lines."`
}

func (o *operations) registerRosters(r *router) {
	operation(r, signedIn, circles.op(
		"send-roster", "POST /api/circle/{id}/roster",
		"Invite the people of a file; those with a verified address of a domain that the operator has named join at once",
		401, 403, 404, 409, 413, 415, 422, 429,
	),
		o.sendRoster)
}

// check implements checked.
func (in *rosterInput) check(wrong *faults) {
	if _, err := csvfile.Chosen(in.Columns); err != nil || len(in.Columns) > maxColumnsChosen {
		wrong.add("query.columns", "Columns are chosen as email=Contact,name=#2.")
	}
}

// maxColumnsChosen bounds the choice of columns.
const maxColumnsChosen = 2_000

func (o *operations) sendRoster(ctx context.Context, in *rosterInput) (*EnrolledRoster, error) {
	chosen, err := csvfile.Chosen(in.Columns)
	if err != nil {
		return nil, err
	}
	roster, err := service.ReadRoster(in.RawBody, chosen)
	if err != nil {
		return nil, err
	}
	how := service.RosterOptions{DryRun: in.DryRun == "true", End: in.End}
	does, err := o.Service.EnrollRoster(ctx, viewer(ctx).User, in.ID, roster, how)
	if err != nil {
		return nil, err
	}
	if len(does.Refused) > 0 && !how.DryRun {
		return nil, refusedLines(does.Refused)
	}
	out := EnrolledRoster{
		Added: int64(len(does.Added)), Invited: int64(len(does.Invited)),
		Changed:   int64(len(does.Changed) + len(does.Reworded)),
		Unchanged: int64(does.Unchanged), Refused: make([]RefusedLine, len(does.Refused)), Ended: int64(len(does.Ended)),
	}
	for i, l := range does.Refused {
		out.Refused[i] = RefusedLine{int64(l.Line), reasonOf(l.Err)}
	}
	if how.DryRun {
		out.preview(roster, does.Missing)
	}
	return &out, nil
}

func (out *EnrolledRoster) preview(r studycircle.Roster, missing studycircle.Missing) {
	if len(r.Lines) > 0 && len(missing.All) > 0 {
		out.Missing = &MissingMembers{
			Total: int64(len(missing.All)), Key: missing.Key, Data: make([]MissingMember, len(missing.Some)),
		}
		for i, m := range missing.Some {
			out.Missing.Data[i] = MissingMember{m.UserID, m.Account.DisplayName, m.Name, m.Account.Email, m.Label}
		}
	}
	if !slices.ContainsFunc(r.Columns, func(c studycircle.RosterColumn) bool { return c.As == "email" }) {
		for _, c := range r.Columns {
			out.Columns = append(out.Columns, RosterColumn(c))
		}
	}
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
