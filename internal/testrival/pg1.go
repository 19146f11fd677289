// Package testrival has, for tests, a published model that the product's grade model is
// compared with.
package testrival

import (
	"math"
	"math/rand/v2"
)

// PG1 is the model PG1 of Piech et al. (2013), by Gibbs sampling, for comparison with the product's model. The true
// share s of a submission is normal, a reviewer has a normal bias b and a reliability τ from a gamma distribution,
// and a review is normal about s+b with the variance 1/τ. As in that paper 800 rounds are drawn and the first 80
// discarded; a submission's mark is the mean of the rest. The prior of s is taken from the class's plain means. The
// other priors are the best of a grid of 27 over all classes of this package's simulation, better than any choice
// beforehand.
type PG1 struct {
	random      *rand.Rand
	biasSD      float64 // of b, as a share of the total
	shape, rate float64 // of τ
}

// NewPG1 returns the model with a seed for its draws.
func NewPG1(seed uint64) PG1 {
	// the prior of a review's standard deviation
	const typical = .08
	return PG1{random: rand.New(rand.NewPCG(seed, 1)), biasSD: .04, shape: 1, rate: typical * typical} //nolint:gosec // a model draws repeatably
}

// Estimate returns the submissions' shares. reviews[i] maps reviewers, numbered from 0, to the share they gave
// submission i; people is the number of reviewers.
func (m PG1) Estimate(reviews [][]Given, people int) []float64 {
	shares, mean, variance := PlainMeans(reviews)
	bias, tau := make([]float64, people), make([]float64, people)
	for v := range tau {
		tau[v] = m.shape / m.rate
	}
	sums := make([]float64, len(reviews))
	const rounds, burnIn = 800, 80
	weighted, squares, count := make([]float64, people), make([]float64, people), make([]float64, people)
	for round := range rounds {
		for u, of := range reviews {
			precision, sum := 1/variance, mean/variance
			for _, g := range of {
				precision += tau[g.By]
				sum += tau[g.By] * (g.Share - bias[g.By])
			}
			shares[u] = m.normal(sum/precision, precision)
			if round >= burnIn {
				sums[u] += shares[u]
			}
		}
		clear(weighted)
		clear(squares)
		clear(count)
		for u, of := range reviews {
			for _, g := range of {
				weighted[g.By] += g.Share - shares[u]
				count[g.By]++
			}
		}
		for v := range bias {
			precision := 1/(m.biasSD*m.biasSD) + count[v]*tau[v]
			bias[v] = m.normal(tau[v]*weighted[v]/precision, precision)
		}
		for u, of := range reviews {
			for _, g := range of {
				off := g.Share - shares[u] - bias[g.By]
				squares[g.By] += off * off
			}
		}
		for v := range tau {
			tau[v] = m.gamma(m.shape+count[v]/2) / (m.rate + squares[v]/2)
		}
	}
	for u := range sums {
		sums[u] = min(max(sums[u]/(rounds-burnIn), 0), 1)
	}
	return sums
}

// Given is a review as a share of the total.
type Given struct {
	By    int
	Share float64
}

// PlainMeans returns the mean of each submission, and the mean and the variance of these.
func PlainMeans(reviews [][]Given) (means []float64, mean, variance float64) {
	means = make([]float64, len(reviews))
	for u, of := range reviews {
		for _, g := range of {
			means[u] += g.Share / float64(len(of))
		}
		mean += means[u] / float64(len(reviews))
	}
	for _, x := range means {
		variance += (x - mean) * (x - mean) / float64(len(reviews))
	}
	return means, mean, variance
}

func (m PG1) normal(mean, precision float64) float64 {
	return mean + m.random.NormFloat64()/math.Sqrt(precision)
}

// gamma draws from the gamma distribution with a shape of at least 1 and the rate
// 1, by the method of Marsaglia and Tsang (2000).
func (m PG1) gamma(shape float64) float64 {
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x := m.random.NormFloat64()
		v := (1 + c*x) * (1 + c*x) * (1 + c*x)
		if v > 0 && math.Log(m.random.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
