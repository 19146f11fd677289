package bench

import (
	"context"
	"fmt"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/report"
)

// growth measures single requests at this size, on afterWrite started servers without cached
// answers.
func (r *run) growth(ctx context.Context, results *report.Results) error {
	if err := r.start(ctx, report.SQLite, report.Postgres); err != nil {
		return err
	}
	for _, row := range r.wanted(r.singles()) {
		for _, name := range own {
			s := r.servers[name]
			if err := s.SignIn(ctx); err != nil {
				return err
			}
			r.awaitIdle()
			before := s.CPU()
			round, err := load.Send(ctx, row.call(r, s))
			if err != nil {
				return err
			}
			if round.Errors > 0 {
				return fmt.Errorf("%s on %s: %w", row.title, name, round.Problem)
			}
			single := report.Single{P50: micros(round.P50), CPU: micros(s.CPU()-before) / float64(max(1, round.Requests))}
			r.Say(
				fmt.Sprintf("  %d: %-34s %-10s p50 %8.0f µs  CPU %8.0f µs", r.set.Size, row.title, name, single.P50, single.CPU),
			)
			add(results, row, name, r.set.Size, single)
		}
	}
	return r.stop()
}

func add(results *report.Results, row row, server string, size int, single report.Single) {
	for i := range results.Growth {
		if g := &results.Growth[i]; g.Name == row.name && g.Server == server {
			g.Sizes[size] = single
			return
		}
	}
	results.Growth = append(results.Growth, report.Growth{
		Name: row.name, Title: row.title, Server: server, Sizes: map[int]report.Single{size: single},
	})
}
