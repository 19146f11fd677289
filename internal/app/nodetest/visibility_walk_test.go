package nodetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// scene is an assignment of Ada's, in some state, with objects attached to it. Bob has commented and handed in.
type scene struct {
	assignment, comment, submission, submitter, exemplar, report string

	facts  studycircle.Facts // of the assignment
	talk   studycircle.Facts // of the comment
	graded string            // the assignment of submission
}

// walked declares how to call one operation of the API on a scene, and which viewers find its object.
type walked struct {
	path string // with {a}, {g}, {c}, {s}, {u}, {e} and {r} for the scene's ids
	body doc
	rule
}

// rule reports whether v finds the object. A nil rule is for operations on submissions, reports or accounts, whose
// answers do not depend on the state of an assignment.
type rule func(v studycircle.Viewer, s scene) bool

func onAssignment(v studycircle.Viewer, s scene) bool { return studycircle.Visible(v, s.facts) }

func onComment(v studycircle.Viewer, s scene) bool { return studycircle.Visible(v, s.talk) }

// orOwnHidden lets authors read their own hidden work.
func orOwnHidden(v studycircle.Viewer, s scene) bool { return studycircle.Visible(v.Author(), s.facts) }

func orOwnHiddenComment(v studycircle.Viewer, s scene) bool {
	return onAssignment(v, s) && studycircle.Visible(v.Author(), s.talk)
}

