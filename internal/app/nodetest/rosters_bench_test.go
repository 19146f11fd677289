package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// BenchmarkRoster sends a roster of 10,000 lines to a new circle; half of the addresses have an account and are
// verified. The bound is five seconds.
//
//	go test ./internal/app/nodetest -run '^$' -bench Roster -benchtime 3x
func BenchmarkRoster(b *testing.B) {
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		ada := n.user(b, "Ada")
		now := n.clock.now()
		lines := []string{"email,name,role,label"}
		for i := range studycircle.MaxRoster {
			lines = append(lines, fmt.Sprintf("person%d@example.com,Cleo Clay %d,member,Section %d", i, i, i%20))
		}
		for from := 0; from < studycircle.MaxRoster/2; from += 500 {
			require.NoError(b, n.app.Store.Write(b.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				for i := from; i < from+500; i++ {
					u := studycircle.User{ID: studycircle.NewID(now), Email: fmt.Sprintf("person%d@example.com", i), DisplayName: fmt.Sprint("Cleo ", i), CreatedAt: now, EmailVerifiedAt: now}
					if err := tx.InsertAccount(ctx, studycircle.Account{User: u}); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		file := raw(strings.Join(lines, "\n"))
		for b.Loop() {
			b.StopTimer()
			at := "/api/circle/" + ada.circle(b, "Readers") + "/roster"
			b.StartTimer()
			a := ada.post(b, at, file, csvFile).is(b, http.StatusOK).json(b)
			require.InDelta(b, studycircle.MaxRoster/2, a["added"], 0)
			b.StopTimer()
			again := ada.post(b, at, file, csvFile).is(b, http.StatusOK).json(b)
			require.InDelta(b, studycircle.MaxRoster, again["unchanged"], 0)
			b.StartTimer()
		}
	})
}
