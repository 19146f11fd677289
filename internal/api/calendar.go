package api

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/calendar"
	"studycircle/internal/limit"
)

// calendarLimit limits guesses of addresses and programs that ask too often.
var calendarLimit = limit.Window{
	Name: "calendar", Max: 600, Per: time.Hour,
	Message: "Calendars were asked for too often from this address. Please try again in %s.",
}

// PrivateCalendar reports whether the viewer has a private calendar. Its address is shown
// once.
type PrivateCalendar struct {
	Exists    bool       `json:"exists"`
	CreatedAt *time.Time `json:"createdAt,omitempty"`
}

// NewCalendar is the address of a private calendar.
type NewCalendar struct {
	URL string `json:"url" doc:"Anyone with the address can read the calendar. It is shown once; the previous address no longer works."`
}

type calendarInput struct {
	File        string `path:"file" doc:"The secret and .ics."`
	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is an empty 304 if it has not changed."`
}

func (o *operations) registerCalendar(r *router) {
	const tags = tag("Calendar")
	operation(r, signedIn, tags.op("get-calendar", "GET /api/calendar", "Get whether you have a private calendar", 401),
		func(ctx context.Context, _ *struct{}) (*private[PrivateCalendar], error) {
			at, err := o.Service.Calendar(ctx, viewer(ctx).User)
			if studycircle.CodeOf(err) == studycircle.CodeNotFound {
				return &private[PrivateCalendar]{}, nil
			}
			return &private[PrivateCalendar]{PrivateCalendar{Exists: true, CreatedAt: &at}}, err
		})
	operation(r, signedIn, created(tags.op("new-calendar", "POST /api/calendar",
		"Create a private calendar, or replace its address", 401)),
		func(ctx context.Context, _ *struct{}) (*private[NewCalendar], error) {
			secret, err := o.Service.NewCalendar(ctx, viewer(ctx).User)
			return &private[NewCalendar]{NewCalendar{o.Identity.PublicURL.JoinPath("calendar", secret+".ics").String()}}, err
		})
	operation(r, signedIn, tags.op("delete-calendar", "DELETE /api/calendar", "Delete your private calendar", 401),
		func(ctx context.Context, _ *struct{}) (*Deleted, error) {
			was, err := o.Service.DeleteCalendar(ctx, viewer(ctx).User)
			return &Deleted{DeletedCount: count(was)}, err
		})
	calendars := limit.NewMemory(calendarLimit)
	operation(r, all, huma.Operation{
		OperationID: "calendar", Method: http.MethodGet, Path: "/calendar/{file}",
		Summary: "Get a private calendar by its secret address", Tags: tags.list(), Errors: []int{404, 429},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "RFC 5545: the due dates of the owner's reminders.",
				Content:     map[string]*huma.MediaType{"text/calendar": {Schema: &huma.Schema{Type: huma.TypeString}}},
			},
			"304": {Description: http.StatusText(http.StatusNotModified)},
		},
	}, streamed(func(ctx context.Context, w http.ResponseWriter, in *calendarInput) error {
		return o.calendar(ctx, w, in, calendars)
	}))
}

func (o *operations) calendar(
	ctx context.Context, w http.ResponseWriter, in *calendarInput, calendars *limit.Memory,
) error {
	if o.Identity.Limits {
		if err := calendars.Spend(limit.Network(visit(ctx).Address), o.Identity.Now()); err != nil {
			return err
		}
	}
	secret, file := strings.CutSuffix(in.File, ".ics")
	if !file || !studycircle.ValidID(secret) {
		return studycircle.ErrNotFound
	}
	events, err := o.Service.CalendarEvents(ctx, secret)
	if err != nil {
		return err
	}
	public := o.Identity.PublicURL
	body := calendar.Feed{
		Brand: o.Identity.Brand, Host: public.Hostname(),
		Link: func(id string) string { return public.JoinPath("assignment", id).String() },
	}.Write(events)
	h := w.Header()
	h.Set("Etag", etagOf(body))
	h.Set("Cache-Control", "private, no-cache")
	if in.IfNoneMatch != "" && anyMatches([]string{in.IfNoneMatch}, etagOf(body)) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "text/calendar; charset=utf-8")
	h.Set("Content-Disposition", `inline; filename="calendar.ics"`)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(body) // an error means that the client has gone
	return nil
}
