package migrations_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/words"
)

// ownLetters are letters without a decomposition.
const ownLetters = "øłđðþæœħŧŋıĸƀɓƃƈȼɖɗƌɇəǝɛƒɠǥɣɨɩɉƙƚɫɲƞɵɔƥɋɍɽƭʈⱦʉʋƴɏƶȥʻʼ"

// What was indexed before searches folded letters without a decomposition is found by them: assignments, members and
// listed circles; members get the keys by which they are sorted.
func TestLettersOfEarlierSchemas(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		d, dialect := unopened(t, c)
		_, err := provider(t, d, dialect).UpTo(t.Context(), 80)
		require.NoError(t, err)
		exec := func(query string, args ...any) {
			t.Helper()
			_, err := d.ExecContext(t.Context(), query, args...)
			require.NoError(t, err)
		}
		exec("INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('ada', 'a@example.org', 'Łukasz Ørsted', '', '', 0)")
		names := map[string]string{}
		for _, r := range ownLetters {
			id, name := "c"+string(r), "a"+string(r)+"b"
			names[id] = name
			exec(`INSERT INTO circles (id, name, sort_key, joining, publishing, grading, listed, created_at, updated_at)
				VALUES ($1, $2, $3, 'invite', 'members', 'members', TRUE, 0, 0)`, id, name, " "+name)
			exec("INSERT INTO circle_listings (circle_id) VALUES ($1)", id)
		}
		exec("INSERT INTO circle_members (circle_id, user_id, role, joined_at) VALUES ('cø', 'ada', 'owner', 0)")
		exec(`INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
			VALUES ('own', 'ada', 'Plain', 'plain', 'https://a.example', 1, 'easy', 0, 0, 0, 0), ('title', NULL, 'Æsop', 'plain', 'https://a.example', 1, 'easy', 0, 0, 0, 0),
			('text', NULL, 'Plain', 'Đặng', 'https://a.example', 1, 'easy', 0, 0, 0, 0), ('none', NULL, 'Plain', 'plain', 'https://a.example', 1, 'easy', 0, 0, 0, 0)`)
		require.NoError(t, d.Close())
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		d, _ = unopened(t, c)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		var stale int
		require.NoError(t, d.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM search_stale").Scan(&stale))
		require.Equal(t, 3, stale)
		for id, name := range names {
			var key string
			require.NoError(t, d.QueryRowContext(t.Context(), "SELECT sort_key FROM circles WHERE id = $1", id).Scan(&key))
			require.Equal(t, " "+strings.Join(words.Cut(name), " "), key, name)
		}
		page := studycircle.Page{Number: 1, Limit: 100}
		ada := studycircle.ViewerOf("ada")
		found, _, err := s.ListedCircles(t.Context(), ada, "athb", page)
		require.NoError(t, err)
		require.Len(t, found, 1, "þ")
		require.NoError(t, s.CutStale(t.Context()))
		require.NoError(t, s.SortMembers(t.Context()))
		for search, id := range map[string]string{"aesop": "title", "dang": "text", "lukasz": "own"} {
			list, _, err := s.SearchAssignments(t.Context(), ada, studycircle.Hall, search, "", page)
			require.NoError(t, err)
			require.Len(t, list, 1, search)
			require.Equal(t, id, list[0].ID)
		}
		members, _, err := s.Members(t.Context(), ada, "cø", studycircle.MemberFilter{Search: "orst"}, false, page)
		require.NoError(t, err)
		require.Len(t, members, 1)
		var keys string
		require.NoError(t, d.QueryRowContext(t.Context(), "SELECT name_key FROM circle_members").Scan(&keys))
		require.NotEmpty(t, keys)
		require.NoError(t, s.SortMembers(t.Context()), "there is nothing left")
	})
}
