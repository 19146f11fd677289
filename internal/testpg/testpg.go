// Package testpg gives tests a private PostgreSQL: one throw-away cluster a
// test process, started when the first test asks for it, and in it a fresh
// database for every test.
//
// It uses the server programs of the machine and touches no cluster that runs
// already: the new one listens on a Unix socket in its own folder and on no
// port. It knows nothing of the product; what every database should hold is
// given to [Main].
package testpg

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// Prepare brings a new, empty database to the state every test starts from,
// the product's schema as a rule. It must close its connections: PostgreSQL
// copies no database that somebody uses.
type Prepare func(url string) error

var shared lazyCluster

// Main runs a package's tests and stops the cluster they started, if any did.
// It returns the exit code:
//
//	func TestMain(m *testing.M) { os.Exit(testpg.Main(m, migrate)) }
//
// A deadlock fails the package whatever its tests found: the product runs what
// the server gave up once more, so that nobody notices but by the second that it took.
//
// prepare runs once, and only when a test calls [DB]; nil leaves the databases
// empty. A test process that dies without coming back here leaves nothing
// behind either: see [Start].
func Main(m *testing.M, prepare Prepare) int {
	shared.prepare = prepare
	code := m.Run()
	if err := shared.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "testpg:", err)
		return max(code, 1)
	}
	return code
}

// DB returns the URL of a new database that belongs to the test alone and is
// dropped when the test ends. Where PostgreSQL cannot be started the test
// fails, with a message that says what to install.
func DB(tb testing.TB) string {
	tb.Helper()
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

// lazyCluster is a process's one cluster, with the prepared database that
// every test's own is copied from.
type lazyCluster struct {
	prepare Prepare

	mu       sync.Mutex
	cluster  *Cluster
	template string
	err      error
}

// start answers every call alike: a cluster that failed to start is not tried
// again for each of a hundred tests.
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
