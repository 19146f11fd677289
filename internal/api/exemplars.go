package api

import (
	"context"

	"studycircle"
)

// KnownExemplar is the known mark of an exemplar and the reason for it, shown to its
// reviewers once they have reviewed it.
type KnownExemplar struct {
	Mark   int64   `json:"mark"`
	Reason string  `json:"reason"`
	Levels []int64 `json:"levels,omitempty" doc:"The levels of the rubric that make the mark, counted from 0; absent if the creator gave the mark alone."`
}

func knownOf(m *studycircle.ExemplarMark) *KnownExemplar {
	if m == nil {
		return nil
	}
	return &KnownExemplar{Mark: m.Mark, Reason: m.Reason, Levels: m.Levels}
}

// Exemplar is sample work of known mark as the assignment's creator sees it.
type Exemplar struct {
	ID       string `json:"_id"`
	DocsLink string `json:"docsLink"`
	Note     string `json:"note,omitempty"`
	Marks    int64  `json:"marks" doc:"The total."`
	KnownExemplar
}

func exemplarOf(e studycircle.Exemplar) Exemplar {
	return Exemplar{ID: e.ID, DocsLink: e.DocsLink, Note: e.Note, Marks: e.Total, KnownExemplar: *knownOf(&e.ExemplarMark)}
}

// Exemplars are those of an assignment, three at most.
type Exemplars struct {
	Data []Exemplar `json:"data"`
}

type exemplarInput struct {
	ID   string `path:"id"`
	Body struct {
		DocsLink string  `json:"docsLink" doc:"An absolute http or https address."`
		Note     string  `json:"note,omitempty" doc:"Up to 2,000 characters."`
		Mark     whole   `json:"mark" doc:"0 to the total."`
		Reason   string  `json:"reason" doc:"The reason of the mark: 1 to 500 characters. Shown to users who have reviewed it."`
		Levels   []whole `json:"levels,omitempty" doc:"With a rubric, optional: one level for each criterion, counted from 0, which make the mark."`
	}
}

type exemplarMarkInput struct {
	ID           string `path:"id"`
	SubmissionID string `path:"submissionId"`
	Body         struct {
		Mark   whole   `json:"mark" doc:"0 to the total."`
		Reason string  `json:"reason" doc:"1 to 500 characters."`
		Levels []whole `json:"levels,omitempty" absent:"empty" doc:"With a rubric, optional. Absent: they stay while the mark does."`
	}
}

type exemplarID struct {
	ID           string `path:"id"`
	SubmissionID string `path:"submissionId"`
}

func (o *operations) registerExemplars(r *router) {
	const tags = tag("Reviews")
	operation(r, signedIn, tags.op("list-exemplars", "GET /api/assignment/{id}/exemplars",
		"List the exemplars of your assignment", 401, 403, 404),
		func(ctx context.Context, in *byID) (*Exemplars, error) {
			found, err := o.Service.Exemplars(ctx, viewer(ctx).User, in.ID)
			out := Exemplars{Data: make([]Exemplar, len(found))}
			for i, e := range found {
				out.Data[i] = exemplarOf(e)
			}
			return &out, err
		})
	operation(r, signedIn, created(tags.op("add-exemplar", "POST /api/assignment/{id}/exemplars",
		"Add an exemplar, sample work with a known mark, to your assignment", 401, 403, 404, 409, 422)),
		func(ctx context.Context, in *exemplarInput) (*Inserted, error) {
			id, err := o.Service.AddExemplar(ctx, viewer(ctx).User, in.ID, studycircle.ExemplarInput{
				SubmissionInput: studycircle.SubmissionInput{DocsLink: in.Body.DocsLink, Note: in.Body.Note},
				ExemplarMark: studycircle.ExemplarMark{
					Mark: int64(in.Body.Mark), Reason: in.Body.Reason, Levels: levelsOf(in.Body.Levels),
				},
			})
			return &Inserted{InsertedID: id}, err
		})
	operation(r, signedIn, tags.op("change-exemplar", "PUT /api/assignment/{id}/exemplars/{submissionId}",
		"Change an exemplar's mark and its reason", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *exemplarMarkInput) (*Modified, error) {
			changed, err := o.Service.ChangeExemplar(ctx, viewer(ctx).User, in.ID, in.SubmissionID, studycircle.ExemplarMark{
				Mark: int64(in.Body.Mark), Reason: in.Body.Reason, Levels: levelsOf(in.Body.Levels),
			})
			return &Modified{ModifiedCount: count(changed)}, err
		})
	operation(r, signedIn, tags.op("delete-exemplar", "DELETE /api/assignment/{id}/exemplars/{submissionId}",
		"Delete an exemplar", 401, 403, 404, 409),
		func(ctx context.Context, in *exemplarID) (*Deleted, error) {
			return &Deleted{DeletedCount: 1}, o.Service.DeleteExemplar(ctx, viewer(ctx).User, in.ID, in.SubmissionID)
		})
}
