package store

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/testpg"
)

var numberRows = rowKind[int64]{
	columns: "nn",
	read:    func(r *postgresRow) int64 { return r.number(1) },
	person:  func(*int64) *studycircle.Person { return &studycircle.Person{} },
}

// square asks PostgreSQL for n × n, which it refuses for odd numbers.
func square(ctx context.Context, r *readers, n int64) (int64, error) {
	found, err := collected(ctx, r, &numberRows, newestFirst, 1, postgresQuery{
		alone: "SELECT CAST(1 AS BIGINT), CAST($1 AS BIGINT) * $1 / (1 - $1 % 2), '', ''",
		together: `SELECT w.n, w.number * w.number / (1 - w.number % 2), '', '', w.n
			FROM unnest((SELECT CAST($1 AS BIGINT[]))) WITH ORDINALITY AS w (number, n)`,
		args: []any{n},
	})
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

// Many ask at once: each gets the answer to their own question, what PostgreSQL
// refuses takes no other along, and who has left is not waited for.
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
					} // it may have been asked already
				default:
					if got, err := square(t.Context(), r, n); err != nil || got != n*n {
						t.Errorf("%d: %d, %v", n, got, err)
					}
				}
			}
		})
	}
	all.Wait()
	require.NoError(t, r.close())
	_, err := square(t.Context(), r, 2)
	require.ErrorIs(t, err, errClosed)
}

// Connections that PostgreSQL has ended since they were last used are made anew,
// and nobody gets to know.
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
	require.NoError(t, r.close())
	require.NoError(t, conn.Close(t.Context()))
}

// held keeps what is asked until it is worked on.
type held struct{ asked chan *job[postgresQuery] }

func (h held) query(_ context.Context, q postgresQuery) error {
	j := &job[postgresQuery]{of: q, answer: make(chan error, 1)}
	h.asked <- j
	return <-j.answer
}

func (held) close() error { return nil }

// countedQueries counts what is sent in batches.
type countedQueries struct{ n *int }

func (countedQueries) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (countedQueries) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (countedQueries) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (c countedQueries) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) { *c.n++ }
func (countedQueries) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)       {}

// What is asked together is answered as what is asked alone, people included, also
// where they have changed since they were last asked for.
func TestAskedTogetherIsAsAskedAlone(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	s := openPostgresAt(t, config)
	reads := readsOfAllKinds(t)
	fill(t, s)
	var sent int
	config.Tracer = countedQueries{&sent}
	r := &reader{config: config, people: &people{}}
	t.Cleanup(r.drop)

	for i := range 6 {
		r.people.bound = []int{maxPeople, maxPeople, 3}[i%3] // few are forgotten now and then
		version, err := s.Version(t.Context())
		require.NoError(t, err)
		var want []any
		for _, read := range reads {
			want = append(want, ask(t, r, version, read)...)
		}
		sent = 0
		require.Equal(t, want, ask(t, r, version, reads...))
		require.Less(t, sent, len(reads)/4)
		sent = 0
		require.Equal(t, want, ask(t, r, version-1, reads...), "who came before the last commit")
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
			return tx.UpdateProfile(ctx, "p1", studycircle.Profile{DisplayName: fmt.Sprint("Renamed under ", version)})
		}))
	}
}

type readOf func(r postgresReads, version uint64) (any, error)

// ask has all reads asked together, and returns what each of them answered.
func ask(t *testing.T, r *reader, version uint64, reads ...readOf) []any {
	t.Helper()
	h := held{make(chan *job[postgresQuery])}
	found, jobs := make([]any, len(reads)), make([]*job[postgresQuery], len(reads))
	var all sync.WaitGroup
	for i, read := range reads {
		all.Go(func() {
			rows, err := read(postgresReads{h}, version)
			if err != nil && !errors.Is(err, studycircle.ErrNotFound) {
				t.Error(err)
			}
			found[i] = rows
		})
		jobs[i] = <-h.asked
	}
	r.work(jobs)
	all.Wait()
	return found
}

func openPostgresAt(t *testing.T, config *pgx.ConnConfig) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{URL: config.ConnString()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// fill publishes and hands in.
func fill(t *testing.T, s *Store) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		for i := range 6 {
			id := fmt.Sprint("p", i)
			if err := tx.InsertAccount(ctx, studycircle.Account{User: studycircle.User{ID: id, Email: id + "@example.org", DisplayName: "Name of " + id, CreatedAt: now}}); err != nil {
				return err
			}
		}
		for i := range 40 {
			a := studycircle.Assignment{
				ID: fmt.Sprint("a", i), Creator: studycircle.Person{UserID: fmt.Sprint("p", i%5)}, Title: fmt.Sprint("Title ", i), Description: longText[:i*90],
				Thumbnail: "https://example.org/a.png", Marks: int64(i), Level: studycircle.Levels[i%3], Due: studycircle.DueDateAt(now.UnixMicro(), 60-i),
				CreatedAt: now, UpdatedAt: now.Add(time.Second),
			}
			if _, err := tx.InsertAssignment(ctx, a); err != nil {
				return err
			}
			by := studycircle.Person{UserID: fmt.Sprint("p", (i+1)%5)}
			if err := tx.InsertSubmission(ctx, studycircle.Submission{
				ID: fmt.Sprint("s", i), AssignmentID: a.ID, AssignmentTitle: a.Title, Marks: a.Marks, Submitter: by, DocsLink: "https://example.org/doc",
				Note: longText[:i], Status: studycircle.Pending, SubmittedAt: now, Late: i%2 == 0,
			}); err != nil {
				return err
			}
			if i%3 != 0 {
				continue
			}
			if err := tx.GradeSubmission(ctx, fmt.Sprint("s", i), studycircle.Grade{GraderID: "p5", Mark: int64(i), Feedback: longText[:i], MarkedAt: now}); err != nil {
				return err
			}
		}
		if err := tx.DeleteAccount(ctx, "p4"); err != nil {
			return err
		}
		return tx.DeleteAssignment(ctx, "a20", now)
	}))
}

