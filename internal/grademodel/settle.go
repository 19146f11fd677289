package grademodel

import (
	"cmp"
	"math"
	"slices"
)

const (
	// overlooked is the standard deviation of an error that all reviewers share, an angle.
	// More reviews never reduce it.
	overlooked = .12
	// eightOfTen is the half-width of an 80 % interval, in standard deviations.
	eightOfTen = 1.28
	// residuals is the number of reviews that the noise counts as in the estimate of the
	// reviews' own disagreement.
	residuals = 2
	// sc1Rounds and sc2Rounds are how often settle weighs the reviews.
	sc1Rounds, sc2Rounds = 11, 3
)

// Inputs are all inputs of a settlement, from which it can be recomputed at any time.
type Inputs struct {
	Model    string  `json:"model"`
	Total    int     `json:"total"`
	Exemplar bool    `json:"exemplar,omitempty"` // its mark may leave the range of its reviews
	Scale    Scale   `json:"scale"`
	Reviews  []Input `json:"reviews"`
}

// Input is one review with its reviewer's record at the time.
type Input struct {
	Mark       float64 `json:"mark"`
	Strictness float64 `json:"strictness"` // b, an angle
	Weight     float64 `json:"weight"`     // a
}

// Settlement is a mark with its uncertainty and its components.
type Settlement struct {
	Inputs

	Counted   []Counted `json:"counted"`   // in the order of the reviews
	Theta     float64   `json:"theta"`     // θ, an angle
	Weights   float64   `json:"weights"`   // W, the usual mark's κ included
	R         float64   `json:"r"`         // r, the uncertainty that the reviews leave, an angle
	SD        float64   `json:"sd"`        // sd, with the error that all reviewers share
	Estimate  float64   `json:"estimate"`  // total·share(z*)
	Mark      int       `json:"mark"`      // givenMark: the estimate rounded, half upwards
	Low       float64   `json:"low"`       // the 80 % interval: in 8 of 10 cases a
	High      float64   `json:"high"`      // panel of experts would lie in here
	Open      float64   `json:"open"`      // how far more reviews may still move the mark
	UsualMark float64   `json:"usualMark"` // μ as a mark
}

// Counted is the contribution of a review.
type Counted struct {
	As     float64 `json:"as"`     // the mark it counts as, corrected for its reviewer's strictness
	Weight float64 `json:"weight"` // w, what it weighs beside the usual mark's κ
}

// Settle computes the settlement by the model that Model names. There is at least one
// review.
func (in Inputs) Settle() Settlement {
	switch in.Model {
	case Mean:
		return in.settlePlainly(mean)
	case Median:
		return in.settlePlainly(median)
	case SC1, SC1K:
		return in.settleInRounds(sc1Rounds)
	default:
		return in.settleInRounds(sc2Rounds)
	}
}

func (in Inputs) settleInRounds(rounds int) Settlement {
	n := len(in.Reviews)
	order := make([]int, n)
	angles, values := make([]float64, n), make([]float64, n)
	lowest, highest := in.Reviews[0].Mark, in.Reviews[0].Mark
	for i, r := range in.Reviews {
		order[i] = i
		angles[i] = angle(r.Mark, in.Total)
		values[i] = angles[i] - r.Strictness
		lowest, highest = min(lowest, r.Mark), max(highest, r.Mark)
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(values[i], values[j]), cmp.Compare(in.Reviews[i].Weight, in.Reviews[j].Weight))
	})
	sorted, start, w := make([]float64, n), make([]float64, n), make([]float64, n)
	for to, from := range order {
		sorted[to], start[to] = values[from], in.Reviews[from].Weight
	}
	theta, sum := in.Scale.settle(rounds, sorted, start, w)

	out := Settlement{
		Inputs: in, Theta: theta, Weights: sum, Counted: make([]Counted, n), UsualMark: markAt(in.Scale.Usual, in.Total),
	}
	squares := residuals * in.Scale.Noise * in.Scale.Noise
	for to, from := range order {
		squares += w[to] * (sorted[to] - theta) * (sorted[to] - theta)
		out.Counted[from] = Counted{As: markAt(sorted[to], in.Total), Weight: w[to]}
	}
	out.Estimate = markAt(theta, in.Total)
	if !in.Exemplar {
		out.Estimate = min(max(out.Estimate, lowest), highest)
	}
	mark := math.Floor(out.Estimate + .5)
	out.Mark = int(mark)

	variance := squares / ((residuals + sum - in.Scale.Counts()) * sum) // r²; W−κ is Σw
	out.R, out.SD = math.Sqrt(variance), math.Sqrt(variance+overlooked*overlooked)
	out.Low = min(markAt(theta-eightOfTen*out.SD, in.Total), out.Estimate, mark)
	out.High = max(markAt(theta+eightOfTen*out.SD, in.Total), out.Estimate, mark)
	out.Open = (markAt(theta+eightOfTen*out.R, in.Total) - markAt(theta-eightOfTen*out.R, in.Total)) / 2
	return out
}

// settle returns the mean of values and the usual mark, whose weight is κ. A value starts
// with its weight of start and loses weight with its distance from the mean. The mean θ
// and the sum of weights W belong to the final weights in w, which has the length of
// values. Sums run in the order of values.
func (s Scale) settle(rounds int, values, start, w []float64) (theta, sum float64) {
	kappa, variance := s.Counts(), s.Noise*s.Noise
	copy(w, start)
	for round := 1; ; round++ {
		sum, theta = kappa, kappa*s.Usual
		for i, v := range values {
			sum += w[i]
			theta += w[i] * v
		}
		theta /= sum
		if round == rounds {
			return theta, sum
		}
		for i, v := range values {
			w[i] = start[i] * 9 / (8 + (v-theta)*(v-theta)/variance)
		}
	}
}