// walk maps every operation of the API to its declaration, or to the reason why its answer contains no object of an
// assignment.
var walk = map[string]walked{
	"get-assignment":      {"/api/assignment/{a}", nil, orOwnHidden},
	"copy-assignment":     {"/api/assignment/{a}/copy", doc{"dueDate": "9000-01-01"}, onAssignment},
	"update-assignment":   {"/api/assignment/{a}", with(assignment(), "title", "Canary again"), onAssignment},
	"delete-assignment":   {"/api/assignment/{a}", nil, onAssignment},
	"list-comments":       {"/api/assignment/{a}/comments", nil, onAssignment},
	"create-comment":      {"/api/assignment/{a}/comments", doc{"text": "Hm."}, onAssignment},
	"close-discussion":    {"/api/assignment/{a}/discussion", doc{"closed": true}, onAssignment},
	"list-exemplars":      {"/api/assignment/{a}/exemplars", nil, onAssignment},
	"add-exemplar":        {"/api/assignment/{a}/exemplars", exemplar(5), onAssignment},
	"change-exemplar":     {"/api/assignment/{a}/exemplars/{e}", doc{"mark": 6, "reason": "Fair."}, onAssignment},
	"delete-exemplar":     {"/api/assignment/{a}/exemplars/{e}", nil, onAssignment},
	"list-participants":   {"/api/assignment/{a}/participants", nil, onAssignment},
	"set-reminder":        {"/api/assignment/{a}/reminder", doc{"remind": true}, onAssignment},
	"report-assignment":   {"/api/assignment/{a}/report", doc{"reason": "Spam"}, onAssignment},
	"list-extensions":     {"/api/assignment/{a}/extensions", nil, onAssignment},
	"extend":              {"/api/assignment/{g}/extensions/{u}", doc{"dueDate": nil}, onAssignment},
	"list-results":        {"/api/assignment/{a}/submissions", nil, onAssignment},
	"list-looks":          {"/api/assignment/{a}/looks", nil, onAssignment},
	"sum-up-results":      {"/api/assignment/{a}/results", nil, onAssignment},
	"download-results":    {"/api/assignment/{a}/results.csv", nil, onAssignment},
	"download-reviews":    {"/api/assignment/{a}/reviews.csv", nil, onAssignment},
	"list-owes":           {"/api/assignment/{a}/owes", nil, onAssignment},
	"remind-owing":        {"/api/assignment/{a}/owes/remind", nil, onAssignment},
	"settle-all":          {"/api/assignment/{a}/settle", nil, onAssignment},
	"submit":              {"/api/submissions", doc{"assignmentId": "{a}", "docsLink": "https://docs.google.com/document/d/2", "note": ""}, onAssignment},
	"list-assignments":    {"/api/assignments?limit=100", nil, onAssignment},
	"get-progress":        {"/api/progress?assignments={a}", nil, onAssignment},
	"get-comment":         {"/api/comment/{c}", nil, orOwnHiddenComment},
	"edit-comment":        {"/api/comment/{c}", doc{"text": "Hm!"}, onComment},
	"delete-comment":      {"/api/comment/{c}", nil, onComment},
	"react":               {"/api/comment/{c}/reactions/like", nil, onComment},
	"take-reaction-back":  {"/api/comment/{c}/reactions/like", nil, onComment},
	"list-replies":        {"/api/comment/{c}/replies", nil, onComment},
	"report-comment":      {"/api/comment/{c}/report", doc{"reason": "Rude"}, onComment},
	"mark-receipt":        {"/api/submissions/{s}/receipt", nil, nil},
	"list-submissions":    {"/api/submissions?submittedBy=bob@example.org", nil, nil},
	"grade":               {"/api/submissions/{s}", doc{"marks": 5, "feedback": "Good."}, nil},
	"appeal":              {"/api/submissions/{s}/appeal", doc{"reason": "Please."}, nil},
	"link-health":         {"/api/submissions/{s}/link", nil, nil},
	"explain-mark":        {"/api/submissions/{s}/mark", nil, nil},
	"get-own-submission":  {"/api/submissions/{s}/own", nil, nil},
	"get-result":          {"/api/assignment/{g}/submissions/{s}", nil, onAssignment},
	"withdraw-submission": {"/api/submissions/{s}/own", nil, nil},
	"change-submission":   {"/api/submissions/{s}/own", doc{"docsLink": "https://docs.google.com/document/d/3", "note": ""}, nil},
	"send-back":           {"/api/submissions/{s}/send-back", doc{"reason": "Not ready."}, nil},
	"reopen":              {"/api/submissions/{s}/reopen", doc{"reason": "Again.", "action": "new-reviewers"}, nil},
	"mark-known":          {"/api/submissions/{s}/known", doc{"reason": "Read.", "mark": 5}, nil},
	"report-submission":   {"/api/submissions/{s}/report", doc{"reason": "Copied"}, nil},
	"list-reviews":        {"/api/submissions/{s}/reviews", nil, nil},
	"settle":              {"/api/submissions/{s}/settle", nil, nil},
	"read-work":           {"/api/submissions/{s}/work", nil, nil},
	"list-given-reviews":  {"/api/reviews", nil, nil},
	"reserved-review":     {"/api/reviews/lease", nil, nil},
	"give-back-review":    {"/api/reviews/lease/{s}", nil, nil},
	"reply-to-review":     {"/api/reviews/none/reply", doc{"helpful": true, "reply": ""}, nil},
	"get-given-review":    {"/api/reviews/none", nil, nil},
	"correct-review":      {"/api/reviews/none", doc{"marks": 5}, nil},
	"list-corrections":    {"/api/submissions/{s}/corrections", nil, nil},
	"get-question":        {"/api/submissions/{s}/question", nil, nil},
	"ask-submitter":       {"/api/submissions/{s}/question", doc{"text": "Why?"}, nil},
	"answer-reviewer":     {"/api/submissions/{s}/answer", doc{"text": "So."}, nil},
	"assess-own":          {"/api/submissions/{s}/self-assessment", doc{"levels": []int{0}}, nil},
	"list-rubrics":        {"/api/rubrics", nil, nil},
	"save-rubric":         {"/api/rubrics", savedRubric("Essay"), nil},
	"delete-rubric":       {"/api/rubrics/none", nil, nil},
	"get-phrases":         {"/api/phrases", nil, nil},
	"put-phrases":         {"/api/phrases", doc{"phrases": []string{"Well argued."}}, nil},
	"report-review":       {"/api/reviews/none/report", doc{"reason": "Rude"}, nil},
	"list-reports":        {"/api/reports", nil, nil},
	"decide-report":       {"/api/reports/{r}", doc{"action": "dismiss"}, nil},
	"list-decisions":      {"/api/moderation", nil, nil},
	"restore-hidden":      {"/api/moderation/restore", doc{"kind": "comment", "id": "{c}"}, nil},
	"list-notifications":  {"/api/notifications", nil, nil},
	"read-notifications":  {"/api/notifications/read", doc{"ids": []string{}}, nil},
	"get-dashboard":       {"/api/dashboard", nil, nil},
	"get-today":           {"/api/today", nil, nil},
	"search":              {"/api/search?search=canary", nil, onAssignment},
	"get-overview":        {"/api/admin", nil, nil},
	"next-review":         {"/api/reviews/next", doc{}, nil},
	"create-assignment":   {"/api/assignments", assignment(), nil},
	"get-settings":        {"/api/settings", nil, nil},
	"get-calendar":        {"/api/calendar", nil, nil},
	"preview":             {"/api/preview", doc{"text": "Hm.", "of": "comment"}, nil},
}

// accounts are operations on accounts, sessions, settings, secret links, and circles, which
// TestCirclesDoNotExistForOthers walks. None takes the id of an assignment or of
// an object attached to one. TestHiddenContentIsNowhere reads calendars, exports and streams of events.
func accounts(id, path string) bool {
	switch id {
	case "delete-calendar", "new-calendar", "put-settings", "tell-time-zone", "get-unsubscription", "unsubscribe", "calendar", "events":
		return true
	}
	return strings.HasPrefix(path, "/api/auth/") || strings.HasPrefix(path, "/api/circle") || id == "receipt-keys"
}

