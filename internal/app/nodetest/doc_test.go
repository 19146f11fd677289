// Package nodetest holds nodes to their contract from the outside: whole nodes
// on real listeners, on each engine, with a real mail server and real OpenID
// providers to talk to. It reads no code of the server, and of its data only what
// an answer cannot show.
//
// The harness is world_test.go (a database with nodes on it), client_test.go
// (who calls them), answer_test.go, samples_test.go, stream_test.go, mails_test.go,
// provider_test.go and at_once_test.go; all other files are suites, named by noun.
package nodetest
