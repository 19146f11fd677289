package storetest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// Nothing of a deleted account is left in the database's file a day later, nor in counts
// and queues.
func TestDeletedAccountsAreForgotten(t *testing.T) {
	t.Parallel()
	dir := teststore.Dir(t)
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	require.NoError(t, err)
	b := &bundle{Store: s, config: store.Config{Dir: dir}, sqlite: true, plain: plainDB(t, store.Config{Dir: dir})}
	creator := b.user(t, "Creator")
	gone := b.user(t, "Xanthippe-Quimby")
	for range 40 { // neighbouring rows
		b.user(t, "Other"+studycircle.NewID(time.Now()))
	}
	a := b.assignment(t, creator, studycircle.Easy, "One", "Text.")
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.UpdateProfile(ctx, gone.ID, studycircle.Profile{DisplayName: "Xanthippe-Quimby " + strings.Repeat("the longer ", 8)})
	})
	use := limit.Use{Window: limit.Window{Name: "submit", Max: 5, Per: time.Hour}, Subject: gone.ID, At: now}
	_, err = b.submit(t.Context(), a.ID, gone, use)
	require.NoError(t, err)
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.QueueMail(ctx, gone.ID, "verify") })
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, gone.ID, time.Now()) })
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, now.AddDate(0, 0, 1)) })
	require.Empty(t, b.ids(t, "SELECT name FROM rate_limits"))
	require.Empty(t, b.ids(t, "SELECT kind FROM river_job"))
	require.NoError(t, b.plain.Close())
	require.NoError(t, s.Close())
	files, err := filepath.Glob(filepath.Join(dir, "studycircle.db*"))
	require.NoError(t, err)
	for _, file := range files {
		all, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, strings.ToLower(string(bytes.ToValidUTF8(all, nil))), "xanthippe-quimby", file)
	}
}
