package api

import (
	"context"
	"html/template"
	"net/http"
	"strings"
	"time"

	"studycircle"
)

// CircleMember is a member of a circle as all members see it.
type CircleMember struct {
	UserID      string    `json:"userId"`
	DisplayName string    `json:"displayName"`
	PhotoURL    string    `json:"photoURL"`
	Role        string    `json:"role" enum:"owner,organizer,member"`
	Label       string    `json:"label"`
	JoinedAt    time.Time `json:"joinedAt"`
}

// OrganizedMember is a member of a circle as its organizers see it.
type OrganizedMember struct {
	CircleMember
	Email      string     `json:"email"`
	Name       string     `json:"name" doc:"As in the roster."`
	LastSeenAt *time.Time `json:"lastSeenAt" nullable:"true" doc:"The day, in UTC; null if the user is signed in nowhere."`
	May        MemberMay  `json:"may" doc:"What the server allows the viewer."`
}

// MemberMay lists what an organizer may do with a member.
type MemberMay struct {
	Role   bool `json:"role" doc:"Give another role."`
	Label  bool `json:"label" doc:"Change the label and the name as in the roster."`
	Remove bool `json:"remove"`
}

// CircleMembers is a page of the members of a circle as all members see them.
type CircleMembers struct {
	Data       []CircleMember `json:"data"`
	Pagination Pagination     `json:"pagination"`
}

// OrganizedMembers is a page of the members of a circle as its organizers see them.
type OrganizedMembers struct {
	Data       []OrganizedMember `json:"data"`
	Pagination Pagination        `json:"pagination"`
}

func circleMemberOf(m studycircle.Member) CircleMember {
	return CircleMember{
		UserID: m.UserID, DisplayName: m.Account.DisplayName, PhotoURL: m.Account.PhotoURL, Role: string(m.Role),
		Label: m.Label, JoinedAt: m.JoinedAt,
	}
}

func organizedMemberOf(m studycircle.Member) OrganizedMember {
	out := OrganizedMember{CircleMember: circleMemberOf(m), Email: m.Account.Email, Name: m.Name, May: MemberMay(m.May)}
	if !m.LastSeenAt.IsZero() {
		day := studycircle.StartOfDay(studycircle.Day(m.LastSeenAt))
		out.LastSeenAt = &day
	}
	return out
}

// ListedCircle is a circle that every user may find.
type ListedCircle struct {
	ID          string        `json:"_id"`
	Name        string        `json:"name"`
	Description string        `json:"description" doc:"Markdown."`
	HTML        template.HTML `json:"html" doc:"The description as safe HTML."`
	Members     int64         `json:"members" doc:"How many there are."`
	Join        string        `json:"join" enum:"invite,ask,open"`
	Role        string        `json:"role,omitempty" enum:"owner,organizer,member" doc:"The viewer's, of a member."`
	Asked       bool          `json:"asked" doc:"The viewer asks to join."`
	MayJoin     bool          `json:"mayJoin"`
	MayAsk      bool          `json:"mayAsk"`
}

// ListedCircles is a page of the circles that every user may find.
type ListedCircles struct {
	Data       []ListedCircle `json:"data"`
	Pagination Pagination     `json:"pagination"`
}

func listedCircleOf(c studycircle.FoundCircle) ListedCircle {
	stranger := c.Role == ""
	return ListedCircle{
		ID: c.ID, Name: c.Name, Description: c.Description, HTML: rendered(c.HTML), Members: c.Members, Join: string(c.Join),
		Role: string(c.Role), Asked: c.Asked,
		MayJoin: stranger && studycircle.MayJoin(c.Circle, c.Removed) == nil,
		MayAsk:  stranger && !c.Asked && studycircle.MayAsk(c.Circle, c.Removed) == nil,
	}
}

// Invitation is an invitation to a circle, without its secret.
type Invitation struct {
	ID         string       `json:"_id"`
	Role       string       `json:"role" enum:"organizer,member"`
	Uses       *int64       `json:"uses" nullable:"true" doc:"How many are left; null for any number."`
	ExpiresAt  time.Time    `json:"expiresAt"`
	OnlyEmail  string       `json:"onlyEmail,omitempty"`
	OnlyDomain string       `json:"onlyDomain,omitempty"`
	Email      string       `json:"email,omitempty" doc:"The address of a roster that joins as soon as it is verified."`
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
	HTML     template.HTML `json:"html" doc:"The description as safe HTML."`
	Members  int64         `json:"members" doc:"How many there are."`
	Member   bool          `json:"member" doc:"The viewer is one of them already."`
}

// CirclePageInput names a circle and a page. Only embedded types that are exported are in the document.
type CirclePageInput struct {
	ID    string `path:"id"`
	Page  int64  `query:"page" default:"1" minimum:"1"`
	Limit int64  `query:"limit" default:"10" minimum:"1" maximum:"100"`
}

func (in *CirclePageInput) page() studycircle.Page {
	return studycircle.Page{Number: in.Page, Limit: in.Limit}
}

// check implements checked.
func (in *listMembersInput) check(wrong *faults) {
	checkSearch(in.Search, wrong)
	checkSearch(in.Label, wrong)
}

type listMembersInput struct {
	CirclePageInput
	Search string `query:"search" doc:"Beginnings of words of a name; for organizers also of an address and of the name in the roster."`
	Role   string `query:"role" enum:"owner,organizer,member"`
	Label  string `query:"label"`
}

