package studycircle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

var tradingAt = time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC)

func TestTrade(t *testing.T) {
	offer := studycircle.Offer{SubmissionID: "s1", AssignmentID: "a1", SubmitterID: "sam"}
	reviewed := func(by, assignment string, ago time.Duration) []studycircle.Tie {
		return []studycircle.Tie{{ReviewerID: "eve", AssignmentID: "a1", At: tradingAt}, {ReviewerID: by, AssignmentID: assignment, At: tradingAt.Add(-ago)}}
	}
	class := func(submitters int64, ring ...string) map[string]studycircle.Class {
		return map[string]studycircle.Class{"a1": {Needed: 3, Submitters: submitters, Ring: ring}}
	}
	year := 365 * 24 * time.Hour
	for name, c := range map[string]struct {
		ties studycircle.Ties
		want studycircle.Trade
	}{
		"strangers":                                {studycircle.Ties{}, studycircle.NoTrade},
		"met before, but not as submitter":         {studycircle.Ties{Met: map[string]int64{"sam": 9}}, studycircle.NoTrade},
		"reviewed by another":                      {studycircle.Ties{Reviewed: reviewed("bob", "a1", 0), Classes: class(7)}, studycircle.NoTrade},
		"reviewed by the submitter":                {studycircle.Ties{Reviewed: reviewed("sam", "a1", 0), Classes: class(7)}, studycircle.TradeDirect},
		"a year ago, for this assignment":          {studycircle.Ties{Reviewed: reviewed("sam", "a1", year), Classes: class(7)}, studycircle.TradeDirect},
		"in a class of twice the reviews":          {studycircle.Ties{Reviewed: reviewed("sam", "a1", 0), Classes: class(6)}, studycircle.TradeInSmallClass},
		"for another assignment":                   {studycircle.Ties{Reviewed: reviewed("sam", "a2", 0)}, studycircle.TradeLately},
		"for another assignment, 89 days ago":      {studycircle.Ties{Reviewed: reviewed("sam", "a2", 89*24*time.Hour)}, studycircle.TradeLately},
		"for another assignment, 90 days ago":      {studycircle.Ties{Reviewed: reviewed("sam", "a2", 90*24*time.Hour)}, studycircle.NoTrade},
		"a ring of three":                          {studycircle.Ties{Reviewed: reviewed("bob", "a1", 0), Classes: class(7, "sam")}, studycircle.TradeInRing},
		"a ring of three in a small class":         {studycircle.Ties{Reviewed: reviewed("bob", "a1", 0), Classes: class(6, "sam")}, studycircle.NoTrade},
		"a ring of others":                         {studycircle.Ties{Reviewed: reviewed("bob", "a1", 0), Classes: class(7, "bob")}, studycircle.NoTrade},
		"a ring, and reviewed for this assignment": {studycircle.Ties{Reviewed: reviewed("sam", "a1", 0), Classes: class(7, "sam")}, studycircle.TradeDirect},
	} {
		require.Equal(t, c.want, c.ties.Trade(offer, tradingAt), name)
	}
	offer.SubmitterID = ""
	require.Equal(t, studycircle.NoTrade, studycircle.Ties{Reviewed: []studycircle.Tie{{AssignmentID: "a1"}}}.Trade(offer, tradingAt), "the submitter's account is gone")
}

// drawn returns the submitters of the offers that a Draw with room for three keeps, and whether it asked for more.
func drawn(ties studycircle.Ties, offers ...studycircle.Offer) (submitters []string, trade studycircle.Trade, more bool) {
	d := &studycircle.Draw{Viewer: "me", Ties: ties, Now: tradingAt, Most: 3}
	more = true
	for _, o := range offers {
		if more = d.Add(o); !more {
			break
		}
	}
	kept, trade := d.Offers()
	for _, o := range kept {
		submitters = append(submitters, o.SubmitterID)
	}
	return submitters, trade, more
}

func offerBy(submitter string, filled int64) studycircle.Offer {
	return studycircle.Offer{SubmissionID: "s-" + submitter, AssignmentID: "a1", SubmitterID: submitter, Filled: filled}
}

