package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/service"
)

// The two most frequent reads, open to all clients, are plain handlers: reading their
// inputs by reflection costs several times as much as answering them. They are described
// for the document here, and refuse with the same problems as all other operations.

// public returns their handlers, by pattern.
func (o *operations) public() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /api/assignments":     guarded(http.HandlerFunc(o.listAssignments)),
		"GET /api/assignment/{id}": guarded(http.HandlerFunc(o.getAssignment)),
	}
}

// registerPublic describes them in the document.
func (o *operations) registerPublic(r *router) {
	tags := []string{"Assignments"}
	list := &huma.Operation{
		OperationID: "list-assignments", Method: http.MethodGet, Path: "/api/assignments", Summary: "List or search assignments",
		Tags: tags, Parameters: listParameters(), Responses: readable[AssignmentList](r.document, "Names the content, weakly.", http.StatusUnprocessableEntity, http.StatusNotFound),
	}
	one := &huma.Operation{
		OperationID: "get-assignment", Method: http.MethodGet, Path: "/api/assignment/{id}", Summary: "Get an assignment",
		Tags: tags, Parameters: []*huma.Param{
			{Name: "id", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}}, ifNoneMatch,
		},
		Responses: readable[Assignment](r.document, "Names the exact content, for If-Match too.", http.StatusNotFound),
	}
	// The creator alone may get a hidden one.
	schemas := r.document.OpenAPI().Components.Schemas
	one.Responses["200"].Content["application/json"].Schema = &huma.Schema{AnyOf: []*huma.Schema{
		schemas.Schema(reflect.TypeFor[Assignment](), true, ""), schemas.Schema(reflect.TypeFor[HiddenAssignment](), true, ""),
	}}
	for _, described := range []*huma.Operation{list, one} {
		described.Security = r.say(all, *described)
		r.document.OpenAPI().AddOperation(described)
	}
}

var ifNoneMatch = &huma.Param{
	Name: "If-None-Match", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
	Description: "An ETag: the answer is an empty 304 if it has not changed.",
}

// readable describes the responses of a read of T.
func readable[T any](api huma.API, etag string, problems ...int) map[string]*huma.Response {
	schemas := api.OpenAPI().Components.Schemas
	schema := func(kind string, t reflect.Type) map[string]*huma.MediaType {
		return map[string]*huma.MediaType{kind: {Schema: schemas.Schema(t, true, "")}}
	}
	answers := map[string]*huma.Response{
		"200": {
			Description: http.StatusText(http.StatusOK), Content: schema("application/json", reflect.TypeFor[T]()),
			Headers: map[string]*huma.Param{"ETag": {Description: etag, Schema: &huma.Schema{Type: huma.TypeString}}},
		},
		"304": {Description: http.StatusText(http.StatusNotModified)},
	}
	for _, status := range append(problems, http.StatusInternalServerError) {
		answers[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: schema("application/problem+json", reflect.TypeFor[Problem]()),
		}
	}
	return answers
}

