package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// A server that accepts connections and does not answer is distinguished from a slow one,
// and the first request after it recovers succeeds.
func TestFrozenPostgresIsUnavailableAndHeals(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	cluster, err := testpg.Start()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Stop()) })
	b := setup(t, store.Config{URL: cluster.URL("postgres")})
	u := b.user(t, "Ada")

	a := b.assignment(t, u, studycircle.Easy, "There before", "To be handed in for.")
	bob, eve := b.user(t, "Bob"), b.user(t, "Eve")
	work, err := b.submit(t.Context(), a.ID, bob, limit.Use{})
	require.NoError(t, err)

	require.NoError(t, cluster.Freeze())
	write, publish, one := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	submit, grade := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := b.submit(context.Background(), a.ID, eve, limit.Use{})
		submit <- err
	}()
	go func() { grade <- b.grade(context.Background(), work, u, 1, limit.Use{}) }()
	go func() {
		_, err := b.Assignment(context.Background(), anyone, "any")
		one <- err
	}()
	go func() {
		publish <- teststore.Publish(context.Background(), b.Store, sample(u, studycircle.Easy, "Away", "Perhaps."))
	}()
	go func() {
		write <- b.Write(context.Background(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.User(ctx, u.ID)
			return err
		})
	}()
	_, readErr := b.AccountByEmail(context.Background(), u.Email)
	writeErr, publishErr, oneErr, submitErr, gradeErr := <-write, <-publish, <-one, <-submit, <-grade
	require.NoError(t, cluster.Thaw())
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(readErr), "%v", readErr)
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(writeErr), "%v", writeErr)
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(publishErr), "%v", publishErr)
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(oneErr), "%v", oneErr)
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(submitErr), "%v", submitErr)
	assert.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(gradeErr), "%v", gradeErr)

	account, err := b.AccountByEmail(t.Context(), u.Email)
	require.NoError(t, err)
	assert.Equal(t, u.ID, account.ID)
	_, err = b.Assignment(t.Context(), anyone, "any")
	assert.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err), "%v", err)
	require.NoError(t, teststore.Publish(t.Context(), b.Store, sample(u, studycircle.Easy, "Healed", "At once.")))
	_, err = b.submit(t.Context(), a.ID, eve, limit.Use{})
	require.NoError(t, err)
	require.NoError(t, b.grade(t.Context(), work, u, 1, limit.Use{}))
}

// Writes that a primary with a synchronous standby acknowledged survive its death on the
// promoted standby, and the open store recovers by itself.
func TestPromotedStandbyHasEverything(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	primary, err := testpg.Start("synchronous_standby_names=standby")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, primary.Stop()) })
	standby, err := primary.Standby("synchronous_standby_names=")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Stop()) })
	b := setup(t, store.Config{URL: testpg.Either(primary, standby, "postgres")})
	u := b.user(t, "Ada")
	a := b.assignment(t, u, studycircle.Easy, "Kept", "By both.")
	before := b.here(t)
	b.assignment(t, u, studycircle.Easy, "Not heard of", "By who listens from there.")

	require.NoError(t, primary.Kill())
	_, err = b.Assignment(t.Context(), anyone, a.ID)
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err), "no standby is written to: %v", err)
	require.NoError(t, standby.Promote())
	found, err := b.Assignment(t.Context(), anyone, a.ID)
	require.NoError(t, err)
	assert.Equal(t, "Kept", found.Title)
	b.assignment(t, u, studycircle.Easy, "Written", "After it.")

	// Event numbers may be reused, so old cursors are refused: a page reloads.
	for _, s := range []*store.Store{b.Store, setup(t, b.config).Store} {
		news, err := s.News(t.Context(), before, "")
		require.NoError(t, err)
		assert.True(t, news.Gone)
	}
	after := b.here(t)
	next := b.assignment(t, u, studycircle.Easy, "Heard of", "By all.")
	heard, _ := b.since(t, after)
	assert.Equal(t, []studycircle.Event{{Kind: studycircle.AssignmentCreated, ID: next.ID, Audience: studycircle.Everybody}}, heard)
}
