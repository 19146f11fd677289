package api

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/service"
)

type listAssignmentsInput struct {
	Page        int64             `query:"page" default:"1" minimum:"1"`
	Limit       int64             `query:"limit" default:"10" minimum:"1" maximum:"100"`
	Circle      string            `query:"circle" doc:"The id of a circle of yours; absent for the public assignments."`
	Level       studycircle.Level `query:"level" enum:"easy,medium,hard" doc:"Empty for all."`
	State       studycircle.State `query:"state" enum:"mine,open,pending,graded,due-soon" doc:"Your progress. due-soon is for all clients: due within 14 days, soonest first. Not with search."`
	Sort        studycircle.Sort  `query:"sort" enum:"newest,oldest" default:"newest" doc:"By when they were published. oldest: not with state or search."`
	Search      string            `query:"search" doc:"Words of title, description and creator's name, the last one as a prefix. At most 200 characters."`
	IfNoneMatch string            `header:"If-None-Match" doc:"An ETag: the answer is an empty 304 if it has not changed."`
}

// check implements checked.
func (in *listAssignmentsInput) check(wrong *faults) {
	checkSearch(in.Search, wrong)
	search := strings.TrimSpace(in.Search) != ""
	if search && in.State != "" {
		wrong.add("query.state", "Search, or choose a state; both together are not possible.")
	}
	if in.Sort == studycircle.SortOldest && (search || in.State != "") {
		wrong.add("query.sort", "A search and a state have orders of their own.")
	}
}

func checkSearch(text string, wrong *faults) { checkSought("search", "search text", text, wrong) }

// checkSought checks a parameter of a query by which rows are sought; noun names it in the message.
func checkSought(parameter, noun, text string, wrong *faults) {
	if !service.ValidSearch(text) {
		wrong.add("query."+parameter, "The %s must be at most 200 characters long, without control characters.", noun)
	}
}

// audience implements stricter: lists by the viewer's progress need a token, and one that is
// sent for the list of a circle is checked. The public lists are for all clients.
func (in *listAssignmentsInput) audience() audience {
	switch {
	case in.State.Personal():
		return signedIn
	case in.Circle != studycircle.Hall:
		return allOrSignedIn
	}
	return all
}

func (in *listAssignmentsInput) query() service.AssignmentQuery {
	q := service.AssignmentQuery{
		Page: studycircle.Page{Number: in.Page, Limit: in.Limit}, CircleID: in.Circle,
		Level: in.Level, State: in.State, Sort: in.Sort, Search: strings.TrimSpace(in.Search),
	}
	if q.Sort == studycircle.SortNewest {
		q.Sort = "" // one cached answer for both ways to ask
	}
	return q
}

var listAssignments = inputOf(reflect.TypeFor[listAssignmentsInput]())

// ListQuery parses the query of a list as the API does.
func ListQuery(raw string) (service.AssignmentQuery, error) {
	var in listAssignmentsInput
	var wrong faults
	listAssignments.readParameters(&http.Request{URL: &url.URL{RawQuery: raw}}, reflect.ValueOf(&in).Elem(), &wrong)
	return in.query(), wrong.err()
}

type getAssignmentInput struct {
	ID          string `path:"id"`
	As          string `query:"as" enum:"student" doc:"For its creator and the organizers of its circle: read it as a student without work does."`
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is an empty 304 if it has not changed."`
}

// registerAssignmentReads registers the two most frequent reads.
func (o *operations) registerAssignmentReads(r *router) {
	const tags = tag("Assignments")
	operation(r, all, huma.Operation{
		OperationID: "list-assignments", Method: http.MethodGet, Path: "/api/assignments",
		Summary: "List or search assignments", Tags: tags.list(),
		Responses: r.revalidated("Names the content, weakly.", []int{404, 422, 500}, AssignmentList{}),
	}, o.listAssignments, public)
	operation(r, all, huma.Operation{
		OperationID: "get-assignment", Method: http.MethodGet, Path: "/api/assignment/{id}",
		Summary: "Get an assignment", Tags: tags.list(),
		// The creator alone may get a hidden one.
		Responses: r.revalidated(
			"Names the exact content, for If-Match too.", []int{401, 403, 404, 422, 500}, Assignment{}, HiddenAssignment{},
		),
	}, o.getAssignment, public)
}

func (o *operations) listAssignments(ctx context.Context, in *listAssignmentsInput) (*answer, error) {
	q, who := in.query(), viewer(ctx).User
	// On each request, before an answer that was made for the member is used.
	if err := o.Service.MayEnter(ctx, who, q.CircleID); err != nil {
		return nil, err
	}
	found, err := o.assignmentsFor(ctx, who, q)
	if err != nil || who.ID != "" {
		return found, err
	}
	who, err = o.extended(ctx, found)
	if err != nil || who.ID == "" {
		return found, err
	}
	return o.assignmentsFor(ctx, who, q)
}

