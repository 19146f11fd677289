package api

import (
	"context"
	"html/template"
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
	FamilyName string     `json:"familyName,omitempty" doc:"Where the roster keeps it apart."`
	SourceID   string     `json:"sourcedId,omitempty" doc:"In the system that made the roster."`
	ExtraDays  int64      `json:"extraDays,omitzero" doc:"The member's extra time for each assignment."`
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
	out := OrganizedMember{
		CircleMember: circleMemberOf(m), Email: m.Account.Email, Name: m.Name, FamilyName: m.FamilyName,
		SourceID: m.SourceID, May: MemberMay(m.May), ExtraDays: m.ExtraDays,
	}
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
	checkSought("label", "label", in.Label, wrong)
}

type listMembersInput struct {
	CirclePageInput
	Search string `query:"search" doc:"Beginnings of words of a name; for organizers also of an address and of the name in the roster."`
	Role   string `query:"role" enum:"owner,organizer,member"`
	Label  string `query:"label"`
	Sort   string `query:"sort" enum:"name,family" doc:"By name or by family name, for organizers as in the roster where it has them; by default in the order of joining."`
}

// CircleMemberInput names a member of a circle.
type CircleMemberInput struct {
	ID     string `path:"id"`
	UserID string `path:"userId"`
}

type changeMemberInput struct {
	CircleMemberInput
	Body struct {
		Role       *string `json:"role,omitempty" enum:"owner,organizer,member" doc:"Only owners change it."`
		Label      *string `json:"label,omitempty" doc:"0 to 40 characters: a section or a team, for example."`
		Name       *string `json:"name,omitempty" doc:"As in the roster, 0 to 100 characters."`
		FamilyName *string `json:"familyName,omitempty" doc:"0 to 100 characters: by which lists are sorted. Another name without one forgets it."`
		// ExtraDays move every due date of the circle for the member.
		ExtraDays *whole `json:"extraDays,omitempty" doc:"Extra time for each assignment, 0 to 60 days. Only organizers and the member see it."`
	}
}

type userInput struct {
	ID   string `path:"id"`
	Body struct {
		UserID string `json:"userId"`
	}
}

func (o *operations) registerCircleMembers(r *router) {
	const at = "/api/circle/{id}"
	operation(r, signedIn, eitherOf(r, circles.op(
		"list-members", "GET "+at+"/members", "List the members of a circle", 401, 404, 422,
	),
		CircleMembers{}, OrganizedMembers{}), o.listMembers)
	for id, method := range map[string]string{"change-member": "PATCH ", "put-member": "PUT "} {
		operation(r, signedIn, circles.op(
			id, method+at+"/members/{userId}",
			"Change the role, label, name or extra time of a member; what is absent stays", 401, 403, 404, 409, 422,
		),
			func(ctx context.Context, in *changeMemberInput) (*Modified, error) {
				changed, err := o.Service.ChangeMember(ctx, viewer(ctx).User, in.ID, in.UserID, studycircle.MemberChange{
					Role: (*studycircle.CircleRole)(in.Body.Role), Label: in.Body.Label, Name: in.Body.Name,
					FamilyName: in.Body.FamilyName, ExtraDays: (*int64)(in.Body.ExtraDays),
				})
				return &Modified{count(changed)}, err
			})
	}
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
	o.registerInvited(r)
	o.registerRosters(r)
}

func (o *operations) listMembers(ctx context.Context, in *listMembersInput) (*eitherAnswer, error) {
	f := studycircle.MemberFilter{
		Search: in.Search, Role: studycircle.CircleRole(in.Role), Label: in.Label, Order: studycircle.MemberOrder(in.Sort),
	}
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
