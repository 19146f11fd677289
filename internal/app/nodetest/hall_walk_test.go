package nodetest

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/webtest"
)

// ownInTheHall are the surfaces on which users find what is their own in a hall that is off: their data, their work, and
// the notifications that they got before.
var ownInTheHall = regexp.MustCompile(`^\w+ export-account$|^(Bob|Dan|Eve) list-notifications$|^(Dan|Eve) (list-submissions|get-own-submission|get-dashboard|get-today|page dashboard|page mine|search)$`)

// Every operation and page leaves out a hall that is off, except for what is the reader's own.
func TestEverySurfaceFollowsTheHall(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.moderators, w.web = []string{"mo@example.org"}, webtest.Built(firstHTML(t)...)
		w.clock.stand(time.Now())
		k := newWalkers(t, w)
		all := map[string]canaries{"delivered": k.lay(t, "one")}
		k.passes(t, 25*time.Hour)
		live := k.sees(t, all)
		off := w.withHall(t, studycircle.HallOff)
		k.n, k.other = off, off
		checks := 0
		for what, seen := range k.sees(t, all) {
			require.Greater(t, len(live[what]), 8, what)
			for where := range seen {
				checks++
				if !ownInTheHall.MatchString(where) {
					t.Errorf("%s: %s", what, where)
				}
			}
		}
		t.Logf("%d sightings of what is the reader's own", checks)
	})
}