func TestDraw(t *testing.T) {
	sam := studycircle.Ties{
		Reviewed: []studycircle.Tie{{ReviewerID: "sam", AssignmentID: "a1", At: tradingAt}},
		Met:      map[string]int64{"sam": 1, "tom": 2, "uma": 2, "vic": 5},
		Classes:  map[string]studycircle.Class{"a1": {Needed: 3, Submitters: 9}},
	}
	for name, c := range map[string]struct {
		offers []studycircle.Offer
		want   []string
		trade  studycircle.Trade
		more   bool
	}{
		"nothing":                          {nil, nil, studycircle.NoTrade, true},
		"one's own":                        {[]studycircle.Offer{offerBy("me", 0)}, nil, studycircle.NoTrade, true},
		"the first three":                  {[]studycircle.Offer{offerBy("a", 0), offerBy("b", 0), offerBy("c", 0), offerBy("d", 0)}, []string{"a", "b", "c"}, studycircle.NoTrade, false},
		"equally near the front":           {[]studycircle.Offer{offerBy("a", 0), offerBy("b", 1)}, []string{"a"}, studycircle.NoTrade, false},
		"a trade is passed by":             {[]studycircle.Offer{offerBy("sam", 0), offerBy("a", 1), offerBy("b", 1)}, []string{"a", "b"}, studycircle.NoTrade, true},
		"a trade rather than nothing":      {[]studycircle.Offer{offerBy("me", 0), offerBy("sam", 1)}, []string{"sam"}, studycircle.TradeDirect, true},
		"those met least":                  {[]studycircle.Offer{offerBy("vic", 0), offerBy("tom", 0), offerBy("uma", 0)}, []string{"tom", "uma"}, studycircle.NoTrade, true},
		"a stranger, though behind others": {[]studycircle.Offer{offerBy("vic", 0), offerBy("tom", 0), offerBy("a", 0)}, []string{"a"}, studycircle.NoTrade, true},
		"reviews come first":               {[]studycircle.Offer{offerBy("vic", 0), offerBy("a", 1)}, []string{"vic"}, studycircle.NoTrade, false},
	} {
		got, trade, more := drawn(sam, c.offers...)
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.trade, trade, name)
		require.Equal(t, c.more, more, name)
	}
	trades := slices.Repeat([]studycircle.Offer{offerBy("sam", 0)}, 1000)
	_, _, more := drawn(sam, trades...)
	require.False(t, more, "it does not pass by trades for ever")
}

func TestChooseOffers(t *testing.T) {
	ties := studycircle.Ties{
		Reviewed: []studycircle.Tie{{ReviewerID: "sam", AssignmentID: "a1", At: tradingAt}, {ReviewerID: "lea", AssignmentID: "a2", At: tradingAt}},
		Classes:  map[string]studycircle.Class{"a1": {Needed: 3, Submitters: 9, Ring: []string{"rob"}}},
	}
	for name, c := range map[string]struct {
		short, wide []studycircle.Offer
		want        string
		read        bool
	}{
		"a submission that lacks reviews":                     {[]studycircle.Offer{offerBy("a", 0)}, []studycircle.Offer{offerBy("b", 3)}, "a", false},
		"a wide one":                                          {nil, []studycircle.Offer{offerBy("b", 3)}, "b", true},
		"nothing":                                             {nil, nil, "", true},
		"a direct trade yields to a wide one":                 {[]studycircle.Offer{offerBy("sam", 0)}, []studycircle.Offer{offerBy("b", 3)}, "b", true},
		"a direct trade yields to a lesser one":               {[]studycircle.Offer{offerBy("sam", 0)}, []studycircle.Offer{offerBy("rob", 3)}, "rob", true},
		"a direct trade rather than nothing":                  {[]studycircle.Offer{offerBy("sam", 0)}, nil, "sam", true},
		"a lesser trade does not yield to one not needed":     {[]studycircle.Offer{offerBy("lea", 0)}, []studycircle.Offer{offerBy("b", 3)}, "lea", false},
		"a wide trade rather than nothing":                    {nil, []studycircle.Offer{offerBy("sam", 3)}, "sam", true},
		"of two direct trades the one that is needed":         {[]studycircle.Offer{offerBy("sam", 0)}, []studycircle.Offer{offerBy("sam", 3)}, "sam", true},
		"a ring yields to another submission lacking reviews": {[]studycircle.Offer{offerBy("rob", 0), offerBy("a", 2)}, nil, "a", false},
	} {
		gather := func(offers []studycircle.Offer) *studycircle.Draw {
			d := &studycircle.Draw{Viewer: "me", Ties: ties, Now: tradingAt, Most: 5}
			for _, o := range offers {
				d.Add(o)
			}
			return d
		}
		read := false
		got, err := studycircle.ChooseOffers(gather(c.short), func() (*studycircle.Draw, error) {
			read = true
			return gather(c.wide), nil
		})
		require.NoError(t, err, name)
		require.Equal(t, c.read, read, name)
		if c.want == "" {
			require.Empty(t, got, name)
			continue
		}
		require.Len(t, got, 1, name)
		require.Equal(t, c.want, got[0].SubmitterID, name)
	}
}

