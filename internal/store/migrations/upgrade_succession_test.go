package migrations_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// Notices that earlier releases wrote as sentences stay readable, also those that a node of the release before this one
// writes after the upgrade.
func TestNoticesOfCirclesBecomeCodes(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		d, dialect := unopened(t, c)
		_, err := provider(t, d, dialect).UpTo(t.Context(), 76)
		require.NoError(t, err)
		exec := func(query string, args ...any) {
			t.Helper()
			_, err := d.ExecContext(t.Context(), query, args...)
			require.NoError(t, err)
		}
		exec("INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('ada', 'a@example.org', 'A', '', '', 0)")
		circle := func(id string, s studycircle.Succession) {
			t.Helper()
			exec(`INSERT INTO circles (id, name, sort_key, joining, publishing, grading, notice, created_at, updated_at)
				VALUES ($1, 'Circle', 'circle', 'invite', 'members', 'members', $2, 0, 0)`, id, s.Sentence())
			exec("INSERT INTO circle_members (circle_id, user_id, role, joined_at) VALUES ($1, 'ada', 'owner', 0)", id)
		}
		all := map[string]studycircle.Succession{"c-plain": "", "c-organizer": "organizer", "c-member": "member", "c-none": "none"}
		for id, s := range all {
			circle(id, s)
		}
		require.NoError(t, d.Close())
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		d, _ = unopened(t, c)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		for id, want := range all {
			var code string
			require.NoError(t, d.QueryRowContext(t.Context(), "SELECT succession FROM circles WHERE id = $1", id).Scan(&code))
			require.Equal(t, string(want), code)
		}
		circle("d-organizer", studycircle.OrganizerSucceeded) // by a node of the release before this one
		all["d-organizer"] = studycircle.OrganizerSucceeded
		for id, want := range all {
			found, err := s.Circle(t.Context(), studycircle.ViewerOf("ada"), id)
			require.NoError(t, err)
			require.Equal(t, want, found.Succession)
		}
	})
}
