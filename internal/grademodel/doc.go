// Package grademodel makes one mark of several reviews of a piece of work, and
// says how sure that mark is. Its formulas are those of docs/trust.md; what it is
// compared with in its tests is the mean and the model PG1 of Piech, Huang, Chen,
// Do, Ng and Koller, "Tuned Models of Peer Assessment in MOOCs" (2013).
//
// Marks are turned into angles, because the noise of reviews shrinks near zero and
// near full marks. An assignment has a usual mark and a noise ([Scale]). Each
// review says something about its reviewer ([Part]); the sum of a reviewer's parts
// on other work ([Record]) says how strict the reviewer is and how well their marks
// follow the work. A submission is settled from its reviews, each with strictness
// and weight of its reviewer ([Inputs.Settle]).
//
// What it computes depends on values alone: neither the order of what is passed in
// nor the names of people and submissions change a bit of it, because everything is
// summed in the order of its values.
//
// It knows no storage and no clock, imports nothing but the standard library, and
// never changes under its version: other formulas are another version.
package grademodel

// Version names the model that a settlement was made by.
const Version = "SC1"
