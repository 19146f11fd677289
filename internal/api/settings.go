package api

import (
	"context"

	"studycircle"
)

// Settings say when and where a user is notified.
type Settings struct {
	TimeZone  string             `json:"timeZone" doc:"A name of the IANA database; at first the browser's, or UTC if the browser sent none."`
	Reminders ReminderSettings   `json:"reminders"`
	Channels  map[string]Channel `json:"channels" doc:"By kind of notification."`
	Digest    string             `json:"digest" enum:"none,daily" doc:"daily: one email a day, at the time of reminders, instead of single ones."`
}

// ReminderSettings say when reminders go out.
type ReminderSettings struct {
	DaysBefore []int  `json:"daysBefore" doc:"Up to five days before the due day, each 0 to 30."`
	At         string `json:"at" doc:"HH:MM, in your time zone."`
}

// Channel says where notifications of a kind go.
type Channel struct {
	App  bool `json:"app"`
	Mail bool `json:"mail"`
}

func settingsOf(p studycircle.Preferences) Settings {
	out := Settings{
		TimeZone: p.TimeZone, Reminders: ReminderSettings{DaysBefore: p.DaysBefore, At: p.At},
		Channels: map[string]Channel{}, Digest: string(p.Digest),
	}
	for kind, c := range p.Channels {
		out.Channels[string(kind)] = Channel(c)
	}
	return out
}

func (s Settings) preferences() studycircle.Preferences {
	p := studycircle.Preferences{
		TimeZone: s.TimeZone, DaysBefore: s.Reminders.DaysBefore, At: s.Reminders.At,
		Channels: map[studycircle.NotificationKind]studycircle.Channel{}, Digest: studycircle.Digest(s.Digest),
	}
	for kind, c := range s.Channels {
		p.Channels[studycircle.NotificationKind(kind)] = studycircle.Channel(c)
	}
	return p
}

type settingsInput struct{ Body Settings }

type settingsAnswer struct{ Body Settings }

type timeZoneInput struct {
	Body struct {
		TimeZone string `json:"timeZone" doc:"A name of the IANA database."`
	}
}

func (o *operations) registerSettings(r *router) {
	const tags = tag("Notifications")
	operation(r, signedIn, tags.op("get-settings", "GET /api/settings", "Get your notification settings", 401),
		func(ctx context.Context, _ *struct{}) (*settingsAnswer, error) {
			p, err := o.Service.Preferences(ctx, viewer(ctx).User)
			return &settingsAnswer{settingsOf(p)}, err
		})
	operation(r, signedIn, described(tags.op("put-settings", "PUT /api/settings",
		"Update your notification settings", 401, 422, 429),
		"Kinds that channels does not name keep their settings."),
		func(ctx context.Context, in *settingsInput) (*settingsAnswer, error) {
			p, err := o.Service.PutPreferences(ctx, viewer(ctx).User, in.Body.preferences())
			return &settingsAnswer{settingsOf(p)}, err
		})
	operation(r, signedIn, tags.op("tell-time-zone", "PUT /api/settings/time-zone",
		"Set your time zone if none is set", 401, 422),
		func(ctx context.Context, in *timeZoneInput) (*Modified, error) {
			told, err := o.Service.TellTimeZone(ctx, viewer(ctx).User, in.Body.TimeZone)
			return &Modified{ModifiedCount: count(told)}, err
		})
}
