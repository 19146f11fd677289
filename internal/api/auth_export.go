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

// GivenGrade is a grade to the user who gave it. Whose work it was is not part
// of the grader's data.
type GivenGrade struct {
	SubmissionID    string    `json:"submissionId"`
	AssignmentTitle string    `json:"assignmentTitle"`
	Marks           int64     `json:"marks" doc:"The total."`
	GivenMark       int64     `json:"givenMark" doc:"The obtained mark."`
	Feedback        string    `json:"feedback,omitempty"`
	MarkedAt        time.Time `json:"markedAt"`
}

// WrittenComment is a comment to the user who wrote it.
type WrittenComment struct {
	ID           string     `json:"_id"`
	AssignmentID string     `json:"assignmentId"`
	ParentID     string     `json:"parentId,omitempty" doc:"The comment that begins its thread; absent where it begins one."`
	Text         string     `json:"text" doc:"Markdown."`
	CreatedAt    time.Time  `json:"createdAt"`
	EditedAt     *time.Time `json:"editedAt,omitempty"`
}

// AskedReminder is an assignment that the viewer asked to be reminded of.
type AskedReminder struct {
	AssignmentID string    `json:"assignmentId"`
	AskedAt      time.Time `json:"askedAt"`
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

// export sends the viewer's data while it is read, so that a user with a
// hundred thousand assignments costs no more memory than one with ten.
func (o *operations) export(ctx context.Context, w http.ResponseWriter, _ *struct{}) error {
	h, session := w.Header(), viewer(ctx)
	h["Content-Type"] = contentJSON
	h.Set("Content-Disposition", `attachment; filename="studycircle-export.json"`)
	e := &exporter{out: bufio.NewWriterSize(w, 32<<10), viewer: session.ID, email: session.User.Email}
	err := o.Identity.Export(ctx, session, e)
	if err == nil {
		err = e.finish()
	}
	switch {
	case err == nil:
	case e.part == 0:
		h.Set("Content-Disposition", "inline")
		return err
	default:
		// The status is sent: only a broken connection says that this is not all.
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
}

func (e *exporter) Account(a studycircle.Account) error {
	e.part = 1
	if _, err := e.out.WriteString(`{"profile":`); err != nil {
		return err
	}
	return e.write(accountOf(a))
}

func (e *exporter) Provider(p identity.LinkedProvider) error { return e.item(2, linkedProviderOf(p)) }

func (e *exporter) Passkey(k studycircle.Passkey) error { return e.item(3, passkeyOf(k)) }

func (e *exporter) Session(s identity.OpenSession) error {
	return e.item(4, openSessionOf(s, e.viewer))
}

func (e *exporter) Assignment(a studycircle.Assignment) error { return e.item(5, AssignmentOf(a)) }

func (e *exporter) Submission(s studycircle.Submission) error {
	s.Submitter.Email = e.email
	return e.item(6, OwnSubmissionOf(s))
}

func (e *exporter) Grade(s studycircle.Submission) error {
	g := GivenGrade{SubmissionID: s.ID, AssignmentTitle: s.AssignmentTitle, Marks: s.Marks}
	if s.Grade != nil {
		g.GivenMark, g.Feedback, g.MarkedAt = s.Grade.Mark, s.Grade.Feedback, s.Grade.MarkedAt
	}
	return e.item(7, g)
}

func (e *exporter) Comment(c studycircle.Comment) error {
	w := WrittenComment{ID: c.ID, AssignmentID: c.AssignmentID, ParentID: c.ThreadID, Text: c.Text, CreatedAt: c.CreatedAt}
	if !c.EditedAt.IsZero() {
		w.EditedAt = &c.EditedAt
	}
	return e.item(8, w)
}

func (e *exporter) Reminder(r studycircle.AskedReminder) error {
	return e.item(9, AskedReminder{AssignmentID: r.AssignmentID, AskedAt: r.AskedAt})
}

func (e *exporter) Preferences(p studycircle.Preferences) error { return e.item(10, settingsOf(p)) }

func (e *exporter) Notification(n studycircle.Notification) error {
	return e.item(11, NotificationOf(n))
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

// begin ends the arrays before part, empty ones too, and opens it.
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
