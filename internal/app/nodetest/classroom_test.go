package nodetest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Settings of the simulated assignments.
const (
	classTotal  = 20
	classNeeded = 3
	classMost   = 5 // two more than needed
)

// school runs simulated classes on one node, under a clock that it advances from one
// event to the next.
type school struct {
	t       *testing.T
	n       *node
	random  *rand.Rand
	began   time.Time
	due     time.Time
	planned []happening
	ends    time.Time // the time of the last happening
	rooms   []*room
}

// happening is an action of a user at a time.
type happening struct {
	at time.Time
	do func()
}

// room is one class and its assignment.
type room struct {
	*school
	size    int
	habit   habit
	creator *attender
	of      string
	members []*attender
	works   map[string]*work
}

// attender is a member of a class, or its creator.
type attender struct {
	*client
	signedIn time.Time
	strict   float64 // in marks, on every review
	handsIn  time.Time
	own      string // the member's submission
	gives    int    // reviews to give
	given    int
	had      map[string]bool // submissions offered to the member
	lease    lease
	gone     bool
}

type lease struct {
	id    string
	until time.Time
}

// work is a submission, and what the simulation has observed of it.
type work struct {
	id       string
	by       *attender
	worth    float64
	later    time.Time // of submission and due date
	reviewed []time.Time
	marks    []int
	// unattended reports that no reviewer came in time: it is a row of the pending list.
	unattended bool
	withdrawn  bool
}

// habit is the behaviour of a class's members, which i counts.
type habit struct {
	name string
	// handsIn returns when a member submits, relative to the due date.
	handsIn func(random *rand.Rand, i int) time.Duration
	// looks returns when a member comes to review, relative to the later of submission
	// and due date; earlier visits have no effect.
	looks func(random *rand.Rand) []time.Duration
	// reviews reports whether a member reviews at all; leaves, whether they delete their
	// account within a day of the due date.
	reviews, leaves func(i int) bool
}

func newSchool(t *testing.T, n *node, seed uint64) *school {
	t.Helper()
	s := &school{t: t, n: n, random: rand.New(rand.NewPCG(seed, 1)), began: time.Now().UTC().Truncate(time.Hour)}
	s.due = s.began.Add(7 * day)
	n.clock.stand(s.began)
	return s
}

// at schedules an action.
func (s *school) at(when time.Time, do func()) {
	s.planned = append(s.planned, happening{when, do})
	if when.After(s.ends) {
		s.ends = when
	}
}

// open creates a class and schedules its members' actions.
func (s *school) open(size int, h habit) {
	r := &room{school: s, size: size, habit: h, works: map[string]*work{}}
	name := func(i int) string { return fmt.Sprintf("Room%dMember%d", len(s.rooms), i) }
	s.rooms = append(s.rooms, r)
	r.creator = &attender{client: s.n.user(s.t, name(size)), signedIn: s.began}
	r.of = r.creator.publish(s.t, "reviewsNeeded", classNeeded, "marks", classTotal, "dueDate", s.due.Format(time.RFC3339))
	for i := range size {
		m := &attender{client: s.n.user(s.t, name(i)), signedIn: s.began, strict: 1.2 * s.random.NormFloat64(), had: map[string]bool{}}
		r.members = append(r.members, m)
		m.handsIn = s.due.Add(h.handsIn(s.random, i))
		s.at(m.handsIn, func() { r.handIn(m) })
		later := s.due
		if m.handsIn.After(later) {
			later = m.handsIn
		}
		// The hourly maintenance comes in between.
		s.at(later.Add(studycircle.SettleAfter+time.Hour), func() { r.inTime(m) })
		if h.reviews(i) {
			m.gives = classNeeded
			for _, look := range h.looks(s.random) {
				s.at(later.Add(look), func() { r.look(m) })
			}
		}
		if h.leaves(i) {
			s.at(s.due.Add(hours(s.random, 0, 24)), func() { r.leave(m) })
		}
	}
}

// run runs all scheduled actions, and the hourly maintenance until two days after the
// last one.
func (s *school) run() {
	s.t.Helper()
	for at := s.began; at.Before(s.ends.Add(studycircle.LeaseTime)); at = at.Add(time.Hour) {
		s.planned = append(s.planned, happening{at, func() { require.NoError(s.t, s.n.app.Service.PassTime(s.t.Context())) }})
	}
	slices.SortStableFunc(s.planned, func(a, b happening) int { return a.at.Compare(b.at) })
	for _, e := range s.planned {
		s.n.clock.stand(e.at)
		e.do()
	}
	leases, err := s.n.app.Store.LapsedLeases(s.t.Context(), s.n.clock.now().Add(3652*day), 0)
	require.NoError(s.t, err)
	require.Empty(s.t, leases, "no lease lasts")
}

// signIn renews a member's session if its token has expired.
func (s *school) signIn(a *attender) {
	if now := s.n.clock.now(); now.Sub(a.signedIn) > 10*time.Minute {
		a.newSession(s.t)
		a.signedIn = now
	}
}

