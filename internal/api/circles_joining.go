package api

import (
	"context"
	"html/template"
	"net/http"
	"time"

	"studycircle"
)

// Invitation is an invitation to a circle, without its secret.
type Invitation struct {
	ID         string       `json:"_id"`
	Role       string       `json:"role" enum:"organizer,member"`
	Uses       *int64       `json:"uses" nullable:"true" doc:"How many are left; null for any number."`
	ExpiresAt  time.Time    `json:"expiresAt"`
	OnlyEmail  string       `json:"onlyEmail,omitempty"`
	OnlyDomain string       `json:"onlyDomain,omitempty"`
	Email      string       `json:"email,omitempty" doc:"The address of a roster, whose user joins or is asked once it is verified."`
	Label      string       `json:"label"`
	CreatedAt  time.Time    `json:"createdAt"`
	RevokedAt  *time.Time   `json:"revokedAt" nullable:"true"`
	Joins      int64        `json:"joins" doc:"How many users joined through it."`
	Joined     []JoinedUser `json:"joined" doc:"Up to 20 of them."`
}

// JoinedUser is a user who joined by an invitation.
type JoinedUser struct {
	UserID      string `json:"userId"`
	DisplayName string `json:"displayName"`
}

// Invitations is a page of the invitations to a circle.
type Invitations struct {
	Data       []Invitation `json:"data"`
	Pagination Pagination   `json:"pagination"`
}

func invitationOf(i studycircle.Invitation) Invitation {
	out := Invitation{
		ID: i.ID, Role: string(i.Role), Uses: i.Uses, ExpiresAt: i.ExpiresAt, OnlyEmail: i.OnlyEmail,
		OnlyDomain: i.OnlyDomain, Email: i.RosterEmail,
		Label: i.Label, CreatedAt: i.CreatedAt, Joins: i.Joins, Joined: make([]JoinedUser, len(i.Joined)),
	}
	if !i.RevokedAt.IsZero() {
		out.RevokedAt = &i.RevokedAt
	}
	for n, p := range i.Joined {
		out.Joined[n] = JoinedUser{p.UserID, p.DisplayName}
	}
	return out
}

// Asker is a user who asks to join a circle.
type Asker struct {
	UserID      string    `json:"userId"`
	DisplayName string    `json:"displayName"`
	PhotoURL    string    `json:"photoURL"`
	AskedAt     time.Time `json:"askedAt"`
}