// seminar is a class that reviews in memory, by the rules of the queue alone.
type seminar struct {
	needed  int64
	offers  []studycircle.Offer // by member
	reviews [][2]int            // reviewer, submitter
	had     map[[2]int]bool
	met     map[[2]int]int64
}

func member(i int) string { return fmt.Sprint("m", i) }

func newSeminar(size int, needed int64) *seminar {
	s := &seminar{needed: needed, had: map[[2]int]bool{}, met: map[[2]int]int64{}}
	for i := range size {
		s.offers = append(s.offers, studycircle.Offer{SubmissionID: fmt.Sprint(i), AssignmentID: "a1", SubmitterID: member(i)})
	}
	return s
}

func (s *seminar) ties(viewer int) studycircle.Ties {
	ties, class := studycircle.Ties{Met: map[string]int64{}}, studycircle.Class{Needed: s.needed, Submitters: int64(len(s.offers))}
	for _, r := range s.reviews {
		if r[1] != viewer {
			continue
		}
		ties.Reviewed = append(ties.Reviewed, studycircle.Tie{ReviewerID: member(r[0]), AssignmentID: "a1", At: tradingAt})
		for _, second := range s.reviews {
			if second[1] == r[0] {
				class.Ring = append(class.Ring, member(second[0]))
			}
		}
	}
	for pair, n := range s.met {
		if pair[0] == viewer {
			ties.Met[member(pair[1])] += n
		} else if pair[1] == viewer {
			ties.Met[member(pair[0])] += n
		}
	}
	ties.Classes = map[string]studycircle.Class{"a1": class}
	return ties
}

// next has a member review the next submission, and returns the trade that it makes possible; ok is false if there is
// nothing for the member.
func (s *seminar) next(random *rand.Rand, viewer int) (trade studycircle.Trade, ok bool) {
	order := slices.Clone(s.offers)
	slices.SortStableFunc(order, func(a, b studycircle.Offer) int { return int(a.Filled - b.Filled) })
	d := &studycircle.Draw{Viewer: member(viewer), Ties: s.ties(viewer), Now: tradingAt, Most: studycircle.Drawn}
	for _, o := range order {
		var of int
		_, _ = fmt.Sscan(o.SubmissionID, &of)
		if s.had[[2]int{viewer, of}] {
			o.Turn = studycircle.TurnReviewed
		}
		if o.Filled < s.needed && !d.Add(o) {
			break
		}
	}
	offers, trade := d.Offers()
	if len(offers) == 0 {
		return trade, false
	}
	var of int
	_, _ = fmt.Sscan(offers[random.IntN(len(offers))].SubmissionID, &of)
	s.offers[of].Filled++
	s.had[[2]int{viewer, of}] = true
	s.met[[2]int{viewer, of}]++
	s.reviews = append(s.reviews, [2]int{viewer, of})
	return trade, true
}

// In any class and order, a member gets something to review while anything is left for them; and where a member gets a
// trade, nothing better was left. (*Draw).Offers tells the trade, which the reviews so far confirm.
func TestTheRulesYieldBeforeAnyMemberWaits(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 7))
		size, needed := 2+random.IntN(14), int64(1+random.IntN(5))
		s := newSeminar(size, needed)
		for range size * (int(needed) + 1) {
			viewer := random.IntN(size)
			left, best := false, studycircle.TradeDirect
			ties := s.ties(viewer)
			for i, o := range s.offers {
				if i != viewer && !s.had[[2]int{viewer, i}] && o.Filled < needed {
					left, best = true, min(best, ties.Trade(o, tradingAt))
				}
			}
			trade, ok := s.next(random, viewer)
			require.Equal(t, left, ok, "seed %d", seed)
			if ok {
				require.Equal(t, best, trade, "seed %d", seed)
				last := s.reviews[len(s.reviews)-1]
				require.Equal(t, trade >= studycircle.TradeDirect || trade == studycircle.TradeInSmallClass, slices.Contains(s.reviews, [2]int{last[1], last[0]}), "seed %d", seed)
			}
		}
	}
}
