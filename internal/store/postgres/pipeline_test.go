package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
)

// put queues a statement without waiting for its result.
func put(ctx context.Context, tx *engine.Tx, name, value string) error {
	_, err := tx.Later.DB.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
	return err
}

// Queued statements run in their order, and before every later statement that waits for a result, by any method; the
// rest runs with the commit.
func TestQueuedStatementsRunInOrder(t *testing.T) {
	t.Parallel()
	d := open(t)
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		for name, read := range map[string]func() (string, error){
			"one": func() (string, error) { return tx.Queries.GetSetting(ctx, "one") },
			"rows": func() (value string, err error) {
				rows, err := tx.DB.QueryContext(ctx, "SELECT value FROM settings WHERE name = 'rows'")
				require.NoError(t, err)
				defer func() { require.NoError(t, rows.Close()) }()
				require.True(t, rows.Next())
				require.NoError(t, rows.Scan(&value))
				return value, rows.Err()
			},
			"prepared": func() (value string, err error) {
				statement, err := tx.DB.PrepareContext(ctx, "SELECT value FROM settings WHERE name = 'prepared'")
				require.NoError(t, err)
				defer func() { require.NoError(t, statement.Close()) }()
				err = statement.QueryRowContext(ctx).Scan(&value)
				return value, err
			},
			"native": func() (value string, err error) {
				joined, err := joinTx(ctx, tx)
				require.NoError(t, err)
				err = joined.QueryRow(ctx, "SELECT value FROM settings WHERE name = 'native'").Scan(&value)
				return value, err
			},
		} {
			for _, value := range []string{"first", "second"} {
				require.NoError(t, put(ctx, tx, name, value))
				require.NoError(t, put(ctx, tx, name, "then "+value))
				got, err := read()
				require.NoError(t, err)
				require.Equal(t, "then "+value, got, name)
			}
			require.NoError(t, put(ctx, tx, name, "changed"))
			r, err := tx.DB.ExecContext(ctx, "UPDATE settings SET value = 'last' WHERE name = $1 AND value = 'changed'", name)
			require.NoError(t, err)
			n, err := r.RowsAffected()
			require.NoError(t, err)
			require.EqualValues(t, 1, n)
		}
		return put(ctx, tx, "left", "to the commit")
	}))
	for name, want := range map[string]string{"one": "last", "rows": "last", "prepared": "last", "native": "last", "left": "to the commit"} {
		got, err := d.Queries().GetSetting(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// If a queued statement fails, its own error is the transaction's, whatever follows it. If a statement fails that the
// caller waited for, the function gets the error.
func TestErrorsOfQueuedStatementsAreTheTransactions(t *testing.T) {
	t.Parallel()
	d := open(t)
	const twice = "INSERT INTO settings (name, value) VALUES ('a', ''), ('a', '')"
	for name, after := range map[string]func(context.Context, *engine.Tx) error{
		"commit": func(context.Context, *engine.Tx) error { return nil },
		"exec": func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "SELECT 1")
			return err
		},
		"row": func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.Queries.GetSetting(ctx, "a")
			return err
		},
		"forgotten": func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.Queries.GetSetting(ctx, "a")
			require.Error(t, err)
			return nil
		},
	} {
		err := d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			if _, err := tx.Later.DB.ExecContext(ctx, twice); err != nil {
				return err
			}
			return after(ctx, tx)
		})
		require.Equal(t, engine.Unique, d.Fault(err), "%s: %v", name, err)
	}
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error { return put(ctx, tx, "a", "") }))
	err := d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		require.NoError(t, put(ctx, tx, "b", ""))
		_, err := tx.DB.ExecContext(ctx, twice)
		require.Equal(t, engine.Unique, d.Fault(err))
		return err
	})
	require.Equal(t, engine.Unique, d.Fault(err))
	_, err = d.Queries().GetSetting(t.Context(), "b")
	require.Error(t, err)
}

// A queued statement does not report the number of changed rows.
func TestQueuedStatementsHaveNoResult(t *testing.T) {
	t.Parallel()
	require.NoError(t, open(t).Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		r, err := tx.Later.DB.ExecContext(ctx, "DELETE FROM settings")
		require.NoError(t, err)
		_, err = r.RowsAffected()
		require.ErrorIs(t, err, errPending)
		_, err = r.LastInsertId()
		require.Error(t, err)
		return nil
	}))
}

// A caller that leaves does not wait for another transaction's lock, and the connection's next user is not disturbed.
func TestCancelledTransactionsEndAtOnce(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.pool.SetMaxOpenConns(1) // the next user gets the same connection, if it is still good
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error { return put(ctx, tx, "a", "") }))
	for range 20 {
		other, err := pgx.ConnectConfig(t.Context(), d.config.Copy())
		require.NoError(t, err)
		_, err = other.Exec(t.Context(), "BEGIN; UPDATE settings SET value = 'locked' WHERE name = 'a'")
		require.NoError(t, err)
		ctx, leave := context.WithTimeout(t.Context(), 20*time.Millisecond)
		began := time.Now()
		err = d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "UPDATE settings SET value = 'mine' WHERE name = 'a'")
			return err
		})
		leave()
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Less(t, time.Since(began), lockPatience/2)
		require.NoError(t, other.Close(t.Context()))

		// The transaction may have ended before the caller leaves.
		ctx, leave = context.WithCancel(t.Context())
		err = d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
			err := put(ctx, tx, "a", "again")
			go leave()
			return err
		})
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error { return put(ctx, tx, "a", "good") }))
		value, err := d.Queries().GetSetting(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, "good", value)
	}
}

// Statements that return nothing run in their order, before those that wait for a result, however many there are.
func TestManyStatementsWithoutResults(t *testing.T) {
	t.Parallel()
	d := open(t)
	const rows = 3*64*maxQueued + 8 + 3 // of each size of a statement
	insert := engine.Statement{Head: "INSERT INTO settings (name, value) VALUES ", Row: "(?, ?)"}
	require.NoError(t, d.Write(engine.WithLongWrite(t.Context(), engine.LongSamples), func(ctx context.Context, tx *engine.Tx) error {
		values := make([][]any, rows)
		for i := range values {
			values[i] = []any{fmt.Sprint("many", i), fmt.Sprint(i)}
		}
		if err := engine.RunLater(ctx, tx, insert, values); err != nil {
			return err
		}
		require.Less(t, native(tx).queued.Len(), maxQueued)
		var n int
		require.NoError(t, tx.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM settings WHERE name LIKE 'many%'").Scan(&n))
		require.Equal(t, rows, n)
		return nil
	}))
}
