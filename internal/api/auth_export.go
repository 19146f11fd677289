package api

import (
	"bufio"
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/encode"
	"studycircle/internal/identity"
)

// GivenGrade is a grade as its grader sees it. The submitter is not part of the grader's
// data.
type GivenGrade struct {
	SubmissionID    string    `json:"submissionId"`
	AssignmentTitle string    `json:"assignmentTitle"`
	Marks           int64     `json:"marks" doc:"The total."`
	GivenMark       int64     `json:"givenMark" doc:"The obtained mark."`
	Feedback        string    `json:"feedback,omitempty"`
	MarkedAt        time.Time `json:"markedAt"`
}

// WrittenComment is a comment as its author sees it.
type WrittenComment struct {
	ID           string     `json:"_id"`
	AssignmentID string     `json:"assignmentId"`
	ParentID     string     `json:"parentId,omitempty" doc:"The comment that begins its thread; absent if it begins one."`
	Text         string     `json:"text" doc:"Markdown."`
	CreatedAt    time.Time  `json:"createdAt"`
	EditedAt     *time.Time `json:"editedAt,omitempty"`
}

// AskedReminder is an assignment that the viewer asked to be reminded of.
type AskedReminder struct {
	AssignmentID string    `json:"assignmentId"`
	AskedAt      time.Time `json:"askedAt"`
}

// ExportedReview is a review as its reviewer sees it, with everything the reviewer wrote.
type ExportedReview struct {
	OwnReview
	Levels   []int64 `json:"levels,omitempty" doc:"Of the rubric's criteria, in their order."`
	Feedback string  `json:"feedback,omitempty" doc:"Markdown."`
}

// GivenReply is a reply to a review, as the submitter who gave it sees it.
type GivenReply struct {
	SubmissionID string `json:"submissionId"`
	Review       string `json:"review" doc:"The review's label."`
	Helpful      bool   `json:"helpful"`
	Reply        string `json:"reply,omitempty"`
}

// MadeAppeal is an appeal as the submitter who made it sees it.
type MadeAppeal struct {
	SubmissionID string `json:"submissionId"`
	Reason       string `json:"reason"`
}

// OwnExemplar is an exemplar as the creator of its assignment sees it.
type OwnExemplar struct {
	AssignmentID string `json:"assignmentId"`
	Exemplar
}

// GivenReaction is a reaction as the user who gave it sees it.
type GivenReaction struct {
	CommentID string               `json:"commentId"`
	Kind      studycircle.Reaction `json:"kind"`
}

// MadeReport is a report as the user who made it sees it.
type MadeReport struct {
	Kind      string    `json:"kind" enum:"comment,assignment,review,submission"`
	SubjectID string    `json:"subjectId"`
	Reason    string    `json:"reason"`
	CreatedAt time.Time `json:"createdAt"`
}

// Membership is a user's membership in a circle, as that user sees it.
type Membership struct {
	CircleID string    `json:"circleId"`
	Name     string    `json:"name" doc:"The circle's."`
	Role     string    `json:"role" enum:"owner,organizer,member"`
	Label    string    `json:"label,omitempty"`
	Roster   string    `json:"rosterName,omitempty" doc:"The user's name in the roster."`
	JoinedAt time.Time `json:"joinedAt"`
}

