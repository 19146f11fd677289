package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"studycircle"
)

// Job is a job as operators see it. It names no user.
type Job struct {
	ID       int64     `json:"id"`
	Kind     string    `json:"kind"` // for example "mail reset"
	State    string    `json:"state"`
	Attempts int       `json:"attempts"`
	At       time.Time `json:"createdAt"`
	Next     time.Time `json:"scheduledAt"`
	// Error is that of the last attempt; "" if there is none.
	Error string `json:"error,omitempty"`
}

// cancelled is what River puts before the error of a job that gives up.
const cancelled = "JobCancelError: "

func jobOf(row *rivertype.JobRow) Job {
	j := Job{
		ID: row.ID, Kind: row.Kind, State: string(row.State), Attempts: row.Attempt,
		At: row.CreatedAt.UTC(), Next: row.ScheduledAt.UTC(),
	}
	if n := len(row.Errors); n > 0 {
		j.Error = strings.TrimPrefix(row.Errors[n-1].Error, cancelled)
	}
	var args struct {
		Mail string `json:"mail"`
		Name string `json:"name"`
	}
	if json.Unmarshal(row.EncodedArgs, &args) == nil {
		what, _, _ := strings.Cut(args.Mail+args.Name, ":") // what follows is an id
		j.Kind += " " + what
	}
	return j
}

// failed are the states of jobs that do not run again by themselves.
var failed = []rivertype.JobState{rivertype.JobStateDiscarded, rivertype.JobStateCancelled}

// unfinished are the states of jobs that run, or will.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning,
	rivertype.JobStateScheduled,
}

// lookedUp is the number of jobs that are read at once.
const lookedUp = 1000

// Each calls f with every job that runs, waits or has failed, in the order of their ids. Emails to addresses without an
// account are no work and left out.
func Each(ctx context.Context, q Queue, f func(Job) error) error {
	return eachRow(ctx, q, river.NewJobListParams().States(slices.Concat(unfinished, failed)...), func(
		row *rivertype.JobRow,
	) error {
		if row.Queue == noRecipientQueue {
			return nil
		}
		return f(jobOf(row))
	})
}

// FailedMails returns the emails that were given up, as RetryFailed finds them, by kind, with the error of the last
// one.
func FailedMails(ctx context.Context, q Queue) ([]studycircle.FailedMails, error) {
	byKind := map[string]studycircle.FailedMails{}
	err := eachRow(ctx, q, givenUp(), func(row *rivertype.JobRow) error {
		j := jobOf(row)
		f := byKind[j.Kind]
		byKind[j.Kind] = studycircle.FailedMails{Kind: j.Kind, Count: f.Count + 1, Error: cmp.Or(j.Error, f.Error)}
		return nil
	})
	return slices.SortedFunc(
		maps.Values(byKind), func(a, b studycircle.FailedMails) int { return cmp.Compare(a.Kind, b.Kind) },
	), err
}

// givenUp selects the emails that are not tried again.
func givenUp() *river.JobListParams {
	return river.NewJobListParams().Kinds(mailJob{}.Kind()).States(failed...)
}

// RetryFailed makes every email that was given up due now, and returns their number. One that fails again meanwhile is
// not tried once more.
func RetryFailed(ctx context.Context, q Queue) (n int, err error) {
	var ids []int64
	err = eachRow(ctx, q, givenUp(), func(row *rivertype.JobRow) error {
		ids = append(ids, row.ID)
		return nil
	})
	if err != nil {
		return 0, err
	}
	for n, id := range ids {
		if err := q.Retry(ctx, id); err != nil {
			return n, err
		}
	}
	return len(ids), nil
}

// eachRow calls f with all jobs that params select, in the order of their ids.
func eachRow(ctx context.Context, q Queue, params *river.JobListParams, f func(*rivertype.JobRow) error) error {
	params = params.OrderBy(river.JobListOrderByID, river.SortOrderAsc).First(lookedUp)
	for {
		found, err := q.List(ctx, params)
		if err != nil {
			return err
		}
		for _, row := range found.Jobs {
			if err := f(row); err != nil {
				return err
			}
		}
		if len(found.Jobs) < lookedUp {
			return nil
		}
		params = params.After(found.LastCursor)
	}
}