// Askers is a page of the users who ask to join a circle.
type Askers struct {
	Data       []Asker    `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// NewInvitation answers the creation of an invitation.
type NewInvitation struct {
	ID  string `json:"_id"`
	URL string `json:"url" doc:"The address to send. It is not shown again."`
}

// JoinedCircle answers a user who has joined a circle or asks to.
type JoinedCircle struct {
	CircleID string `json:"circleId"`
}

// InvitedCircle is a circle that an invitation admits the viewer to.
type InvitedCircle struct {
	CircleID string        `json:"circleId"`
	Name     string        `json:"name"`
	HTML     template.HTML `json:"html" doc:"The description as safe HTML; empty for an invitation by a roster."`
	Members  int64         `json:"members" doc:"How many there are; 0 for an invitation by a roster."`
	Member   bool          `json:"member" doc:"The viewer is one of them already."`
}

type inviteInput struct {
	ID   string `path:"id"`
	Body struct {
		Role       string  `json:"role,omitempty" enum:"organizer,member" doc:"member if absent."`
		Uses       *whole  `json:"uses,omitempty" nullable:"true" doc:"1 to 100,000; absent or null: any number."`
		ExpiresAt  *string `json:"expiresAt,omitempty" nullable:"true" doc:"RFC 3339, a year from now at most; absent or null: in 30 days."`
		OnlyEmail  *string `json:"onlyEmail,omitempty" nullable:"true" doc:"Admits only the user with this verified address."`
		OnlyDomain *string `json:"onlyDomain,omitempty" nullable:"true" doc:"Admits only users with a verified address of this domain."`
		Label      *string `json:"label,omitempty" nullable:"true" doc:"The label of those who join, 0 to 40 characters."`
	}
}

func (in *inviteInput) input() (out studycircle.InvitationInput, err error) {
	out = studycircle.InvitationInput{
		Role: studycircle.CircleRole(in.Body.Role), Uses: (*int64)(in.Body.Uses), OnlyEmail: textOf(in.Body.OnlyEmail),
		OnlyDomain: textOf(in.Body.OnlyDomain), Label: textOf(in.Body.Label),
	}
	if in.Body.Role == "" {
		out.Role = studycircle.CircleMember
	}
	if in.Body.ExpiresAt != nil {
		if out.ExpiresAt, err = time.Parse(time.RFC3339, *in.Body.ExpiresAt); err != nil {
			var wrong faults
			wrong.add("body.expiresAt", "This must be a date and time as in RFC 3339.")
			return out, wrong.err()
		}
		out.ExpiresAt = out.ExpiresAt.UTC().Truncate(time.Microsecond)
	}
	return out, nil
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type circleInvitationInput struct {
	ID           string `path:"id"`
	InvitationID string `path:"invitationId"`
}

type answerAskingInput struct {
	CircleMemberInput
	Body struct {
		Accept bool `json:"accept"`
	}
}

func (o *operations) registerInvitations(r *router) {
	const at = "/api/circle/{id}"
	invite := circles.op(
		"create-invitation", "POST "+at+"/invitations", "Make an invitation", 401, 403, 404, 409, 422, 429,
	)
	invite.DefaultStatus = http.StatusCreated
	operation(r, signedIn, invite, func(ctx context.Context, in *inviteInput) (*NewInvitation, error) {
		input, err := in.input()
		if err != nil {
			return nil, err
		}
		id, secret, err := o.Service.Invite(ctx, viewer(ctx).User, in.ID, input)
		return &NewInvitation{id, o.Identity.PublicURL.JoinPath("join").String() + "#" + secret}, err
	})
	operation(r, signedIn, circles.op(
		"list-invitations", "GET "+at+"/invitations", "List the invitations to a circle, newest first", 401, 403, 404, 422,
	),
		func(ctx context.Context, in *CirclePageInput) (*Invitations, error) {
			found, total, err := o.Service.Invitations(ctx, viewer(ctx).User, in.ID, in.page())
			out := Invitations{Data: make([]Invitation, len(found)), Pagination: paginationOf(in.page(), total)}
			for i, one := range found {
				out.Data[i] = invitationOf(one)
			}
			return &out, err
		})
	operation(r, signedIn, circles.op(
		"revoke-invitation", "DELETE "+at+"/invitations/{invitationId}", "Revoke an invitation", 401, 403, 404, 409,
	),
		func(ctx context.Context, in *circleInvitationInput) (*Deleted, error) {
			return &Deleted{1}, o.Service.Revoke(ctx, viewer(ctx).User, in.ID, in.InvitationID)
		})
	type InvitationSecret struct { // exported, so that the document has its field
		Secret string `json:"secret" doc:"The part after # of an invitation's address."`
	}
	type joinInput struct{ Body struct{ InvitationSecret } }
	type invitedInput struct{ Body struct{ InvitationSecret } }
	operation(r, signedIn, circles.op(
		"join-by-invitation", "POST /api/circles/join", "Join the circle of an invitation", 401, 404, 409, 422, 429,
	),
		func(ctx context.Context, in *joinInput) (*JoinedCircle, error) {
			id, err := o.Service.JoinBySecret(ctx, viewer(ctx).User, in.Body.Secret)
			return &JoinedCircle{id}, err
		})
	operation(r, signedIn, circles.op("preview-invitation", "POST /api/circles/invited", "Get the circle that an "+
		"invitation is for", 401, 404, 409, 422, 429),
		func(ctx context.Context, in *invitedInput) (*InvitedCircle, error) {
			c, err := o.Service.InvitedCircle(ctx, viewer(ctx).User, in.Body.Secret)
			return &InvitedCircle{c.ID, c.Name, rendered(c.HTML), c.Members, c.Mine.Role != ""}, err
		}, anew)
	operation(r, signedIn, circles.op("join-circle", "POST "+at+"/join", "Join an open circle", 401, 404, 409, 429),
		func(ctx context.Context, in *byID) (*JoinedCircle, error) {
			return &JoinedCircle{in.ID}, o.Service.JoinOpen(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, circles.op("ask-to-join", "POST "+at+"/ask", "Ask to join a circle", 401, 404, 429),
		func(ctx context.Context, in *byID) (*JoinedCircle, error) {
			return &JoinedCircle{in.ID}, o.Service.AskToJoin(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, circles.op(
		"list-asking", "GET "+at+"/asking", "List the users who ask to join a circle, oldest first", 401, 403, 404, 422,
	),
		func(ctx context.Context, in *CirclePageInput) (*Askers, error) {
			found, total, err := o.Service.Asking(ctx, viewer(ctx).User, in.ID, in.page())
			out := Askers{Data: make([]Asker, len(found)), Pagination: paginationOf(in.page(), total)}
			for i, a := range found {
				out.Data[i] = Asker{a.Account.UserID, a.Account.DisplayName, a.Account.PhotoURL, a.AskedAt}
			}
			return &out, err
		})
	operation(r, signedIn, circles.op(
		"answer-asking", "POST "+at+"/asking/{userId}", "Admit a user who asks to join, or decline", 401, 403, 404, 409, 422,
	),
		func(ctx context.Context, in *answerAskingInput) (*Modified, error) {
			return &Modified{1}, o.Service.AnswerAsking(ctx, viewer(ctx).User, in.ID, in.UserID, in.Body.Accept)
		})
}
