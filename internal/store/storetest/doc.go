// Package storetest is the store's conformance suite: the same tests run on SQLite and on PostgreSQL, and both
// engines must pass all of them.
package storetest
