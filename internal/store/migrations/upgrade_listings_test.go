package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// Circles that were listed before lists of them were counted are listed and found.
func TestListedCirclesOfEarlierSchemas(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		d, e := unopened(t, c)
		_, err := provider(t, d, e).UpTo(t.Context(), 44)
		require.NoError(t, err)
		_, err = d.ExecContext(t.Context(), `
			INSERT INTO circles (id, name, sort_key, joining, publishing, grading, listed, archived_at, deleted_at, created_at, updated_at) VALUES
			('a', 'Readers of Zürich', ' readers of zurich', 'open', 'members', 'members', TRUE, NULL, NULL, 1, 1),
			('b', 'Walkers', ' walkers', 'ask', 'members', 'members', TRUE, NULL, NULL, 2, 2),
			('c', 'Secret readers', ' secret readers', 'open', 'members', 'members', FALSE, NULL, NULL, 3, 3),
			('d', 'Old readers', ' old readers', 'open', 'members', 'members', TRUE, 4, NULL, 3, 3),
			('e', 'Gone readers', ' gone readers', 'open', 'members', 'members', TRUE, NULL, 4, 3, 3)`)
		require.NoError(t, err)
		require.NoError(t, d.Close())
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		for text, want := range map[string][]string{"": {"Walkers", "Readers of Zürich"}, "readers": {"Readers of Zürich"}, "of züri": {"Readers of Zürich"}, "secret": nil} {
			found, total, err := s.ListedCircles(t.Context(), studycircle.ViewerOf("anyone"), text, studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			var names []string
			for _, c := range found {
				names = append(names, c.Name)
			}
			require.Equal(t, want, names, text)
			require.EqualValues(t, len(want), total)
		}
	})
}
