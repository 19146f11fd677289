package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// From SQLite to PostgreSQL and back: the same rows, pages and words, and the
// next row is numbered on.
func TestCopyMovesEverything(t *testing.T) {
	t.Parallel()
	from := setup(t, store.Config{Dir: t.TempDir()})
	h := newHistory(t, from, 11)
	for range 200 {
		h.step()
	}
	link, passkey := from.waysIn(t, h.creator, "one")
	key, err := from.SettingOr(t.Context(), "key", "secret")
	require.NoError(t, err)
	for _, config := range []store.Config{{URL: testpg.DB(t)}, {Dir: t.TempDir()}} {
		to := setup(t, config)
		_, err := to.SettingOr(t.Context(), "key", "another")
		require.NoError(t, err)
		before, err := from.CountRows(t.Context())
		require.NoError(t, err)
		n, err := store.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		require.EqualValues(t, before, n)
		_, err = store.Copy(t.Context(), from.Store, to.Store, func() {})
		require.ErrorContains(t, err, "writes over nothing")

		copied, err := to.SettingOr(t.Context(), "key", "third")
		require.NoError(t, err)
		require.Equal(t, key, copied)
		links, err := to.ProviderLinksOf(t.Context(), h.creator.ID)
		require.NoError(t, err)
		require.Equal(t, []studycircle.ProviderLink{link}, links)
		passkeys, err := to.PasskeysOf(t.Context(), h.creator.ID)
		require.NoError(t, err)
		require.Equal(t, []studycircle.Passkey{passkey}, passkeys)
		used, err := to.TicketUsed(t.Context(), "one")
		require.NoError(t, err)
		require.True(t, used)
		h.b = to
		h.compare()
		require.Equal(t, from.search(t, "work", ""), to.search(t, "work", ""))
		for range 50 {
			h.step()
		}
		h.compare()
		from = to
	}
}
