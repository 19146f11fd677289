package api

import (
	"context"
	"strings"
	"time"

	"studycircle"
)

// OpenSession is a browser in which the viewer is signed in.
type OpenSession struct {
	ID         string    `json:"_id"`
	Current    bool      `json:"current" doc:"The one that asks."`
	Device     string    `json:"device" doc:"In words, for example Firefox on Linux."`
	CreatedAt  time.Time `json:"createdAt" doc:"Signed in."`
	LastSeenAt time.Time `json:"lastSeenAt" doc:"To the minute."`
	ExpiresAt  time.Time `json:"expiresAt"`
}

func openSessionOf(s studycircle.OpenSession, current string) OpenSession {
	return OpenSession{
		ID: s.ID, Current: s.ID == current, Device: device(s.UserAgent),
		CreatedAt: s.CreatedAt, LastSeenAt: s.LastSeenAt, ExpiresAt: s.ExpiresAt,
	}
}

type endSessionInput struct {
	ID string `path:"id"`
}

type endedAnswer struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      struct {
		DeletedCount int64 `json:"deletedCount"`
	}
}

func (o *operations) registerSessions(r *router) {
	operation(r, signedIn, described(accounts.op("list-sessions", "GET /api/auth/sessions", "List your sessions", 401),
		"The most recently used first, 100 at most."),
		func(ctx context.Context, _ *struct{}) (*struct{ Body []OpenSession }, error) {
			sessions, err := o.Identity.Sessions(ctx, viewer(ctx))
			out := make([]OpenSession, len(sessions))
			for n, s := range sessions {
				out[n] = openSessionOf(s, viewer(ctx).ID)
			}
			return &struct{ Body []OpenSession }{out}, err
		})
	operation(r, signedIn, accounts.op("end-session", "DELETE /api/auth/sessions/{id}",
		"End one of your sessions", 401, 404),
		func(ctx context.Context, in *endSessionInput) (*endedAnswer, error) {
			answer := &endedAnswer{}
			answer.Body.DeletedCount = 1
			if in.ID == viewer(ctx).ID {
				answer.SetCookie = o.Cookie.clear()
			}
			return answer, o.Identity.EndSession(ctx, viewer(ctx), in.ID)
		})
	operation(r, signedIn, accounts.op("end-other-sessions", "DELETE /api/auth/sessions",
		"End all your sessions except this one", 401),
		func(ctx context.Context, _ *struct{}) (*endedAnswer, error) {
			answer := &endedAnswer{}
			var err error
			answer.Body.DeletedCount, err = o.Identity.EndOtherSessions(ctx, viewer(ctx))
			return answer, err
		})
}

// browsers and systems are names by a part of the User-Agent, more specific parts first:
// each browser also claims to be others.
var (
	browsers = [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"}, {"FxiOS", "Firefox"},
		{"Firefox/", "Firefox"},
		{"CriOS", "Chrome"}, {"HeadlessChrome", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"},
		{"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// device describes a User-Agent in words, for display only.
func device(userAgent string) string {
	browser, system := firstIn(userAgent, browsers), firstIn(userAgent, systems)
	switch {
	case browser == "" && system == "":
		return "Unknown device"
	case system == "":
		return browser
	case browser == "":
		return "Unknown browser on " + system
	}
	return browser + " on " + system
}

func firstIn(userAgent string, names [][2]string) string {
	for _, n := range names {
		if strings.Contains(userAgent, n[0]) {
			return n[1]
		}
	}
	return ""
}
