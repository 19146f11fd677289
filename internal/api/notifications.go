package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
)

// Notification is one of the viewer's notifications.
type Notification struct {
	ID   string `json:"_id"`
	Kind string `json:"kind" enum:"graded,settlement,returned,unopened,taken,comment,reply,mention,joined,published,moved,due,owed,review,question,answer,appeal,unreviewed,short,hidden,restored,decided,invited,report"`
	Place
	Count     int64      `json:"count" doc:"How many of the kind, about the same, this one stands for."`
	Title     string     `json:"title" doc:"Of the assignment; the name of the circle in an invitation; empty in other notifications about a circle."`
	DueDate   string     `json:"dueDate,omitempty" doc:"Of published and moved: RFC 3339, as it applies to you at present; absent if you do not see the assignment."`
	URL       *string    `json:"url" nullable:"true" doc:"A path of this app; null if you do not see the assignment that it leads to."`
	ActorName *string    `json:"actorName" nullable:"true" doc:"Display name of the user who did it last; null if there is none or the name is not shown."`
	CreatedAt time.Time  `json:"createdAt" doc:"Of the latest it stands for."`
	ReadAt    *time.Time `json:"readAt" nullable:"true" doc:"Null while unread."`
	NotificationDetail
}

// NotificationDetail has what a list with details adds to a notification.
type NotificationDetail struct {
	AssignmentID string `json:"assignmentId,omitempty" doc:"With details: absent if you do not see the assignment."`
	ActorPhoto   string `json:"actorPhoto,omitempty" doc:"With details: address of a picture of the user named by actorName."`
	Mark         *int64 `json:"mark,omitempty" doc:"With details, of graded and settlement: the obtained mark."`
	Before       *int64 `json:"before,omitempty" doc:"The mark before that; absent for a first one."`
	Total        int64  `json:"total,omitzero" doc:"The total of mark."`
	Words        string `json:"words,omitempty" doc:"With mark: the beginning of the reason or feedback as plain text on one line."`
}

// toldWords is the number of characters of Words.
const toldWords = 120

func notificationDetailOf(n studycircle.Notification, d studycircle.NotificationDetail) NotificationDetail {
	out := NotificationDetail{
		AssignmentID: d.AssignmentID, Before: d.Before, Words: beginning(d.Words, d.HTML, toldWords),
	}
	if n.Kind.NamesActor() {
		out.ActorPhoto = n.Actor.PhotoURL
	}
	if d.Mark != nil {
		out.Mark, out.Total = &d.Mark.Mark, d.Mark.Total
	}
	return out
}

// NotificationList is a page of the viewer's notifications.
type NotificationList struct {
	Data       []Notification `json:"data"`
	Pagination Pagination     `json:"pagination"`
}

// NotificationOf maps a notification of the member of some circles.
func NotificationOf(n studycircle.Notification, circles studycircle.OwnCircles) Notification {
	out := Notification{
		ID: n.ID, Place: placeOf(n.CircleID, circles), Kind: string(n.Kind), Count: n.Count,
		Title: n.Title, CreatedAt: n.CreatedAt,
	}
	if !n.Due.IsZero() {
		out.DueDate = n.Due.String()
	}
	if n.URL != "" {
		out.URL = &n.URL
	}
	if n.Actor.DisplayName != "" && n.Kind.NamesActor() {
		out.ActorName = &n.Actor.DisplayName
	}
	if !n.ReadAt.IsZero() {
		out.ReadAt = &n.ReadAt
	}
	return out
}

type listNotificationsInput struct {
	Unread  string `query:"unread" enum:"true,false" doc:"true: those only that were not read."`
	Details string `query:"details" enum:"true,false" doc:"true: with the assignments, pictures and marks."`
	Page    int64  `query:"page" default:"1" minimum:"1"`
	Limit   int64  `query:"limit" default:"20" minimum:"1" maximum:"100"`
}

type listNotificationsAnswer struct {
	Unread int64 `header:"X-Unread-Count"`
	Body   NotificationList
}

// maxRead bounds the notifications that one request names.
const maxRead = 1000

