// Package studycircle holds the nouns of the product and their rules: users,
// assignments, submissions, what makes them valid, and who may do what to them.
//
// It knows nothing of HTTP, SQL or the screen, and imports the standard library
// only. Read it first.
//
// Instants are kept with microseconds, the finest both databases keep, and are
// in UTC unless a name says otherwise.
package studycircle
