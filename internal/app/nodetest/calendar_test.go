package nodetest

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// A calendar is private to holders of its address, changes with due dates, and a request
// without a change is cheap.
func TestPrivateCalendar(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		require.Equal(t, doc{"exists": false}, bob.get(t, "/api/calendar").is(t, http.StatusOK).json(t))
		fresh := func() string {
			url := bob.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url")
			require.True(t, strings.HasPrefix(url, n.public+"/calendar/"), url)
			require.True(t, strings.HasSuffix(url, ".ics"), url)
			return strings.TrimPrefix(url, n.public)
		}
		first := fresh()
		address := fresh()
		kept := bob.get(t, "/api/calendar").is(t, http.StatusOK)
		require.Equal(t, true, kept.json(t)["exists"])
		require.NotContains(t, string(kept.body), strings.TrimSuffix(strings.TrimPrefix(address, "/calendar/"), ".ics"), "the secret is shown once")
		for _, dead := range []string{first, address + "x", strings.TrimSuffix(address, ".ics"), "/calendar/x.ics", "/calendar/.ics", "/calendar/" + strings.Repeat("x", 3000) + ".ics", "/calendar/%00.ics"} {
			n.visitor().get(t, dead).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		events := func() (map[string]ical.Event, string) {
			a := n.visitor().get(t, address).is(t, http.StatusOK)
			require.Equal(t, "text/calendar; charset=utf-8", a.header.Get("Content-Type"))
			require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
			c, err := ical.NewDecoder(bytes.NewReader(a.body)).Decode()
			require.NoError(t, err)
			all := map[string]ical.Event{}
			for _, e := range c.Events() {
				all[e.Props.Get(ical.PropUID).Value] = e
			}
			return all, a.header.Get("ETag")
		}
		none, _ := events()
		require.Empty(t, none)
		a, other := ada.publish(t), ada.publish(t)
		for _, id := range []string{a, other} {
			bob.put(t, "/api/assignment/"+id+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
		}
		found, tag := events()
		require.Len(t, found, 2)
		var uid string
		for id := range found {
			if strings.HasPrefix(id, a+"@") {
				uid = id
			}
		}
		same := n.visitor().get(t, address, header{"If-None-Match", tag}).is(t, http.StatusNotModified)
		require.Equal(t, "private, no-cache", same.header.Get("Cache-Control"))

		ada.put(t, "/api/assignment/"+a, with(assignment(), "dueDate", inDays(9))).is(t, http.StatusOK)
		later, changed := events()
		require.NotEqual(t, tag, changed)
		require.Equal(t, "0", found[uid].Props.Get(ical.PropSequence).Value)
		require.Equal(t, "1", later[uid].Props.Get(ical.PropSequence).Value)
		require.NotEmpty(t, found[uid].Props.Get(ical.PropLastModified).Value)
		start, err := later[uid].Props.DateTime(ical.PropDateTimeStart, time.UTC)
		require.NoError(t, err)
		before, err := found[uid].Props.DateTime(ical.PropDateTimeStart, time.UTC)
		require.NoError(t, err)
		require.Equal(t, 48*time.Hour, start.Sub(before))

		bob.submit(t, a)
		done, _ := events()
		require.True(t, strings.HasPrefix(done[uid].Props.Get(ical.PropSummary).Value, "✓ "))
		require.NotEqual(t, later[uid].Props.Get(ical.PropStatus).Value, done[uid].Props.Get(ical.PropStatus).Value)

		bob.put(t, "/api/assignment/"+other+"/reminder", doc{"remind": false}).is(t, http.StatusOK)
		ada.del(t, "/api/assignment/"+a).is(t, http.StatusOK)
		left, _ := events()
		require.Empty(t, left)
		require.EqualValues(t, 1, bob.del(t, "/api/calendar").is(t, http.StatusOK).json(t)["deletedCount"])
		require.EqualValues(t, 0, bob.del(t, "/api/calendar").is(t, http.StatusOK).json(t)["deletedCount"])
		n.visitor().get(t, address).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

// A client that guesses addresses is rate limited.
func TestCalendarsAreLimitedByAddress(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		guesser := n.visitor()
		guesser.address = "203.0.113.9"
		refused := 0
		for range 601 * len(n.each()) {
			if guesser.get(t, "/calendar/guess.ics").status == http.StatusTooManyRequests {
				refused++
			}
		}
		require.Positive(t, refused)
		n.visitor().get(t, "/calendar/guess.ics").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}