type readNotificationsInput struct {
	Body struct {
		IDs   []string `json:"ids,omitempty" maxItems:"1000" doc:"Those; others' are read over."`
		Until string   `json:"until,omitempty" doc:"That one and all older ones. Either ids or until."`
	}
}

type unsubscribeInput struct {
	Token string `path:"token"`
}

// Unsubscription is the kind of emails that a link ends.
type Unsubscription struct {
	Kind string `json:"kind" enum:"graded,settlement,returned,unopened,taken,comment,reply,mention,joined,published,moved,due,owed,review,question,answer,appeal,unreviewed,short,hidden,restored,decided,invited,report,digest" doc:"digest: all mails of notifications."`
}

func (o *operations) registerNotifications(r *router) {
	const tags = tag("Notifications")
	operation(r, signedIn, tags.op("list-notifications", "GET /api/notifications",
		"List your notifications, newest first", 401, 422),
		o.listNotifications)
	operation(r, signedIn, tags.op("read-notifications", "POST /api/notifications/read",
		"Mark notifications as read", 401, 422),
		o.readNotifications, anew)
	operation(r, all, tags.op("get-unsubscription", "GET /api/unsubscribe/{token}",
		"Get the kind of emails that an unsubscribe link ends", 404),
		func(_ context.Context, in *unsubscribeInput) (*Unsubscription, error) {
			_, kind, err := o.Identity.Unsubscriber(in.Token)
			return &Unsubscription{kind}, err
		})
	// The address of List-Unsubscribe (RFC 8058): anyone who has the email may end emails
	// of its kind. The page that GET shows at this address sends the same request.
	operation(r, all, huma.Operation{
		OperationID: "unsubscribe", Method: http.MethodPost, Path: "/unsubscribe/{token}",
		Summary: "Unsubscribe from one kind of email", Tags: tags.list(), DefaultStatus: http.StatusOK, Errors: []int{404},
	}, func(ctx context.Context, in *unsubscribeInput) (*Unsubscription, error) {
		userID, kind, err := o.Identity.Unsubscriber(in.Token)
		if err != nil {
			return nil, err
		}
		ended := studycircle.NotificationKind(kind)
		if !ended.Valid() {
			ended = ""
		}
		return &Unsubscription{kind}, o.Service.StopMails(ctx, userID, ended)
	})
}

func (o *operations) listNotifications(
	ctx context.Context, in *listNotificationsInput,
) (*listNotificationsAnswer, error) {
	p := studycircle.Page{Number: in.Page, Limit: in.Limit}
	found, total, unread, err := o.Service.Notifications(ctx, viewer(ctx).User, in.Unread == "true", p)
	out := &listNotificationsAnswer{Unread: unread, Body: NotificationList{
		Data: make([]Notification, len(found)), Pagination: paginationOf(p, total),
	}}
	if err != nil {
		return nil, err
	}
	circles, err := circlesOf(
		ctx, o.Service, viewer(ctx).User, found, func(n *studycircle.Notification) string { return n.CircleID },
	)
	for i, n := range found {
		out.Body.Data[i] = NotificationOf(n, circles)
	}
	if err != nil || in.Details != "true" {
		return out, err
	}
	details, err := o.Service.NotificationDetails(ctx, viewer(ctx).User, found)
	for i, n := range found {
		out.Body.Data[i].NotificationDetail = notificationDetailOf(n, details[n.ID])
	}
	return out, err
}

func (o *operations) readNotifications(ctx context.Context, in *readNotificationsInput) (*Modified, error) {
	var n int64
	var err error
	switch ids, until := in.Body.IDs, in.Body.Until; {
	case len(ids) > maxRead:
		return nil, invalidField("ids", "Name at most 1,000 at once, or the last one as until.")
	case (ids == nil) == (until == ""):
		return nil, invalidField("ids", "Give either ids or until.")
	case until != "":
		n, err = o.Service.ReadNotificationsUntil(ctx, viewer(ctx).User, until)
	default:
		n, err = o.Service.ReadNotifications(ctx, viewer(ctx).User, ids)
	}
	return &Modified{ModifiedCount: int(n)}, err
}

func invalidField(field, message string) error {
	return &studycircle.Error{
		Code: studycircle.CodeInvalid, Message: message, Fields: []studycircle.FieldError{{Field: field, Message: message}},
	}
}
