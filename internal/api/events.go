package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/live"
)

// Times of an event stream.
const (
	// checkEvery is the interval at which a stream checks its session. Sessions are cached
	// for three seconds, so a stream ends within five seconds of its session.
	checkEvery = 900 * time.Millisecond
	// heartbeatChecks is the number of checks without an event after which a heartbeat is
	// sent (18 seconds), so that proxies keep the connection and dead ones are noticed.
	heartbeatChecks = 20
	// writeTimeout is the time that a client has to take an event.
	writeTimeout = 10 * time.Second
	// pace is the minimum interval between two writes to one client.
	pace = 100 * time.Millisecond
)

type eventsInput struct {
	LastEventID string `header:"Last-Event-ID" doc:"The id of the last event that was received: what came after it is sent first. Without it the stream begins now. An id that is too old or was not given by this service begins with the event reset."`
}

func (o *operations) registerEvents(r *router) {
	operation(r, allOrSignedIn, huma.Operation{
		OperationID: "events", Method: http.MethodGet, Path: "/api/events", Summary: "Stream events",
		Description: "A stream of server-sent events that ends when the session does; then, and after any other end, " +
			"connect again with Last-Event-ID. " +
			"Events say what changed and which one, never how: ask for it. Visitors hear of assignments only. " +
			"Kinds: assignment.created, assignment.updated, assignment.deleted; submission.pending, submission.changed, " +
			"submission.withdrawn, " +
			"submission.graded, which change the list of pending submissions; own-submission for each change of one of your " +
			"own; " +
			"assignment.results when a submission for your assignment, which the event names, is handed in, withdrawn, graded " +
			"or reopened; " +
			"notifications when yours have changed; reports, to those who decide on them, when one came or was decided on; " +
			"reset when anything may have changed. Ignore unknown kinds.",
		Tags: tag("Events").list(), Errors: []int{401, 503},
		Responses: map[string]*huma.Response{"200": {
			Description: "Events with id, event (the kind) and data (JSON: kind and _id).",
			Content: map[string]*huma.MediaType{"text/event-stream": {
				Schema: &huma.Schema{Type: huma.TypeString},
				Example: "id: x7Lw/41\nevent: assignment.created\ndata: " +
					"{\"kind\":\"assignment.created\",\"_id\":\"06gzhm3b20000\"}\n\n",
			}},
		}},
	}, streamed(o.listen), within(0))
}

func (o *operations) listen(ctx context.Context, w http.ResponseWriter, in *eventsInput) error {
	listener, err := o.Live.Listen(ctx, live.Viewer{
		User: viewer(ctx).User.ID, Network: limit.Network(visit(ctx).Address),
		Moderator: o.Service.Moderates(viewer(ctx).User),
	}, in.LastEventID)
	if err != nil {
		return err
	}
	defer listener.Leave()
	r := callOf(ctx).request
	s := &eventStream{listener: listener, w: w, control: http.NewResponseController(w)}
	s.run(ctx, r.Method == http.MethodHead, func() bool { return o.stillGood(r, viewer(ctx).User) })
	return nil
}

// stillGood reports whether the request's token is still valid, and its user, as at the beginning, a moderator or not.
// It reports true while the store is unavailable: there are no events then.
func (o *operations) stillGood(r *http.Request, was studycircle.User) bool {
	given := authorization(r)
	if given == "" {
		return true
	}
	ctx, cancel := context.WithTimeout(r.Context(), checkEvery)
	defer cancel()
	now, err := o.Identity.Authenticate(ctx, accessToken(given))
	if err != nil {
		return studycircle.CodeOf(err) != studycircle.CodeUnauthenticated
	}
	return o.Service.Moderates(now.User) == o.Service.Moderates(was)
}

// eventStream writes the events of a listener.
type eventStream struct {
	listener *live.Listener
	w        http.ResponseWriter
	control  *http.ResponseController
	buffer   []byte
}

// run writes until the client, the session or the node ends. With head it writes the
// headers alone.
func (s *eventStream) run(ctx context.Context, head bool, stillGood func() bool) {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // nginx must not buffer the stream
	// The server's deadlines for requests do not apply to a stream. A writer without
	// deadlines has none to lift.
	_ = s.control.SetReadDeadline(time.Time{})
	if head {
		return
	}
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	quiet := heartbeatChecks // begin with a heartbeat that carries the cursor
	for {
		events, cursor, more, ok := s.listener.Take(ctx)
		if !ok {
			return
		}
		if len(events) > 0 || quiet >= heartbeatChecks {
			quiet = 0
			if !s.write(events, cursor) || !waited(ctx, pace) {
				return
			}
		}
		// The check comes first, so that the session ends even while events keep arriving.
		checked := false
		select {
		case <-tick.C:
			checked = true
		default:
			if len(events) > 0 {
				continue // an event may have arrived meanwhile
			}
			select {
			case <-more:
			case <-tick.C:
				checked = true
			case <-s.listener.Ended():
				return
			case <-ctx.Done():
				return
			}
		}
		if checked {
			if quiet++; !stillGood() {
				return
			}
		}
	}
}

// write sends events or, without any, a bare cursor, which browsers store without
// dispatching an event.
func (s *eventStream) write(events []studycircle.PlacedEvent, cursor string) bool {
	b := s.buffer[:0]
	for _, e := range events {
		b = append(b, "id: "+e.Token+"\nevent: "+string(e.Kind)+"\ndata: {\"kind\":\""+string(e.Kind)...)
		if e.ID != "" {
			b = append(b, "\",\"_id\":\""+e.ID...) // ids need no JSON escapes
		}
		b = append(b, "\"}\n\n"...)
	}
	if len(events) == 0 {
		b = append(b, ":\nid: "+cursor+"\n\n"...)
	}
	if s.buffer = b; cap(b) > 4<<10 {
		s.buffer = nil
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // see run
	if _, err := s.w.Write(b); err != nil {
		return false
	}
	return s.control.Flush() == nil
}

// waited waits for d and reports whether it did; false if ctx ended first.
func waited(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
