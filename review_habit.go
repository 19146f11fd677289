package studycircle

import "math"

// Bounds of a ReviewHabit.
const (
	FewestForHabit = 5
	MaxForHabit    = 200 // the latest reviews
	// variedWork is how far the right marks differ, a standard deviation in percent of the total, where marks can
	// follow them.
	variedWork = 5
)

// ComparedReview is a user's review of an exemplar or of a settled submission, beside the right mark.
type ComparedReview struct {
	Mark, Right, Total int64
}

// Following says how well a reviewer's marks follow the work.
type Following string

// The ways, by the correlation of marks with right marks: from .8, from .5, and below. It is unknown if the right marks
// hardly differ.
const (
	FollowsUnknown Following = "unknown"
	FollowsClosely Following = "closely"
	FollowsMostly  Following = "mostly"
	FollowsHardly  Following = "hardly"
)

// ReviewHabit says how a user reviews, and is for that user's eyes only. All numbers are in percent of the total.
type ReviewHabit struct {
	Reviews int64 // that it rests on
	// Strictness is how far the user's marks lie above the right ones on average; below 0 for a strict reviewer.
	Strictness float64
	// Distance is how far they lie from the right ones once Strictness is taken off: the root mean square.
	Distance float64
	Follows  Following
}

// HabitOf returns how a user reviews, or nil if there are fewer than FewestForHabit reviews to tell by.
func HabitOf(reviews []ComparedReview) *ReviewHabit {
	if len(reviews) < FewestForHabit {
		return nil
	}
	n := float64(len(reviews))
	var marks, rights float64
	for _, r := range reviews {
		marks += percentOf(r.Mark, r.Total)
		rights += percentOf(r.Right, r.Total)
	}
	var together, ofMarks, ofRights float64
	for _, r := range reviews {
		x, y := percentOf(r.Mark, r.Total)-marks/n, percentOf(r.Right, r.Total)-rights/n
		together, ofMarks, ofRights = together+x*y, ofMarks+x*x, ofRights+y*y
	}
	habit := &ReviewHabit{Reviews: int64(len(reviews)), Strictness: (marks - rights) / n, Follows: FollowsUnknown}
	habit.Distance = math.Sqrt(max(0, ofMarks+ofRights-2*together) / n)
	if math.Sqrt(ofRights/n) >= variedWork {
		habit.Follows = followsBy(together, ofMarks*ofRights)
	}
	return habit
}

func followsBy(together, squares float64) Following {
	switch {
	case together >= .8*math.Sqrt(squares) && together > 0:
		return FollowsClosely
	case together >= .5*math.Sqrt(squares) && together > 0:
		return FollowsMostly
	default:
		return FollowsHardly
	}
}
