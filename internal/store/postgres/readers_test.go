package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// square asks PostgreSQL for n × n, which it refuses for odd numbers.
func square(ctx context.Context, r *readers, n int64) (int64, error) {
	found := numbers.Collect(1)
	err := r.do(ctx, query{text: "SELECT CAST($1 AS BIGINT) * $1 / (1 - $1 % 2)", args: []any{n}, sink: found, limit: 1})
	if err != nil {
		return 0, err
	}
	return found.All[0].n, nil
}

// Concurrent callers each get the answer to their own query. A refused query fails no other, and a caller that leaves
// is not waited for.
func TestReadersAnswerEachTheirOwn(t *testing.T) {
	t.Parallel()
	r := newReaders(testConfig(t))
	var all sync.WaitGroup
	for i := range int64(64) {
		all.Go(func() {
			for round := range int64(20) {
				n := 2 * (i*100 + round)
				switch round % 4 {
				case 1:
					if _, err := square(t.Context(), r, n+1); err == nil || isUnavailable(err) {
						t.Errorf("%d: %v", n, err)
					}
				case 2:
					ctx, leave := context.WithCancel(t.Context())
					leave()
					if _, err := square(ctx, r, n); err != nil && !errors.Is(err, context.Canceled) {
						t.Errorf("%d: %v", n, err)
					} // it may have been sent already
				default:
					if got, err := square(t.Context(), r, n); err != nil || got != n*n {
						t.Errorf("%d: %d, %v", n, got, err)
					}
				}
			}
		})
	}
	all.Wait()
	r.close()
	_, err := square(t.Context(), r, 2)
	require.ErrorIs(t, err, engine.ErrClosed)
}

// Connections that PostgreSQL closed since their last use are opened again, without an error to the caller.
func TestReadersConnectAgain(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	r := newReaders(config)
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	for range 5 {
		var all sync.WaitGroup
		for i := range int64(32) {
			n := 2 * i
			all.Go(func() {
				if got, err := square(t.Context(), r, n); err != nil || got != n*n {
					t.Errorf("%d: %d, %v", n, got, err)
				}
			})
		}
		all.Wait()
		var ended int
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT COUNT(*) FILTER (WHERE pg_terminate_backend(pid))
			FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&ended))
		require.Positive(t, ended)
	}
	r.close()
	require.NoError(t, conn.Close(t.Context()))
}

// fill publishes, hands in and grades.
func fill(t *testing.T, d *DB) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	for i := range 6 {
		_, err := d.pool.ExecContext(t.Context(), `INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at)
			VALUES ($1, $2, $3, '', '', 0)`, fmt.Sprint("p", i), fmt.Sprintf("p%d@example.org", i), fmt.Sprint("Name of p", i))
		require.NoError(t, err)
	}
	for i := range 40 {
		a := studycircle.Assignment{
			ID: fmt.Sprint("a", i), Creator: studycircle.Person{UserID: fmt.Sprint("p", i%5)}, Title: fmt.Sprint("Title ", i), Description: strings.Repeat("words ", i),
			Thumbnail: "https://example.org/a.png", Marks: int64(i), Level: studycircle.Levels[i%3], Due: studycircle.DueDateAt(now.UnixMicro(), 60-i),
			CreatedAt: now, UpdatedAt: now.Add(time.Second),
		}
		require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error { return tables.Publish(ctx, tx, a) }))
		var of tables.SubmissionRow
		require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			basis, err := tables.FindBasis(ctx, tx, a.ID)
			if err != nil {
				return err
			}
			of, err = tables.HandIn(ctx, tx, studycircle.Submission{
				ID: fmt.Sprint("s", i), AssignmentID: a.ID, AssignmentTitle: a.Title, Marks: a.Marks, Submitter: studycircle.Person{UserID: fmt.Sprint("p", (i+1)%5)},
				DocsLink: "https://example.org/doc", Status: studycircle.Pending, SubmittedAt: now, Late: i%2 == 0,
			}, basis)
			return err
		}))
		if i%3 != 0 {
			continue
		}
		require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			return tables.Grade(ctx, tx, of, studycircle.Grade{GraderID: "p5", Mark: int64(i), Feedback: strings.Repeat("x", i), MarkedAt: now})
		}))
	}
}

// collected is a query and its result.
type collected struct {
	query
	found func() any
}

func collect[T any](t *engine.Table[T], text string, limit int64, args ...any) collected {
	rows := t.Collect(limit)
	return collected{query{text: text, args: args, sink: rows, limit: limit}, func() any { return rows.All }}
}

