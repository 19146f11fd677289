package api

import (
	"context"
	"html/template"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/encode"
	"studycircle/internal/markdown"
	"studycircle/internal/service"
)

// ServerOwned are fields that clients may send and the server ignores.
type ServerOwned struct {
	CreatorEmail    any `json:"creatorEmail,omitempty" deprecated:"true" doc:"Ignored."`
	CreatorName     any `json:"creatorName,omitempty" deprecated:"true" doc:"Ignored."`
	SubmittedBy     any `json:"submittedBy,omitempty" deprecated:"true" doc:"Ignored."`
	AssignmentTitle any `json:"assignmentTitle,omitempty" deprecated:"true" doc:"Ignored."`
	Status          any `json:"status,omitempty" deprecated:"true" doc:"Ignored."`
	SubmittedAt     any `json:"submittedAt,omitempty" deprecated:"true" doc:"Ignored."`
	MarkedAt        any `json:"markedAt,omitempty" deprecated:"true" doc:"Ignored."`
	GivenMark       any `json:"givenMark,omitempty" deprecated:"true" doc:"Ignored."`
}

// Assignment is an assignment as all clients see it.
type Assignment struct {
	ID           string         `json:"_id"`
	Title        string         `json:"title"`
	Description  string         `json:"description"`
	Excerpt      string         `json:"excerpt,omitempty" doc:"The beginning of the description as plain text on one line, in a list's first entry on its first page."`
	Format       string         `json:"format" enum:"plain,markdown" doc:"The description's format. New text is Markdown."`
	HTML         template.HTML  `json:"html,omitempty" doc:"The description as safe HTML, if it is Markdown. Lists leave it out."`
	Partial      bool           `json:"partial,omitzero" doc:"In a list with very long texts: description is only its beginning, and the rubric is left out. GET /api/assignment/{id} has all."`
	Thumbnail    string         `json:"thumbnail"`
	Marks        int64          `json:"marks"`
	Level        string         `json:"level" enum:"easy,medium,hard"`
	DueDate      string         `json:"dueDate" doc:"RFC 3339 with the offset it was given in."`
	Extended     bool           `json:"extended,omitzero" doc:"You have extra time: dueDate is yours alone."`
	LateLinks    bool           `json:"lateLinks,omitzero" doc:"A submission whose link is changed after the due date is late."`
	CircleID     *string        `json:"circleId" nullable:"true" doc:"null if it is public."`
	CircleName   *string        `json:"circleName" nullable:"true" doc:"null if it is public."`
	Mine         bool           `json:"mine,omitzero" doc:"In a circle: you created it."`
	May          *AssignmentMay `json:"may,omitempty" doc:"In a circle: what you may do with it."`
	CreatorEmail *string        `json:"creatorEmail" nullable:"true" doc:"'unknown' once the account is gone; in a circle null, except to its organizers."`
	CreatorName  string         `json:"creatorName" doc:"'Anonymous' once the account is gone."`
	// Absent if one grade is the mark.
	ReviewsNeeded int64               `json:"reviewsNeeded,omitzero" doc:"The number of reviews each submission needs; absent if one grade is the mark."`
	MarkBy        string              `json:"markBy,omitempty" enum:"model,average,median" doc:"The way from the reviews to the mark; absent if one grade is the mark."`
	Rubric        *studycircle.Rubric `json:"rubric,omitempty" doc:"By which criteria submissions are reviewed."`
	ReviewsOwed   int64               `json:"reviewsOwed,omitzero" doc:"How many reviews each submitter owes; absent if one grade is the mark."`
	ReviewDueDate string              `json:"reviewDueDate,omitempty" doc:"By when they are to give them: RFC 3339 with the offset it was given in; absent if there is no such date."`
	CreatedAt     time.Time           `json:"createdAt"`
	UpdatedAt     time.Time           `json:"updatedAt"`
}

// AssignmentMay lists what a member may do with an assignment of a circle: the server accepts everything that is true
// here.
type AssignmentMay struct {
	Change bool `json:"change" doc:"Update and delete it."`
	Take   bool `json:"take" doc:"Hand in for it, and ask for a reminder."`
	Decide bool `json:"decide" doc:"Decide about its submissions, exemplars and discussion."`
}

// Place names the circle of a row in a list that mixes places.
type Place struct {
	CircleID   string `json:"circleId,omitempty" doc:"Absent for public work, and for work in a circle that you have left."`
	CircleName string `json:"circleName,omitempty" doc:"Absent like circleId."`
}

