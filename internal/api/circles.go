package api

import (
	"context"
	"html/template"
	"net/http"
	"time"

	"studycircle"
	"studycircle/internal/encode"
)

// Circle is a circle as its members see it.
type Circle struct {
	ID             string        `json:"_id"`
	Name           string        `json:"name"`
	Description    string        `json:"description" doc:"Markdown."`
	HTML           template.HTML `json:"html" doc:"The description as safe HTML."`
	Role           string        `json:"role" enum:"owner,organizer,member" doc:"The viewer's."`
	Members        int64         `json:"members" doc:"How many there are."`
	Listed         bool          `json:"listed" doc:"Every user may find it."`
	Join           string        `json:"join" enum:"invite,ask,open"`
	Publishing     string        `json:"publishing" enum:"members,organizers" doc:"Who publishes."`
	Grading        string        `json:"grading" enum:"members,organizers" doc:"Who grades and reviews."`
	CountsAccuracy bool          `json:"countsAccuracy" doc:"Organizers see in the marks how accurate each member's reviews of exemplars are."`
	CreatedAt      time.Time     `json:"createdAt"`
	ArchivedAt     *time.Time    `json:"archivedAt" nullable:"true" doc:"null unless it is archived."`
	Notice         string        `json:"notice,omitempty" doc:"How the circle got its present owner, if its last one is gone."`
	HeirID         string        `json:"heirId,omitempty" doc:"The member who was asked to become an owner, for that member and owners."`
	ReadsMarks     bool          `json:"readsMarks,omitzero" doc:"The viewer may read marks: of all assignments, or of their own. Absent in lists."`
	Accuracy       *Accuracy     `json:"accuracy,omitempty" doc:"The viewer's, if the circle counts it and there are reviews. Absent in lists."`
	May            CircleMay     `json:"may" doc:"What the server allows the viewer."`
}

// CircleMay lists what the viewer may do in a circle.
type CircleMay struct {
	Publish  bool `json:"publish"`
	Grade    bool `json:"grade"`
	Organize bool `json:"organize" doc:"Manage members, invitations and the roster."`
	Change   bool `json:"change" doc:"Change settings and roles."`
	Own      bool `json:"own" doc:"Archive, unarchive and delete."`
}

// CircleOf returns a circle as its member sees it.
func CircleOf(c studycircle.OwnCircle) Circle {
	out := Circle{
		ID: c.ID, Name: c.Name, Description: c.Description, HTML: rendered(c.HTML), Role: string(c.Mine.Role),
		Members: c.Members, Listed: c.Listed,
		Join: string(c.Join), Publishing: string(c.Publishing), Grading: string(c.Grading), CountsAccuracy: c.CountsAccuracy,
		CreatedAt: c.CreatedAt, Notice: c.Succession.Sentence(), May: CircleMay(studycircle.CircleActions(c.Mine, c.Circle)),
	}
	if c.Mine.Role == studycircle.CircleOwner || c.Mine.UserID == c.HeirID {
		out.HeirID = c.HeirID
	}
	if !c.ArchivedAt.IsZero() {
		out.ArchivedAt = &c.ArchivedAt
	}
	return out
}

