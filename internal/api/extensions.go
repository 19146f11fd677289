package api

import (
	"context"

	"studycircle"
)

// Extension is a user's own due date for an assignment.
type Extension struct {
	UserID      string `json:"userId"`
	DisplayName string `json:"displayName"`
	PhotoURL    string `json:"photoURL,omitempty"`
	Name        string `json:"name,omitempty" doc:"As in the roster."`
	DueDate     string `json:"dueDate" doc:"The one that applies to the user, RFC 3339."`
	Given       bool   `json:"given" doc:"It was given for this assignment; false if the extra days of the membership alone apply."`
	ExtraDays   int64  `json:"extraDays,omitzero" doc:"Of the membership, for each assignment of the circle."`
}

// ExtensionList is a page of the extra time for an assignment.
type ExtensionList struct {
	Data       []Extension `json:"data" doc:"The earliest due date first."`
	Pagination Pagination  `json:"pagination"`
}

func extensionOf(x studycircle.Extension) Extension {
	return Extension{
		UserID: x.User.UserID, DisplayName: x.User.DisplayName, PhotoURL: x.User.PhotoURL, Name: x.Name,
		DueDate: x.Due.String(), Given: !x.Given.IsZero(), ExtraDays: x.Days,
	}
}

type extendInput struct {
	ID     string `path:"id"`
	UserID string `path:"userId"`
	Body   struct {
		DueDate *string `json:"dueDate" required:"true" nullable:"true" doc:"RFC 3339 or YYYY-MM-DD, after the assignment's due date; null takes the extra time away."`
	}
}

func (o *operations) registerExtensions(r *router) {
	const tags = tag("Assignments")
	operation(r, signedIn, tags.op("list-extensions", "GET /api/assignment/{id}/extensions",
		"List who has extra time for your assignment", 401, 403, 404, 422),
		func(ctx context.Context, in *CirclePageInput) (*private[ExtensionList], error) {
			found, total, err := o.Service.Extensions(ctx, viewer(ctx).User, in.ID, in.page())
			out := ExtensionList{Data: make([]Extension, len(found)), Pagination: paginationOf(in.page(), total)}
			for i, x := range found {
				out.Data[i] = extensionOf(x)
			}
			return &private[ExtensionList]{out}, err
		})
	operation(r, signedIn, tags.op("extend", "PUT /api/assignment/{id}/extensions/{userId}",
		"Give a user extra time for your assignment, or take it away", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *extendInput) (*Modified, error) {
			changed, err := o.Service.Extend(ctx, viewer(ctx).User, in.ID, in.UserID, in.Body.DueDate)
			return &Modified{count(changed)}, err
		})
}