func placeOf(circleID string, circles studycircle.OwnCircles) Place {
	in := circles[circleID]
	return Place{CircleID: in.ID, CircleName: in.Name}
}

// linked returns the id of an assignment, "" in a circle that the viewer has left.
func linked(assignmentID, circleID string, circles studycircle.OwnCircles) string {
	if circleID != circles[circleID].ID {
		return ""
	}
	return assignmentID
}

// leftTitle replaces the title of an assignment in the reviews that a viewer gave in a circle and then left it.
const leftTitle = "In a circle that you have left"

// titled returns the title of an assignment that the viewer reviewed.
func titled(title, circleID string, circles studycircle.OwnCircles) string {
	if circleID != circles[circleID].ID {
		return leftTitle
	}
	return title
}

// address returns an email address, null to users who may not see those of a place.
func address(email, circleID string, circles studycircle.OwnCircles) *string {
	if studycircle.MaySeeAddresses(circles[circleID], circleID) != nil {
		return nil
	}
	email = shown(email)
	return &email
}

// shown returns an address, or what stands in place of that of a person who is shown as imported.
func shown(email string) string {
	if studycircle.IsImportedEmail(email) {
		return studycircle.NobodyEmail
	}
	return email
}

// circlesOf returns the circles of a viewer by which rows are mapped; none if no row belongs to one.
func circlesOf[T any](
	ctx context.Context, s *service.Service, who studycircle.User, rows []T, circleID func(*T) string,
) (studycircle.OwnCircles, error) {
	for i := range rows {
		if circleID(&rows[i]) != studycircle.Hall {
			return s.OwnCircles(ctx, who)
		}
	}
	return studycircle.OwnCircles{}, nil
}

func circleOfAssignment(a *studycircle.Assignment) string { return a.CircleID }

func circleOfSubmission(s *studycircle.Submission) string { return s.CircleID }

