package store

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// counting counts the statements outside of transactions.
type counting struct {
	engine.Database
	statements int
}

func (c *counting) Queries() *db.Queries { return db.New(c.Reads()) }

func (c *counting) Reads() db.DBTX { return countingReads{c.Database.Reads(), c} }

type countingReads struct {
	db.DBTX
	c *counting
}

func (r countingReads) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	r.c.statements++
	return r.DBTX.QueryContext(ctx, text, args...)
}

func (r countingReads) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	r.c.statements++
	return r.DBTX.QueryRowContext(ctx, text, args...)
}

// The accounts of all moderators take one statement.
func TestModeratorsTakeOneStatement(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now, want := time.Now(), map[string]bool{}
	var named []string
	require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *Tx) error {
		for n := range 20 {
			u := studycircle.User{ID: studycircle.NewID(now), Email: fmt.Sprint(n, "@example.org"), DisplayName: "A", CreatedAt: now}
			if err := tx.InsertAccount(ctx, studycircle.Account{User: u}); err != nil {
				return err
			}
			if n > 1 {
				want[u.ID] = true
				if err := tx.VerifyEmail(ctx, u.ID, now); err != nil {
					return err
				}
			}
			if n > 10 {
				if _, err := tx.AppointModerator(ctx, u.ID, now); err != nil {
					return err
				}
			} else {
				named = append(named, u.Email)
			}
		}
		return nil
	}))
	counted := &counting{Database: s.engine.Database}
	node := &Store{engine: s.engine}
	node.engine.Database = counted
	node.reads = reads{node, counted.Queries(), counted.Reads()}
	found, err := node.ModeratorIDs(t.Context(), studycircle.ModeratorsOf(append(named, "unknown@example.org")))
	require.NoError(t, err)
	require.Equal(t, want, found)
	require.Equal(t, 1, counted.statements)
}

// A dashboard takes as many statements for a member of many circles as for a member of one.
func TestDashboardTakesAFixedNumberOfStatements(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Now()
	user := func(name string) studycircle.Viewer {
		u := studycircle.User{ID: studycircle.NewID(now), Email: name + "@example.org", DisplayName: name, CreatedAt: now}
		require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *Tx) error {
			return tx.InsertAccount(ctx, studycircle.Account{User: u})
		}))
		return studycircle.ViewerOf(u.ID)
	}
	ada, bob, cem := user("ada"), user("bob"), user("cem")
	join := func(circleID string, v studycircle.Viewer) {
		require.NoError(t, s.Write(t.Context(), v, func(ctx context.Context, tx *Tx) error {
			if _, err := tx.LockCircle(ctx, circleID); err != nil {
				return err
			}
			return tx.InsertMember(ctx, studycircle.Membership{
				CircleID: circleID, UserID: v.UserID(), Role: studycircle.CircleMember, JoinedAt: now,
			})
		}))
	}
	for n := range 40 {
		c := studycircle.Circle{ID: studycircle.NewID(now), CircleInput: studycircle.NewCircle, CreatedAt: now}
		c.Name = fmt.Sprint("Circle ", n)
		require.NoError(t, s.Write(t.Context(), ada, func(ctx context.Context, tx *Tx) error { return tx.InsertCircle(ctx, c) }))
		if n == 0 {
			join(c.ID, cem)
		}
		join(c.ID, bob)
	}
	counted := &counting{Database: s.engine.Database}
	node := &Store{engine: s.engine, own: newOwnPlaces(), circles: newOwnCircles(), hall: s.hall}
	node.engine.Database = counted
	statements := func(v studycircle.Viewer) int {
		for range 2 { // the second finds the user's circles in the cache
			counted.statements = 0
			_, err := node.Dashboard(t.Context(), v, now)
			require.NoError(t, err)
		}
		return counted.statements
	}
	require.Positive(t, statements(cem))
	require.Equal(t, statements(cem), statements(bob))
}
