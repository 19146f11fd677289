package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDirEnv); dir != "" {
		writeUntilKilled(dir)
	}
	if at := os.Getenv(remindEnv); at != "" {
		remindUntilKilled(at)
	}
	os.Exit(testpg.Main(m, teststore.Migrate))
}

// bundle is a test's own store, and a plain connection to its database with which the
// test sees the rows.
type bundle struct {
	*store.Store
	config store.Config
	plain  *sql.DB
	sqlite bool
}

// onBothEngines runs a test on each engine.
func onBothEngines(t *testing.T, test func(t *testing.T, b *bundle)) {
	t.Helper()
	teststore.OnBothEngines(t, func(t *testing.T, c store.Config) { t.Helper(); test(t, setup(t, c)) })
}

// onBothEnginesBesidePostgres runs a test that copies to PostgreSQL on each engine.
func onBothEnginesBesidePostgres(t *testing.T, test func(t *testing.T, b *bundle)) {
	t.Helper()
	teststore.OnBothEnginesBesidePostgres(t, func(t *testing.T, c store.Config) { t.Helper(); test(t, setup(t, c)) })
}

func setup(t *testing.T, c store.Config) *bundle {
	t.Helper()
	s, err := store.Open(t.Context(), c)
	require.NoError(t, err)
	b := &bundle{Store: s, config: c, sqlite: c.URL == ""}
	b.plain = plainDB(t, c)
	t.Cleanup(func() {
		require.NoError(t, b.plain.Close())
		require.NoError(t, s.Close())
	})
	return b
}

// fold adds all deltas up in the counts. The store folds by itself, too, and one call does nothing meanwhile.
func (b *bundle) fold(t *testing.T) {
	t.Helper()
	for {
		require.NoError(t, b.FoldPageDeltas(t.Context()))
		if b.count(t, "page_deltas") == 0 {
			return
		}
	}
}

// plainDB opens a database without the store.
func plainDB(tb testing.TB, c store.Config) *sql.DB {
	tb.Helper()
	driver, name := "pgx", c.URL
	if c.URL == "" {
		driver, name = "sqlite", "file:"+filepath.Join(c.Dir, "studycircle.db")+"?_pragma=busy_timeout(5000)"
	}
	d, err := sql.Open(driver, name)
	require.NoError(tb, err)
	return d
}

// repairFigures checks the figures of all users and returns the number of repairs.
func repairFigures(ctx context.Context, s *store.Store) (all int, err error) {
	for last := ""; ; {
		var n int
		last, n, err = s.RepairFigures(ctx, last)
		if all += n; err != nil || last == "" {
			return all, err
		}
	}
}

// do runs a write and requires success.
func (b *bundle) do(t *testing.T, f func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	require.NoError(t, b.Write(t.Context(), studycircle.System(), f))
}

// ids returns the result of a plain query with one text column.
func (b *bundle) ids(t *testing.T, query string, args ...any) []string {
	t.Helper()
	rows, err := b.plain.QueryContext(t.Context(), query, args...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	out := []string{}
	for rows.Next() {
		var id string
		require.NoError(t, rows.Scan(&id))
		out = append(out, id)
	}
	require.NoError(t, rows.Err())
	return out
}

// skipSeqs advances a table's sequence by at least n, so that short histories cross block
// borders.
func (b *bundle) skipSeqs(t *testing.T, table string, n int64) {
	t.Helper()
	var err error
	if b.sqlite {
		_, err = b.plain.ExecContext(t.Context(), "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?", n, table)
	} else {
		_, err = b.plain.ExecContext(t.Context(), fmt.Sprintf(
			"SELECT setval(pg_get_serial_sequence('%[1]s', 'seq'), (SELECT COALESCE(MAX(seq), 0) + %[2]d FROM %[1]s))", table, n))
	}
	require.NoError(t, err)
}

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// user adds a user with an email address that begins with name.
func (b *bundle) user(t *testing.T, name string) studycircle.User {
	t.Helper()
	u := studycircle.User{ID: studycircle.NewID(now), Email: strings.ToLower(name) + "@example.org", DisplayName: name, CreatedAt: now}
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertAccount(ctx, studycircle.Account{User: u})
	})
	return u
}

