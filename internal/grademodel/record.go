package grademodel

import (
	"cmp"
	"math"
	"slices"
)

// Part is the contribution of one review to its reviewer's record: how far it lies above
// the other reviews, and how it follows the submission's quality.
type Part struct {
	P  float64 // c, how much the other reviews say about the submission
	M  float64 // c(z−θ)
	XX float64 // c·x²
	XE float64 // c·x·e
	XD float64 // c·x/s
}

// partsOf computes the part of each review from its angle; the angles are sorted. known is
// the angle of an exemplar's known mark, or nil. Equal angles have equal parts.
func (s Scale) partsOf(angles []float64, known *float64) []Part {
	parts := make([]Part, len(angles))
	n := len(angles) - 1
	others, ones, w := make([]float64, n), slices.Repeat([]float64{1}, n), make([]float64, n)
	for i, z := range angles {
		if i > 0 && z == angles[i-1] {
			parts[i] = parts[i-1]
			continue
		}
		var theta, c float64
		if known != nil {
			theta, c = *known, 1
		} else {
			copy(others, angles[:i])
			copy(others[i:], angles[i+1:])
			var sum float64
			theta, sum = s.settle(sc1Rounds, others, ones, w)
			c = 1 / (1 + 1/sum)
		}
		x, e := (theta-s.Usual)/s.Noise, (z-s.Usual)/s.Noise
		parts[i] = Part{P: c, M: c * (z - theta), XX: c * x * x, XE: c * x * e, XD: c * x / s.Noise}
	}
	return parts
}

// PartsOf computes the parts of a submission's reviews, in their order. A new review
// changes the parts of its own submission only.
func (s Scale) PartsOf(sub Submission) []Part {
	if len(sub.Reviews) == 0 {
		return nil
	}
	angles := sortedAngles(sub.Total, sub.Reviews)
	sorted := s.partsOf(angles, sub.knownAngle())
	parts := make([]Part, len(sub.Reviews))
	for i, r := range sub.Reviews {
		at, _ := slices.BinarySearch(angles, angle(r.Mark, sub.Total))
		parts[i] = sorted[at]
	}
	return parts
}

// Record is the sum of a reviewer's parts. The part of the submission that is being
// settled is left out.
type Record Part

// Plus returns the sum of two records.
func (r Record) Plus(o Record) Record {
	return Record{P: r.P + o.P, M: r.M + o.M, XX: r.XX + o.XX, XE: r.XE + o.XE, XD: r.XD + o.XD}
}

// The priors: strictness 0 counts as three reviews, and weight 1 as eight.
const strictnessCounts, weightCounts = 3, 8

// Judge returns a reviewer's strictness b, an angle below 0 for strict reviewers, rounded
// to .05, and weight a from 0 to 1.5, rounded to ¼.
func (r Record) Judge() (strictness, weight float64) {
	b := r.M / (r.P + strictnessCounts)
	a := (weightCounts + r.XE - b*r.XD) / (weightCounts + r.XX)
	return math.Round(b*20)/20 + 0, math.Round(min(max(a, 0), 1.5)*4) / 4 // + 0 turns −0 into 0
}

func compareParts(a, b Part) int {
	return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.M, b.M),
		cmp.Compare(a.XX, b.XX), cmp.Compare(a.XE, b.XE), cmp.Compare(a.XD, b.XD))
}

// recordsWithout returns, for each of a reviewer's parts, the record of all others plus
// elsewhere.
func recordsWithout(parts []Part, elsewhere Record) []Record {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compareParts(parts[i], parts[j]) })
	after := make([]Record, len(parts)+1) // sums of the later parts
	for i := len(order) - 1; i >= 0; i-- {
		after[i] = after[i+1].Plus(Record(parts[order[i]]))
	}
	without := make([]Record, len(parts))
	before := elsewhere
	for i, at := range order {
		if i > 0 && parts[at] == parts[order[i-1]] {
			without[at] = without[order[i-1]] // equal parts leave equal records, to the last bit
		} else {
			without[at] = before.Plus(after[i+1])
		}
		before = before.Plus(Record(parts[at]))
	}
	return without
}