// extended returns the user who asks, if the user has extra time for one of the assignments of an answer that serves
// all users; otherwise the zero User.
func (o *operations) extended(ctx context.Context, found *answer) (studycircle.User, error) {
	request := callOf(ctx).request
	if len(found.extended) == 0 || authorization(request) == "" {
		return studycircle.User{}, nil
	}
	session, err := o.admit(ctx, signedIn, request)
	if err != nil {
		return studycircle.User{}, err
	}
	if own, err := o.Service.HasOwnDueDate(ctx, session.User, found.extended); err != nil || !own {
		return studycircle.User{}, err
	}
	return session.User, nil
}

func (o *operations) assignmentsFor(
	ctx context.Context, who studycircle.User, q service.AssignmentQuery,
) (*answer, error) {
	key := answerKey{
		kind: assignmentList, circle: q.CircleID, owner: who.ID, level: q.Level, state: q.State, sort: q.Sort,
		text: q.Search, page: q.Page, fleeting: q.State == studycircle.StateDueSoon,
	}
	return o.answers.get(ctx, key, func(ctx context.Context) (content, error) {
		found, total, err := o.Service.ListAssignments(ctx, who, q)
		if err != nil {
			return content{}, err
		}
		circles, err := circlesOf(ctx, o.Service, who, found, circleOfAssignment)
		if err != nil {
			return content{}, err
		}
		list := AssignmentListOf(found, total, q.Page, circles)
		made, err := contentOf(&list, 256+640*len(found))
		made.extended = extendedOf(found)
		return made, err
	})
}

// extendedOf returns those of some assignments for which some users have due dates of their own.
func extendedOf(found []studycircle.Assignment) (ids []string) {
	for _, a := range found {
		if a.SomeExtended {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// getAssignment reads an assignment as a visitor, so that one cached answer serves all who
// ask but users with extra time. If visitors do not see it, of a circle or hidden, it reads it for the client.
func (o *operations) getAssignment(ctx context.Context, in *getAssignmentInput) (sender, error) {
	if len(in.ID) > studycircle.MaxID {
		return nil, studycircle.ErrNotFound
	}
	request := callOf(ctx).request
	if in.As != "" {
		session, err := o.admit(ctx, signedIn, request)
		if err != nil {
			return nil, err
		}
		return o.assignmentAsStudent(ctx, session.User, in.ID)
	}
	found, err := o.assignmentFor(ctx, studycircle.User{}, in.ID)
	if err == nil {
		who, err := o.extended(ctx, found)
		if err != nil || who.ID == "" {
			return found, err
		}
		return o.assignmentFor(ctx, who, in.ID)
	}
	if studycircle.CodeOf(err) != studycircle.CodeNotFound || authorization(request) == "" {
		return found, err
	}
	session, err := o.admit(ctx, signedIn, request)
	if err != nil {
		return nil, err
	}
	found, err = o.assignmentFor(ctx, session.User, in.ID)
	if studycircle.CodeOf(err) != studycircle.CodeNotFound {
		return found, err
	}
	hidden, err := o.hidden(ctx, session.User, in.ID)
	return &eitherAnswer{&hidden}, err
}

func (o *operations) assignmentAsStudent(ctx context.Context, who studycircle.User, id string) (*answer, error) {
	key := answerKey{kind: assignmentAsStudent, owner: who.ID, text: id}
	return o.answers.get(ctx, key, func(ctx context.Context) (content, error) {
		a, in, err := o.Service.AssignmentAsStudent(ctx, who, id)
		if err != nil {
			return content{}, err
		}
		shown := AssignmentOf(a, studycircle.OwnCircles{in.ID: in})
		return contentOf(&shown, 1024)
	})
}

func (o *operations) assignmentFor(ctx context.Context, who studycircle.User, id string) (*answer, error) {
	key := answerKey{kind: oneAssignment, owner: who.ID, text: id}
	return o.answers.get(ctx, key, func(ctx context.Context) (content, error) {
		a, err := o.Service.Assignment(ctx, who, id)
		if err != nil {
			return content{}, err
		}
		circles, err := circlesOf(ctx, o.Service, who, []studycircle.Assignment{a}, circleOfAssignment)
		if err != nil {
			return content{}, err
		}
		shown := AssignmentOf(a, circles)
		made, err := contentOf(&shown, 1024)
		made.extended = extendedOf([]studycircle.Assignment{a})
		return made, err
	})
}