// AssignmentOf maps an assignment to its resource for the member of some circles; nil for the hall's.
func AssignmentOf(a studycircle.Assignment, circles studycircle.OwnCircles) Assignment {
	email, name := creator(a)
	out := Assignment{
		ID: a.ID, Title: a.Title, Description: a.Description, Format: string(studycircle.FormatOf(a.HTML)),
		HTML: rendered(a.HTML), Partial: a.Partial,
		Thumbnail: a.Thumbnail, Marks: a.Marks, Level: string(a.Level), DueDate: a.Due.String(),
		Extended: a.Extended, LateLinks: a.LateLinks,
		CreatorEmail: address(email, a.CircleID, circles), CreatorName: name,
		ReviewsNeeded: a.Reviews, Rubric: rubricOf(a.Rubric), ReviewsOwed: a.OwedEach(), ReviewDueDate: reviewDueOf(a),
		CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
	if a.Reviews > 0 {
		out.MarkBy = string(a.MarkBy)
	}
	if in := circles[a.CircleID]; in.ID != "" {
		may := AssignmentMay(studycircle.AssignmentActions(in.Mine.UserID, in, a))
		out.CircleID, out.CircleName, out.May, out.Mine = &in.ID, &in.Name, &may, a.Creator.UserID == in.Mine.UserID
	}
	return out
}

func reviewDueOf(a studycircle.Assignment) string {
	if a.ReviewDue.IsZero() {
		return ""
	}
	return a.ReviewDue.String()
}

// creator returns the names that a's creator is shown by.
func creator(a studycircle.Assignment) (email, name string) {
	if a.Creator.Email == "" {
		return studycircle.NobodyEmail, studycircle.NobodyName
	}
	return a.Creator.Email, a.Creator.DisplayName
}

// AssignmentList is a page of assignments.
type AssignmentList struct {
	Data       []Assignment `json:"data"`
	Pagination Pagination   `json:"pagination"`
}

// Pagination describes a page within its list.
type Pagination struct {
	Page       int64 `json:"page"`
	Limit      int64 `json:"limit"`
	Total      int64 `json:"total" doc:"How many there are. A search stops counting at 10,000."`
	TotalPages int64 `json:"totalPages" doc:"0 when there is nothing at all."`
}

func paginationOf(p studycircle.Page, total int64) Pagination {
	return Pagination{Page: p.Number, Limit: p.Limit, Total: total, TotalPages: p.Pages(total)}
}

// AssignmentListOf maps a page of assignments for the member of some circles.
func AssignmentListOf(
	found []studycircle.Assignment, total int64, p studycircle.Page, circles studycircle.OwnCircles,
) AssignmentList {
	list := AssignmentList{
		Data:       make([]Assignment, len(found)),
		Pagination: paginationOf(p, total),
	}
	for i, a := range found {
		list.Data[i] = AssignmentOf(a, circles)
	}
	if p.Number == 1 && len(found) > 0 {
		list.Data[0].Excerpt = Excerpt(found[0], leadExcerpt)
	}
	return list
}

// leadExcerpt is how many characters of its description the first card of a list shows.
const leadExcerpt = 280

// Excerpt returns the beginning of an assignment's description, without Markdown's marks, on one line of at most n code
// points.
func Excerpt(a studycircle.Assignment, n int) string {
	return beginning(a.Description, a.HTML, n)
}

// beginning returns the first n characters of a text, of which html is the rendering, as plain text on one line.
func beginning(text, html string, n int) string {
	if studycircle.FormatOf(html) == studycircle.Markdown {
		text = markdown.Plain(text)
	}
	text = strings.Join(strings.Fields(studycircle.StripBidiControls(text)), " ")
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	return strings.TrimSpace(string(runes[:n-1])) + "…"
}

// AssignmentFields are the fields that a creator sends.
type AssignmentFields struct {
	Title       string `json:"title" doc:"1 to 200 characters."`
	Description string `json:"description" doc:"Markdown, 1 to 10,000 characters."`
	Thumbnail   string `json:"thumbnail" doc:"An http or https address of a picture, up to 2,048 characters."`
	Marks       whole  `json:"marks" doc:"1 to 1,000."`
	DueDate     string `json:"dueDate" doc:"RFC 3339, the offset is kept; or YYYY-MM-DD, the end of that day in UTC. Not more than 24 hours in the past."`

	ReviewsNeeded *whole  `json:"reviewsNeeded,omitempty" doc:"1 to 5; absent: as it was, 1 at first. Fixed once something was handed in."`
	MarkBy        *string `json:"markBy,omitempty" enum:"model,average,median" doc:"From two reviews on, the way to the mark; absent: as it was, model at first. Fixed once something was handed in."`
	ReviewDueDate *string `json:"reviewDueDate,omitempty" doc:"From two reviews on, a date like dueDate and after it; absent: as it was, none at first; the empty text removes it."`
	ReviewsOwed   *whole  `json:"reviewsOwed,omitempty" doc:"From two reviews on, 1 to 20; absent: as it was, at first as many as each submission gets."`
	LateLinks     *bool   `json:"lateLinks,omitempty" doc:"A submission whose link is changed after the due date is late; absent: as it was, false at first."`
	ServerOwned
}

func (f AssignmentFields) input(level string, r *rubric) studycircle.AssignmentInput {
	return studycircle.AssignmentInput{
		Title: f.Title, Description: f.Description, Thumbnail: f.Thumbnail,
		Marks: int64(f.Marks), Level: studycircle.Level(level), DueDate: f.DueDate,
		Reviews: (*int64)(f.ReviewsNeeded), Rubric: (*studycircle.Rubric)(r), MarkBy: (*studycircle.MarkBy)(f.MarkBy),
		ReviewDueDate: f.ReviewDueDate, ReviewsOwed: (*int64)(f.ReviewsOwed), LateLinks: f.LateLinks,
	}
}

type createAssignmentInput struct {
	Body struct {
		Level  string  `json:"level,omitempty" enum:"easy,medium,hard" doc:"easy if absent."`
		Rubric *rubric `json:"rubric,omitempty" doc:"From two reviews on; the highest levels add up to the marks."`
		// CircleID never changes afterwards.
		CircleID *string `json:"circleId,omitempty" nullable:"true" doc:"A circle of yours, for its members only; absent or null for everyone. It never changes."`
		AssignmentFields
	}
}

type updateAssignmentInput struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"An ETag: the update is refused if the assignment has changed since."`
	Body    struct {
		Level    string       `json:"level" enum:"easy,medium,hard"`
		CircleID *string      `json:"circleId,omitempty" nullable:"true" deprecated:"true" doc:"Ignored: it never changes."`
		Rubric   rubricChange `json:"rubric,omitzero" doc:"From two reviews on; the highest levels add up to the marks. Absent: as it was; null: none any longer. Fixed once something was handed in."`
		AssignmentFields
	}
}

func (in *updateAssignmentInput) input() studycircle.AssignmentInput {
	out := in.Body.input(in.Body.Level, in.Body.Rubric.to)
	out.NoRubric = in.Body.Rubric.none
	return out
}

type copyAssignmentInput struct {
	ID   string `path:"id"`
	Body struct {
		DueDate   string  `json:"dueDate" doc:"The copy's: RFC 3339, the offset is kept; or YYYY-MM-DD, the end of that day in UTC. Not more than 24 hours in the past. A review due date stays as many days behind it."`
		Circle    *string `json:"circle,omitempty" nullable:"true" doc:"A circle of yours, for its members only; absent or null for everyone. It never changes."`
		Exemplars bool    `json:"exemplars,omitempty" doc:"With the exemplars."`
	}
}

type byID struct {
	ID string `path:"id"`
}

// Inserted answers a create.
type Inserted struct {
	InsertedID string `json:"insertedId"`
}

// Modified answers a change.
type Modified struct {
	ModifiedCount int `json:"modifiedCount" doc:"0 where nothing changed."`
}

// Matched answers an update.
type Matched struct {
	MatchedCount  int `json:"matchedCount"`
	ModifiedCount int `json:"modifiedCount" doc:"0 where nothing changed."`
}

// Deleted answers a delete.
type Deleted struct {
	DeletedCount int `json:"deletedCount"`
}

type insertedAnswer struct {
	Location string `header:"Location"`
	Body     Inserted
}

func inserted(location, id string) *insertedAnswer {
	return &insertedAnswer{Location: location + id, Body: Inserted{InsertedID: id}}
}

func (o *operations) registerAssignments(r *router) {
	const tags = tag("Assignments")
	operation(r, signedIn, created(tags.op("create-assignment", "POST /api/assignments",
		"Publish an assignment", 401, 403, 404, 409, 422, 429)),
		o.createAssignment)
	operation(r, signedIn, created(tags.op("copy-assignment", "POST /api/assignment/{id}/copy",
		"Publish a copy of your assignment, or of one in a circle that you organize", 401, 403, 404, 409, 422, 429)),
		func(ctx context.Context, in *copyAssignmentInput) (*insertedAnswer, error) {
			id, err := o.Service.CopyAssignment(ctx, viewer(ctx).User, in.ID, studycircle.CopyInput{
				DueDate: in.Body.DueDate, CircleID: circleOf(in.Body.Circle), Exemplars: in.Body.Exemplars,
			})
			return inserted("/api/assignment/", id), err
		})
	operation(r, signedIn, tags.op("update-assignment", "PUT /api/assignment/{id}",
		"Update your assignment", 401, 403, 404, 409, 412, 422),
		func(ctx context.Context, in *updateAssignmentInput) (*Matched, error) {
			changed, err := o.Service.UpdateAssignment(ctx, viewer(ctx).User, in.ID, in.input(), ifMatch(in.IfMatch))
			return &Matched{MatchedCount: 1, ModifiedCount: count(changed)}, err
		})
	operation(r, signedIn, tags.op("delete-assignment", "DELETE /api/assignment/{id}",
		"Delete your assignment", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*Deleted, error) {
			return &Deleted{DeletedCount: 1}, o.Service.DeleteAssignment(ctx, viewer(ctx).User, in.ID)
		})
}

func (o *operations) createAssignment(ctx context.Context, in *createAssignmentInput) (*insertedAnswer, error) {
	id, err := o.Service.CreateAssignment(
		ctx, viewer(ctx).User, circleOf(in.Body.CircleID), in.Body.input(in.Body.Level, in.Body.Rubric))
	return inserted("/api/assignment/", id), err
}

// circleOf returns the circle that a body names, the hall if it names none.
func circleOf(id *string) string {
	if id == nil {
		return studycircle.Hall
	}
	return *id
}

// ifMatch returns the precondition of an If-Match header (RFC 9110, section 13.1.1).
func ifMatch(header string) service.Precondition {
	return func(in studycircle.OwnCircle, a studycircle.Assignment) error {
		shown := AssignmentOf(a, studycircle.OwnCircles{in.ID: in})
		current, err := encode.Append(nil, &shown)
		if err != nil {
			return err
		}
		if !matches(header, etagOf(current)) {
			return studycircle.Errorf(
				studycircle.CodeChanged, "This assignment has been changed since you opened it. Reload it and try again.",
			)
		}
		return nil
	}
}

// matches reports whether an If-Match header admits content with a tag.
func matches(header, current string) bool {
	if header == "" || strings.TrimSpace(header) == "*" {
		return true
	}
	for tag := range strings.SplitSeq(header, ",") {
		if contentTag(strings.TrimSpace(tag)) == current {
			return true
		}
	}
	return false
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
