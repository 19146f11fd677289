// Package record holds the lines of exported files: JSON objects with the API's field
// names, one a line. It knows the rules, neither the store nor HTTP.
package record

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"studycircle"
	"studycircle/internal/encode"
	"studycircle/internal/grademodel"
	"studycircle/internal/markdown"
)

// The files of an export.
const (
	UsersFile       = "users.jsonl"
	AssignmentsFile = "assignments.jsonl"
	SubmissionsFile = "submissions.jsonl"
)

// User is a line of UsersFile.
type User struct {
	Email       string `json:"email"`
	DisplayName string `json:"displayName"`
	PhotoURL    string `json:"photoURL,omitempty"`
}

// Assignment is a line of AssignmentsFile.
type Assignment struct {
	ID           string    `json:"_id,omitempty"`
	Title        string    `json:"title"`
	Description  string    `json:"description"`
	Format       string    `json:"format,omitempty"` // plain if absent
	HTML         string    `json:"html,omitempty"`   // ignored: it is rendered again
	Thumbnail    string    `json:"thumbnail"`
	Marks        int64     `json:"marks"`
	Level        string    `json:"level"`
	DueDate      string    `json:"dueDate"`
	CreatorEmail string    `json:"creatorEmail,omitempty"`
	CreatorName  string    `json:"creatorName,omitempty"`
	CreatedAt    time.Time `json:"createdAt,omitzero"`
	UpdatedAt    time.Time `json:"updatedAt,omitzero"`

	ReviewsNeeded *int64              `json:"reviewsNeeded,omitempty"` // absent if one grade is the mark
	Rubric        *studycircle.Rubric `json:"rubric,omitempty"`
	MarkBy        *studycircle.MarkBy `json:"markBy,omitempty"` // absent if the grade model makes the marks
	// the version of the grade model; absent for that of new assignments
	Model         string  `json:"model,omitempty"`
	ReviewDueDate *string `json:"reviewDueDate,omitempty"`
	ReviewsOwed   *int64  `json:"reviewsOwed,omitempty"` // absent if as many as each submission gets
	LateLinks     *bool   `json:"lateLinks,omitempty"`   // absent if a later change of the link makes no work late
}

// Submission is a line of SubmissionsFile.
type Submission struct {
	ID              string    `json:"_id,omitempty"`
	AssignmentID    string    `json:"assignmentId,omitempty"`
	AssignmentTitle string    `json:"assignmentTitle,omitempty"`
	SubmittedBy     string    `json:"submittedBy,omitempty"`
	DocsLink        string    `json:"docsLink"`
	Note            string    `json:"note,omitempty"`
	Status          string    `json:"status,omitempty"`
	SubmittedAt     time.Time `json:"submittedAt,omitzero"`
	Late            *bool     `json:"late,omitempty"`
	Marks           int64     `json:"marks,omitempty"`
	GivenMark       *int64    `json:"givenMark,omitempty"`
	Feedback        string    `json:"feedback,omitempty"`
	Format          string    `json:"format,omitempty"` // of the feedback; plain if absent
	HTML            string    `json:"html,omitempty"`   // ignored: it is rendered again
	MarkedAt        time.Time `json:"markedAt,omitzero"`
}

var errID = errors.New("_id: must be 1 to 64 letters, digits, '-' or '_'")

// Parse parses one line strictly: unknown and duplicate names are errors.
func Parse(line []byte, into any) error {
	err := jsonv2.Unmarshal(line, into, jsonv2.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	if semantic, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
		return fmt.Errorf("%s: %w", strings.TrimPrefix(string(semantic.JSONPointer), "/"), semantic.Err)
	}
	return err
}

// The members from which the ids of lines without one are made, in the order in which
// they are hashed. These lists never change: another member would give the lines of
// earlier imports other ids, and importing them again would duplicate everything.
var (
	assignmentIDMembers = []string{
		"_id", "title", "description", "format", "html", "thumbnail", "marks", "level", "dueDate", "creatorEmail",
		"creatorName", "createdAt", "updatedAt", "reviewsNeeded", "rubric",
	}
	submissionIDMembers = []string{
		"_id", "assignmentId", "assignmentTitle", "submittedBy", "docsLink", "note", "status", "submittedAt", "late", "marks",
		"givenMark", "feedback", "format", "html", "markedAt",
	}
)

// contentID is the id of a line without one, made from the named members of its record.
// A member that the record leaves out counts as absent.
func contentID(record any, members []string) (string, error) {
	text, err := encode.Append(nil, record)
	if err != nil {
		return "", err
	}
	var values map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &values); err != nil {
		return "", err
	}
	content := []byte{'{'}
	for _, name := range members {
		value, present := values[name]
		if !present {
			continue
		}
		if len(content) > 1 {
			content = append(content, ',')
		}
		if content, err = jsontext.AppendQuote(content, name); err != nil {
			return "", err
		}
		content = append(append(content, ':'), value...)
	}
	return studycircle.ContentID(append(content, '}')), nil
}

