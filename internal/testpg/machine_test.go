package testpg

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func makeServer(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "initdb"), []byte("#!/bin/sh\n"), 0o755))
	return dir
}

func TestFindServerTakesTheNewest(t *testing.T) {
	root := t.TempDir()
	makeServer(t, filepath.Join(root, "9", "bin"))
	newest := makeServer(t, filepath.Join(root, "15", "bin"))

	got, err := findServer(filepath.Join(root, "*", "bin"))
	require.NoError(t, err)
	require.Equal(t, newest, got)
}

func TestFindServerFallsBackToThePath(t *testing.T) {
	onPath := makeServer(t, t.TempDir())
	t.Setenv("PATH", onPath)

	got, err := findServer(filepath.Join(t.TempDir(), "*"))
	require.NoError(t, err)
	require.Equal(t, onPath, got)
}

func TestFindServerSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", "")

	_, err := findServer(filepath.Join(t.TempDir(), "*"))
	require.ErrorContains(t, err, "apt-get install postgresql")
}
