package record

import (
	"errors"
	"fmt"
	"time"

	"studycircle"
	"studycircle/internal/markdown"
)

// The files of an exported circle beside AssignmentsFile and SubmissionsFile, in the order
// of an import.
const (
	CircleFile    = "circle.jsonl" // one line
	MembersFile   = "members.jsonl"
	ExemplarsFile = "exemplars.jsonl"
	CommentsFile  = "comments.jsonl"
	// ReviewsFile is for readers: an import leaves it out.
	ReviewsFile = "reviews.csv"
)

// CircleFiles are the files that an import reads.
var CircleFiles = []string{CircleFile, MembersFile, AssignmentsFile, SubmissionsFile, ExemplarsFile, CommentsFile}

// Circle is the line of CircleFile.
type Circle struct {
	ID          string    `json:"_id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"` // Markdown
	Listed      bool      `json:"listed,omitempty"`
	Join        string    `json:"join,omitempty"`
	Publishing  string    `json:"publishing,omitempty"`
	Grading     string    `json:"grading,omitempty"`
	Accuracy    bool      `json:"countsAccuracy,omitempty"`
	CreatedAt   time.Time `json:"createdAt,omitzero"`
	ArchivedAt  time.Time `json:"archivedAt,omitzero"`
}

// commentHeadings is the level of the largest headings in comments.
const commentHeadings = 3

// OfCircle returns a circle's record.
func OfCircle(c studycircle.Circle) Circle {
	return Circle{
		ID: c.ID, Name: c.Name, Description: c.Description, Listed: c.Listed, Join: string(c.Join),
		Publishing: string(c.Publishing), Grading: string(c.Grading),
		Accuracy: c.CountsAccuracy, CreatedAt: c.CreatedAt, ArchivedAt: c.ArchivedAt,
	}
}

// Noun returns the record as a noun. A missing setting is that of a new circle, a missing
// time of creation is now. Accuracy counts from now on.
func (r Circle) Noun(now time.Time) (studycircle.Circle, error) {
	if !studycircle.ValidID(r.ID) {
		return studycircle.Circle{}, errID
	}
	in := studycircle.NewCircle
	in.Name, in.Description, in.Listed = r.Name, r.Description, r.Listed
	if r.Join != "" {
		in.Join = studycircle.Joining(r.Join)
	}
	if r.Publishing != "" {
		in.Publishing = studycircle.Allowed(r.Publishing)
	}
	if r.Grading != "" {
		in.Grading = studycircle.Allowed(r.Grading)
	}
	in.CountsAccuracy = r.Accuracy
	in, err := in.Clean()
	if err != nil {
		return studycircle.Circle{}, err
	}
	c := studycircle.Circle{ID: r.ID, HTML: markdown.Render(in.Description, 2).HTML, CreatedAt: OrNow(r.CreatedAt, now)}
	c.Set(in, now)
	if !r.ArchivedAt.IsZero() {
		c.ArchivedAt = OrNow(r.ArchivedAt, now)
	}
	return c, nil
}

// Member is a line of MembersFile.
type Member struct {
	User
	Role     string    `json:"role"`
	Label    string    `json:"label,omitempty"`
	Name     string    `json:"name,omitempty"` // in the roster
	Family   string    `json:"familyName,omitempty"`
	SourceID string    `json:"sourcedId,omitempty"`
	JoinedAt time.Time `json:"joinedAt,omitzero"`
}

// OfMember returns a member's record.
func OfMember(m studycircle.Member) Member {
	return Member{
		User: User{Email: m.Account.Email, DisplayName: m.Account.DisplayName, PhotoURL: m.Account.PhotoURL},
		Role: string(m.Role), Label: m.Label, Name: m.Name, Family: m.FamilyName, SourceID: m.SourceID,
		JoinedAt: m.JoinedAt,
	}
}

// Noun returns the record as an account with a new id, and the membership.
func (r Member) Noun(now time.Time) (studycircle.User, studycircle.Membership, error) {
	u, err := r.User.Noun(now)
	if err == nil && r.Role == "" {
		err = errors.New("role: must be owner, organizer or member")
	}
	if err != nil {
		return u, studycircle.Membership{}, err
	}
	line, err := studycircle.RosterLine{
		Email: r.Email, Name: r.Name, Role: studycircle.CircleRole(r.Role), Label: r.Label,
		FamilyName: r.Family, SourceID: r.SourceID,
	}.Clean()
	return u, studycircle.Membership{
		UserID: u.ID, Role: line.Role, Label: line.Label, Name: line.Name, FamilyName: line.FamilyName,
		SourceID: line.SourceID, JoinedAt: OrNow(r.JoinedAt, now),
	}, err
}

