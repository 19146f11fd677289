package nodetest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// event is a received event.
type event struct{ id, kind, subject string }

// stream is an open stream of events.
type stream struct {
	response *http.Response
	lines    *bufio.Scanner
	// id is the last received cursor, with an event or alone.
	id string
}

// listen opens a stream; lastID may be "". It returns its error.
func (c *client) listen(ctx context.Context, lastID string) (*stream, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.n.url+"/api/events", nil)
	if err != nil {
		return nil, err
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.address != "" {
		r.Header.Set("X-Forwarded-For", c.address)
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	r.Header.Set("Accept-Encoding", "gzip")
	response, err := c.n.http.Do(r)
	if err != nil {
		return nil, err
	}
	s := &stream{response: response, lines: bufio.NewScanner(response.Body), id: lastID}
	if h := response.Header; response.StatusCode != http.StatusOK || h.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
		h.Get("Content-Encoding") != "" || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Cache-Control"), "no-store") {
		return nil, errors.Join(fmt.Errorf("%s %v", response.Status, h), response.Body.Close())
	}
	return s, nil
}

func (s *stream) close() { _ = s.response.Body.Close() }

// next waits for an event, or for a cursor without one.
func (s *stream) next() (event, error) {
	var e event
	var data struct{ Kind, ID string }
	for s.lines.Scan() {
		name, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			var fields map[string]string
			if err := json.Unmarshal([]byte(value), &fields); err != nil {
				return e, err
			}
			data.Kind, data.ID = fields["kind"], fields["_id"]
			delete(fields, "kind")
			if delete(fields, "_id"); len(fields) > 0 {
				return e, fmt.Errorf("an event tells more than it should: %s", value)
			}
		case "":
			if e.id != "" {
				s.id = e.id
				if e.subject = data.ID; e.kind != data.Kind {
					return e, fmt.Errorf("event %s has data of %s", e.kind, data.Kind)
				}
				return e, nil
			}
		}
	}
	return e, fmt.Errorf("the stream has ended: %w", s.lines.Err())
}

// told waits for an event and skips cursors, which come while there are no events.
func (s *stream) told() (event, error) {
	for {
		if e, err := s.next(); err != nil || e.kind != "" {
			return e, err
		}
	}
}

// hears opens a stream and waits until it has begun.
func (c *client) hears(t *testing.T) *stream {
	t.Helper()
	return c.hearsFrom(t, "")
}

func (c *client) hearsFrom(t *testing.T, lastID string) *stream {
	t.Helper()
	s, err := c.listen(t.Context(), lastID)
	require.NoError(t, err)
	t.Cleanup(s.close)
	if lastID == "" {
		begun, err := s.next()
		require.NoError(t, err)
		require.Empty(t, begun.kind)
		require.NotEmpty(t, begun.id)
	}
	return s
}

// expect waits for events of these kinds and subjects, in this order and no others.
func (s *stream) expect(t *testing.T, want ...event) {
	t.Helper()
	for _, w := range want {
		got, err := s.told()
		require.NoError(t, err)
		got.id = ""
		require.Equal(t, w, got)
	}
}

// ended waits for the end.
func (s *stream) ended(t *testing.T) {
	t.Helper()
	for {
		got, err := s.next()
		if err != nil {
			return
		}
		require.Empty(t, got.kind)
	}
}