// Every operation finds an assignment and its objects if Visible allows it for the viewer, and answers 404 otherwise.
func TestEveryOperationAsksTheVisibility(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		states := []string{"live", "deleted", "hidden", "comment hidden"}
		for id, called := range operationsOf(t) {
			way, known := walk[id]
			if !known {
				require.True(t, accounts(id, called.path), "%s is in no table of this test", id)
				continue
			}
			shared := map[string]scene{} // reads and refused writes change nothing
			for _, viewer := range []*client{n.visitor(), ada, bob, eve, mo} {
				first := 0
				for _, state := range states {
					s, there := shared[state]
					if !there {
						s = n.scene(t, state, ada, bob)
						shared[state] = s
					}
					got := viewer.call(t, called.method, s.in(way.path), s.filled(way.body))
					if called.method != http.MethodGet && got.status < http.StatusBadRequest {
						delete(shared, state)
					}
					what := fmt.Sprintf("%s by %q, %s: %d", id, viewer.name, state, got.status)
					if first == 0 {
						first = got.status
					}
					if way.rule == nil {
						assert.Equal(t, first, got.status, "the answer does not depend on the assignment: %s", what)
						continue
					}
					if got.status == http.StatusUnauthorized {
						assert.Empty(t, viewer.name, what)
						continue
					}
					assert.Equal(t, way.rule(n.viewer(t, viewer), s), found(id, got, s), what)
				}
			}
		}
	})
}

// found reports whether an answer contains the requested object.
func found(id string, got *answer, s scene) bool {
	if id == "list-assignments" || id == "get-progress" || id == "search" {
		return strings.Contains(string(got.body), s.assignment)
	}
	return got.status != http.StatusNotFound
}

type called struct{ method, path string }

// operationsOf returns the operations of the API document by their ids.
func operationsOf(t *testing.T) map[string]called {
	t.Helper()
	text, err := os.ReadFile("../../api/openapi.json")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(text, &document))
	all := map[string]called{}
	for path, operations := range document.Paths {
		for method, o := range operations {
			all[o.OperationID] = called{strings.ToUpper(method), path}
		}
	}
	require.Greater(t, len(all), 70)
	return all
}

// viewer returns c as a Viewer of the service.
func (n *node) viewer(tb testing.TB, c *client) studycircle.Viewer {
	tb.Helper()
	if c.email == "" {
		return studycircle.Visitor()
	}
	account, err := n.app.Store.AccountByEmail(tb.Context(), c.email)
	require.NoError(tb, err)
	return studycircle.ViewerOf(account.ID)
}

func (n *node) scene(t *testing.T, state string, ada, bob *client) scene {
	t.Helper()
	s := scene{assignment: ada.publish(t, "title", "Canary", "reviewsNeeded", 2)}
	s.exemplar = ada.post(t, "/api/assignment/"+s.assignment+"/exemplars", exemplar(5)).id(t)
	s.comment = bob.write(t, s.assignment, "A canary")
	s.graded = ada.publish(t)
	s.submission, s.submitter = bob.submit(t, s.graded), n.viewer(t, bob).UserID()
	s.report = ada.post(t, "/api/comment/"+s.comment+"/report", doc{"reason": "Rude"}).id(t)
	s.facts = studycircle.Facts{Object: studycircle.ObjectAssignment, CreatorID: n.viewer(t, ada).UserID()}
	switch state {
	case "deleted":
		for _, id := range []string{s.assignment, s.graded} {
			ada.del(t, "/api/assignment/"+id).is(t, http.StatusOK)
		}
		s.facts.Deleted = true
	case "hidden":
		for _, id := range []string{s.assignment, s.graded} {
			n.moderate(t, studycircle.Hide, studycircle.OfAssignment, id)
		}
		s.facts.Deleted, s.facts.Hidden = true, true
	}
	s.talk = s.facts
	s.talk.Object, s.talk.OwnerID = studycircle.ObjectComment, n.viewer(t, bob).UserID()
	if state == "comment hidden" {
		n.moderate(t, studycircle.Hide, studycircle.OfComment, s.comment)
		s.talk.Unlisted, s.talk.CommentHidden = true, true
	}
	return s
}

func (s scene) in(path string) string {
	return strings.NewReplacer("{a}", s.assignment, "{g}", s.graded, "{c}", s.comment, "{s}", s.submission, "{e}", s.exemplar, "{r}", s.report, "{u}", s.submitter).Replace(path)
}

func (s scene) filled(body doc) any {
	if body == nil {
		return nil
	}
	out := doc{}
	for name, value := range body {
		if text, is := value.(string); is {
			value = s.in(text)
		}
		out[name] = value
	}
	return out
}