// CircleMemberInput names a member of a circle.
type CircleMemberInput struct {
	ID     string `path:"id"`
	UserID string `path:"userId"`
}

type changeMemberInput struct {
	CircleMemberInput
	Body struct {
		Role  *string `json:"role,omitempty" enum:"owner,organizer,member" doc:"Only owners change it."`
		Label *string `json:"label,omitempty" doc:"0 to 40 characters: a section or a team, for example."`
		Name  *string `json:"name,omitempty" doc:"As in the roster, 0 to 100 characters."`
	}
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

type userInput struct {
	ID   string `path:"id"`
	Body struct {
		UserID string `json:"userId"`
	}
}

type answerAskingInput struct {
	CircleMemberInput
	Body struct {
		Accept bool `json:"accept"`
	}
}

func (o *operations) registerCircleMembers(r *router) {
	const at = "/api/circle/{id}"
	operation(r, signedIn, eitherOf(r, circles.op(
		"list-members", "GET "+at+"/members", "List the members of a circle, in the order of joining", 401, 404, 422,
	),
		CircleMembers{}, OrganizedMembers{}), o.listMembers)
	operation(r, signedIn, circles.op("change-member", "PATCH "+at+"/members/{userId}", "Change the role, label or name "+
		"of a member", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *changeMemberInput) (*Modified, error) {
			changed, err := o.Service.ChangeMember(ctx, viewer(ctx).User, in.ID, in.UserID, studycircle.MemberChange{
				Role: (*studycircle.CircleRole)(in.Body.Role), Label: in.Body.Label, Name: in.Body.Name,
			})
			return &Modified{count(changed)}, err
		})
	operation(r, signedIn, circles.op(
		"remove-member", "DELETE "+at+"/members/{userId}", "Remove a member", 401, 403, 404, 409,
	),
		func(ctx context.Context, in *CircleMemberInput) (*Deleted, error) {
			return &Deleted{1}, o.Service.RemoveMember(ctx, viewer(ctx).User, in.ID, in.UserID)
		})
	operation(r, signedIn, circles.op("leave-circle", "POST "+at+"/leave", "Leave a circle", 401, 404, 409),
		func(ctx context.Context, in *byID) (*Modified, error) {
			return &Modified{1}, o.Service.LeaveCircle(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, circles.op(
		"hand-over-circle", "POST "+at+"/handover", "Ask a member to become an owner in your place", 401, 403, 404, 409, 422,
	),
		func(ctx context.Context, in *userInput) (*Modified, error) {
			return &Modified{1}, o.Service.HandOver(ctx, viewer(ctx).User, in.ID, in.Body.UserID)
		})
	operation(r, signedIn, circles.op(
		"take-over-circle", "POST "+at+"/handover/accept", "Become an owner, if you were asked", 401, 404, 409,
	),
		func(ctx context.Context, in *byID) (*Modified, error) {
			return &Modified{1}, o.Service.TakeOver(ctx, viewer(ctx).User, in.ID)
		})
	for path, archived := range map[string]bool{"archive": true, "unarchive": false} {
		operation(r, signedIn, circles.op(
			path+"-circle", "POST "+at+"/"+path, strings.ToUpper(path[:1])+path[1:]+" a circle that you own", 401, 403, 404,
		),
			func(ctx context.Context, in *byID) (*Modified, error) {
				changed, err := o.Service.ArchiveCircle(ctx, viewer(ctx).User, in.ID, archived)
				return &Modified{count(changed)}, err
			})
	}
	o.registerInvitations(r)
	o.registerRosters(r)
}

func (o *operations) listMembers(ctx context.Context, in *listMembersInput) (*eitherAnswer, error) {
	f := studycircle.MemberFilter{Search: in.Search, Role: studycircle.CircleRole(in.Role), Label: in.Label}
	found, total, organizes, err := o.Service.Members(ctx, viewer(ctx).User, in.ID, f, in.page())
	if err != nil {
		return nil, err
	}
	if organizes {
		out := OrganizedMembers{Data: make([]OrganizedMember, len(found)), Pagination: paginationOf(in.page(), total)}
		for i, m := range found {
			out.Data[i] = organizedMemberOf(m)
		}
		return &eitherAnswer{out}, nil
	}
	out := CircleMembers{Data: make([]CircleMember, len(found)), Pagination: paginationOf(in.page(), total)}
	for i, m := range found {
		out.Data[i] = circleMemberOf(m)
	}
	return &eitherAnswer{out}, nil
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
	type secretInput struct {
		Body struct {
			Secret string `json:"secret" doc:"The part after # of an invitation's address."`
		}
	}
	operation(r, signedIn, circles.op(
		"join-by-invitation", "POST /api/circles/join", "Join the circle of an invitation", 401, 404, 409, 422, 429,
	),
		func(ctx context.Context, in *secretInput) (*JoinedCircle, error) {
			id, err := o.Service.JoinBySecret(ctx, viewer(ctx).User, in.Body.Secret)
			return &JoinedCircle{id}, err
		})
	operation(r, signedIn, circles.op("preview-invitation", "POST /api/circles/invited", "Get the circle that an "+
		"invitation is for", 401, 404, 409, 422, 429),
		func(ctx context.Context, in *secretInput) (*InvitedCircle, error) {
			c, err := o.Service.InvitedCircle(ctx, viewer(ctx).User, in.Body.Secret)
			return &InvitedCircle{c.ID, c.Name, rendered(c.HTML), c.Members, c.Mine.Role != ""}, err
		})
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
