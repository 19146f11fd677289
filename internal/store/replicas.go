package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"studycircle"
	"studycircle/internal/store/db"
)

// source is where one read looks.
type source struct {
	raw   db.DBTX
	query *db.Queries
	rows  rowReads
	// version is what a replica was found to have, and what is read from it may be
	// kept under no newer one. 0 is the database itself, of which any can be asked.
	version uint64
}

// read runs f on a replica that has all that the database showed when read was
// called, or on the database itself. f may run twice, so it must not keep anything
// from a run that failed. Only what is shown is read so: what decides a write is
// read by the transaction that writes.
func (s *Store) read(ctx context.Context, f func(context.Context, source) error) error {
	if s.replicas != nil {
		if answered, err := s.replicas.read(ctx, f); answered {
			return err
		}
	}
	return f(ctx, source{raw: s.reads, query: s.query, rows: s.rows})
}

// ReplicaReads is how many reads replicas have answered since Open.
func (s *Store) ReplicaReads() (n int64) {
	if s.replicas != nil {
		for _, r := range s.replicas.all {
			n += r.answered.Load()
		}
	}
	return n
}

// replicas are standbys of the database, asked in turn. A read asks the primary
// how long its log is, with the version and so together with all who ask at
// once, and a replica whether it has replayed that much; only then is the
// replica asked for rows, by the next statement on the same connection. In every
// other case (it is behind, away, promoted, slow or breaks off) the primary answers.
type replicas struct {
	store    *Store
	versions *postgresVersions
	all      []*replica
	turn     atomic.Uint32
}

type replica struct {
	name     string
	db       *sql.DB
	watch    *connWatch
	answered atomic.Int64
	rest     atomic.Int64 // until when it is left alone, in nanoseconds of Unix time
	strange  sync.Once    // tells the log
}

const (
	// replicaPatience is what a read may wait for a replica before the primary answers.
	replicaPatience = 500 * time.Millisecond
	// replicaRest is how long one is left alone that let a read wait or broke off.
	replicaRest = time.Second
)

var (
	errBehind    = errors.New("the replica does not have what the primary shows")
	errNoStandby = errors.New("the server is no standby of the primary")
)

// identityQuery names a database so that its copies have the same name and no
// others have.
const identityQuery = "SELECT system_identifier || '/' || current_database() FROM pg_control_system()"

// openReplicas connects to nobody: a replica may be away.
func openReplicas(ctx context.Context, s *Store, versions *postgresVersions, addresses []string) (*replicas, error) {
	var identity string
	if err := s.reads.QueryRowContext(ctx, identityQuery).Scan(&identity); err != nil {
		return nil, fmt.Errorf("ask the primary who it is: %w", err)
	}
	all := &replicas{store: s, versions: versions}
	for _, address := range addresses {
		config, err := parsePostgres(address)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("replica: %w", err), all.close())
		}
		r := &replica{name: "replica at " + config.Host}
		r.watch = newConnWatch(config, r.name)
		r.db = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(func(ctx context.Context, conn *pgx.Conn) error {
			var there string
			if err := conn.QueryRow(ctx, identityQuery).Scan(&there); err != nil {
				return err
			}
			if there != identity {
				r.strange.Do(func() { slog.ErrorContext(ctx, "no standby of the primary's database: not read", "server", r.name) })
				return errNoStandby
			}
			return nil
		}))
		r.db.SetMaxOpenConns(32)
		r.db.SetMaxIdleConns(32)
		r.db.SetConnMaxIdleTime(5 * time.Minute)
		all.all = append(all.all, r)
	}
	return all, nil
}

func (r *replicas) close() (err error) {
	for _, one := range r.all {
		err = errors.Join(err, one.db.Close())
	}
	return err
}

// read tells whether a replica answered, be it that there is nothing.
func (r *replicas) read(ctx context.Context, f func(context.Context, source) error) (answered bool, err error) {
	one := r.pick()
	if one == nil {
		return false, nil
	}
	has, err := r.versions.get(ctx)
	if err != nil {
		return false, nil //nolint:nilerr // the primary says so itself
	}
	err = one.read(ctx, has, r.store.number(has.state), f)
	if err == nil || studycircle.CodeOf(classify(err)) == studycircle.CodeNotFound {
		one.answered.Add(1)
		return true, err
	}
	if ctx.Err() == nil && (errors.Is(err, errNoStandby) || isUnavailable(err)) {
		one.rest.Store(time.Now().Add(replicaRest).UnixNano())
	}
	return false, nil
}

// pick takes turns among those that seem to be there; nil for none.
func (r *replicas) pick() *replica {
	first, now := r.turn.Add(1), time.Now().UnixNano()
	for i := range r.all {
		one := r.all[(int(first)+i)%len(r.all)]
		if one.rest.Load() <= now && !one.watch.away() {
			return one
		}
	}
	return nil
}

// hasQuery asks a standby whether it shows everything up to a place of the
// primary's log. It must be a statement of its own: rows that are read later come
// from a later snapshot, those read by the same statement may come from an
// earlier one. A place says something within one timeline only: a standby may
// have followed the log of an old primary beyond where the new one took over. The
// timeline it reports may be late for some minutes after such a change, never early.
const hasQuery = `SELECT pg_is_in_recovery() AND min_recovery_end_timeline = $1 AND pg_last_wal_replay_lsn() >= CAST(CAST($2 AS TEXT) AS PG_LSN)
	FROM pg_control_recovery()`

// read is errBehind where the replica does not have what it should.
func (r *replica) read(ctx context.Context, should position, version uint64, f func(context.Context, source) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, replicaPatience)
	defer cancel()
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := conn.Close(); !errors.Is(closed, sql.ErrConnDone) {
			err = errors.Join(err, closed)
		}
	}()
	var has sql.NullBool
	if err := conn.QueryRowContext(ctx, hasQuery, should.timeline, should.log).Scan(&has); err != nil {
		return err
	}
	if !has.Bool {
		return errBehind
	}
	return f(ctx, source{raw: conn, query: db.New(conn), rows: postgresReads{onePostgresConn{conn}}, version: version})
}