func listParameters() []*huma.Param {
	one, most := 1.0, float64(studycircle.MaxLimit)
	levels := make([]any, len(studycircle.Levels))
	for i, l := range studycircle.Levels {
		levels[i] = string(l)
	}
	states := make([]any, len(studycircle.States))
	for i, state := range studycircle.States {
		states[i] = string(state)
	}
	sorts := make([]any, len(studycircle.Sorts))
	for i, sort := range studycircle.Sorts {
		sorts[i] = string(sort)
	}
	return []*huma.Param{
		{Name: "page", In: "query", Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64", Default: 1, Minimum: &one}},
		{Name: "limit", In: "query", Schema: &huma.Schema{
			Type: huma.TypeInteger, Format: "int64", Default: studycircle.DefaultLimit, Minimum: &one, Maximum: &most,
		}},
		{Name: "circle", In: "query", Description: "The id of a circle of yours, whose assignments are meant; absent for the public ones.", Schema: &huma.Schema{Type: huma.TypeString}},
		{Name: "level", In: "query", Description: "Empty for all.", Schema: &huma.Schema{Type: huma.TypeString, Enum: levels}},
		{Name: "state", In: "query", Description: "Your progress, signed in; due-soon, for all: due within 14 days, soonest first. Not together with search.",
			Schema: &huma.Schema{Type: huma.TypeString, Enum: states}},
		{Name: "sort", In: "query", Description: "By when they were published. oldest: not together with state or search, which have orders of their own.",
			Schema: &huma.Schema{Type: huma.TypeString, Enum: sorts, Default: string(studycircle.SortNewest)}},
		{Name: "search", In: "query", Schema: &huma.Schema{Type: huma.TypeString}, Description: "Words to find in title, description and creator's name, " +
			"the last one as a prefix, without regard to case and accents. Title matches come first. At most 200 characters."},
		ifNoneMatch,
	}
}

func (o *operations) listAssignments(w http.ResponseWriter, r *http.Request) {
	q, problem := ListQuery(r.URL.RawQuery)
	var viewer studycircle.User
	if q.State.Personal() || q.CircleID != "" && r.Header.Get("Authorization") != "" { // before other faults, so that a refused client learns nothing else
		session, err := o.Identity.Authenticate(r.Context(), accessToken(r.Header.Get("Authorization")))
		if err != nil {
			write(w, problemOf(r.Context(), err))
			return
		}
		viewer = session.User
	}
	if problem != nil {
		write(w, problem)
		return
	}
	// On each request, before an answer that was made for the member is used.
	if err := o.Service.MayEnter(r.Context(), viewer, q.CircleID); err != nil {
		write(w, problemOf(r.Context(), err))
		return
	}
	key := answerKey{
		kind: assignmentList, circle: q.CircleID, owner: viewer.ID, choice: string(q.Level) + "/" + string(q.State) + "/" + string(q.Sort), text: q.Search, page: q.Page.Number, limit: q.Page.Limit,
		fleeting: q.State == studycircle.StateDueSoon,
	}
	o.answer(w, r, key, nil, func(ctx context.Context, into []byte) (content, error) {
		found, total, err := o.Service.ListAssignments(ctx, viewer, q)
		if err != nil {
			return content{}, err
		}
		circles, err := circlesOf(ctx, o.Service, viewer, found, circleOfAssignment)
		if err != nil {
			return content{}, err
		}
		list := AssignmentListOf(found, total, q.Page, circles)
		return contentOf(slices.Grow(into, 256+640*len(found)), &list, total)
	})
}

func (o *operations) getAssignment(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if len(id) > studycircle.MaxID {
		write(w, problemOf(r.Context(), studycircle.ErrNotFound))
		return
	}
	// As a visitor: the answer is kept for all who ask.
	o.answer(w, r, answerKey{kind: oneAssignment, text: id}, func() bool { return o.ownAssignment(w, r, id) }, o.assignmentFor(studycircle.User{}, id))
}

// assignmentFor reads an assignment for who.
func (o *operations) assignmentFor(who studycircle.User, id string) reader {
	return func(ctx context.Context, into []byte) (content, error) {
		a, err := o.Service.Assignment(ctx, who, id)
		if err != nil {
			return content{}, err
		}
		circles, err := circlesOf(ctx, o.Service, who, []studycircle.Assignment{a}, circleOfAssignment)
		if err != nil {
			return content{}, err
		}
		shown := AssignmentOf(a, circles)
		return contentOf(slices.Grow(into, 1024), &shown, 1)
	}
}

// ownAssignment sends an assignment that visitors do not see, of a circle or hidden, if the client may see it, and
// reports whether it did.
func (o *operations) ownAssignment(w http.ResponseWriter, r *http.Request, id string) bool {
	ctx, authorization := r.Context(), r.Header.Get("Authorization")
	if authorization == "" {
		return false
	}
	session, err := o.Identity.Authenticate(ctx, accessToken(authorization))
	if err != nil {
		return false
	}
	found, err := o.answers.get(ctx, answerKey{kind: oneAssignment, owner: session.User.ID, text: id}, o.assignmentFor(session.User, id), nil)
	if err == nil {
		found.send(w, r, true)
		return true
	}
	if studycircle.CodeOf(err) != studycircle.CodeNotFound {
		write(w, problemOf(ctx, err))
		return true
	}
	hidden, err := o.hidden(ctx, session.User, id)
	if err != nil {
		return false
	}
	w.Header()["Content-Type"] = contentJSON
	writeJSON(w, &hidden)
	return true
}

// answer sends the answer to key, cached or made by read. If there is none, others, if not
// nil, may send one for this client instead, and reports whether it did.
func (o *operations) answer(w http.ResponseWriter, r *http.Request, key answerKey, others func() bool, read reader) {
	ctx := r.Context()
	spare, there := buffers.Get().(*buffer)
	if !there {
		spare = &buffer{}
	}
	defer buffers.Put(spare)
	a, err := o.answers.get(ctx, key, read, spare)
	if err == nil {
		a.send(w, r, key.owner != "")
		return
	}
	if others != nil && studycircle.CodeOf(err) == studycircle.CodeNotFound && others() {
		return
	}
	write(w, problemOf(ctx, err))
}

// ListQuery parses the query of a list. It ignores unknown parameters; of duplicates the
// first counts.
func ListQuery(raw string) (q service.AssignmentQuery, _ *Problem) {
	q.Page = studycircle.Page{Number: 1, Limit: studycircle.DefaultLimit}
	if raw == "" {
		return q, nil
	}
	var wrong faults
	values := readQuery(raw, &wrong, isListParameter)
	number := func(name string, into *int64, most int64, message string) {
		text := values.Get(name)
		if text == "" {
			return
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > most {
			wrong.add("query."+name, message)
		}
		*into = n
	}
	number("page", &q.Page.Number, 1<<63-1, "The page must be a whole number from 1.")
	number("limit", &q.Page.Limit, studycircle.MaxLimit, "The limit must be a whole number from 1 to 100.")
	q.CircleID = values.Get("circle")
	if q.Level = studycircle.Level(values.Get("level")); q.Level != "" && !q.Level.Valid() {
		wrong.add("query.level", "The level must be easy, medium or hard, or empty for all.")
	}
	if q.State = studycircle.State(values.Get("state")); q.State != "" && !q.State.Valid() {
		wrong.add("query.state", "The state must be mine, open, pending, graded or due-soon, or empty for all.")
	}
	switch q.Sort = studycircle.Sort(values.Get("sort")); q.Sort {
	case studycircle.SortNewest:
		q.Sort = "" // one answer in memory for both ways to ask
	case "", studycircle.SortOldest:
	default:
		wrong.add("query.sort", "The order must be newest or oldest.")
	}
	search := values.Get("search")
	if !service.ValidSearch(search) {
		wrong.add("query.search", "The search text must be at most 200 characters long, without control characters.")
	}
	if q.Search = strings.TrimSpace(search); q.Search != "" && q.State != "" {
		wrong.add("query.state", "Search, or choose a state; both together are not possible.")
	}
	if q.Sort == studycircle.SortOldest && (q.Search != "" || q.State != "") {
		wrong.add("query.sort", "A search and a state have orders of their own.")
	}
	if wrong != nil {
		p := wrong.problem()
		p.Detail = "Some parameters are not right."
		return q, p
	}
	return q, nil
}

// listNames are the query parameters of a list.
var listNames = func() (names []string) {
	for _, p := range listParameters() {
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	return names
}()

func isListParameter(name string) bool { return slices.Contains(listNames, name) }
