package api

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/record"
	"studycircle/internal/service"
)

const contentZIP = "application/zip"

type exportCircleInput struct {
	ID    string `path:"id"`
	Codes string `query:"codes" enum:"true,false" doc:"Codes in place of people, without texts that may name them: notes, feedback and comments."`
}

func (o *operations) registerCircleExport(r *router) {
	described := circles.op("export-circle", "GET /api/circle/{id}/export", "Download a circle that you own, with "+
		"members, assignments, submissions, exemplars, comments and reviews, to import it on another server", 401, 403, 404,
		422)
	described.Responses = map[string]*huma.Response{"200": {
		Description: "A ZIP archive. If the archive cannot be completed, the server closes the connection early.",
		Content:     map[string]*huma.MediaType{contentZIP: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
	}}
	operation(r, signedIn, described, streamed(o.exportCircle), within(exportWithin))
}

// exportCircle streams a circle. Errors before its first file are answered as usual.
func (o *operations) exportCircle(ctx context.Context, w http.ResponseWriter, in *exportCircleInput) error {
	circle, err := o.Service.ExportCircle(ctx, viewer(ctx).User, in.ID)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", contentZIP)
	h.Set("Content-Disposition", `attachment; filename="circle.zip"`)
	h.Set("Cache-Control", "no-store")
	e := &circleExporter{
		operations: o, circle: circle, archive: record.NewArchive(w), codes: in.Codes == "true", live: map[string]bool{},
	}
	if err := e.write(ctx); err != nil {
		slog.Log(ctx, WarnLevel(ctx), "export of a circle broken off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return nil
}

// circleExporter writes the files of a circle.
type circleExporter struct {
	*operations
	circle  *service.CircleExport
	codes   bool
	archive *record.Archive
	members []record.Member // with codes, until all are there
	live    map[string]bool // the ids of its assignments
	reviews *csvfile.Writer
}

// write writes the files in their order.
func (e *circleExporter) write(ctx context.Context) error {
	if err := e.archive.Put(record.CircleFile, record.OfCircle(e.circle.Circle)); err != nil {
		return err
	}
	for _, file := range []func() error{
		func() error { return e.circle.EachMember(ctx, e.member) },
		e.coded,
		func() error { return e.circle.EachAssignment(ctx, e.assignment) },
		func() error { return e.circle.EachSubmission(ctx, e.submission) },
		func() error { return e.circle.EachExemplar(ctx, e.exemplar) },
		func() error { return e.circle.EachComment(ctx, e.comment) },
		func() error { return e.circle.EachReviews(ctx, e.reviewed) },
		e.archive.Close,
	} {
		if err := file(); err != nil {
			return err
		}
	}
	return nil
}

func (e *circleExporter) assignment(a studycircle.Assignment) error {
	e.live[a.ID] = true
	a.Creator = e.person(a.Creator)
	return e.archive.Put(record.AssignmentsFile, record.OfAssignment(a))
}

func (e *circleExporter) exemplar(x studycircle.Exemplar) error {
	if e.codes {
		x.Note = ""
	}
	return e.archive.Put(record.ExemplarsFile, record.OfExemplar(x))
}

// comment writes a comment. With codes it writes none: their texts may name people.
func (e *circleExporter) comment(c studycircle.Comment) error {
	if e.codes {
		return nil
	}
	return e.archive.Put(record.CommentsFile, record.OfComment(c))
}

// codeHost is the host of the addresses that stand for people: no one can receive mail at it (RFC 2606).
const codeHost = "@code.invalid"

// person returns a user, or with codes one who has a code in place of name and address.
func (e *circleExporter) person(p studycircle.Person) studycircle.Person {
	if !e.codes || p.UserID == "" {
		return p
	}
	code := e.Identity.PersonCode(e.circle.ID, p.UserID)
	return studycircle.Person{UserID: p.UserID, Email: code + codeHost, DisplayName: code}
}

func (e *circleExporter) member(m studycircle.Member) error {
	if !e.codes {
		return e.archive.Put(record.MembersFile, record.OfMember(m))
	}
	// In the order of their codes: the order of joining would show who they are.
	coded := studycircle.Member{Account: e.person(m.Account)}
	coded.Role = m.Role
	e.members = append(e.members, record.OfMember(coded))
	return nil
}

func (e *circleExporter) submission(s studycircle.Submission) error {
	s.Submitter = e.person(s.Submitter)
	if e.codes {
		s.Note, s.SubmittedAt = "", startOfDay(s.SubmittedAt)
	}
	if g := s.Grade; g != nil {
		grade := *g
		if e.codes || s.Reviews > 0 { // the time could show who reviewed last
			grade.MarkedAt = startOfDay(g.MarkedAt)
		}
		if e.codes {
			grade.Feedback, grade.HTML = "", ""
		}
		s.Grade = &grade
	}
	return e.archive.Put(record.SubmissionsFile, record.OfSubmission(s, func(id string) bool { return e.live[id] }))
}

func startOfDay(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// coded writes the members that wait for each other.
func (e *circleExporter) coded() error {
	slices.SortFunc(e.members, func(a, b record.Member) int { return strings.Compare(a.Email, b.Email) })
	for _, m := range e.members {
		if err := e.archive.Put(record.MembersFile, m); err != nil {
			return err
		}
	}
	e.members = nil
	return nil
}

func (e *circleExporter) reviewed(reviews []studycircle.ReleasedReview) (err error) {
	if e.reviews == nil {
		if e.reviews, err = e.archive.Rows(record.ReviewsFile); err != nil {
			return err
		}
		if err := e.reviews.Row(reviewColumns...); err != nil {
			return err
		}
	}
	return e.writeReviews(e.reviews, reviews)
}
