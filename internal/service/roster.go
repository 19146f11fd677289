package service

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// rosterLimit is the most invitations by roster of one user: each use is for invitedAtOnce of them.
var rosterLimit = limit.Window{
	Name: "roster", Max: 100, Per: 24 * time.Hour,
	Message: "You have invited a lot of people within the day. Please try again in %s.",
}

const invitedAtOnce = 200

// EnrollRoster makes the users with verified addresses of a roster members of a circle, invites the others, and changes
// the roles, labels and names of members. It returns what it does, and does nothing if dryRun or if a line is refused.
// ErrNotFound, CodeNotOrganizer, CodeCircleArchived, CodeRateLimited.
func (s *Service) EnrollRoster(
	ctx context.Context, viewer studycircle.User, id string, r studycircle.Roster, dryRun bool,
) (does studycircle.Enrollments, err error) {
	c, err := s.Circle(ctx, viewer, id)
	if err != nil {
		return does, err
	}
	if err := studycircle.MayOrganize(c.Mine, c.Circle); err != nil {
		return does, err // before other accounts are locked
	}
	addresses := make([]string, len(r.Lines))
	for i, l := range r.Lines {
		addresses[i] = l.Email
	}
	accounts, err := s.store.AccountsWith(ctx, s.as(viewer), addresses)
	if err != nil {
		return does, err
	}
	now := s.clock()
	err = s.inCircle(ctx, viewer, id, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle,
	) error {
		known, err := tx.Rostered(ctx, id, addresses)
		if err != nil {
			return err
		}
		owners, err := tx.Owners(ctx, id)
		if err != nil {
			return err
		}
		does = studycircle.Enroll(c.Mine, c.Circle, r, known, owners, now)
		if dryRun || len(does.Refused) > 0 {
			return errPreviewed
		}
		for i := range does.Invited {
			if does.Invited[i].ID == "" {
				does.Invited[i].ID = studycircle.NewID(now)
			}
		}
		for n := 0; n < len(does.Invited); n += invitedAtOnce {
			if err := s.use(ctx, tx, limit.Use{Window: rosterLimit, Subject: viewer.ID, At: now}); err != nil {
				return err
			}
		}
		return tx.Enroll(ctx, id, does)
	}, accounts...)
	if errors.Is(err, errPreviewed) {
		err = nil
	}
	slices.SortFunc(does.Refused, func(a, b studycircle.RefusedLine) int { return a.Line - b.Line })
	return does, err
}

// The names of a roster's columns, in lower case: our own and those of OneRoster's users.csv.
const (
	columnEmail   = "email"
	columnName    = "name"
	columnRole    = "role"
	columnLabel   = "label"
	columnGiven   = "givenname"
	columnFamily  = "familyname"
	columnStatus  = "status"
	columnEnabled = "enableduser"
)

// ReadRoster reads a file of comma-separated values, or with semicolons or tabs as spreadsheets write them. Its first
// line names the columns, in any order: email, name, role and label, or those of OneRoster's users.csv; others are
// ignored. CodeInvalid if there is no column of addresses, or too many lines.
func ReadRoster(file []byte) (r studycircle.Roster, err error) {
	head, _, _ := bytes.Cut(file, []byte("\n"))
	separator := ','
	for _, other := range ";\t" {
		if strings.Count(string(head), string(other)) > strings.Count(string(head), string(separator)) {
			separator = other
		}
	}
	var at map[string]int
	first := map[string]studycircle.RosterLine{}
	for row, err := range csvfile.Rows(bytes.NewReader(file), separator) {
		if wrong, is := errors.AsType[*csvfile.Error](err); is {
			refuse(&r, wrong.Line, studycircle.Errorf(
				studycircle.CodeInvalid, "The quotation marks of this line are wrong. Lines after it are not read.",
			))
			break
		}
		if err != nil {
			return r, err
		}
		if at == nil {
			if at = columnsOf(row.Cells); at == nil {
				return r, wrongFile(row.Line, "The first line must name the columns, one of them email.")
			}
			continue
		}
		if len(r.Lines)+len(r.Refused)+r.Passed == studycircle.MaxRoster {
			return r, wrongFile(row.Line, "A roster has at most 10,000 lines. Send it in parts.")
		}
		readLine(&r, row, at, first)
	}
	if at == nil && len(r.Refused) == 0 {
		return r, wrongFile(1, "The file is empty. Its first line names the columns, one of them email.")
	}
	return r, nil
}

// wrongFile is the error of a file that cannot be read from a line on.
func wrongFile(line int, message string) error {
	return &studycircle.Error{
		Code: studycircle.CodeInvalid, Message: message,
		Fields: []studycircle.FieldError{{Field: strconv.Itoa(line), Message: message}},
	}
}

// columnsOf returns where each column is, nil if none has addresses.
func columnsOf(cells []string) map[string]int {
	at := map[string]int{}
	for i, cell := range cells {
		at[strings.ToLower(strings.TrimSpace(cell))] = i
	}
	if _, there := at[columnEmail]; !there {
		return nil
	}
	return at
}

func readLine(r *studycircle.Roster, row csvfile.Row, at map[string]int, first map[string]studycircle.RosterLine) {
	cell := func(column string) string {
		if i, there := at[column]; there && i < len(row.Cells) {
			return strings.TrimSpace(row.Cells[i])
		}
		return ""
	}
	if strings.TrimSpace(strings.Join(row.Cells, "")) == "" {
		return // a line without any text, as spreadsheets leave them
	}
	line := studycircle.RosterLine{
		Line: row.Line, Email: cell(columnEmail), Role: roleOf(cell(columnRole)), Label: cell(columnLabel),
		Name: orName(cell(columnName), cell(columnGiven)+" "+cell(columnFamily)),
	}
	if !utf8.ValidString(strings.Join(row.Cells, "")) {
		refuse(
			r, row.Line, studycircle.Errorf(studycircle.CodeInvalid, "This line is not in UTF-8. Save the file as CSV UTF-8."),
		)
		return
	}
	if strings.EqualFold(cell(columnStatus), "tobedeleted") || strings.EqualFold(cell(columnEnabled), "false") {
		r.Passed++ // a roster removes no member
		return
	}
	line, err := line.Clean()
	if err != nil {
		refuse(r, line.Line, err)
		return
	}
	before, twice := first[line.Email]
	before.Line = line.Line
	switch {
	case !twice:
		first[line.Email] = line
		r.Lines = append(r.Lines, line)
	case line == before:
		r.Passed++
	default:
		refuse(r, line.Line, studycircle.Errorf(
			studycircle.CodeInvalid, "Line %d has this address, too, with other values.", first[line.Email].Line,
		))
	}
}

func refuse(r *studycircle.Roster, line int, err error) {
	r.Refused = append(r.Refused, studycircle.RefusedLine{Line: line, Err: err})
}

func orName(name, parts string) string {
	if name == "" {
		return strings.TrimSpace(parts)
	}
	return name
}

// roleOf returns the role of a cell: one of ours, or of OneRoster's.
func roleOf(cell string) studycircle.CircleRole {
	switch role := strings.ToLower(cell); role {
	case "student", "aide", "proctor":
		return studycircle.CircleMember
	case "teacher", "administrator":
		return studycircle.CircleOrganizer
	default:
		return studycircle.CircleRole(role)
	}
}
