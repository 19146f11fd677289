package api

import (
	"bufio"
	"context"
	"io"
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
	CircleID   string    `json:"circleId"`
	Name       string    `json:"name" doc:"The circle's."`
	Role       string    `json:"role" enum:"owner,organizer,member"`
	Label      string    `json:"label,omitempty"`
	Roster     string    `json:"rosterName,omitempty" doc:"The user's name in the roster."`
	FamilyName string    `json:"familyName,omitempty" doc:"As the roster keeps it apart."`
	SourceID   string    `json:"sourcedId,omitempty" doc:"The user's id in the roster."`
	JoinedAt   time.Time `json:"joinedAt"`
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

// EarlierReview is what a review of the viewer's said until they corrected it.
type EarlierReview struct {
	Review   string  `json:"review" doc:"The review's id."`
	N        int64   `json:"n" doc:"From 1, oldest first."`
	Until    string  `json:"until" doc:"YYYY-MM-DD, UTC: when it was corrected."`
	Mark     int64   `json:"mark"`
	Levels   []int64 `json:"levels,omitempty" doc:"Of the rubric's criteria, in their order."`
	Feedback string  `json:"feedback,omitempty" doc:"Markdown."`
}

// OwnAssessment is how the viewer judged their own work.
type OwnAssessment struct {
	SubmissionID string    `json:"submissionId"`
	Levels       []int64   `json:"levels" doc:"Of the rubric's criteria, in their order."`
	At           time.Time `json:"at"`
}

// AskedQuestion is the viewer's question about a submission that they reviewed.
type AskedQuestion struct {
	SubmissionID string    `json:"submissionId"`
	Text         string    `json:"text" doc:"Markdown."`
	AskedAt      time.Time `json:"askedAt"`
}

// GivenAnswer is the viewer's answer to a reviewer's question.
type GivenAnswer struct {
	SubmissionID string    `json:"submissionId"`
	Text         string    `json:"text" doc:"Markdown."`
	AnsweredAt   time.Time `json:"answeredAt"`
}

// OwnRubric is a rubric that the viewer saved.
type OwnRubric struct {
	Name     string                  `json:"name"`
	Criteria []studycircle.Criterion `json:"criteria"`
	CircleID string                  `json:"circleId,omitempty" doc:"Absent if it is the viewer's own."`
	SavedAt  time.Time               `json:"savedAt"`
}

// OwnPhrase is a sentence that the viewer keeps for feedback.
type OwnPhrase struct {
	Text string `json:"text"`
}

// exportWithin is how long an export may take.
const exportWithin = 10 * time.Minute

// exporter makes the export of a user.
type exporter struct {
	identity.Own
	session string
	circles studycircle.OwnCircles
}

// exportPart is an array of an export.
type exportPart struct {
	name string
	item reflect.Type
	each func(ctx context.Context, userID string, add func(item any) error) error
}

// parts are the arrays of an export, in the order they are sent: the only list of them.
func (e *exporter) parts() []exportPart {
	rows, circles := e.Rows, e.circles
	return []exportPart{
		part("providers", these(e.Providers), linkedProviderOf),
		part("passkeys", these(e.Passkeys), passkeyOf),
		part(
			"sessions", these(e.Sessions), func(s studycircle.OpenSession) OpenSession { return openSessionOf(s, e.session) },
		),
		part(
			"assignments", rows.EachAssignmentOf, func(a studycircle.Assignment) Assignment { return AssignmentOf(a, circles) },
		),
		part("submissions", rows.EachSubmissionOf, func(s studycircle.Submission) OwnSubmission {
			s.Submitter.Email = e.Account.Email
			return OwnSubmissionOf(s, circles)
		}),
		part(
			"grades", rows.EachSubmissionGradedBy, func(s studycircle.Submission) GivenGrade { return givenGradeOf(s, circles) },
		),
		part(
			"comments", rows.EachCommentOf, func(c studycircle.Comment) WrittenComment { return writtenCommentOf(c, circles) },
		),
		part("reminders", rows.EachReminderOf, func(r studycircle.AskedReminder) AskedReminder { return AskedReminder(r) }),
		part("settings", once(rows.Preferences), settingsOf),
		part("notifications", rows.EachNotificationOf, func(n studycircle.Notification) Notification {
			return NotificationOf(n, circles)
		}),
		part("reviews", rows.EachReviewBy, func(g studycircle.GivenReview) ExportedReview {
			return ExportedReview{OwnReview: ownReviewOf(g, circles), Levels: g.Levels, Feedback: g.Feedback}
		}),
		part("replies", rows.EachReplyBy, func(r studycircle.ReviewReply) GivenReply {
			return GivenReply{SubmissionID: r.SubmissionID, Review: r.Label, Helpful: r.Helpful, Reply: r.Reply}
		}),
		part("appeals", rows.EachAppealBy, func(a studycircle.Appeal) MadeAppeal { return MadeAppeal(a) }),
		part("exemplars", rows.EachExemplarBy, func(x studycircle.Exemplar) OwnExemplar {
			return OwnExemplar{AssignmentID: x.AssignmentID, Exemplar: exemplarOf(x)}
		}),
		part("reactions", rows.EachReactionBy, func(r studycircle.GivenReaction) GivenReaction { return GivenReaction(r) }),
		part("reports", rows.EachReportBy, func(r studycircle.Report) MadeReport {
			return MadeReport{Kind: string(r.Subject.Kind), SubjectID: r.Subject.ID, Reason: r.Reason, CreatedAt: r.CreatedAt}
		}),
		part("circles", rows.EachMembershipOf, membershipOf),
		part("invitations", rows.EachInvitationBy, func(i studycircle.Invitation) MadeInvitation {
			return MadeInvitation{i.ID, i.CircleID, string(i.Role), i.Label, i.CreatedAt, i.ExpiresAt}
		}),
		part("circleRequests", rows.EachRequestBy, func(a studycircle.AskedCircle) AskedCircle { return AskedCircle(a) }),
		part("earlierReviews", rows.EachReviewVersionBy, earlierReviewOf),
		part("selfAssessments", rows.EachSelfAssessmentBy, func(
			a studycircle.SelfAssessment,
		) OwnAssessment {
			return OwnAssessment(a)
		}),
		part("questions", rows.EachQuestionBy, func(q studycircle.Question) AskedQuestion {
			return AskedQuestion{q.SubmissionID, q.Text, q.AskedAt}
		}),
		part("answers", rows.EachAnswerBy, func(q studycircle.Question) GivenAnswer {
			return GivenAnswer{q.SubmissionID, q.Answer.Text, q.AnsweredAt}
		}),
		part("rubrics", rows.EachSavedRubricBy, func(r studycircle.SavedRubric) OwnRubric {
			return OwnRubric{r.Name, r.Rubric.Criteria, linked(r.CircleID, r.CircleID, circles), r.SavedAt}
		}),
		part("phrases", several(rows.Phrases), func(text string) OwnPhrase { return OwnPhrase{text} }),
	}
}

// each calls f with each N of a user.
type each[N any] = func(ctx context.Context, userID string, f func(N) error) error

// part returns the part of which view makes the items.
func part[N, T any](name string, read each[N], view func(N) T) exportPart {
	return exportPart{name, reflect.TypeFor[T](), func(ctx context.Context, userID string, add func(any) error) error {
		return read(ctx, userID, func(n N) error { return add(view(n)) })
	}}
}

// these are the elements of list.
func these[N any](list []N) each[N] {
	return func(_ context.Context, _ string, f func(N) error) error {
		for _, n := range list {
			if err := f(n); err != nil {
				return err
			}
		}
		return nil
	}
}

// once is the one value that read returns.
func once[N any](read func(ctx context.Context, userID string) (N, error)) each[N] {
	return func(ctx context.Context, userID string, f func(N) error) error {
		n, err := read(ctx, userID)
		if err != nil {
			return err
		}
		return f(n)
	}
}

// several are the elements of the list that read returns.
func several[N any, L ~[]N](read func(ctx context.Context, userID string) (L, error)) each[N] {
	return func(ctx context.Context, userID string, f func(N) error) error {
		list, err := read(ctx, userID)
		if err != nil {
			return err
		}
		return these(list)(ctx, userID, f)
	}
}

func (r *router) exportSchema() *huma.Schema {
	if r.document == nil {
		return nil
	}
	schemas := r.document.Components.Schemas
	s := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"profile"},
		Properties: map[string]*huma.Schema{"profile": schemas.Schema(reflect.TypeFor[Account](), true, "")},
	}
	for _, p := range (&exporter{}).parts() {
		s.Required = append(s.Required, p.name)
		s.Properties[p.name] = &huma.Schema{Type: huma.TypeArray, Items: schemas.Schema(p.item, true, "")}
	}
	return s
}

