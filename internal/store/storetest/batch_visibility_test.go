package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
)

// Clients hand in and grade at the same time, each for its own viewer: a write to an object that its viewer may not
// see is refused, whatever shares its batch.
func TestWritesInOneBatchReadForTheirOwnViewers(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		viewers := []studycircle.Viewer{
			{}, studycircle.Visitor(), studycircle.ViewerOf(ada.ID), studycircle.ViewerOf(bo.ID),
			studycircle.ViewerOf(ada.ID).Author(), studycircle.ViewerOf(bo.ID).Author(), studycircle.ViewerOf(bo.ID).Party(), studycircle.System(),
		}
		assignments := []studycircle.Facts{{}, {Deleted: true}, {Deleted: true, Hidden: true}}
		ids := make([]string, len(assignments))
		for i := range assignments {
			assignments[i].Object, assignments[i].CreatorID = studycircle.ObjectAssignment, ada.ID
			a := b.assignment(t, ada, studycircle.Easy, fmt.Sprint("Tides ", i), "Read.")
			ids[i] = a.ID
			b.makeSo(t, a.ID, assignments[i])
		}
		people, _ := b.people(t)
		var stored [clients]string // ids of submissions, by client
		for round := range assignments {
			atOnce(func(i int) {
				v, at := viewers[i%len(viewers)], (i+round)%len(ids)
				s := handIn(studycircle.Assignment{ID: ids[at], Title: "Tides", Marks: 50}, people[i])
				err := submit(t.Context(), b.Store, v, ids[at], limit.Use{}, func(_ studycircle.OwnCircle, a studycircle.Assignment) (studycircle.Submission, error) {
					assert.Equal(t, ids[at], a.ID)
					return s, nil
				})
				if !studycircle.Visible(v, assignments[at]) {
					assert.ErrorIs(t, err, studycircle.ErrNotFound, "viewer %d hands in for %+v", i%len(viewers), assignments[at])
					return
				}
				if assert.NoError(t, err, "viewer %d hands in for %+v", i%len(viewers), assignments[at]) {
					stored[i] = s.ID
				}
			})
		}
		var waiting []string
		for _, id := range stored {
			if id != "" {
				waiting = append(waiting, id)
			}
		}
		require.NotEmpty(t, waiting)
		var grades sync.Map
		atOnce(func(i int) {
			v, id := viewers[i%len(viewers)], waiting[i%len(waiting)]
			err := grade(t.Context(), b.Store, v, id, limit.Use{}, func(studycircle.OwnCircle, studycircle.Submission) (studycircle.Grade, error) {
				return studycircle.Grade{GraderID: people[i].ID, Mark: 5, Feedback: "Good.", MarkedAt: now.Add(time.Second)}, nil
			})
			if !studycircle.Visible(v, studycircle.Facts{Object: studycircle.ObjectWork}) {
				assert.ErrorIs(t, err, studycircle.ErrNotFound, "viewer %d grades", i%len(viewers))
				return
			}
			if err == nil {
				_, twice := grades.LoadOrStore(id, i)
				assert.False(t, twice, "%s is graded twice", id)
				return
			}
			assert.Equal(t, studycircle.CodeAlreadyGraded, studycircle.CodeOf(err), "viewer %d grades: %v", i%len(viewers), err)
		})
	})
}
