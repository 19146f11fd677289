// Package testpg gives tests a private PostgreSQL: one cluster per test process, started
// when the first test needs it, and a fresh database for every test.
//
// It uses the machine's server programs and touches no running cluster: the new one
// listens on a Unix socket in its own folder and on no port. It knows nothing of the
// product; [Main] takes the contents of the databases.
package testpg

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"studycircle/internal/testengine"
)

// Prepare fills a new, empty database with what every test starts from, usually the
// product's schema. It must close its connections: PostgreSQL copies no database in use.
type Prepare func(url string) error

var shared lazyCluster

// Main runs a package's tests, stops the cluster if they started one, and returns the
// exit code:
//
//	func TestMain(m *testing.M) { os.Exit(testpg.Main(m, migrate)) }
//
// A deadlock fails the package even if its tests pass: the product retries the victim of
// a deadlock, so that only a second's delay shows.
//
// prepare runs once, when a test first calls [DB]; nil leaves the databases empty. A test
// process that dies leaves nothing behind either: see [Start].
func Main(m *testing.M, prepare Prepare) int {
	shared.prepare, shared.inMain = prepare, true
	code := m.Run()
	if err := shared.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "testpg:", err)
		return max(code, 1)
	}
	return code
}

// DB returns the URL of a new database for this test, which is dropped when the test
// ends. A run of tests on SQLite skips the test. If PostgreSQL cannot be started, the test fails with a message that
// says what to install.
func DB(tb testing.TB) string {
	tb.Helper()
	if !shared.inMain {
		tb.Fatal("testpg: the package has no TestMain that calls testpg.Main")
	}
	testengine.Need(tb, testengine.Postgres)
	cluster, template, err := shared.start()
	if err != nil {
		tb.Fatalf("testpg: %v", err)
	}
	name, err := cluster.Create(template)
	if err != nil {
		tb.Fatalf("testpg: %v", err)
	}
	tb.Cleanup(func() {
		if err := cluster.Drop(name); err != nil {
			tb.Errorf("testpg: %v", err)
		}
	})
	return cluster.URL(name)
}

// lazyCluster is the process's one cluster, with the prepared database that each test's
// database is copied from.
type lazyCluster struct {
	prepare Prepare
	inMain  bool

	mu       sync.Mutex
	cluster  *Cluster
	template string
	err      error
}

// start starts the cluster once: later calls return the same cluster or error.
func (l *lazyCluster) start() (cluster *Cluster, template string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cluster == nil && l.err == nil {
		l.cluster, l.err = Start()
		if l.err == nil {
			l.template, l.err = l.makeTemplate()
		}
	}
	return l.cluster, l.template, l.err
}

func (l *lazyCluster) makeTemplate() (string, error) {
	if l.prepare == nil {
		return emptyTemplate, nil
	}
	name, err := l.cluster.Create(emptyTemplate)
	if err != nil {
		return "", err
	}
	if err := l.prepare(l.cluster.URL(name)); err != nil {
		return "", fmt.Errorf("prepare the databases: %w", err)
	}
	return name, nil
}

func (l *lazyCluster) stop() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cluster == nil {
		return nil
	}
	if err := l.cluster.Stop(); err != nil {
		return err
	}
	return l.cluster.deadlock()
}
