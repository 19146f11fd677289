package testengine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"studycircle/internal/testengine"
)

// skipped runs a part of a test that needs an engine, and reports whether it was skipped.
func skipped(t *testing.T, engine testengine.Engine) (skipped bool) {
	t.Helper()
	t.Run(string(engine), func(t *testing.T) {
		t.Cleanup(func() { skipped = t.Skipped() })
		testengine.Need(t, engine)
	})
	return skipped
}

func TestEachEngineRunsOnce(t *testing.T) {
	for _, c := range []struct {
		only             string
		sqlite, postgres bool
	}{{"", true, true}, {"sqlite", true, false}, {"postgres", false, true}} {
		t.Setenv(testengine.Env, c.only)
		assert.Equal(t, c.sqlite, !skipped(t, testengine.SQLite), "SQLite in a run of %q", c.only)
		assert.Equal(t, c.postgres, !skipped(t, testengine.Postgres), "PostgreSQL in a run of %q", c.only)
	}
}

func TestPartsOfATestNeedItsEngine(t *testing.T) {
	t.Setenv(testengine.Env, "")
	testengine.Need(t, testengine.Postgres)
	testengine.Need(t, testengine.Postgres)
	t.Run("part", func(t *testing.T) {
		assert.Panics(t, func() { testengine.Need(&failing{TB: t}, testengine.SQLite) })
	})
}

// failing is a test that panics when it fails.
type failing struct{ testing.TB }

func (*failing) Helper() {}

func (*failing) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