// Noun returns the record as a noun with a new id.
func (r User) Noun(now time.Time) (studycircle.User, error) {
	email := studycircle.NormalizeEmail(r.Email)
	if !studycircle.ValidEmail(email) {
		return studycircle.User{}, fmt.Errorf("email: %q is not an email address", r.Email)
	}
	name := r.DisplayName
	if name == "" {
		name, _, _ = strings.Cut(email, "@")
	}
	profile, err := studycircle.Profile{DisplayName: name, PhotoURL: r.PhotoURL}.Clean()
	if err != nil {
		return studycircle.User{}, err
	}
	return studycircle.User{
		ID: studycircle.NewID(now), Email: email, DisplayName: profile.DisplayName, PhotoURL: profile.PhotoURL,
		CreatedAt: now,
	}, nil
}

// rendered renders a text of a format.
func rendered(text, format string, headings int) (string, error) {
	switch studycircle.Format(format) {
	case "", studycircle.Plain:
		return "", nil
	case studycircle.Markdown:
		return markdown.Render(text, headings).HTML, nil
	}
	return "", fmt.Errorf("format: %q is neither plain nor markdown", format)
}

// Noun returns the record as a noun, with its creator by email address only. Missing
// times are now.
func (r Assignment) Noun(now time.Time) (studycircle.Assignment, error) {
	in, err := studycircle.AssignmentInput{
		Title: r.Title, Description: r.Description, Thumbnail: r.Thumbnail,
		Marks: r.Marks, Level: studycircle.Level(r.Level), DueDate: r.DueDate, Reviews: r.ReviewsNeeded, Rubric: r.Rubric,
		MarkBy: r.MarkBy, ReviewDueDate: r.ReviewDueDate, ReviewsOwed: r.ReviewsOwed,
		LateLinks: r.LateLinks,
	}.Clean()
	if err == nil {
		in.HTML, err = rendered(in.Description, r.Format, 2)
	}
	if err != nil {
		return studycircle.Assignment{}, err
	}
	id := r.ID
	if id == "" {
		if id, err = contentID(r, assignmentIDMembers); err != nil {
			return studycircle.Assignment{}, err
		}
	}
	if !studycircle.ValidID(id) {
		return studycircle.Assignment{}, errID
	}
	created := OrNow(r.CreatedAt, now)
	a, _ := studycircle.Assignment{
		ID: id, CreatedAt: created, UpdatedAt: later(OrNow(cmp.Or(r.UpdatedAt, created), now), created),
		Creator: studycircle.Person{Email: knownEmail(r.CreatorEmail), DisplayName: r.CreatorName},
		Model:   cmp.Or(r.Model, grademodel.Present),
	}.Apply(in)
	if !grademodel.IsVersion(a.Model) {
		return studycircle.Assignment{}, fmt.Errorf("model: this server does not know version %q of the grade model", a.Model)
	}
	return a, a.CheckReviewing()
}

// knownEmail returns "" for the placeholder of deleted accounts.
func knownEmail(s string) string {
	if s = studycircle.NormalizeEmail(s); s == studycircle.NobodyEmail {
		return ""
	}
	return s
}

