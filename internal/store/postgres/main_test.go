package postgres

import (
	"os"
	"testing"

	"studycircle/internal/testpg"
)

func TestMain(m *testing.M) { os.Exit(testpg.Main(m, nil)) }
