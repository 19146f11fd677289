// Package studycircle holds the nouns of the product and their rules: users, assignments and submissions, the checks
// of their fields, and the policy that decides which user may do what.
//
// It knows nothing of HTTP, SQL or the screen, and imports the standard library only. Read it first.
//
// Instants have microseconds, the finest unit that both databases store, and are in UTC unless a name says otherwise.
package studycircle
