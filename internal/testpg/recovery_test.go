package testpg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
)

func TestRecoveredBackupHoldsTheRows(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	lost, err := testpg.Start()
	require.NoError(t, err)
	_, err = connect(t, lost.URL("postgres")).Exec(t.Context(), "CREATE TABLE notes AS SELECT 'kept' AS text")
	require.NoError(t, err)
	backup, err := lost.BaseBackup()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backup.Remove()) })
	require.NoError(t, lost.Stop())

	recovered, err := backup.Recover("restore_command=false")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, recovered.Stop()) })
	var text string
	require.NoError(t, connect(t, recovered.URL("postgres")).QueryRow(t.Context(), "SELECT text FROM notes").Scan(&text))
	require.Equal(t, "kept", text)
}
