package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A mark that is settled again is as old as its last settlement, however its rows lie in the table.
func TestThePresentMarkHasTheTimeOfItsLastSettlement(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bo, cy := b.user(t, "Ada"), b.user(t, "Bo"), b.user(t, "Cy")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		want := map[string]time.Time{}
		var ids []string
		for _, u := range []studycircle.User{bo, cy} {
			s := handIn(a, u)
			require.NoError(t, handedIn(t.Context(), b.Store, s))
			for _, n := range []int{2, 3, 1} {
				b.exec(t, fmt.Sprintf("INSERT INTO settlements (submission_id, n, at, decided_by, reason, words, mark, model) VALUES ('%s', %d, %d, 'model', 'reviews', '', 7, '')", s.ID, n, int64(n)*1_000_000))
			}
			want[s.ID] = time.UnixMicro(3_000_000).UTC()
			ids = append(ids, s.ID)
		}
		for _, ids := range [][]string{ids, ids[:1]} {
			found, err := b.SettledAt(t.Context(), studycircle.System(), ids)
			require.NoError(t, err)
			require.Len(t, found, len(ids))
			for id, at := range found {
				require.Equal(t, want[id], at.UTC())
			}
		}
	})
}
