package api

import (
	"context"

	"studycircle"
	"studycircle/internal/service"
)

// Look is a submission of which a mark of the viewer's would narrow the intervals of marks.
type Look struct {
	Result
	Fall float64 `json:"fall" doc:"The expected fall of Σ sd², in percent: of the squared uncertainties of all marks that are not known."`
}

// Looks are the submissions of which the viewer's mark helps most, the best first.
type Looks struct {
	Data []Look `json:"data"`
}

type knownInput struct {
	ID   string `path:"id"`
	Body struct {
		Mark   whole   `json:"mark" doc:"0 to the total."`
		Levels []whole `json:"levels,omitempty" absent:"empty" doc:"With a rubric, optional: one level for each criterion, counted from 0, which make the mark."`
		Reason string  `json:"reason" doc:"1 to 500 characters. The submitter reads it."`
	}
}

func (o *operations) registerKnown(r *router) {
	const tags = tag("Reviews")
	operation(r, signedIn, tags.op("list-looks", "GET /api/assignment/{id}/looks",
		"List where a mark of yours narrows intervals most", 401, 403, 404),
		o.looks)
	operation(r, signedIn, tags.op("mark-known", "PUT /api/submissions/{id}/known",
		"Mark a submission as known work, which settles it", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *knownInput) (*Modified, error) {
			err := o.Service.MarkKnown(ctx, viewer(ctx).User, in.ID, studycircle.ReopenInput{
				Reason: studycircle.Reason{Words: in.Body.Reason}, Action: studycircle.ReopenMark, Mark: (*int64)(&in.Body.Mark),
				Levels: levelsOf(in.Body.Levels),
			})
			return &Modified{ModifiedCount: 1}, err
		})
}

func (o *operations) looks(ctx context.Context, in *byID) (*private[Looks], error) {
	found, err := o.Service.Looks(ctx, viewer(ctx).User, in.ID)
	if err != nil {
		return nil, err
	}
	circles, err := circlesOf(ctx, o.Service, viewer(ctx).User, found, func(l *service.Look) string { return l.CircleID })
	out := Looks{Data: make([]Look, len(found))}
	for i, l := range found {
		out.Data[i] = Look{resultOf(l.Result, circles), studycircle.RoundPercent(l.Fall)}
	}
	return &private[Looks]{out}, err
}