// CircleList is a page of the viewer's circles.
type CircleList struct {
	Data       []Circle   `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// DeletedCircle is a deleted circle as its owners see it while they can restore it.
type DeletedCircle struct {
	ID              string    `json:"_id"`
	Name            string    `json:"name"`
	Members         int64     `json:"members" doc:"How many there are."`
	DeletedAt       time.Time `json:"deletedAt"`
	RestorableUntil time.Time `json:"restorableUntil"`
}

// DeletedCircles is a page of the circles that the viewer can restore.
type DeletedCircles struct {
	Data       []DeletedCircle `json:"data"`
	Pagination Pagination      `json:"pagination"`
}

// CircleFields are the settings of a circle.
type CircleFields struct {
	Name           string  `json:"name" doc:"1 to 100 characters."`
	Description    *string `json:"description,omitempty" doc:"Markdown, 0 to 2,000 characters; absent: as it was, empty at first."`
	Listed         *bool   `json:"listed,omitempty" doc:"Every user may find it; absent: as it was, false at first."`
	Join           *string `json:"join,omitempty" enum:"invite,ask,open" doc:"How users join; absent: as it was, invite at first."`
	Publishing     *string `json:"publishing,omitempty" enum:"members,organizers" doc:"Who publishes; absent: as it was, members at first."`
	Grading        *string `json:"grading,omitempty" enum:"members,organizers" doc:"Who grades and reviews; absent: as it was, members at first."`
	CountsAccuracy *bool   `json:"countsAccuracy,omitempty" doc:"Organizers see in the marks how accurate each member's reviews of exemplars are, of those begun from a day after this is turned on; absent: as it was, false at first."`
}

// input returns the settings that are sent over those before.
func (f CircleFields) input(before studycircle.CircleInput) studycircle.CircleInput {
	before.Name = f.Name
	if f.Description != nil {
		before.Description = *f.Description
	}
	if f.Listed != nil {
		before.Listed = *f.Listed
	}
	if f.Join != nil {
		before.Join = studycircle.Joining(*f.Join)
	}
	if f.Publishing != nil {
		before.Publishing = studycircle.Allowed(*f.Publishing)
	}
	if f.Grading != nil {
		before.Grading = studycircle.Allowed(*f.Grading)
	}
	if f.CountsAccuracy != nil {
		before.CountsAccuracy = *f.CountsAccuracy
	}
	return before
}

// check implements checked.
func (in *listCirclesInput) check(wrong *faults) {
	checkSearch(in.Search, wrong)
}

type listCirclesInput struct {
	Page    int64  `query:"page" default:"1" minimum:"1"`
	Limit   int64  `query:"limit" default:"10" minimum:"1" maximum:"100"`
	Listed  string `query:"listed" enum:"true,false" doc:"true: the circles that every user may find, instead of your own."`
	Search  string `query:"search" doc:"Words of a listed circle's name, the last one as a prefix."`
	Deleted string `query:"deleted" enum:"true,false" doc:"true: your deleted circles that you can restore, instead of the others."`
}

type updateCircleInput struct {
	ID      string `path:"id"`
	IfMatch string `header:"If-Match" doc:"An ETag: the update is refused if the settings have changed since."`
	Body    CircleFields
}

type createCircleInput struct {
	Body struct{ CircleFields }
}

type circleAnswer struct {
	ETag string `header:"ETag" doc:"Names the settings."`
	Body Circle
}

const circles = tag("Circles")

func (o *operations) registerCircles(r *router) {
	operation(r, signedIn, eitherOf(r, circles.op("list-circles", "GET /api/circles", "List your circles or those that "+
		"you can restore, by name, or the listed ones, newest first", 401, 422),
		CircleList{}, ListedCircles{}, DeletedCircles{}), o.listCircles)
	create := circles.op("create-circle", "POST /api/circles", "Create a circle", 401, 409, 422, 429)
	create.DefaultStatus = http.StatusCreated
	operation(r, signedIn, create, func(ctx context.Context, in *createCircleInput) (*insertedAnswer, error) {
		id, err := o.Service.CreateCircle(ctx, viewer(ctx).User, in.Body.input(studycircle.NewCircle))
		return inserted("/api/circle/", id), err
	})
	operation(r, signedIn, circles.op("get-circle", "GET /api/circle/{id}", "Get one of your circles", 401, 404),
		func(ctx context.Context, in *byID) (*circleAnswer, error) {
			c, err := o.Service.Circle(ctx, viewer(ctx).User, in.ID)
			if err != nil {
				return nil, err
			}
			out := CircleOf(c)
			if out.ReadsMarks, err = o.Service.ReadsMarks(ctx, viewer(ctx).User, c); err != nil {
				return nil, err
			}
			accuracy, err := o.Service.Accuracy(ctx, viewer(ctx).User, c)
			if err != nil {
				return nil, err
			}
			out.Accuracy = accuracyOf(accuracy)
			tag, err := settingsTag(c.Circle)
			return &circleAnswer{tag, out}, err
		})
	operation(r, signedIn, circles.op(
		"update-circle", "PUT /api/circle/{id}", "Change the settings of a circle that you own", 401, 403, 404, 409, 412, 422,
	),
		func(ctx context.Context, in *updateCircleInput) (*Matched, error) {
			changed, err := o.Service.UpdateCircle(ctx, viewer(ctx).User, in.ID, in.Body.input, ifSettingsMatch(in.IfMatch))
			return &Matched{MatchedCount: 1, ModifiedCount: count(changed)}, err
		})
	operation(r, signedIn, circles.op(
		"delete-circle", "DELETE /api/circle/{id}", "Delete a circle that you own", 401, 403, 404,
	),
		func(ctx context.Context, in *byID) (*Deleted, error) {
			return &Deleted{1}, o.Service.DeleteCircle(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, circles.op(
		"restore-circle", "POST /api/circle/{id}/restore", "Restore a circle that you deleted in the last 30 days", 401, 404,
	),
		func(ctx context.Context, in *byID) (*Modified, error) {
			changed, err := o.Service.RestoreCircle(ctx, viewer(ctx).User, in.ID)
			return &Modified{count(changed)}, err
		})
}

// listCircles answers with the viewer's circles, with the listed ones, or with those that the viewer can restore.
func (o *operations) listCircles(ctx context.Context, in *listCirclesInput) (*eitherAnswer, error) {
	p := studycircle.Page{Number: in.Page, Limit: in.Limit}
	if in.Listed == "true" {
		found, total, err := o.Service.ListedCircles(ctx, viewer(ctx).User, in.Search, p)
		out := ListedCircles{Data: make([]ListedCircle, len(found)), Pagination: paginationOf(p, total)}
		for i, c := range found {
			out.Data[i] = listedCircleOf(c)
		}
		return &eitherAnswer{out}, err
	}
	if in.Deleted == "true" {
		found, total, err := o.Service.DeletedCircles(ctx, viewer(ctx).User, p)
		out := DeletedCircles{Data: make([]DeletedCircle, len(found)), Pagination: paginationOf(p, total)}
		for i, c := range found {
			out.Data[i] = DeletedCircle{c.ID, c.Name, c.Members, c.DeletedAt, c.DeletedAt.Add(studycircle.CircleRestorable)}
		}
		return &eitherAnswer{out}, err
	}
	found, total, err := o.Service.Circles(ctx, viewer(ctx).User, p)
	out := CircleList{Data: make([]Circle, len(found)), Pagination: paginationOf(p, total)}
	for i, c := range found {
		out.Data[i] = CircleOf(c)
	}
	return &eitherAnswer{out}, err
}

// settingsTag names the settings of a circle: what users do in it, such as joining, must not refuse an update of them.
func settingsTag(c studycircle.Circle) (string, error) {
	settings := CircleFields{
		Name: c.Name, Description: &c.Description, Listed: &c.Listed,
		Join: (*string)(&c.Join), Publishing: (*string)(&c.Publishing), Grading: (*string)(&c.Grading),
		CountsAccuracy: &c.CountsAccuracy,
	}
	text, err := encode.Append(nil, &settings)
	return etagOf(text), err
}

// ifSettingsMatch is ifMatch for the settings of a circle.
func ifSettingsMatch(header string) func(studycircle.Circle) error {
	return func(c studycircle.Circle) error {
		current, err := settingsTag(c)
		if err != nil {
			return err
		}
		if !matches(header, current) {
			return studycircle.Errorf(
				studycircle.CodeChanged,
				"The settings of this circle have been changed since you opened them. Reload and try again.",
			)
		}
		return nil
	}
}
