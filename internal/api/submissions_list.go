package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"studycircle"
)

type listSubmissionsInput struct {
	Status      string `query:"status" enum:"pending,completed,withdrawn,sent-back" doc:"pending without submittedBy: all pending submissions, oldest first."`
	SubmittedBy string `query:"submittedBy" doc:"Your own email address: your submissions, newest first."`
	Circle      string `query:"circle" doc:"With status=pending and without submittedBy: the id of a circle of yours, whose submissions are meant; absent for the public ones."`
	Search      string `query:"search" doc:"For your own submissions: words of their titles, the last one as a prefix. At most 200 characters."`
	Page        int64  `query:"page" default:"1" minimum:"1"`
	Limit       int64  `query:"limit" default:"100" minimum:"1" maximum:"100"`
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is an empty 304 if it has not changed."`
}

// check implements checked.
func (in *listSubmissionsInput) check(wrong *faults) {
	checkSearch(in.Search, wrong)
	if in.Search != "" && in.SubmittedBy == "" && in.Status == string(studycircle.Pending) {
		wrong.add("query.search", "Only your own submissions can be searched, with submittedBy.")
	}
}

func (o *operations) listSubmissions(ctx context.Context, in *listSubmissionsInput) (*answer, error) {
	p, status, who := studycircle.Page{Number: in.Page, Limit: in.Limit}, studycircle.Status(in.Status), viewer(ctx).User
	if status == studycircle.Pending && in.SubmittedBy == "" {
		return o.pendingSubmissions(ctx, who, in)
	}
	if err := o.Service.MayListSubmissionsOf(who, in.SubmittedBy); err != nil {
		return nil, err
	}
	// Review progress changes with the day.
	today := strconv.FormatInt(studycircle.Day(o.Service.Now()), 10)
	search := strings.TrimSpace(in.Search)
	key := answerKey{kind: ownSubmissions, owner: who.ID, status: status, text: today + " " + search, page: p}
	return o.answers.get(ctx, key, func(ctx context.Context) (content, error) {
		found, total, err := o.Service.OwnSubmissions(ctx, who, status, search, p)
		if err != nil {
			return content{}, err
		}
		return listed(ctx, o, in, found, total, circleOfSubmission, OwnSubmissionOf)
	})
}

// pendingSubmissions returns a page of the pending list. All users share a page of
// submissions. How much of an assignment a user can review is personal, and changes as a
// lease expires: such a page is made for each request.
func (o *operations) pendingSubmissions(
	ctx context.Context, who studycircle.User, in *listSubmissionsInput,
) (*answer, error) {
	// On each request, before an answer that was made for another member is used.
	if err := o.Service.MayEnter(ctx, who, in.Circle); err != nil {
		return nil, err
	}
	p := studycircle.Page{Number: in.Page, Limit: in.Limit}
	key := answerKey{kind: pendingSubmissions, circle: in.Circle, page: p}
	personal, err := o.Service.PendingIsPersonal(ctx, in.Circle, p)
	if err != nil {
		return nil, err
	}
	if in.Circle != studycircle.Hall {
		key.owner = who.ID // the rows depend on the member
	}
	read := func(ctx context.Context) (content, error) {
		rows, total, err := o.Service.PendingSubmissions(ctx, who, in.Circle, p)
		if err != nil {
			return content{}, err
		}
		reviewable := func(row studycircle.PendingSubmission) bool { return row.Reviewable != nil }
		if !key.fleeting && slices.ContainsFunc(rows, reviewable) {
			return content{}, errPersonal // an assignment came meanwhile
		}
		return listed(ctx, o, in, rows, total, circleOfPending, pendingRowOf)
	}
	if !personal {
		if found, err := o.answers.get(ctx, key, read); !errors.Is(err, errPersonal) {
			return found, err
		}
	}
	key.owner, key.fleeting = who.ID, true
	return o.answers.get(ctx, key, read)
}

func circleOfPending(s *studycircle.PendingSubmission) string { return s.CircleID }

// listed encodes a page of submissions, each mapped by view for the viewer.
func listed[S, V any](
	ctx context.Context, o *operations, in *listSubmissionsInput, found []S, total int64,
	circleID func(*S) string, view func(S, studycircle.OwnCircles) V,
) (content, error) {
	circles, err := circlesOf(ctx, o.Service, viewer(ctx).User, found, circleID)
	if err != nil {
		return content{}, err
	}
	out := make([]V, len(found))
	for i, s := range found {
		out[i] = view(s, circles)
	}
	made, err := contentOf(out, 256*len(found))
	made.header = http.Header{"X-Total-Count": {strconv.FormatInt(total, 10)}}
	if p := (studycircle.Page{Number: in.Page, Limit: in.Limit}); p.Number < p.Pages(total) {
		made.header["Link"] = []string{"<" + nextPage(in) + `>; rel="next"`}
	}
	return made, err
}

func nextPage(in *listSubmissionsInput) string {
	q := url.Values{"page": {strconv.FormatInt(in.Page+1, 10)}, "limit": {strconv.FormatInt(in.Limit, 10)}}
	if in.Status != "" {
		q.Set("status", in.Status)
	}
	if in.Circle != "" {
		q.Set("circle", in.Circle)
	}
	if in.Search != "" {
		q.Set("search", in.Search)
	}
	if in.SubmittedBy != "" {
		q.Set("submittedBy", studycircle.NormalizeEmail(in.SubmittedBy))
	}
	return "/api/submissions?" + q.Encode()
}