// readsOfAllKinds find some of what fill left, or nothing.
func readsOfAllKinds(t *testing.T) (reads []readOf) {
	t.Helper()
	for i := range 42 { // the last two are not there
		reads = append(reads, func(r postgresReads, _ uint64) (any, error) { return r.assignment(t.Context(), fmt.Sprint("a", i)) })
	}
	for i := range int64(6) {
		at := func(version uint64) pageStart { return pageStart{from: 8 * i, skip: i / 3 * 5, version: version} }
		for _, level := range append([]studycircle.Level{"", "none"}, studycircle.Levels...) {
			for _, limit := range []int64{3, 10} {
				reads = append(reads, func(r postgresReads, version uint64) (any, error) {
					return r.down(t.Context(), level, at(version), limit)
				})
			}
		}
		reads = append(reads, func(r postgresReads, version uint64) (any, error) { return r.pending(t.Context(), at(version), 10) })
		for _, status := range []studycircle.Status{"", studycircle.Pending, studycircle.Completed} {
			for _, user := range []string{"p0", "p1", "p9"} {
				reads = append(reads, func(r postgresReads, version uint64) (any, error) {
					return r.own(t.Context(), user, status, at(version), 5)
				})
			}
		}
		reads = append(reads, func(r postgresReads, _ uint64) (any, error) { return r.bySeqs(t.Context(), []int64{i, i + 1, 1000}) })
	}
	return reads
}

// PostgreSQL plans while it knows nothing of what there will be, and keeps to it until
// its next ANALYZE: it must go by indexes to the rows that are wanted.
func TestPlansOfAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	config := testConfig(t)
	openPostgresAt(t, config)
	conn, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	_, err = conn.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan")
	require.NoError(t, err)
	asked := map[string]int{selectPeople: 1}
	note := noted{asked}
	for _, read := range readsOfAllKinds(t) {
		_, err := read(postgresReads{note}, 1)
		require.ErrorIs(t, err, errNoted)
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

// noted keeps what is asked, with its number of parameters, and answers nothing.
type noted struct{ asked map[string]int }

var errNoted = errors.New("noted")

func (n noted) query(_ context.Context, q postgresQuery) error {
	n.asked[q.alone] = len(q.args)
	if q.together != "" {
		n.asked[q.together] = len(q.args)
	}
	return errNoted
}

func (noted) close() error { return nil }

// Rows that PostgreSQL gives in another order are put in order, and no query's
// rows go to another.
func TestRowsAreInOrder(t *testing.T) {
	t.Parallel()
	r := &reader{config: testConfig(t)}
	t.Cleanup(r.drop)
	for _, order := range []direction{newestFirst, oldestFirst} {
		times := func(n int64) readOf {
			return func(reads postgresReads, _ uint64) (any, error) {
				return collected(t.Context(), reads, &numberRows, order, 3, postgresQuery{
					alone: "unused",
					together: `SELECT p.place, w.number * p.place, '', '', w.n FROM unnest((SELECT CAST($1 AS BIGINT[]))) WITH ORDINALITY AS w (number, n),
						unnest(CAST('{4,2,5,1,3}' AS BIGINT[])) AS p (place) ORDER BY p.place % 2, w.n, p.place`,
					args: []any{n},
				})
			}
		}
		var want []any
		for n := range int64(3) {
			row := []int64{n, 2 * n, 3 * n, 4 * n, 5 * n}
			if order == newestFirst {
				slices.Reverse(row)
			}
			want = append(want, row)
		}
		require.Equal(t, want, ask(t, r, 0, times(0), times(1), times(2)))
	}
}

// Columns that are not what they are read as are refused.
func TestColumnsAreChecked(t *testing.T) {
	t.Parallel()
	r := newReaders(testConfig(t))
	for _, columns := range []string{"CAST(1 AS BIGINT), 1, '', ''", "CAST(1 AS BIGINT), CAST(1 AS BIGINT), ''", "CAST(1 AS BIGINT), 'a', '', ''", "CAST(1 AS BIGINT), TRUE, '', ''"} {
		_, err := collected(t.Context(), r, &numberRows, newestFirst, 1, postgresQuery{alone: "SELECT " + columns})
		require.ErrorContains(t, err, "columns of other kinds than nntt")
	}
	require.NoError(t, r.close())
}

// A connection that goes away in the middle of an answer is the database's trouble,
// whatever pgx says of it.
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

// cuttable is a connection that can be lost.
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
	config, err := parsePostgres(testpg.DB(t))
	require.NoError(t, err)
	return config
}
