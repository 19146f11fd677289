// Package testengine lets a run of tests use one database engine: the race detector makes tests on PostgreSQL no more
// thorough than those on SQLite, which run the same code, and several times slower.
package testengine

import (
	"os"
	"strings"
	"sync"
	"testing"
)

// Env is the environment variable that names the engine of a run. Tests of the other one are skipped. Both run if it
// is empty.
const Env = "STUDYCIRCLE_TEST_ENGINE"

// Engine is a value of Env.
type Engine string

// The engines. A test that uses both needs PostgreSQL.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

var (
	mu     sync.Mutex
	needed = map[string]Engine{} // by the name of a test
)

// Need skips the test in a run of the other engine. A test that needs both engines would run never, and fails instead.
func Need(tb testing.TB, engine Engine) {
	tb.Helper()
	if only := Engine(os.Getenv(Env)); only != "" && only != engine {
		tb.Skipf("runs on %s", engine) //nolint:forbidigo // another run has it
	}
	mu.Lock()
	defer mu.Unlock()
	for name := tb.Name(); name != ""; {
		if before, known := needed[name]; known && before != engine {
			tb.Fatalf("%s needs %s, and its part %s: no run of one engine would include it", name, before, engine)
		}
		last := strings.LastIndexByte(name, '/')
		name = name[:max(last, 0)]
	}
	if _, known := needed[tb.Name()]; !known {
		needed[tb.Name()] = engine
		tb.Cleanup(func() {
			mu.Lock()
			defer mu.Unlock()
			delete(needed, tb.Name())
		})
	}
}
