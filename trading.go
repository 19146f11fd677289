package studycircle

import (
	"cmp"
	"slices"
	"time"
)

// TradeMemory is how long after a review its reviewer and its submitter do not exchange the roles, in any assignment.
const TradeMemory = 90 * 24 * time.Hour

// Drawn is the number of submissions at the front of the queue from which one is drawn.
const Drawn = 5

// Bounds of what a Draw looks at.
const (
	maxConsidered = 25  // equally near the front
	maxTrades     = 500 // passed by before the rules yield
)

// Trade is the kind of review that a user could get in return for an offered one, the least harmful first.
type Trade int

// The trades. In a class of at most twice as many people as each submission gets reviews, a review in return is
// hardly avoidable, and a ring is none.
const (
	NoTrade           Trade = iota
	TradeInSmallClass       // as TradeDirect
	// a third user reviewed the viewer's work and had theirs reviewed by the submitter, in one assignment
	TradeInRing
	TradeLately // the submitter reviewed the viewer's work for another assignment, within TradeMemory
	TradeDirect // the submitter reviewed, or may still review, the viewer's work for the same assignment
)

// Ties are the reviews that connect a user with other users.
type Ties struct {
	// Reviewed holds who reviewed the user's work, or may still do so.
	Reviewed []Tie
	// Met counts how often the user and another one reviewed each other's work, lately.
	Met map[string]int64
	// Classes are those in which the user's work was reviewed, by the assignment.
	Classes map[string]Class
}

// Tie is a review of a user's work, or a lease of it.
type Tie struct {
	ReviewerID   string
	AssignmentID string
	At           time.Time
}

// Class is the people who handed in for an assignment, as one of them sees it.
type Class struct {
	Needed     int64 // reviews of each submission
	Submitters int64 // counted as far as MostCounted
	// Ring holds who reviewed the work of those who reviewed the user's.
	Ring []string
}

// MostCounted is the number as far as Class.Submitters needs to be counted.
const MostCounted = 2*MaxReviews + 1

func (c Class) small() bool { return c.Submitters <= 2*c.Needed }

// MayBeTraded reports whether Ties needs the class of an assignment to judge an offer of it.
func (t Ties) MayBeTraded(assignmentID string) bool {
	return slices.ContainsFunc(t.Reviewed, func(r Tie) bool { return r.AssignmentID == assignmentID })
}

// Trade returns the trade that an offer makes possible.
func (t Ties) Trade(o Offer, now time.Time) Trade {
	if o.SubmitterID == "" {
		return NoTrade
	}
	class, lately := t.Classes[o.AssignmentID], false
	for _, r := range t.Reviewed {
		switch {
		case r.ReviewerID != o.SubmitterID:
		case r.AssignmentID == o.AssignmentID && class.small():
			return TradeInSmallClass
		case r.AssignmentID == o.AssignmentID:
			return TradeDirect
		default:
			lately = lately || now.Before(r.At.Add(TradeMemory))
		}
	}
	switch {
	case lately:
		return TradeLately
	case slices.Contains(class.Ring, o.SubmitterID) && !class.small():
		return TradeInRing
	default:
		return NoTrade
	}
}

// Draw gathers offers of a queue, in its order, and keeps those from which one is drawn for a user: of those that make
// the least trade possible the first, and of those equally near the front the ones whose submitters the user has met
// least often.
type Draw struct {
	Viewer string
	Ties   Ties
	Now    time.Time
	Most   int // to draw from

	kept   []Offer // all of them equally near the front
	trade  Trade   // theirs
	passed int     // the trades so far
}

// Add takes the next offer and reports whether Offers depends on more of them.
func (d *Draw) Add(o Offer) (more bool) {
	if !CanBeOffered(d.Viewer, o) {
		return true
	}
	trade := d.Ties.Trade(o, d.Now)
	if trade != NoTrade {
		d.passed++
	}
	o.Trade = trade
	switch {
	case len(d.kept) == 0, trade < d.trade:
		d.kept, d.trade = []Offer{o}, trade
	case trade > d.trade:
	case d.kept[0].Attempt == o.Attempt && d.kept[0].Filled == o.Filled:
		d.kept = append(d.kept, o)
	case trade == NoTrade:
		return false
	}
	return !d.enough()
}

func (d *Draw) enough() bool {
	if d.passed >= maxTrades {
		return true
	}
	if d.trade != NoTrade {
		return false
	}
	unmet := 0
	for _, o := range d.kept {
		if d.Ties.Met[o.SubmitterID] == 0 {
			unmet++
		}
	}
	return unmet >= d.Most || len(d.kept) >= maxConsidered
}

// Offers returns the offers to draw from, in the order of the queue, and the trade that each of them makes possible.
func (d *Draw) Offers() ([]Offer, Trade) {
	if len(d.kept) == 0 {
		return nil, NoTrade
	}
	met := func(o Offer) int64 { return d.Ties.Met[o.SubmitterID] }
	least := met(slices.MinFunc(d.kept, func(a, b Offer) int { return cmp.Compare(met(a), met(b)) }))
	var out []Offer
	for _, o := range d.kept {
		if met(o) == least && len(out) < d.Most {
			out = append(out, o)
		}
	}
	return out, d.trade
}

// ChooseOffers returns the offers to draw from, given those of submissions that lack reviews, and of those that take
// more of them. A direct trade yields to a review that is not needed. Either is preferred to having the user wait.
func ChooseOffers(short *Draw, wide func() (*Draw, error)) ([]Offer, error) {
	offers, trade := short.Offers()
	if len(offers) > 0 && trade < TradeDirect {
		return offers, nil
	}
	more, err := wide()
	if err != nil {
		return nil, err
	}
	if others, other := more.Offers(); len(offers) == 0 || (len(others) > 0 && other < trade) {
		return others, nil
	}
	return offers, nil
}
