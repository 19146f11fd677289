package server

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"studycircle"
	"studycircle/internal/api"
)

// pageData is the data of pages, by the name of its loader.
type pageData struct {
	List       *api.AssignmentList                 `json:"list,omitempty"`
	Assignment *api.Assignment                     `json:"assignment,omitempty"`
	Comments   *api.Comments                       `json:"comments,omitempty"`
	Circle     *api.Circle                         `json:"circle,omitempty"`
	Pending    *submissions[api.PendingSubmission] `json:"pending,omitempty"`
	Mine       *submissions[api.OwnSubmission]     `json:"mine,omitempty"`
	Dashboard  *api.Dashboard                      `json:"dashboard,omitempty"`
}

// submissions is a page of submissions in the form that the browser caches.
type submissions[Row any] struct {
	Rows       []Row `json:"rows"`
	TotalPages int64 `json:"totalPages"`
}

// loader adds data to v and may set the page's head. It adds nothing for an invalid address, which the API refuses.
// studycircle.ErrNotFound makes the page a 404.
type loader func(p *pages, r *http.Request, v *view) error

// loaders are named by the pages that use them.
var loaders = map[string]loader{
	"list":       loadList,
	"assignment": loadAssignment,
	"comments":   loadComments,
	"circle":     loadCircle,
	"pending":    loadPending,
	"mine":       loadMine,
	"dashboard":  loadDashboard,
}

// maxPage is the greatest integer that a browser represents exactly.
const maxPage = 1<<53 - 1

func loadList(p *pages, r *http.Request, v *view) error {
	q, err := api.ListQuery(r.URL.RawQuery)
	if err != nil || q.Page.Number > maxPage {
		return nil //nolint:nilerr // the app asks the API, which reports the error
	}
	if q.CircleID != "" {
		return nil // the app asks the API
	}
	if q.State.Personal() && v.viewer.ID == "" {
		return nil // the app redirects the visitor to the login
	}
	q.Page.Limit = studycircle.DefaultLimit // the only limit of pages
	found, total, err := p.Service.ListAssignments(r.Context(), v.viewer, q)
	if err != nil {
		return err
	}
	list := api.AssignmentListOf(found, total, q.Page, nil)
	v.List = &list
	if q.Page.Number > 1 {
		v.Head.URL += "?page=" + strconv.FormatInt(q.Page.Number, 10)
	}
	return nil
}

func loadAssignment(p *pages, r *http.Request, v *view) error {
	id := r.PathValue("id")
	found, err := p.Service.Assignment(r.Context(), v.viewer, id)
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		if _, hidden := p.Service.HiddenAssignment(r.Context(), v.viewer, id); hidden == nil {
			return nil // its creator gets it from the API
		}
	}
	if err != nil {
		return err
	}
	if found.CircleID != studycircle.Hall {
		return nil // the app asks the API
	}
	a := api.AssignmentOf(found, nil)
	v.Assignment = &a
	v.Head.Kind, v.Head.Image, v.Head.Description = "article", a.Thumbnail, api.Excerpt(found, 160)
	return nil
}

func loadComments(p *pages, r *http.Request, v *view) error {
	at, valid := numbered(r.URL.Query().Get("comments"), studycircle.DefaultThreads)
	if !valid || v.Assignment == nil { // a hidden assignment has no discussion
		return nil
	}
	found, err := p.Service.Comments(r.Context(), v.viewer, r.PathValue("id"), at)
	if err != nil {
		return err
	}
	comments := api.CommentsOf(found, at)
	v.Comments = &comments
	return nil
}

func loadCircle(p *pages, r *http.Request, v *view) error {
	found, err := p.Service.Circle(r.Context(), v.viewer, r.PathValue("id"))
	if err != nil {
		return err
	}
	c := api.CircleOf(found)
	if c.ReadsMarks, err = p.Service.ReadsMarks(r.Context(), v.viewer, found); err != nil {
		return err
	}
	v.Circle = &c
	return nil
}

func loadPending(p *pages, r *http.Request, v *view) error {
	at, valid := pageOf(r.URL.Query())
	if !valid {
		return nil
	}
	found, total, err := p.Service.PendingSubmissions(r.Context(), v.viewer, studycircle.Hall, at)
	if err != nil {
		return err
	}
	for i := range found {
		if found[i].Reviewable != nil || found[i].Reviews > 0 {
			return nil // rows of other kinds, which name no submitter, are the API's
		}
	}
	v.Pending = submissionsOf(found, total, at, nil, api.PendingSubmissionOf)
	return nil
}

func loadMine(p *pages, r *http.Request, v *view) error {
	values := r.URL.Query()
	at, valid := pageOf(values)
	if !valid || values.Has("status") || values.Has("search") {
		return nil
	}
	found, total, err := p.Service.OwnSubmissions(r.Context(), v.viewer, "", "", at)
	if err != nil {
		return err
	}
	var circles studycircle.OwnCircles
	if slices.ContainsFunc(found, func(s studycircle.Submission) bool { return s.CircleID != studycircle.Hall }) {
		if circles, err = p.Service.OwnCircles(r.Context(), v.viewer); err != nil {
			return err
		}
	}
	v.Mine = submissionsOf(found, total, at, circles, api.OwnSubmissionOf)
	return nil
}

func loadDashboard(p *pages, r *http.Request, v *view) error {
	found, err := p.Service.Dashboard(r.Context(), v.viewer)
	if err != nil {
		return err
	}
	circles, err := p.Service.OwnCircles(r.Context(), v.viewer)
	if err != nil {
		return err
	}
	d := api.DashboardOf(found, circles, p.Service.Now())
	v.Dashboard = &d
	return nil
}

// pageOf returns the page of submissions that a query asks for.
func pageOf(values url.Values) (studycircle.Page, bool) {
	return numbered(values.Get("page"), studycircle.DefaultLimit)
}

// numbered parses a page number.
func numbered(text string, limit int64) (studycircle.Page, bool) {
	at := studycircle.Page{Number: 1, Limit: limit}
	if text == "" {
		return at, true
	}
	number, err := strconv.ParseInt(text, 10, 64)
	at.Number = number
	return at, err == nil && number >= 1 && number <= maxPage
}

func submissionsOf[S, Row any](
	found []S, total int64, at studycircle.Page, circles studycircle.OwnCircles, row func(S, studycircle.OwnCircles) Row,
) *submissions[Row] {
	s := &submissions[Row]{Rows: make([]Row, len(found)), TotalPages: at.Pages(total)}
	for i, one := range found {
		s.Rows[i] = row(one, circles)
	}
	return s
}
