// Package grademodel computes one mark from several reviews of a submission, and how
// certain that mark is. docs/trust.md has its formulas. Its tests compare it with the mean
// and with the model PG1 of Piech, Huang, Chen, Do, Ng and Koller, "Tuned Models of Peer
// Assessment in MOOCs" (2013).
//
// Marks become angles, because the noise of reviews shrinks near zero and near full marks.
// An assignment has a usual mark and a noise ([Scale]). Each review yields a [Part] about
// its reviewer. The sum of a reviewer's parts on other submissions ([Record]) gives the
// reviewer's strictness and weight. A submission is settled from its reviews with these
// ([Inputs.Settle]).
//
// Results depend on values alone. Neither the order of arguments nor the names of users
// and submissions change a bit, because sums run in the order of the values.
//
// The package knows no storage and no clock, and imports only the standard library. Its
// formulas never change under their version: other formulas are another version.
package grademodel
