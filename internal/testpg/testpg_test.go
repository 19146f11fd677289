package testpg_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
)

func TestMain(m *testing.M) {
	if os.Getenv(orphanEnv) != "" {
		leaveOrphan()
	}
	os.Exit(testpg.Main(m, prepare))
}

func prepare(url string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE TABLE notes (text TEXT NOT NULL)"); err != nil {
		return err
	}
	return conn.Close(ctx)
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	return conn
}

func TestDBIsPreparedAndPrivate(t *testing.T) {
	t.Parallel()
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			conn := connect(t, testpg.DB(t))

			_, err := conn.Exec(t.Context(), "INSERT INTO notes VALUES ('mine')")
			require.NoError(t, err)

			var rows int
			require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM notes").Scan(&rows))
			require.Equal(t, 1, rows, "another test's row is in this test's database")
		})
	}
}

func TestDBGoesWhenItsTestEnds(t *testing.T) {
	testengine.Need(t, testengine.Postgres)
	t.Parallel()
	var url string
	t.Run("inner", func(t *testing.T) { url = testpg.DB(t) })

	_, err := pgx.Connect(t.Context(), url)
	require.ErrorContains(t, err, "does not exist")
}
