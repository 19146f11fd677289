// Package nodetest tests nodes against their contract from the outside: whole nodes on
// real listeners, on each engine, with a real mail server and real OpenID providers. It
// uses no code of the server, and of its data only what answers cannot show.
//
// The harness is world_test.go (a database with nodes on it), client_test.go (its
// clients), answer_test.go, samples_test.go, stream_test.go, mails_test.go,
// provider_test.go and at_once_test.go; all other files are suites, named by noun.
package nodetest
