package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"studycircle/internal/periodic"
)

// queued reports whether River runs j, on one node. A run writes some rows, so every node itself runs jobs that are
// due more often than once a minute; an idle run of those writes nothing.
func queued(j periodic.Job) bool { return !j.OnEachNode && j.Every >= time.Minute }

// periodicQueue holds runs of periodic jobs. Programs of an earlier release do not work
// on it.
const periodicQueue = "periodic"

// periodicJob is one run of a periodic.Job.
type periodicJob struct {
	Name string `json:"name"`
}

// Kind implements river.JobArgs.
func (periodicJob) Kind() string { return "periodic" }

// InsertOpts implements river.JobArgsWithInsertOpts. A run that fails is not tried again:
// the next one follows by its interval.
func (periodicJob) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: periodicQueue, MaxAttempts: 1}
}

// periodicWorker runs periodic jobs by their names.
type periodicWorker struct {
	river.WorkerDefaults[periodicJob]
	jobs map[string]periodic.Job
}

// Timeout implements river.Worker. It leaves periodic.Job time to report a run that does
// not end.
func (w *periodicWorker) Timeout(job *river.Job[periodicJob]) time.Duration {
	return w.jobs[job.Args.Name].Timeout + time.Minute
}

// Work implements river.Worker. A failure is logged; the next run follows anyway.
func (w *periodicWorker) Work(ctx context.Context, job *river.Job[periodicJob]) error {
	if p, known := w.jobs[job.Args.Name]; known { // a later release may queue unknown jobs
		_ = p.Once(ctx)
	}
	return nil
}

// from is a schedule that skips missed runs.
type from struct {
	clock func() time.Time
	every time.Duration
}

// Next implements river.PeriodicSchedule.
func (f from) Next(time.Time) time.Time { return f.clock().Add(f.every) }

// addPeriodic adds the jobs that River runs to a configuration, and returns the others.
func addPeriodic(c *river.Config, all []periodic.Job, clock func() time.Time) (ticking []periodic.Job, err error) {
	worker := &periodicWorker{jobs: map[string]periodic.Job{}}
	for _, p := range all {
		if !queued(p) {
			ticking = append(ticking, p)
			continue
		}
		if _, twice := worker.jobs[p.Name]; twice {
			return nil, fmt.Errorf("two periodic jobs have the name %q", p.Name)
		}
		worker.jobs[p.Name] = p
		c.PeriodicJobs = append(c.PeriodicJobs, river.NewPeriodicJob(from{clock, p.Every},
			func() (river.JobArgs, *river.InsertOpts) { return periodicJob{p.Name}, nil },
			&river.PeriodicJobOpts{RunOnStart: true}))
	}
	if len(worker.jobs) == 0 {
		return ticking, nil
	}
	c.Queues[periodicQueue] = river.QueueConfig{MaxWorkers: len(worker.jobs)}
	return ticking, river.AddWorkerSafely(c.Workers, worker)
}

// tickAll runs jobs until ctx ends.
func tickAll(ctx context.Context, all []periodic.Job) {
	var running sync.WaitGroup
	for _, j := range all {
		running.Go(func() { j.Tick(ctx) })
	}
	running.Wait()
}
