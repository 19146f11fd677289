package nodetest

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
)

// After a day's end the parts of the day's reviews are those that the grade model computes from all reviews at once,
// exemplars too; until then some have an older scale.
func TestPartsAreRenewedDaily(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		sample := ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(5)).is(t, http.StatusCreated).text(t, "insertedId")
		people := n.people(t, "Bob", "Cem", "Dot", "Eve")
		account := map[*client]string{}
		known := 5.0
		work := map[string]*grademodel.Submission{sample: {Assignment: of, Total: 20, Known: &known}}
		for _, c := range people {
			a, err := n.app.Store.AccountByEmail(t.Context(), c.email)
			require.NoError(t, err)
			account[c] = a.ID
			work[c.submit(t, of)] = &grademodel.Submission{Assignment: of, Total: 20}
		}
		for i, c := range people {
			for j := range 3 {
				id, mark := c.task(t, of)["submissionId"].(string), (7*i+5*j)%21
				c.patch(t, "/api/submissions/"+id, doc{"marks": mark}).is(t, http.StatusOK)
				work[id].Reviews = append(work[id].Reviews, grademodel.Review{Reviewer: account[c], Mark: float64(mark)})
			}
		}
		all := []grademodel.Submission{}
		for _, s := range work {
			all = append(all, *s)
		}
		want := map[string]grademodel.Record{}
		for i, graded := range grademodel.GradeByRecords(grademodel.Present, all, nil) {
			for j, part := range graded.Parts {
				who := all[i].Reviews[j].Reviewer
				want[who] = want[who].Plus(grademodel.Record(part))
			}
		}
		farthest := func() (most float64) {
			require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				most = 0
				for who, w := range want {
					for part, w := range map[string]float64{"p": w.P, "m": w.M, "xx": w.XX, "xe": w.XE, "xd": w.XD} {
						var got int64 // in units of 2^-32
						text := "SELECT CAST(COALESCE(SUM(part_" + part + "), 0) AS BIGINT) FROM reviews WHERE reviewer = $1"
						if err := tx.DB.QueryRowContext(ctx, text, who).Scan(&got); err != nil {
							return err
						}
						most = max(most, math.Abs(float64(got)/(1<<32)-w))
					}
				}
				return nil
			}))
			return most
		}
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		require.Greater(t, farthest(), 1e-3, fmt.Sprint("of the scale when they came: ", want))
		n.clock.advance(24 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		require.Less(t, farthest(), 1e-6)
		ids, err := n.app.Store.ChangedScales(t.Context(), 1<<40, 0)
		require.NoError(t, err)
		require.Empty(t, ids, "nothing is left to do")
	})
}
