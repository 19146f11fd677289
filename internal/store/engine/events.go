package engine

import (
	"strings"

	"studycircle"
)

// EventLines encodes events one a line: kind, id and audience, which contain no blanks. An event without an id has
// noID.
func EventLines(events []studycircle.Event) string {
	var b strings.Builder
	for _, e := range events {
		id := e.ID
		if id == "" {
			id = noID
		}
		b.WriteString(string(e.Kind) + " " + id + " " + string(e.Audience) + "\n")
	}
	return b.String()
}

// noID stands for an empty id.
const noID = "."

// ParseEvents decodes EventLines, and skips lines that it does not understand.
func ParseEvents(lines string) []studycircle.Event {
	var events []studycircle.Event
	for line := range strings.Lines(lines) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		if f[1] == noID {
			f[1] = ""
		}
		events = append(events, studycircle.Event{
			Kind: studycircle.EventKind(f[0]), ID: f[1], Audience: studycircle.Audience(f[2]),
		})
	}
	return events
}
