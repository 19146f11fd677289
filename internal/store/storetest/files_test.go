package storetest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func TestNodesThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	url := testpg.DB(t)
	b := setup(t, store.Config{URL: url})
	_, err := b.plain.ExecContext(t.Context(), "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := store.Open(t.Context(), store.Config{URL: url})
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// A backup taken while 32 clients write is a consistent snapshot, includes everything
// acknowledged before it began, and restores.
func TestBackupUnderLoadLosesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})
	u := b.user(t, "Ada")
	var mu sync.Mutex
	var acknowledged []string
	write := func(ctx context.Context) error {
		a := sample(u, studycircle.Easy, "Written", "Under load.")
		err := teststore.Publish(ctx, b.Store, a)
		mu.Lock()
		defer mu.Unlock()
		acknowledged = append(acknowledged, a.ID)
		return err
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	var before []string
	var once sync.Once
	atOnce(func(int) {
		for range 20 {
			if err := write(t.Context()); err != nil {
				t.Error(err)
			}
			once.Do(func() {
				mu.Lock()
				before = append(before, acknowledged...)
				mu.Unlock()
				if err := store.Backup(t.Context(), b.config.Dir, file); err != nil {
					t.Error(err)
				}
			})
		}
	})
	require.ErrorContains(t, store.Backup(t.Context(), b.config.Dir, file), "there already")
	require.ErrorContains(t, store.Restore(t.Context(), b.config.Dir, file), "writes over nothing")

	restored := filepath.Join(t.TempDir(), "restored")
	require.NoError(t, store.Restore(t.Context(), restored, file))
	r := setup(t, store.Config{Dir: restored})
	require.Subset(t, r.ids(t, "SELECT id FROM assignments"), before)
	(&history{t: t, b: r}).compare()

	broken := filepath.Join(t.TempDir(), "broken.db")
	require.NoError(t, store.Backup(t.Context(), restored, broken))
	damage(t, broken)
	require.ErrorContains(t, store.Restore(t.Context(), filepath.Join(t.TempDir(), "x"), broken), "backup")

	// A database of another program is no backup, and nothing of it stays.
	other, target := plainDB(t, store.Config{Dir: t.TempDir()}), t.TempDir()
	foreign := filepath.Join(t.TempDir(), "foreign.db")
	for _, statement := range []string{"CREATE TABLE users (id TEXT)", "VACUUM INTO '" + foreign + "'"} {
		_, err := other.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, other.Close())
	require.ErrorContains(t, store.Restore(t.Context(), target, foreign), "no backup of StudyCircle")
	left, err := os.ReadDir(target)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A backup begins anew where an earlier one was interrupted.
func TestBackupAfterAnInterruptedOne(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})
	b.user(t, "Ada")
	file, restored := filepath.Join(t.TempDir(), "copy.db"), t.TempDir()
	require.NoError(t, os.WriteFile(file+".part", []byte("half of it"), 0o600))
	require.NoError(t, store.Backup(t.Context(), b.config.Dir, file))
	require.NoFileExists(t, file+".part")
	require.NoError(t, os.WriteFile(filepath.Join(restored, "studycircle.db.part"), bytes.Repeat([]byte("half of it"), 1<<20), 0o600))
	require.NoError(t, store.Restore(t.Context(), restored, file))
	require.Len(t, setup(t, store.Config{Dir: restored}).ids(t, "SELECT id FROM users"), 1)
	require.NoFileExists(t, filepath.Join(restored, "studycircle.db.part"))
}

// A database whose node was killed leaves its last writes in a file beside it. If an operator removes only the database,
// they must not enter the one that is restored.
func TestRestoreRefusesTheLogOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})
	b.user(t, "Ada")
	file := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, store.Backup(t.Context(), b.config.Dir, file))
	b.user(t, "Bob")
	killed := t.TempDir() // as the files are at this moment
	text, err := os.ReadFile(filepath.Join(b.config.Dir, "studycircle.db-wal"))
	require.NoError(t, err)
	require.NotEmpty(t, text)
	require.NoError(t, os.WriteFile(filepath.Join(killed, "studycircle.db-wal"), text, 0o600))
	require.ErrorContains(t, store.Restore(t.Context(), killed, file), "writes over nothing")
	require.NoFileExists(t, filepath.Join(killed, "studycircle.db"))
	require.NoError(t, os.Remove(filepath.Join(killed, "studycircle.db-wal")))
	require.NoError(t, store.Restore(t.Context(), killed, file))
	require.Len(t, setup(t, store.Config{Dir: killed}).ids(t, "SELECT id FROM users"), 1)
}

// damage overwrites the middle of a file.
func damage(t *testing.T, file string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	require.NoError(t, err)
	info, err := f.Stat()
	require.NoError(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0xAA}, 20_000), info.Size()/2)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
