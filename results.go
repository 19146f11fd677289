package studycircle

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// MaxSorted is the number of an assignment's newest submissions that are filtered, sorted and summed up. Beyond it
// results come newest first, by status alone.
const MaxSorted = 10_000

// ResultFacts are the facts by which results are filtered, sorted and summed up.
type ResultFacts struct {
	Seq       int64 // the submission's position among all
	ID        string
	Submitter Person // id and display name
	Label     string // the submitter's in the circle; "" in the hall
	Status    Status
	Late      bool
	Total     int64
	Mark      *int64 // nil without a mark
	Reviewing Reviewing
	// Lowest and Highest are marks of the released reviews, if there are two or more.
	Lowest, Highest *int64
}

// share returns the mark in percent.
func (f ResultFacts) share() float64 { return percentOf(*f.Mark, f.Total) }

func percentOf(mark, total int64) float64 { return 100 * float64(mark) / float64(max(total, 1)) }

// ResultFilter says which results are shown.
type ResultFilter string

// The filters. The zero value shows all.
const (
	ResultsWaiting ResultFilter = "waiting" // for the creator
	ResultsLate    ResultFilter = "late"
	ResultsAppeal  ResultFilter = "appeal"
)

// ResultOrder is the order of results.
type ResultOrder string

// The orders.
const (
	ResultsNewest ResultOrder = "newest"
	ResultsByMark ResultOrder = "mark" // highest share of the total first, those without a mark last
	ResultsByName ResultOrder = "name" // of submitters; deleted accounts last
)

// ResultQuery is a creator's query of the results.
type ResultQuery struct {
	Status Status // "" for all
	Filter ResultFilter
	Order  ResultOrder // "" for newest
	Label  string      // of submitters in the circle; "" for all
}

// Plain reports whether q asks for a status alone, newest first.
func (q ResultQuery) Plain() bool {
	return q.Filter == "" && q.Label == "" && (q.Order == "" || q.Order == ResultsNewest)
}

func (q ResultQuery) has(f ResultFacts) bool {
	if q.Status != "" && f.Status != q.Status || q.Label != "" && f.Label != q.Label {
		return false
	}
	switch q.Filter {
	case ResultsWaiting:
		return f.Reviewing.WaitsForCreator()
	case ResultsLate:
		return f.Late
	case ResultsAppeal:
		return f.Reviewing.Phase == ReviewAppealed
	default:
		return q.Filter == ""
	}
}

// Arrange returns the facts that q asks for, in its order. It reorders all.
func (q ResultQuery) Arrange(all []ResultFacts) []ResultFacts {
	all = slices.DeleteFunc(all, func(f ResultFacts) bool { return !q.has(f) })
	newest := func(a, b ResultFacts) int { return cmp.Compare(b.Seq, a.Seq) }
	slices.SortFunc(all, func(a, b ResultFacts) int {
		switch q.Order {
		case ResultsByMark:
			return cmp.Or(byMark(a, b), newest(a, b))
		case ResultsByName:
			return cmp.Or(byName(a, b), newest(a, b))
		default:
			return newest(a, b)
		}
	})
	return all
}

func byMark(a, b ResultFacts) int {
	if a.Mark == nil || b.Mark == nil {
		return last(a.Mark == nil, b.Mark == nil)
	}
	return cmp.Compare(b.share(), a.share())
}

func byName(a, b ResultFacts) int {
	nameA, nameB := a.Submitter.DisplayName, b.Submitter.DisplayName
	return cmp.Or(last(nameA == "", nameB == ""), strings.Compare(strings.ToLower(nameA), strings.ToLower(nameB)))
}

// last compares two keys of which the true one is sorted last.
func last(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}

// Bounds of outliers, in percent of the total.
const (
	FewestForOutliers = 5  // marks
	OutlierDistance   = 10 // from the middle half, at least
	ReviewsApart      = 40 // the lowest and the highest review of one submission
	MaxOutliers       = 20 // listed
)

// OutlierKind is the way in which a result differs from the others.
type OutlierKind string

// The kinds.
const (
	OutlierLow   OutlierKind = "low"
	OutlierHigh  OutlierKind = "high"
	OutlierApart OutlierKind = "apart" // its reviews differ from each other
)

// Outlier is a result that the creator may want to check.
type Outlier struct {
	ResultFacts
	Kind OutlierKind
}

// ResultSummary sums up the results of an assignment.
type ResultSummary struct {
	Total   int64 // all submissions
	Counted int64 // the newest of them, on which the other figures rest
	Pending int64
	Waiting int64 // for the creator
	Ready   int64 // to be settled by the creator
	Late    int64
	Appeals int64
	Marked  int64
	// Average is in percent; 0 without marks.
	Average float64
	// Tenths counts marks by tenths of the total; full marks are in the last one.
	Tenths   [10]int64
	Outliers []Outlier // newest first
}

// SumUp sums up results, newest first, for viewer. total is the number of all results.
func SumUp(viewer string, in OwnCircle, a Assignment, all []ResultFacts, total int64) ResultSummary {
	s := ResultSummary{Total: total, Counted: int64(len(all))}
	var shares []float64
	decides := MayDecideAbout(viewer, in, a) == nil
	for _, f := range all {
		count(&s.Pending, f.Status == Pending)
		count(&s.Waiting, decides && f.Reviewing.WaitsForCreator())
		count(&s.Ready, f.Ready(viewer, in, a))
		count(&s.Late, f.Late)
		count(&s.Appeals, f.Reviewing.Phase == ReviewAppealed)
		if f.Mark != nil {
			shares = append(shares, f.share())
			s.Tenths[min(9, int(f.share()/10))]++
		}
	}
	s.Marked = int64(len(shares))
	if s.Marked > 0 {
		sum := 0.0
		for _, share := range shares {
			sum += share
		}
		s.Average = sum / float64(s.Marked)
	}
	low, high := fences(shares)
	for _, f := range all {
		if kind, is := f.outlier(low, high); is && len(s.Outliers) < MaxOutliers {
			s.Outliers = append(s.Outliers, Outlier{f, kind})
		}
	}
	return s
}

// Ready reports whether viewer may settle the submission on the reviews that it has.
func (f ResultFacts) Ready(viewer string, in OwnCircle, a Assignment) bool {
	return f.Reviewing.Phase != "" && MaySettle(viewer, in, a, f.Reviewing) == nil
}

func count(n *int64, one bool) {
	if one {
		*n++
	}
}

func (f ResultFacts) outlier(low, high float64) (OutlierKind, bool) {
	switch {
	case f.Mark != nil && f.share() < low:
		return OutlierLow, true
	case f.Mark != nil && f.share() > high:
		return OutlierHigh, true
	case f.Lowest != nil && f.Highest != nil && percentOf(*f.Highest-*f.Lowest, f.Total) >= ReviewsApart:
		return OutlierApart, true
	default:
		return "", false
	}
}

// fences returns the bounds beyond which marks are outliers: 1.5 times the width of the middle half beyond it, and
// OutlierDistance at least.
func fences(shares []float64) (low, high float64) {
	if len(shares) < FewestForOutliers {
		return math.Inf(-1), math.Inf(1)
	}
	slices.Sort(shares)
	lower, upper := quantile(shares, .25), quantile(shares, .75)
	distance := max(1.5*(upper-lower), OutlierDistance)
	return lower - distance, upper + distance
}

// quantile interpolates between sorted values.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
