package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

func learned(t *testing.T, ids ...string) (*Store, *sqliteReads) {
	t.Helper()
	s := openDir(t, t.TempDir())
	publish(t, s, ids...)
	reads := s.rows.(*sqliteReads)
	require.NoError(t, reads.learnAll(t.Context()))
	return s, reads
}

func TestPlacesOfAllAssignmentsAreLearned(t *testing.T) {
	ids := append(append(numbered100("a"), numbered100("b")...), numbered100("c")...) // more than one step
	_, reads := learned(t, ids...)
	for i, id := range ids {
		seq, known := reads.places.of(id)
		assert.True(t, known, id)
		assert.EqualValues(t, i+1, seq)
	}
	_, known := reads.places.of("none")
	assert.False(t, known)
	assert.True(t, reads.places.roomFor(int64(len(ids))))
}

func TestFalsePlacesAreOnlyADetour(t *testing.T) {
	s, reads := learned(t, "one", "two", "gone")
	_, err := s.writes.ExecContext(t.Context(), "UPDATE assignments SET deleted_at = 1 WHERE id = 'gone'")
	require.NoError(t, err)
	for name, seq := range map[string]int64{"of another": 2, "of a deleted one": 3, "of none": 99} {
		reads.places.remember("one", seq)
		found, err := s.Assignment(t.Context(), "one")
		require.NoError(t, err, name)
		assert.Equal(t, "Title of one", found.Title, name)
		at, known := reads.places.of("one")
		assert.True(t, known)
		assert.EqualValues(t, 1, at, name)
	}
	for _, id := range []string{"gone", "none"} {
		reads.places.remember(id, 1)
		_, err := s.Assignment(t.Context(), id)
		require.ErrorIs(t, err, studycircle.ErrNotFound, id)
	}
}

func TestPlacesAreLearnedAnewWhereThereAreTwiceAsMany(t *testing.T) {
	s, reads := learned(t, "one")
	small := len(reads.places.table.Load().sets)
	publish(t, s, "two")
	reads.places.remember("two", minPlaces)
	assert.False(t, reads.places.roomFor(reads.places.highest.Load()))
	_, err := s.writes.ExecContext(t.Context(), "UPDATE assignments SET seq = ? WHERE id = 'two'", minPlaces)
	require.NoError(t, err)
	require.NoError(t, reads.learnAll(t.Context()))
	assert.Len(t, reads.places.table.Load().sets, placesPerRow*small)
	assert.True(t, reads.places.roomFor(reads.places.highest.Load()))
	for _, id := range []string{"one", "two"} {
		_, known := reads.places.of(id)
		assert.True(t, known, id)
	}

	reads.places.table.Store(&placeTable{sets: make([]placeSet, maxPlaces/placesInSet)})
	assert.True(t, reads.places.roomFor(1<<40), "there is never more")
}

func TestPlacesAreBoundedAndTellOneOfThoseRemembered(t *testing.T) {
	_, reads := learned(t)
	var all sync.WaitGroup
	for client := range int64(8) {
		all.Go(func() {
			for i := range 4 * minPlaces {
				id := fmt.Sprint(i)
				reads.places.remember(id, int64(i+1)*8+client)
				seq, known := reads.places.of(id)
				if known && (seq < 8 || seq >= int64(4*minPlaces+1)*8) { // two ids may look alike
					t.Errorf("%s is said to be at %d", id, seq)
				}
			}
		})
	}
	all.Wait()
	assert.Len(t, reads.places.table.Load().sets, minPlaces/placesInSet)
	reads.places.remember("far", 1<<33)
	_, known := reads.places.of("far")
	assert.False(t, known)
}