// MadeInvitation is an invitation as the user who made it sees it, without the addresses of others.
type MadeInvitation struct {
	ID        string    `json:"_id"`
	CircleID  string    `json:"circleId"`
	Role      string    `json:"role" enum:"organizer,member"`
	Label     string    `json:"label,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// AskedCircle is a circle that the viewer asks to join.
type AskedCircle struct {
	CircleID string    `json:"circleId"`
	AskedAt  time.Time `json:"askedAt"`
}

// exportWithin is how long an export may take.
const exportWithin = 10 * time.Minute

// exportParts are the arrays of an export, in the order they are sent.
var exportParts = []struct {
	name string
	item reflect.Type
}{
	{"providers", reflect.TypeFor[LinkedProvider]()},
	{"passkeys", reflect.TypeFor[Passkey]()},
	{"sessions", reflect.TypeFor[OpenSession]()},
	{"assignments", reflect.TypeFor[Assignment]()},
	{"submissions", reflect.TypeFor[OwnSubmission]()},
	{"grades", reflect.TypeFor[GivenGrade]()},
	{"comments", reflect.TypeFor[WrittenComment]()},
	{"reminders", reflect.TypeFor[AskedReminder]()},
	{"settings", reflect.TypeFor[Settings]()},
	{"notifications", reflect.TypeFor[Notification]()},
	{"reviews", reflect.TypeFor[ExportedReview]()},
	{"replies", reflect.TypeFor[GivenReply]()},
	{"appeals", reflect.TypeFor[MadeAppeal]()},
	{"exemplars", reflect.TypeFor[OwnExemplar]()},
	{"reactions", reflect.TypeFor[GivenReaction]()},
	{"reports", reflect.TypeFor[MadeReport]()},
	{"circles", reflect.TypeFor[Membership]()},
	{"invitations", reflect.TypeFor[MadeInvitation]()},
	{"circleRequests", reflect.TypeFor[AskedCircle]()},
	{"earlierReviews", reflect.TypeFor[EarlierReview]()},
	{"selfAssessments", reflect.TypeFor[OwnAssessment]()},
	{"questions", reflect.TypeFor[AskedQuestion]()},
	{"answers", reflect.TypeFor[GivenAnswer]()},
	{"rubrics", reflect.TypeFor[OwnRubric]()},
	{"phrases", reflect.TypeFor[OwnPhrase]()},
}

func exportSchema(r huma.Registry) *huma.Schema {
	s := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"profile"},
		Properties: map[string]*huma.Schema{"profile": r.Schema(reflect.TypeFor[Account](), true, "")},
	}
	for _, part := range exportParts {
		s.Required = append(s.Required, part.name)
		s.Properties[part.name] = &huma.Schema{Type: huma.TypeArray, Items: r.Schema(part.item, true, "")}
	}
	return s
}

// export streams the viewer's data, so that a hundred thousand assignments take no more
// memory than ten.
func (o *operations) export(ctx context.Context, w http.ResponseWriter, _ *struct{}) error {
	h, session := w.Header(), viewer(ctx)
	circles, err := o.Service.OwnCircles(ctx, session.User)
	if err != nil {
		return err
	}
	h["Content-Type"] = contentJSON
	h.Set("Content-Disposition", `attachment; filename="studycircle-export.json"`)
	e := &exporter{circles: circles, out: bufio.NewWriterSize(w, 32<<10), viewer: session.ID, email: session.User.Email}
	err = o.Identity.Export(ctx, session, e.add)
	if err == nil {
		err = e.finish()
	}
	switch {
	case err == nil:
	case e.part == 0:
		h.Set("Content-Disposition", "inline")
		return err
	default:
		// The status has been sent: a broken connection is the only way to say that data
		// is missing.
		slog.Log(ctx, WarnLevel(ctx), "export broken off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// exporter writes the object; part counts the arrays begun, with the profile as 1.
type exporter struct {
	out           *bufio.Writer
	part          int
	items         int
	viewer, email string
	circles       studycircle.OwnCircles
}

// add writes one value of identity.Export.
func (e *exporter) add(item any) error {
	switch v := item.(type) {
	case studycircle.Account:
		return e.account(v)
	case identity.LinkedProvider:
		return e.item(2, linkedProviderOf(v))
	case studycircle.Passkey:
		return e.item(3, passkeyOf(v))
	case studycircle.OpenSession:
		return e.item(4, openSessionOf(v, e.viewer))
	case studycircle.Assignment:
		return e.item(5, AssignmentOf(v, e.circles))
	case studycircle.Submission:
		v.Submitter.Email = e.email
		return e.item(6, OwnSubmissionOf(v, e.circles))
	case identity.GradedSubmission:
		return e.item(7, givenGradeOf(v.Submission, e.circles))
	case studycircle.Comment:
		return e.item(8, writtenCommentOf(v, e.circles))
	case studycircle.AskedReminder:
		return e.item(9, AskedReminder{AssignmentID: v.AssignmentID, AskedAt: v.AskedAt})
	case studycircle.Preferences:
		return e.item(10, settingsOf(v))
	case studycircle.Notification:
		return e.item(11, NotificationOf(v, e.circles))
	default:
		return e.addReviewing(item)
	}
}

// addReviewing writes the user's reviews, replies, appeals, exemplars, reactions and
// reports.
func (e *exporter) addReviewing(item any) error {
	switch v := item.(type) {
	case studycircle.GivenReview:
		return e.item(12, ExportedReview{OwnReview: ownReviewOf(v, e.circles), Levels: v.Levels, Feedback: v.Feedback})
	case studycircle.ReviewReply:
		return e.item(13, GivenReply{SubmissionID: v.SubmissionID, Review: v.Label, Helpful: v.Helpful, Reply: v.Reply})
	case studycircle.Appeal:
		return e.item(14, MadeAppeal(v))
	case studycircle.Exemplar:
		return e.item(15, OwnExemplar{AssignmentID: v.AssignmentID, Exemplar: exemplarOf(v)})
	case studycircle.GivenReaction:
		return e.item(16, GivenReaction(v))
	case studycircle.Report:
		return e.item(17, MadeReport{Kind: string(v.Subject.Kind), SubjectID: v.Subject.ID, Reason: v.Reason, CreatedAt: v.CreatedAt})
	case studycircle.OwnCircle:
		return e.item(18, Membership{CircleID: v.ID, Name: v.Name, Role: string(v.Mine.Role), Label: v.Mine.Label, Roster: v.Mine.Name, JoinedAt: v.Mine.JoinedAt})
	case studycircle.Invitation:
		return e.item(19, MadeInvitation{v.ID, v.CircleID, string(v.Role), v.Label, v.CreatedAt, v.ExpiresAt})
	case studycircle.AskedCircle:
		return e.item(20, AskedCircle(v))
	default:
		return e.addCraft(item)
	}
}

func (e *exporter) account(a studycircle.Account) error {
	e.part = 1
	if _, err := e.out.WriteString(`{"profile":`); err != nil {
		return err
	}
	return e.write(accountOf(a))
}

func givenGradeOf(s studycircle.Submission, circles studycircle.OwnCircles) GivenGrade {
	g := GivenGrade{SubmissionID: s.ID, AssignmentTitle: titled(s.AssignmentTitle, s.CircleID, circles), Marks: s.Marks}
	if s.Grade != nil {
		g.GivenMark, g.Feedback, g.MarkedAt = s.Grade.Mark, s.Grade.Feedback, s.Grade.MarkedAt
	}
	return g
}

func writtenCommentOf(c studycircle.Comment, circles studycircle.OwnCircles) WrittenComment {
	w := WrittenComment{ID: c.ID, AssignmentID: linked(c.AssignmentID, c.CircleID, circles), ParentID: c.ThreadID, Text: c.Text, CreatedAt: c.CreatedAt}
	if !c.EditedAt.IsZero() {
		w.EditedAt = &c.EditedAt
	}
	return w
}

func (e *exporter) item(part int, v any) error {
	if err := e.begin(part); err != nil {
		return err
	}
	if e.items > 0 {
		if err := e.out.WriteByte(','); err != nil {
			return err
		}
	}
	e.items++
	return e.write(v)
}

// begin closes the arrays before part, empty ones too, and opens part.
func (e *exporter) begin(part int) error {
	for e.part < part {
		text := "],"
		if e.part == 1 {
			text = ","
		}
		if _, err := e.out.WriteString(text + `"` + exportParts[e.part-1].name + `":[`); err != nil {
			return err
		}
		e.part++
		e.items = 0
	}
	return nil
}

func (e *exporter) finish() error {
	if err := e.begin(len(exportParts) + 1); err != nil {
		return err
	}
	if _, err := e.out.WriteString("]}\n"); err != nil {
		return err
	}
	return e.out.Flush()
}

func (e *exporter) write(v any) error {
	text, err := encode.Append(nil, v)
	if err != nil {
		return err
	}
	_, err = e.out.Write(text)
	return err
}