// export streams the viewer's data, so that a hundred thousand assignments take no more
// memory than ten.
func (o *operations) export(ctx context.Context, w http.ResponseWriter, _ *struct{}) error {
	session := viewer(ctx)
	circles, err := o.Service.OwnCircles(ctx, session.User)
	if err != nil {
		return err
	}
	own, err := o.Identity.Own(ctx, session)
	if err != nil {
		return err
	}
	w.Header()["Content-Type"] = contentJSON
	w.Header().Set("Content-Disposition", `attachment; filename="studycircle-export.json"`)
	if err := (&exporter{own, session.ID, circles}).write(ctx, w); err != nil {
		// The status has been sent: a broken connection is the only way to say that data
		// is missing.
		slog.Log(ctx, WarnLevel(ctx), "export broken off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

func (e *exporter) write(ctx context.Context, to io.Writer) error {
	out := bufio.NewWriterSize(to, 32<<10) // keeps the first error, which Flush returns
	write := func(before string, v any) error {
		text, err := encode.Append([]byte(before), v)
		if err == nil {
			_, err = out.Write(text)
		}
		return err
	}
	if err := write(`{"profile":`, accountOf(e.Account)); err != nil {
		return err
	}
	for _, p := range e.parts() {
		_, _ = out.WriteString(`,"` + p.name + `":[`)
		separator := ""
		err := p.each(ctx, e.Account.ID, func(item any) error {
			err := write(separator, item)
			separator = ","
			return err
		})
		if err != nil {
			return err
		}
		_ = out.WriteByte(']')
	}
	_, _ = out.WriteString("}\n")
	return out.Flush()
}

func membershipOf(c studycircle.OwnCircle) Membership {
	return Membership{
		CircleID: c.ID, Name: c.Name, Role: string(c.Mine.Role), Label: c.Mine.Label, Roster: c.Mine.Name,
		FamilyName: c.Mine.FamilyName, SourceID: c.Mine.SourceID, JoinedAt: c.Mine.JoinedAt,
	}
}

func earlierReviewOf(v studycircle.ReviewVersion) EarlierReview {
	return EarlierReview{
		Review: v.ReviewID, N: v.N, Until: day(v.Until), Mark: v.Mark, Levels: v.Levels, Feedback: v.Feedback,
	}
}

func givenGradeOf(s studycircle.Submission, circles studycircle.OwnCircles) GivenGrade {
	g := GivenGrade{SubmissionID: s.ID, AssignmentTitle: titled(s.AssignmentTitle, s.CircleID, circles), Marks: s.Marks}
	if s.Grade != nil {
		g.GivenMark, g.Feedback, g.MarkedAt = s.Grade.Mark, s.Grade.Feedback, s.Grade.MarkedAt
	}
	return g
}

func writtenCommentOf(c studycircle.Comment, circles studycircle.OwnCircles) WrittenComment {
	w := WrittenComment{
		ID: c.ID, AssignmentID: linked(c.AssignmentID, c.CircleID, circles), ParentID: c.ThreadID,
		Text: c.Text, CreatedAt: c.CreatedAt,
	}
	if !c.EditedAt.IsZero() {
		w.EditedAt = &c.EditedAt
	}
	return w
}
