package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/go-json-experiment/json/jsontext"

	"studycircle"
)

// The three writes and the list that signed-in people ask for most are nearly
// always as our own pages write them: a body is one flat object of texts and whole
// numbers, nothing missing; a query names each parameter once. Those are read at
// once. The framework reads a body twice, and looks for and checks everything by
// reflection, which costs more than all else that a node does with it. Whatever is
// not plain goes to the framework, which says what is wrong with it.

// maxPlain bounds a plain body, in bytes: the server has read so much early.
const maxPlain = 16 << 10

// plainly passes the framework by where read takes the request. It answers as the
// framework does.
func plainly[I, O any](read func(*http.Request, *I) bool, do func(context.Context, *I) (*O, error), send func(http.ResponseWriter, *O)) huma.Middlewares {
	return huma.Middlewares{func(hc huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(hc)
		var in I
		if !read(r, &in) {
			next(hc)
			return
		}
		out, err := do(hc.Context(), &in)
		if err != nil {
			refuse(hc, err)
			return
		}
		send(w, out)
	}}
}

// plainBody is for requests that say all in their bodies. One that read does not
// take, or that does not come whole, is left as it came.
func plainBody[I any](read func(r *http.Request, body []byte, in *I) bool) func(*http.Request, *I) bool {
	return func(r *http.Request, in *I) bool {
		if r.ContentLength <= 0 || r.ContentLength > maxPlain {
			return false
		}
		body := make([]byte, r.ContentLength)
		n, err := io.ReadFull(r.Body, body)
		if err == nil && read(r, body, in) {
			return true
		}
		r.Body = again{io.MultiReader(bytes.NewReader(body[:n]), rest{r.Body, err}), r.Body}
		return false
	}
}

// again is a body from its beginning.
type again struct {
	io.Reader
	io.Closer
}

// rest is what follows what was read of a body: err, where that was its end.
type rest struct {
	of  io.Reader
	err error
}

func (r rest) Read(b []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	return r.of.Read(b)
}

func sendInserted(w http.ResponseWriter, a *insertedAnswer) {
	w.Header().Set("Location", a.Location)
	sendPlainly(w, http.StatusCreated, a.Body)
}

func sendModified(w http.ResponseWriter, a *modifiedAnswer) { sendPlainly(w, http.StatusOK, a.Body) }

func sendPlainly(w http.ResponseWriter, status int, body any) {
	w.Header()["Content-Type"] = contentJSON
	w.WriteHeader(status)
	_ = encodeJSON(w, body) // the client is gone: there is nobody to tell
}

// member is where a plain body's text or number of a name goes.
type member struct {
	name   string
	text   *string
	number *whole
	given  bool // set beforehand where it may be absent
}

// readPlain is false where data is no flat object of just these members, each as
// our own pages write it.
func readPlain(data []byte, members []member) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(data)) // which it reads where it is
	if token, err := d.ReadToken(); err != nil || token.Kind() != '{' {
		return false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil || !readMember(d, name, members) {
			return false
		}
	}
	if token, err := d.ReadToken(); err != nil || token.Kind() != '}' {
		return false
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return false
	}
	for _, m := range members {
		if !m.given {
			return false
		}
	}
	return true
}

func readMember(d *jsontext.Decoder, name jsontext.Value, members []member) bool {
	for i := range members {
		m := &members[i]
		if string(name[1:len(name)-1]) != m.name {
			continue
		}
		m.given = true
		if m.number != nil {
			return readNumber(d, m.number)
		}
		if d.PeekKind() != '"' {
			return false
		}
		token, err := d.ReadToken()
		if err == nil {
			*m.text = token.String()
		}
		return err == nil
	}
	return false
}

func readNumber(d *jsontext.Decoder, into *whole) bool {
	const digits = 15 // of any number that is the same as a float
	text, err := d.ReadValue()
	if err != nil || text.Kind() != '0' || len(text) > digits {
		return false
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	*into = whole(n)
	return err == nil
}

func readAssignment(_ *http.Request, body []byte, in *createAssignmentInput) bool {
	b := &in.Body
	return readPlain(body, []member{
		{name: "title", text: &b.Title}, {name: "description", text: &b.Description}, {name: "thumbnail", text: &b.Thumbnail},
		{name: "marks", number: &b.Marks}, {name: "dueDate", text: &b.DueDate}, {name: "level", text: &b.Level},
	}) && studycircle.Level(b.Level).Valid()
}

func readSubmission(_ *http.Request, body []byte, in *submitInput) bool {
	b := &in.Body
	return readPlain(body, []member{
		{name: "assignmentId", text: &b.AssignmentID}, {name: "docsLink", text: &b.DocsLink}, {name: "note", text: &b.Note, given: true},
	})
}

func readGrade(r *http.Request, body []byte, in *gradeInput) bool {
	in.ID = r.PathValue("id")
	return readPlain(body, []member{
		{name: "marks", number: &in.Body.Marks}, {name: "feedback", text: &in.Body.Feedback, given: true},
	})
}

// readSubmissionList reads which submissions a query asks for.
func readSubmissionList(r *http.Request, in *listSubmissionsInput) bool {
	in.Page, in.Limit, in.IfNoneMatch = 1, studycircle.MaxLimit, r.Header.Get("If-None-Match")
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return false
	}
	for name, given := range query {
		value, plain := given[0], false
		switch name {
		case "status":
			in.Status, plain = value, studycircle.Status(value).Valid()
		case "submittedBy":
			in.SubmittedBy, plain = value, value != ""
		case "page":
			in.Page, plain = plainNumber(value, math.MaxInt64)
		case "limit":
			in.Limit, plain = plainNumber(value, studycircle.MaxLimit)
		}
		if !plain || len(given) > 1 {
			return false
		}
	}
	return true
}

// plainNumber reads a whole number from 1 to most.
func plainNumber(text string, most int64) (n int64, plain bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 1 && n <= most
}

func sendSubmissionList(w http.ResponseWriter, a *listSubmissionsAnswer) {
	h := w.Header()
	h.Set("X-Total-Count", strconv.FormatInt(a.Total, 10))
	h.Set("Etag", a.ETag)
	h.Set("Cache-Control", a.CacheControl)
	h.Set("Vary", a.Vary)
	if a.Link != "" {
		h.Set("Link", a.Link)
	}
	if a.Status == http.StatusOK {
		h.Set("Content-Type", a.ContentType)
		h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client is gone: there is nobody to tell
}
