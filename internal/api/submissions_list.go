package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"studycircle"
)

type listSubmissionsInput struct {
	Status      string `query:"status" enum:"pending,completed" doc:"pending without submittedBy: all pending submissions, oldest first."`
	SubmittedBy string `query:"submittedBy" doc:"Your own email address: your submissions, newest first."`
	Circle      string `query:"circle" doc:"With status=pending and without submittedBy: the id of a circle of yours, whose submissions are meant; absent for the public ones."`
	Page        int64  `query:"page" default:"1" minimum:"1"`
	Limit       int64  `query:"limit" default:"100" minimum:"1" maximum:"100"`
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is an empty 304 if it has not changed."`
}

type listSubmissionsAnswer struct {
	Status       int
	Total        int64  `header:"X-Total-Count"`
	Link         string `header:"Link"`
	ETag         string `header:"ETag"`
	CacheControl string `header:"Cache-Control"`
	Vary         string `header:"Vary"`
	ContentType  string `header:"Content-Type"`
	Body         []byte
}

func (o *operations) listSubmissions(ctx context.Context, in *listSubmissionsInput) (*listSubmissionsAnswer, error) {
	p, status, who := studycircle.Page{Number: in.Page, Limit: in.Limit}, studycircle.Status(in.Status), viewer(ctx).User
	// Review progress changes with the day.
	today := strconv.FormatInt(studycircle.Day(o.Service.Now()), 10)
	var found *answer // its body outlives this call
	var err error
	if status == studycircle.Pending && in.SubmittedBy == "" {
		found, err = o.pendingSubmissions(ctx, who, in.Circle, p)
	} else if err = o.Service.MayListSubmissionsOf(who, in.SubmittedBy); err == nil {
		key := answerKey{kind: ownSubmissions, owner: who.ID, choice: in.Status, text: today, page: in.Page, limit: in.Limit}
		found, err = o.answers.get(ctx, key, func(ctx context.Context, _ []byte) (content, error) {
			found, total, err := o.Service.OwnSubmissions(ctx, who, status, p)
			if err != nil {
				return content{}, err
			}
			return listed(ctx, o, who, found, total, circleOfSubmission, OwnSubmissionOf)
		}, nil)
	}
	if err != nil {
		return nil, err
	}
	// The user's browser keeps the answer and revalidates it.
	out := &listSubmissionsAnswer{
		Status: http.StatusOK, Total: found.total, ETag: found.etag[0], CacheControl: "private, no-cache", Vary: "Accept-Encoding, Authorization",
		ContentType: contentJSON[0], Body: found.body,
	}
	if p.Number < p.Pages(found.total) {
		out.Link = "<" + nextPage(in) + `>; rel="next"`
	}
	if in.IfNoneMatch != "" && anyMatches([]string{in.IfNoneMatch}, out.ETag) {
		out.Status, out.ContentType, out.Body = http.StatusNotModified, "", nil
	}
	return out, nil
}

// pendingSubmissions returns a page of the pending list. All users share a page of
// submissions. How much of an assignment a user can review is personal, and changes as a
// lease expires: such a page is made for each request.
func (o *operations) pendingSubmissions(ctx context.Context, who studycircle.User, circleID string, p studycircle.Page) (*answer, error) {
	// On each request, before an answer that was made for another member is used.
	if err := o.Service.MayEnter(ctx, who, circleID); err != nil {
		return nil, err
	}
	key := answerKey{kind: pendingSubmissions, circle: circleID, page: p.Number, limit: p.Limit}
	personal, err := o.Service.PendingIsPersonal(ctx, circleID, p)
	if err != nil {
		return nil, err
	}
	if circleID != studycircle.Hall {
		key.owner = who.ID // the rows depend on the member
	}
	if !personal {
		found, err := o.answers.get(ctx, key, func(ctx context.Context, _ []byte) (content, error) {
			rows, total, err := o.Service.PendingSubmissions(ctx, who, circleID, p)
			if slices.ContainsFunc(rows, func(row studycircle.PendingSubmission) bool { return row.Reviewable != nil }) {
				return content{}, errPersonal // an assignment came meanwhile
			}
			if err != nil {
				return content{}, err
			}
			return listed(ctx, o, who, rows, total, circleOfPending, pendingRowOf)
		}, nil)
		if !errors.Is(err, errPersonal) {
			return found, err
		}
	}
	key.owner, key.fleeting = who.ID, true
	return o.answers.get(ctx, key, func(ctx context.Context, _ []byte) (content, error) {
		rows, total, err := o.Service.PendingSubmissions(ctx, who, circleID, p)
		if err != nil {
			return content{}, err
		}
		return listed(ctx, o, who, rows, total, circleOfPending, pendingRowOf)
	}, nil)
}

// send implements sender.
func (a *listSubmissionsAnswer) send(w http.ResponseWriter) {
	h := w.Header()
	h.Set("X-Total-Count", strconv.FormatInt(a.Total, 10))
	h.Set("Etag", a.ETag)
	h.Set("Cache-Control", a.CacheControl)
	h.Set("Vary", a.Vary)
	addHeader(h, "Link", a.Link)
	if a.Status == http.StatusOK {
		h.Set("Content-Type", a.ContentType)
		h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // an error means that the client has gone
}

func circleOfPending(s *studycircle.PendingSubmission) string { return s.CircleID }

// listed encodes a page of submissions, each mapped by view for who.
func listed[S, V any](
	ctx context.Context, o *operations, who studycircle.User, found []S, total int64, circleID func(*S) string, view func(S, studycircle.OwnCircles) V,
) (content, error) {
	circles, err := circlesOf(ctx, o.Service, who, found, circleID)
	if err != nil {
		return content{}, err
	}
	out := make([]V, len(found))
	for i, s := range found {
		out[i] = view(s, circles)
	}
	return contentOf(nil, out, total)
}

func nextPage(in *listSubmissionsInput) string {
	q := url.Values{"page": {strconv.FormatInt(in.Page+1, 10)}, "limit": {strconv.FormatInt(in.Limit, 10)}}
	if in.Status != "" {
		q.Set("status", in.Status)
	}
	if in.Circle != "" {
		q.Set("circle", in.Circle)
	}
	if in.SubmittedBy != "" {
		q.Set("submittedBy", studycircle.NormalizeEmail(in.SubmittedBy))
	}
	return "/api/submissions?" + q.Encode()
}
