package storetest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// crashDirEnv makes the test binary a program that writes until it is killed.
const crashDirEnv = "STORETEST_CRASH_DIR"

// writeUntilKilled prints which assignments are acknowledged.
func writeUntilKilled(dir string) {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s, err := store.Open(context.Background(), store.Config{Dir: dir})
	if err != nil {
		fail(err)
	}
	u := studycircle.User{ID: studycircle.NewID(time.Now()), Email: studycircle.NewID(time.Now()) + "@example.org", DisplayName: "Writer", CreatedAt: now}
	if err := s.Write(context.Background(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertAccount(ctx, studycircle.Account{User: u})
	}); err != nil {
		fail(err)
	}
	for range 16 {
		go func() {
			for i := 0; ; i++ {
				a := sample(u, studycircle.Levels[i%3], "Written", "Until killed.")
				if err := teststore.Publish(context.Background(), s, a); err != nil {
					fail(err)
				}
				if _, err := fmt.Println(a.ID); err != nil {
					os.Exit(0)
				}
			}
		}()
	}
	select {}
}

// Acknowledged writes survive kill -9, and pages and search agree with the rows.
func TestNothingIsLostByACrash(t *testing.T) {
	t.Parallel()
	dir := teststore.Dir(t)
	acknowledged := map[string]bool{}
	for round := range 4 {
		writer := exec.CommandContext(t.Context(), os.Args[0])
		writer.Env = append(os.Environ(), crashDirEnv+"="+dir)
		writer.Stderr = os.Stderr
		out, err := writer.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, writer.Start())
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			acknowledged[lines.Text()] = true
			if n == 100+37*round {
				require.NoError(t, writer.Process.Kill())
			}
		}
		require.Error(t, writer.Wait(), "the writer is killed")
	}
	b := setup(t, store.Config{Dir: dir})
	there := b.ids(t, "SELECT id FROM assignments")
	for _, id := range there {
		delete(acknowledged, id)
	}
	require.Empty(t, acknowledged, "acknowledged and lost")
	require.Equal(t, []string{"ok"}, b.ids(t, "PRAGMA integrity_check"))
	require.Empty(t, b.ids(t, "SELECT 'broken' FROM pragma_foreign_key_check"))
	(&history{t: t, b: b}).compare()
	require.Len(t, b.search(t, "until", ""), min(len(there), store.MaxMatches))
	require.Greater(t, len(there), 400, strings.TrimSpace("the writers wrote"))
}
