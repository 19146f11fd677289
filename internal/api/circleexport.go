package api

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/record"
)

const contentZIP = "application/zip"

type exportCircleInput struct {
	ID    string `path:"id"`
	Codes string `query:"codes" enum:"true,false" doc:"Codes in place of people, without texts that may name them: notes, feedback and comments."`
}

func (o *operations) registerCircleExport(r *router) {
	described := aboutCircles("export-circle", http.MethodGet, "/api/circle/{id}/export",
		"Download a circle that you own, with members, assignments, submissions, exemplars, comments and reviews, to import it on another server", 401, 403, 404, 422)
	described.Responses = map[string]*huma.Response{"200": {
		Description: "A ZIP archive. The connection breaks if it cannot be completed.",
		Content:     map[string]*huma.MediaType{contentZIP: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}},
	}}
	operation(r, signedIn, described, streamed(o.exportCircle), within(exportWithin))
}

// exportCircle streams a circle. Errors before its first file are answered as usual.
func (o *operations) exportCircle(ctx context.Context, w http.ResponseWriter, in *exportCircleInput) error {
	e := &circleExporter{operations: o, w: w, codes: in.Codes == "true", live: map[string]bool{}}
	err := o.Service.ExportCircle(ctx, viewer(ctx).User, in.ID, e.add)
	if err == nil {
		err = e.finish()
	}
	if err != nil && e.archive != nil {
		slog.Log(ctx, WarnLevel(ctx), "export of a circle broken off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// circleExporter writes the files of a circle.
type circleExporter struct {
	*operations
	w       http.ResponseWriter
	codes   bool
	circle  studycircle.Circle
	archive *record.Archive
	members []record.Member // with codes, until all are there
	live    map[string]bool // the ids of its assignments
	reviews *csvfile.Writer
}

// add writes one value of Service.ExportCircle.
func (e *circleExporter) add(item any) error {
	switch v := item.(type) {
	case studycircle.Circle:
		return e.begin(v)
	case studycircle.Member:
		return e.member(v)
	case studycircle.Assignment:
		e.live[v.ID] = true
		v.Creator = e.person(v.Creator)
		return e.archive.Put(record.AssignmentsFile, record.OfAssignment(v))
	case studycircle.Submission:
		return e.submission(v)
	case studycircle.Exemplar:
		if e.codes {
			v.Note = ""
		}
		return e.archive.Put(record.ExemplarsFile, record.OfExemplar(v))
	case studycircle.Comment:
		if e.codes {
			return nil
		}
		return e.archive.Put(record.CommentsFile, record.OfComment(v))
	case []studycircle.ReleasedReview:
		return e.reviewed(v)
	default:
		return fmt.Errorf("the export of a circle has no file for %T", item)
	}
}

func (e *circleExporter) begin(c studycircle.Circle) error {
	e.circle, e.archive = c, record.NewArchive(e.w)
	h := e.w.Header()
	h.Set("Content-Type", contentZIP)
	h.Set("Content-Disposition", `attachment; filename="circle.zip"`)
	h.Set("Cache-Control", "no-store")
	return e.archive.Put(record.CircleFile, record.OfCircle(c))
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
	if err := e.coded(); err != nil {
		return err
	}
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

func (e *circleExporter) finish() error {
	return cmp.Or(e.coded(), e.archive.Close())
}
