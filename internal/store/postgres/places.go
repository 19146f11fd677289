package postgres

import (
	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/store/tables"
)

// decision is what a request decides to write.
type decision[R any] struct {
	row R
	// in decides in a circle, by the standing of a member there: row then has only what is to be locked. It is nil in
	// the hall.
	in     func(studycircle.OwnCircle) (R, error)
	member member
}

// member is a user in a circle.
type member struct{ circleID, userID string }

// batchPlaces are the circles in which a batch writes, with the standing of each writer.
type batchPlaces struct {
	wanted []member // each once
	found  map[member]tables.Standing
}

// any reports whether the batch writes in any circle.
func (p *batchPlaces) any() bool { return len(p.wanted) > 0 }

func (p *batchPlaces) want(m member) {
	if p.found == nil {
		p.found = map[member]tables.Standing{}
	}
	if _, known := p.found[m]; !known {
		p.found[m] = tables.Standing{}
		p.wanted = append(p.wanted, m)
	}
}

// lockStandings locks circles against archiving, deletion and new settings, and memberships against every change.
func lockStandings(all bool) string {
	return "SELECT one.* FROM unnest((SELECT CAST($1 AS TEXT[])), (SELECT CAST($2 AS TEXT[]))) AS w (circle, person) CROSS JOIN LATERAL (" + tables.Standings +
		" AND m.circle_id = w.circle AND m.user_id = w.person LIMIT 1 FOR KEY SHARE OF c" + skipLocked(all) + " FOR SHARE OF m" + skipLocked(all) + ") one"
}

var lockFreeStandings, waitForStandings = lockStandings(false), lockStandings(true)

// lock queues the locks of the circles and the memberships. It follows the locks of users.
func (p *batchPlaces) lock(batch *pgx.Batch, all bool) {
	if !p.any() {
		return
	}
	circles, people := make([]string, len(p.wanted)), make([]string, len(p.wanted))
	for i, m := range p.wanted {
		circles[i], people[i] = m.circleID, m.userID
	}
	text := lockFreeStandings
	if all {
		text = waitForStandings
	}
	batch.Queue(text, circles, people).Query(eachRow(func(s tables.Standing) { p.found[member{s.CircleID, s.UserID}] = s }))
}

// own returns the circle of a member, zero if the user is none; errUnbatched if the batch cannot tell, because it has
// waited for no lock.
func (p *batchPlaces) own(m member, waited bool) (studycircle.OwnCircle, error) {
	s := p.found[m]
	if s.CircleID == "" && !waited {
		return studycircle.OwnCircle{}, errUnbatched
	}
	return s.Own(), nil
}