func (r *room) handIn(m *attender) {
	if m.gone {
		return
	}
	r.signIn(m)
	m.own = m.submit(r.t, r.of)
	w := &work{id: m.own, by: m, worth: 14 + 3.5*r.random.NormFloat64(), later: r.due}
	if m.handsIn.After(r.due) {
		w.later = m.handsIn
	}
	r.works[w.id] = w
}

// look has a member review one or two submissions.
func (r *room) look(m *attender) {
	for range 1 + r.random.IntN(2) {
		if m.gone || m.own == "" || m.given >= m.gives {
			return
		}
		r.signIn(m)
		if !r.reviewNext(m) {
			return
		}
	}
}

// reviewNext reserves a submission and usually reviews it. It reports whether the member
// goes on.
func (r *room) reviewNext(m *attender) bool {
	answer := m.post(r.t, "/api/reviews/next", doc{"assignmentId": r.of})
	if answer.status == http.StatusNoContent {
		return false
	}
	id, now := answer.is(r.t, http.StatusOK).text(r.t, "submissionId"), r.n.clock.now()
	if m.lease.id != id || !m.lease.until.After(now) {
		require.NotEqual(r.t, m.own, id, "one's own")
		require.False(r.t, m.had[id], "given back, let lapse or reviewed before")
		m.had[id], m.lease = true, lease{id, now.Add(studycircle.LeaseTime)}
	}
	w := r.works[id]
	require.LessOrEqual(r.t, len(w.reviewed)+r.leases(id), classMost, "more leases than places")
	switch chance := r.random.IntN(100); {
	case chance < 5: // it stays reserved until the next visit, or lapses
		return false
	case chance < 10:
		if back := m.del(r.t, "/api/reviews/lease/"+id); back.status != http.StatusTooManyRequests {
			back.is(r.t, http.StatusOK)
			m.lease = lease{}
			return true
		}
	}
	mark := int(math.Round(min(max(w.worth+m.strict+2*r.random.NormFloat64(), 0), classTotal)))
	m.patch(r.t, "/api/submissions/"+id, doc{"marks": mark, "feedback": "Read."}).is(r.t, http.StatusOK)
	w.reviewed, w.marks = append(w.reviewed, now), append(w.marks, mark)
	m.given, m.lease = m.given+1, lease{}
	return true
}

// leases returns how many members have reserved a submission.
func (r *room) leases(id string) (n int) {
	for _, m := range r.members {
		if m.lease.id == id && m.lease.until.After(r.n.clock.now()) {
			n++
		}
	}
	return n
}

func (r *room) leave(m *attender) {
	r.signIn(m)
	m.del(r.t, "/api/auth/account").is(r.t, http.StatusNoContent)
	m.gone, m.lease = true, lease{}
	w := r.works[m.own]
	if w == nil {
		return
	}
	sub, err := r.n.app.Store.Submission(r.t.Context(), studycircle.System(), w.id)
	w.withdrawn = studycircle.CodeOf(err) == studycircle.CodeNotFound || sub.Status.Ended()
	if !w.withdrawn {
		require.NoError(r.t, err)
		require.NotEmpty(r.t, w.marks, "remaining submissions have their marks")
	}
}

// inTime requires that a submission has its mark seven days after the later of submission
// and due date, or, only if it has no review, is a row of the pending list.
func (r *room) inTime(m *attender) {
	w := r.works[m.own]
	if w == nil || w.withdrawn {
		return
	}
	sub, err := r.n.app.Store.Submission(r.t.Context(), studycircle.System(), w.id)
	require.NoError(r.t, err)
	if sub.Status == studycircle.Completed {
		require.GreaterOrEqual(r.t, sub.Grade.Mark, int64(slices.Min(w.marks)))
		require.LessOrEqual(r.t, sub.Grade.Mark, int64(slices.Max(w.marks)))
		return
	}
	require.Empty(r.t, w.marks, "it has a review: it is settled in time")
	require.Contains(r.t, r.pendingRows(), w.id, "it has none: it is in the pending list")
	w.unattended = true
}

// pendingRows returns the class's submissions in the pending list.
func (r *room) pendingRows() (ids []string) {
	r.signIn(r.creator)
	for page, seen := 1, 0; ; page++ {
		answer := r.creator.get(r.t, fmt.Sprintf("/api/submissions?status=pending&limit=100&page=%d", page))
		rows := answer.is(r.t, http.StatusOK).array(r.t)
		for _, row := range rows {
			if id, single := row["_id"].(string); single && row["assignmentId"] == r.of {
				ids = append(ids, id)
			}
		}
		if seen += len(rows); len(rows) == 0 || fmt.Sprint(seen) == answer.header.Get("X-Total-Count") {
			return ids
		}
	}
}

// handedIn returns the class's submissions, oldest first.
func (r *room) handedIn() (all []*work) {
	for _, w := range r.works {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *work) int { return cmp.Or(a.by.handsIn.Compare(b.by.handsIn), cmp.Compare(a.id, b.id)) })
	return all
}

// hours returns a random duration between two numbers of hours.
func hours(random *rand.Rand, from, to float64) time.Duration {
	return time.Duration((from + (to-from)*random.Float64()) * float64(time.Hour))
}
