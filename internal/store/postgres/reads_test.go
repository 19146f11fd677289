package postgres

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
	"studycircle/internal/testpg"
)

type number struct{ n int64 }

var numbers = engine.NewTable("numbers", engine.Unguarded, "", nil, engine.IntColumn("n", func(n *number) *int64 { return &n.n }))

// Connections that PostgreSQL closed since their last use are opened again, without an error to the caller.
func TestReadsConnectAgain(t *testing.T) {
	t.Parallel()
	d := open(t)
	conn, err := pgx.ConnectConfig(t.Context(), d.config)
	require.NoError(t, err)
	for range 5 {
		var all sync.WaitGroup
		for n := range int64(32) {
			all.Go(func() {
				const square = "SELECT CAST($1 AS BIGINT) * $1"
				found, first, second := numbers.Collect(1), numbers.Collect(1), numbers.Collect(1)
				err := d.read(t.Context(), func(ctx context.Context, conn *sql.Conn) error {
					return engine.Select(ctx, conn, found, square, n)
				})
				if err != nil || found.All[0].n != n*n {
					t.Errorf("%d: %v, %v", n, found.All, err)
				}
				err = d.AskAll(t.Context(), []engine.Question{
					{Text: square, Args: []any{n}, Into: first}, {Text: square, Args: []any{n + 1}, Into: second},
				})
				if err != nil || first.All[0].n != n*n || second.All[0].n != (n+1)*(n+1) {
					t.Errorf("%d: %v, %v, %v", n, first.All, second.All, err)
				}
			})
		}
		all.Wait()
		var ended int
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT COUNT(*) FILTER (WHERE pg_terminate_backend(pid))
			FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&ended))
		require.Positive(t, ended)
	}
	require.NoError(t, conn.Close(t.Context()))
}

// With any limits of pages, a connection has few prepared statements: pgx keeps 512 of them, and PostgreSQL memory
// for each.
func TestStatementsOfAConnectionAreFew(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.reads.SetMaxOpenConns(1)
	lists := []*engine.List{
		tables.AllAssignments, tables.LevelAssignments, tables.OldestAssignments, tables.OldestLevelAssignments, tables.PendingSubmissions, tables.OwnSubmissions,
		tables.OwnSubmissionsOfStatus, tables.TakenBy, tables.CreatedBy, tables.LivePlaces, tables.LevelPlaces, tables.Threads, tables.Replies, tables.OwnNotifications,
		tables.UnreadNotifications, tables.ReviewAssignments, tables.UnattendedReviews, tables.ReviewsGiven, tables.MembersOf, tables.MembersWithRole, tables.MembersWithLabel,
		tables.InvitationsTo, tables.RequestsTo, tables.ListedCircles,
	}
	for limit := int64(1); limit <= studycircle.MaxLimit; limit++ {
		for _, l := range lists {
			args := slices.Repeat([]any{"x"}, len(l.By))
			for skip := range int64(2) {
				start := pages.Start{From: 1, Skip: skip}
				require.NoError(t, d.Page(t.Context(), studycircle.ViewerOf("x"), l, args, start, limit, numbers.Collect(1)))
			}
		}
	}
	prepared := numbers.Collect(1)
	require.NoError(t, d.read(t.Context(), func(ctx context.Context, conn *sql.Conn) error {
		return engine.Select(ctx, conn, prepared, "SELECT COUNT(*) FROM pg_prepared_statements")
	}))
	require.LessOrEqual(t, prepared.All[0].n, int64(8*len(lists)+1)) // 8 for each list, and this query
}

// PostgreSQL plans on an empty database, and keeps the plans until its next ANALYZE: they must use the indexes.
func TestPlansOfAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	d := open(t)
	conn, err := pgx.ConnectConfig(t.Context(), d.config)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	_, err = conn.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan")
	require.NoError(t, err)
	viewer := studycircle.ViewerOf("x")
	asked := map[string]int{ // the number of parameters
		tables.AssignmentByID.SQL(viewer.Role()):        len(tables.AssignmentByID.Args(viewer, "a")),
		findMany(tables.AssignmentBySeq, viewer.Role()): len(tables.AssignmentBySeq.Args(viewer, "a")),
	}
	for _, l := range []*engine.List{
		tables.AllAssignments, tables.LevelAssignments, tables.PendingSubmissions, tables.OwnSubmissions, tables.OwnSubmissionsOfStatus,
	} {
		for _, limit := range engine.Limits {
			parameters := len(l.Args(viewer, make([]any, len(l.By)), 0)) + 1
			asked[l.PageSQL(viewer.Role(), false, limit)] = parameters
			asked[l.PageSQL(viewer.Role(), true, limit)] = parameters + 1
		}
	}
	scans := 0
	for text, parameters := range asked {
		_, err := conn.Prepare(t.Context(), "asked", text)
		require.NoError(t, err)
		rows, _ := conn.Query(t.Context(), "EXPLAIN EXECUTE asked ("+strings.TrimSuffix(strings.Repeat("NULL,", parameters), ",")+")", pgx.QueryExecModeSimpleProtocol)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		for i, line := range plan {
			if !strings.Contains(line, "Scan") || strings.Contains(line, "Function Scan") || strings.Contains(line, "Subquery Scan") {
				continue
			}
			scans++
			require.Contains(t, append(plan, "")[i+1], "Index Cond", "%s\n%s", text, strings.Join(plan, "\n"))
		}
		require.NoError(t, conn.Deallocate(t.Context(), "asked"))
	}
	require.Greater(t, scans, len(asked))
}

// A connection lost in the middle of an answer is a fault of the database, whatever pgx's error says.
func TestLostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	dial := config.DialFunc
	var cut atomic.Bool
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		return cuttable{conn, &cut}, err
	}
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	batch := &pgx.Batch{}
	batch.Queue("SELECT 1")
	require.NoError(t, sendBatch(t.Context(), conn, batch))
	cut.Store(true)
	err = sendBatch(t.Context(), conn, batch)
	require.ErrorIs(t, err, errStrange)
	require.True(t, isUnavailable(err))
}

var errStrange = errors.New("in other words")

// cuttable is a connection that a test can cut.
type cuttable struct {
	net.Conn
	cut *atomic.Bool
}

func (c cuttable) Read(p []byte) (int, error) {
	if c.cut.Load() {
		return 0, errStrange
	}
	return c.Conn.Read(p)
}

func testConfig(t *testing.T) *pgx.ConnConfig {
	t.Helper()
	config, err := Config(testpg.DB(t))
	require.NoError(t, err)
	return config
}

func open(t *testing.T) *DB {
	t.Helper()
	d, err := Open(t.Context(), testpg.DB(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

var _ pages.Versions = (*DB)(nil)