// OrNow returns a time in UTC with the store's precision, and now if it is zero or in the future.
func OrNow(t, now time.Time) time.Time {
	if t.IsZero() || t.After(now) {
		return now
	}
	return t.UTC().Truncate(time.Microsecond)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Noun returns the record as a noun, given the assignment that it names, if any.
func (r Submission) Noun(of *studycircle.Assignment, now time.Time) (studycircle.Submission, error) {
	in, err := studycircle.SubmissionInput{DocsLink: r.DocsLink, Note: r.Note}.Clean()
	if err != nil {
		return studycircle.Submission{}, err
	}
	id := r.ID
	if id == "" {
		if id, err = contentID(r, submissionIDMembers); err != nil {
			return studycircle.Submission{}, err
		}
	}
	s := studycircle.Submission{
		ID: id, AssignmentTitle: r.AssignmentTitle, Marks: r.Marks,
		Submitter: studycircle.Person{Email: knownEmail(r.SubmittedBy)}, DocsLink: in.DocsLink, Note: in.Note,
		Status: studycircle.Status(r.Status), SubmittedAt: OrNow(r.SubmittedAt, now),
	}
	if s.Status == "" {
		s.Status = studycircle.Pending
	}
	if of != nil {
		s.AssignmentID, s.CircleID = of.ID, of.CircleID
		s.AssignmentTitle = cmp.Or(s.AssignmentTitle, of.Title)
		if s.Marks == 0 {
			s.Marks = of.Marks
		}
		s.Late = s.SubmittedAt.After(of.Due.Time())
		if of.Reviews > 0 && s.Status == studycircle.Pending {
			s.Reviews, s.Reviewing = of.Reviews, toReview(s, of)
		}
	}
	if r.Late != nil {
		s.Late = *r.Late
	}
	err = r.complete(&s, now)
	return s, err
}

// toReview returns the state of a pending submission's reviews: none yet.
func toReview(s studycircle.Submission, of *studycircle.Assignment) *studycircle.Reviewing {
	return &studycircle.Reviewing{
		SubmissionID: s.ID, AssignmentID: of.ID, CircleID: of.CircleID,
		Phase:  studycircle.ReviewOpen,
		Needed: of.Reviews, Wanted: of.Reviews, SettleAt: studycircle.SettlesBy(s.SubmittedAt, of.Due),
	}
}

// complete checks the record and adds its grade.
func (r Submission) complete(s *studycircle.Submission, now time.Time) error {
	switch {
	case !studycircle.ValidID(s.ID):
		return errID
	case !s.Status.Valid():
		return fmt.Errorf("status: %q is neither pending nor completed", r.Status)
	case s.AssignmentTitle == "" || s.Marks < 1 || s.Marks > studycircle.MaxMarks:
		return errors.New("assignmentTitle and marks (1 to 1,000) are needed where assignmentId is absent")
	case s.Status == studycircle.Pending && (r.GivenMark != nil || r.Feedback != ""):
		return errors.New("status: a pending submission has no mark and no feedback")
	case s.Status == studycircle.Pending && s.Submitter.Email == "":
		return errors.New("submittedBy: a pending submission needs its submitter")
	case s.Status == studycircle.Pending:
		return nil
	case r.GivenMark == nil:
		return errors.New("givenMark: a completed submission has a mark")
	}
	g, err := studycircle.GradeInput{Mark: *r.GivenMark, Feedback: r.Feedback}.Clean()
	if err == nil {
		err = g.CheckTotal(s.Marks)
	}
	if err != nil {
		return err
	}
	html, err := rendered(g.Feedback, r.Format, 3)
	if err != nil {
		return err
	}
	s.Grade = &studycircle.Grade{
		Mark: g.Mark, Feedback: g.Feedback, HTML: html, MarkedAt: OrNow(cmp.Or(r.MarkedAt, s.SubmittedAt), now),
	}
	return nil
}

// OfAssignment returns an assignment's record.
func OfAssignment(a studycircle.Assignment) Assignment {
	record := Assignment{
		Format: string(studycircle.FormatOf(a.HTML)), ID: a.ID, Title: a.Title, Description: a.Description,
		Thumbnail: a.Thumbnail, Marks: a.Marks,
		Level: string(a.Level), DueDate: a.Due.String(), CreatorEmail: cmp.Or(a.Creator.Email, studycircle.NobodyEmail),
		CreatorName: cmp.Or(a.Creator.DisplayName, studycircle.NobodyName), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
	if a.Reviews > 0 {
		record.ReviewsNeeded, record.Model = &a.Reviews, a.Model
	}
	if a.MarkBy != studycircle.MarkByModel {
		record.MarkBy = &a.MarkBy
	}
	if !a.Rubric.Empty() {
		record.Rubric = &a.Rubric
	}
	if !a.ReviewDue.IsZero() {
		due := a.ReviewDue.String()
		record.ReviewDueDate = &due
	}
	if a.ReviewsOwed > 0 {
		record.ReviewsOwed = &a.ReviewsOwed
	}
	if a.LateLinks {
		record.LateLinks = &a.LateLinks
	}
	return record
}

// OfSubmission returns a submission's record. It omits the id of an assignment that the
// export lacks; the submission has a title and a total of its own.
func OfSubmission(s studycircle.Submission, exported func(assignmentID string) bool) Submission {
	r := Submission{
		ID: s.ID, AssignmentTitle: s.AssignmentTitle, SubmittedBy: s.Submitter.Email, DocsLink: s.DocsLink, Note: s.Note,
		Status: string(s.Status), SubmittedAt: s.SubmittedAt, Late: &s.Late, Marks: s.Marks,
	}
	if exported(s.AssignmentID) {
		r.AssignmentID = s.AssignmentID
	}
	if s.Grade != nil {
		r.GivenMark, r.Feedback, r.MarkedAt = &s.Grade.Mark, s.Grade.Feedback, s.Grade.MarkedAt
		if r.Feedback != "" {
			r.Format = string(studycircle.FormatOf(s.Grade.HTML))
		}
	}
	return r
}
