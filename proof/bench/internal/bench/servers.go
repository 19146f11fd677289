package bench

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"studycircle/proof/bench/internal/peer"
	"studycircle/proof/bench/internal/report"
)

// start starts the servers and signs in.
func (r *run) start(ctx context.Context, names ...string) error {
	for _, name := range names {
		var s *peer.Server
		var err error
		switch name {
		case report.SQLite:
			s, err = r.Tree.StartSQLite(ctx, filepath.Join(r.dir, name))
		case report.Postgres:
			s, err = r.Tree.StartPostgres(ctx, filepath.Join(r.dir, name))
		case report.PocketBase:
			s, err = r.Tree.StartPocketBase(ctx, filepath.Join(r.dir, name), false)
		case report.PocketBaseFull: // shares PocketBase's data; the two never work at the same time
			s, err = r.Tree.StartPocketBase(ctx, filepath.Join(r.dir, report.PocketBase), true)
		}
		if err != nil {
			return err
		}
		r.servers[name] = s
		if err := s.SignIn(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stop stops all servers and records their peak memory.
func (r *run) stop() error {
	var failed error
	for name, s := range r.servers {
		all := int64(0)
		for _, p := range s.Costs {
			all += p.PeakMemory()
		}
		r.memory[name] = report.Memory{Program: s.Program.PeakMemory(), All: all}
		failed = errors.Join(failed, s.Stop())
	}
	clear(r.servers)
	return failed
}

// startFloor gives the floor the answers of the product on SQLite.
func (r *run) startFloor(ctx context.Context, rows []row) error {
	answers := map[string]peer.Prebuilt{}
	for _, row := range rows {
		if row.read == nil || !slices.Contains(row.on, report.Floor) {
			continue
		}
		answer, err := row.read.sample(ctx, r, r.servers[report.SQLite])
		if err != nil {
			return err
		}
		answers["/"+row.name] = peer.Prebuild(answer)
	}
	if len(answers) == 0 {
		return nil
	}
	s, err := r.Tree.StartFloor(ctx, answers)
	if err != nil {
		return err
	}
	r.servers[report.Floor] = s
	return nil
}

// awaitIdle waits for a limited time until the servers are idle, for example after background work
// of a round.
func (r *run) awaitIdle() {
	const still, patience = 100 * time.Millisecond, 5 * time.Second
	all := func() (sum time.Duration) {
		for _, s := range r.servers {
			sum += s.CPU()
		}
		return sum
	}
	for deadline, last := time.Now().Add(patience), all(); time.Now().Before(deadline); {
		time.Sleep(still)
		now := all()
		if now-last <= still/10 {
			return
		}
		last = now
	}
}
