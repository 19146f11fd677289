package grademodel

// Looks returns, for each submission, the expected fall of Σ sd² over all submissions if an expert marked it, and Σ
// sd²: the expected reduction of variance, by which Cohn, Ghahramani and Jordan choose what to ask next (Active
// Learning with Statistical Models, 1996). Both leave out submissions that are known or have no review. final, nil for
// none, reports the submissions whose marks other work no longer moves.
//
//	fall of i = sd_i² + Σ_r Σ' (w'/W')²·s²·(1/(C' + 5) − 1/(C' + 6 − c_r))
//
// r are the reviews of i; Σ' runs over the other reviews r' of the same reviewer, of submissions that are neither known
// nor final, and C' is the sum of c over that reviewer's reviews but r'. The first term is the submission itself, whose
// mark is known then. The second is what it teaches about its reviewers' strictness, whose variance is s²/(C' + 5) and
// of which a mark takes the share w'/W'. The estimates are SC2's, by whichever model the marks are settled.
func Looks(submissions []Submission, final []bool) (falls []float64, all float64) {
	c := learn(submissions)
	settled, at := make([]Settlement, len(submissions)), make([]place, len(c.reviews))
	falls = make([]float64, len(submissions))
	for i, sub := range submissions {
		if len(sub.Reviews) == 0 {
			continue
		}
		settled[i] = c.inputs(i).Settle()
		for j := range sub.Reviews {
			at[c.first[i]+j] = place{i, j}
		}
		if sub.Known == nil {
			falls[i] = onGrid(settled[i].SD * settled[i].SD)
			all += falls[i]
		}
	}
	moves := func(i int) bool { return submissions[i].Known == nil && (len(final) == 0 || !final[i]) }
	for _, of := range c.reviewers {
		var counts float64
		for _, r := range of {
			counts += onGrid(c.reviews[r].c)
		}
		for _, r := range of {
			for _, other := range of {
				to := at[other]
				if r != other && submissions[at[r].submission].Known == nil && moves(to.submission) {
					share := settled[to.submission].Counted[to.review].Weight / settled[to.submission].Weights
					falls[at[r].submission] += onGrid(share * share * c.teaches(r, other, counts))
				}
			}
		}
	}
	return falls, all
}

// teaches returns the fall of the variance of a reviewer's strictness in their review other if r were of known work.
// counts is the sum of c over the reviewer's reviews.
func (c *class) teaches(r, other int, counts float64) float64 {
	noise := c.reviews[other].scale.Noise
	counts += strictnessCounts2 - onGrid(c.reviews[other].c)
	return noise * noise * (1/counts - 1/(counts+1-c.reviews[r].c))
}