// sample returns an assignment to insert.
func sample(creator studycircle.User, level studycircle.Level, title, description string) studycircle.Assignment {
	return studycircle.Assignment{
		ID: studycircle.NewID(now), Creator: studycircle.Person{UserID: creator.ID}, Title: title, Description: description,
		Thumbnail: "https://example.org/a.png", Marks: 50, Level: level, Due: studycircle.DueDateAt(now.Add(24*time.Hour).UnixMicro(), 60),
		CreatedAt: now, UpdatedAt: now,
	}
}

// assignment publishes an assignment and returns it as stored.
func (b *bundle) assignment(t *testing.T, creator studycircle.User, level studycircle.Level, title, description string) studycircle.Assignment {
	t.Helper()
	a := sample(creator, level, title, description)
	require.NoError(t, teststore.Publish(t.Context(), b.Store, a))
	return b.stored(t, a)
}

// stored returns a with its position.
func (b *bundle) stored(t *testing.T, a studycircle.Assignment) studycircle.Assignment {
	t.Helper()
	found, err := b.Assignment(t.Context(), anyone, a.ID)
	require.NoError(t, err)
	a.Seq = found.Seq
	return a
}

func handIn(a studycircle.Assignment, by studycircle.User) studycircle.Submission {
	return studycircle.Submission{
		ID: studycircle.NewID(now), AssignmentID: a.ID, AssignmentTitle: a.Title, Marks: a.Marks, CircleID: a.CircleID,
		Submitter: studycircle.Person{UserID: by.ID}, DocsLink: "https://docs.google.com/document/d/1/edit",
		Status: studycircle.Pending, SubmittedAt: now,
	}
}

// submit hands in what decide returns for an assignment, as package service does, and counts u with it.
func submit(ctx context.Context, on *store.Store, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error)) error {
	return on.Write(ctx, v, func(ctx context.Context, tx *store.Tx) error {
		if err := room(ctx, tx, u); err != nil {
			return err
		}
		in, a, err := tx.HoldToSubmit(ctx, assignmentID)
		if err != nil {
			return err
		}
		s, err := decide(in, a)
		if err != nil {
			return err
		}
		if err := spend(ctx, tx, u); err != nil {
			return err
		}
		_, err = tx.HandIn(ctx, s, a)
		return err
	})
}

// grade stores the grade that decide returns for a submission, as package service does, and counts u with it.
func grade(ctx context.Context, on *store.Store, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Submission) (studycircle.Grade, error)) error {
	return on.Write(ctx, v, func(ctx context.Context, tx *store.Tx) error {
		if err := room(ctx, tx, u); err != nil {
			return err
		}
		c, err := tx.LoadReviewCase(ctx, submissionID, v.UserID())
		if err != nil {
			return err
		}
		in, err := tx.OwnCircle(ctx, c.Submission.CircleID)
		if err != nil {
			return err
		}
		g, err := decide(in, c.Submission)
		if err != nil {
			return err
		}
		if err := spend(ctx, tx, u); err != nil {
			return err
		}
		return tx.Grade(ctx, c, g)
	})
}

func room(ctx context.Context, tx *store.Tx, u limit.Use) error {
	if u.None() {
		return nil
	}
	return tx.CheckRoom(ctx, u)
}

func spend(ctx context.Context, tx *store.Tx, u limit.Use) error {
	if u.None() {
		return nil
	}
	return tx.Spend(ctx, u.Window, u.Subject, u.At)
}

// handedIn stores the submission s unchanged.
func handedIn(ctx context.Context, on *store.Store, s studycircle.Submission) error {
	return submit(ctx, on, anyone, s.AssignmentID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) { return s, nil })
}

// graded stores the grade g unchanged.
func graded(ctx context.Context, on *store.Store, submissionID string, g studycircle.Grade) error {
	return grade(ctx, on, anyone, submissionID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Submission) (studycircle.Grade, error) { return g, nil })
}

// anyone is a user without content.
var anyone = studycircle.ViewerOf("anyone")
