// Package storetest is the store's conformance suite: the same tests on SQLite
// and on PostgreSQL. Whatever a test says, both engines must do.
package storetest
