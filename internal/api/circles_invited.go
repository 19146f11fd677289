package api

import (
	"context"
	"time"

	"studycircle"
)

// MyInvitation is an invitation by a roster that waits for the viewer's answer.
type MyInvitation struct {
	ID         string    `json:"_id"`
	CircleName string    `json:"circleName"`
	InvitedBy  string    `json:"invitedBy,omitempty" doc:"Display name of the organizer; absent if the account is gone."`
	Role       string    `json:"role" enum:"organizer,member"`
	InvitedAt  time.Time `json:"invitedAt"`
	ExpiresAt  time.Time `json:"expiresAt"`
}

// MyInvitations are the invitations that wait for the viewer's answer.
type MyInvitations struct {
	Data []MyInvitation `json:"data" doc:"The newest first, at most 50."`
}

func myInvitations(all []studycircle.InvitedTo) []MyInvitation {
	out := make([]MyInvitation, len(all))
	for i, one := range all {
		out[i] = MyInvitation{one.ID, one.CircleName, one.By, string(one.Role), one.At, one.Until}
	}
	return out
}

func (o *operations) registerInvited(r *router) {
	const one = "/api/circles/invited/{id}"
	operation(r, signedIn, circles.op(
		"list-my-invitations", "GET /api/circles/invited",
		"List the invitations that wait for your answer, newest first", 401,
	),
		func(ctx context.Context, _ *struct{}) (*MyInvitations, error) {
			found, err := o.Service.InvitedTo(ctx, viewer(ctx).User)
			return &MyInvitations{myInvitations(found)}, err
		})
	operation(r, signedIn, circles.op(
		"accept-invitation", "POST "+one+"/accept", "Join the circle of an invitation to you", 401, 404, 409, 429,
	),
		func(ctx context.Context, in *byID) (*JoinedCircle, error) {
			id, err := o.Service.AcceptInvited(ctx, viewer(ctx).User, in.ID)
			return &JoinedCircle{id}, err
		})
	for _, way := range []struct {
		operation, path, summary string
		forGood                  bool
	}{
		{"decline-invitation", "/decline", "Decline an invitation to you; the organizers do not learn it", false},
		{"block-invitations", "/block", "Decline an invitation to you, and all others by this circle's rosters", true},
	} {
		operation(r, signedIn, circles.op(way.operation, "POST "+one+way.path, way.summary, 401, 404, 409, 429),
			func(ctx context.Context, in *byID) (*Modified, error) {
				return &Modified{1}, o.Service.DeclineInvited(ctx, viewer(ctx).User, in.ID, way.forGood)
			})
	}
}