// Exemplar is a line of ExemplarsFile.
type Exemplar struct {
	ID           string  `json:"_id"`
	AssignmentID string  `json:"assignmentId"`
	DocsLink     string  `json:"docsLink"`
	Note         string  `json:"note,omitempty"`
	Mark         int64   `json:"mark"`
	Reason       string  `json:"reason"`
	Levels       []int64 `json:"levels,omitempty"`
}

// OfExemplar returns an exemplar's record.
func OfExemplar(e studycircle.Exemplar) Exemplar {
	return Exemplar{
		ID: e.ID, AssignmentID: e.AssignmentID, DocsLink: e.DocsLink, Note: e.Note, Mark: e.Mark,
		Reason: e.Reason, Levels: e.Levels,
	}
}

// Noun returns the record as a noun without a place, with a new label. It is checked as far
// as possible without the assignment.
func (r Exemplar) Noun() (studycircle.Exemplar, error) {
	in, err := studycircle.ExemplarInput{
		SubmissionInput: studycircle.SubmissionInput{DocsLink: r.DocsLink, Note: r.Note},
		ExemplarMark:    studycircle.ExemplarMark{Mark: r.Mark, Reason: r.Reason, Levels: r.Levels},
	}.Clean()
	if err == nil && !studycircle.ValidID(r.ID) {
		err = errID
	}
	return studycircle.Exemplar{
		ID: r.ID, AssignmentID: r.AssignmentID, DocsLink: in.DocsLink, Note: in.Note,
		ExemplarMark: in.ExemplarMark,
	}, err
}

// Comment is a line of CommentsFile.
type Comment struct {
	ID           string    `json:"_id"`
	AssignmentID string    `json:"assignmentId"`
	ParentID     string    `json:"parentId,omitempty"` // the comment that begins its thread; absent if it begins one
	AuthorEmail  string    `json:"authorEmail,omitempty"`
	AuthorName   string    `json:"authorName,omitempty"`
	Text         string    `json:"text,omitempty"` // Markdown
	CreatedAt    time.Time `json:"createdAt"`
	EditedAt     time.Time `json:"editedAt,omitzero"`
	DeletedAt    time.Time `json:"deletedAt,omitzero"` // of one that has no text any more, but replies
}

// OfComment returns a comment's record: one that readers do not see has no text and no
// author.
func OfComment(c studycircle.Comment) Comment {
	r := Comment{ID: c.ID, AssignmentID: c.AssignmentID, ParentID: c.ThreadID, CreatedAt: c.CreatedAt}
	if !c.Shows() {
		if r.DeletedAt = c.DeletedAt; r.DeletedAt.IsZero() {
			r.DeletedAt = c.HiddenAt
		}
		return r
	}
	r.AuthorEmail, r.AuthorName, r.Text, r.EditedAt = c.Author.Email, c.Author.DisplayName, c.Text, c.EditedAt
	return r
}

// Noun returns the record as a noun, with its author by email address only.
func (r Comment) Noun(now time.Time) (studycircle.Comment, error) {
	c := studycircle.Comment{
		ID: r.ID, AssignmentID: r.AssignmentID, ThreadID: r.ParentID, CreatedAt: OrNow(r.CreatedAt, now), Listed: true,
		Author: studycircle.Person{Email: knownEmail(r.AuthorEmail), DisplayName: r.AuthorName},
	}
	if !studycircle.ValidID(r.ID) {
		return c, errID
	}
	if !r.DeletedAt.IsZero() {
		if r.Text != "" || r.ParentID != "" {
			return c, errors.New("deletedAt: only a comment that begins a thread and has no text any more is kept once deleted")
		}
		c.DeletedAt = OrNow(r.DeletedAt, now)
		return c, nil
	}
	in, err := studycircle.CommentInput{Text: r.Text, ParentID: r.ParentID}.Clean()
	if err != nil {
		return c, fmt.Errorf("text or parentId: %w", err)
	}
	c.Text, c.HTML = in.Text, markdown.Render(in.Text, commentHeadings).HTML
	if !r.EditedAt.IsZero() {
		c.EditedAt = later(OrNow(r.EditedAt, now), c.CreatedAt)
	}
	return c, nil
}
