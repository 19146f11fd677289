package main

import (
	"context"
	"fmt"
	"time"

	"studycircle/internal/jobs"
	"studycircle/internal/store"
)

type jobsCommand struct {
	List  jobsList  `cmd:"" help:"List jobs that run, wait or have failed in the last 24 hours. They name no users."`
	Retry jobsRetry `cmd:"" help:"Send emails that were given up in the last 24 hours once more."`
}

type jobsList struct{ operatorFlags }

// Run prints a line for each job: as JSON, an object on each.
func (c jobsList) Run(ctx context.Context) error {
	return withStore(ctx, c.config(), func(s *store.Store) error {
		return c.lines(func(put func(v any, columns ...any) error) error {
			return jobs.Each(ctx, s.Queue(), func(j jobs.Job) error {
				return put(j, j.ID, j.State, j.Kind, j.At.Format(time.RFC3339), j.Attempts, oneLine(j.Error))
			})
		})
	})
}

type jobsRetry struct{ operatorFlags }

// Run makes failed emails due. A running server sends them within a second.
func (c jobsRetry) Run(ctx context.Context) error {
	return withStore(ctx, c.config(), func(s *store.Store) error {
		n, err := jobs.RetryFailed(ctx, s.Queue())
		if err != nil {
			return err
		}
		return c.print(struct {
			Retried int `json:"retried"`
		}{n}, fmt.Sprintf("%d emails are due again.", n))
	})
}
