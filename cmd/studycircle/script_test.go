package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts run the program as an operator does: see testdata/script.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"studycircle": main})
}

func TestCommands(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