// readsOfAllKinds find some of the rows from fill, or nothing.
func readsOfAllKinds() (reads []func() collected) {
	add := func(read func() collected) { reads = append(reads, read) }
	for i := range 42 { // the last two are not there
		add(func() collected {
			return collect(tables.Assignments, findOne(tables.AssignmentByID, studycircle.RoleUser), 1, fmt.Sprint("a", i), "x")
		})
	}
	for i := range int64(6) {
		for _, limit := range []int64{3, 10, 20, 100} {
			for _, skip := range []int64{0, 5} {
				viewer := studycircle.ViewerOf("x")
				page := func(l *engine.List, args ...any) (string, []any) {
					args = append(l.Args(viewer, args, 2), 8*i)
					if skip > 0 {
						args = append(args, skip)
					}
					return pageText(l, studycircle.RoleUser, skip > 0, roundedUp(limit)), args
				}
				add(func() collected {
					text, args := page(tables.AllAssignments, studycircle.Hall)
					return collect(tables.Assignments, text, limit, args...)
				})
				add(func() collected {
					text, args := page(tables.LevelAssignments, studycircle.Hall, string(studycircle.Levels[i%3]))
					return collect(tables.Assignments, text, limit, args...)
				})
				add(func() collected {
					text, args := page(tables.PendingSubmissions, studycircle.Hall)
					return collect(tables.Submissions, text, limit, args...)
				})
				add(func() collected {
					text, args := page(tables.OwnSubmissions, fmt.Sprint("p", i))
					return collect(tables.Submissions, text, limit, args...)
				})
				add(func() collected {
					text, args := page(tables.OwnSubmissionsOfStatus, fmt.Sprint("p", i), "completed")
					return collect(tables.Submissions, text, limit, args...)
				})
			}
		}
		add(func() collected {
			return collect(tables.Assignments, findMany(tables.AssignmentBySeq, studycircle.RoleUser), 3, []int64{i, i + 1, 1000}, "x")
		})
	}
	return reads
}

// Queries in a batch get the same answers as queries alone.
func TestAskedTogetherIsAsAskedAlone(t *testing.T) {
	t.Parallel()
	d := open(t)
	fill(t, d)
	r := &reader{config: d.config}
	t.Cleanup(r.drop)
	ask := func(all ...collected) []any {
		t.Helper()
		jobs := make([]*job[query], len(all))
		for i, one := range all {
			jobs[i] = &job[query]{ctx: t.Context(), of: one.query, answer: make(chan error, 1)}
		}
		r.work(jobs)
		found := make([]any, len(all))
		for i, j := range jobs {
			require.NoError(t, <-j.answer)
			found[i] = all[i].found()
		}
		return found
	}
	var want []any
	var together []collected
	for _, read := range readsOfAllKinds() {
		want = append(want, ask(read())...)
		together = append(together, read())
	}
	require.Equal(t, want, ask(together...))
}

// With any limits of pages, a connection has few prepared statements: pgx keeps 512 of them, and PostgreSQL memory
// for each.
func TestStatementsOfAConnectionAreFew(t *testing.T) {
	t.Parallel()
	d := open(t)
	r := &reader{config: d.config}
	t.Cleanup(r.drop)
	ask := func(q query) {
		t.Helper()
		j := &job[query]{ctx: t.Context(), of: q, answer: make(chan error, 1)}
		r.work([]*job[query]{j})
		require.NoError(t, <-j.answer)
	}
	for limit := int64(1); limit <= studycircle.MaxLimit; limit++ {
		for _, l := range tables.Lists {
			args := make([]any, len(l.By), len(l.By)+2)
			for i := range args {
				args[i] = "x"
			}
			args = l.Args(studycircle.ViewerOf("x"), args, 2)
			ask(query{text: pageText(l, studycircle.RoleUser, false, roundedUp(limit)), args: append(args, int64(1)), sink: numbers.Collect(1), limit: 0})
			ask(query{text: pageText(l, studycircle.RoleUser, true, roundedUp(limit)), args: append(args, int64(1), int64(1)), sink: numbers.Collect(1), limit: 0})
		}
	}
	prepared := numbers.Collect(1)
	ask(query{text: "SELECT COUNT(*) FROM pg_prepared_statements", sink: prepared, limit: 1})
	require.LessOrEqual(t, prepared.All[0].n, int64(8*len(tables.Lists)+1)) // 8 for each list, and this query
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
	asked := map[string]int{}
	for _, read := range readsOfAllKinds() {
		q := read().query
		asked[q.text] = len(q.args)
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
