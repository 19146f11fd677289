package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Group runs writes in one goroutine. It takes the functions of many requests into one
// transaction, each in a savepoint so that a function that fails undoes its own work only,
// and commits once: group commit. A LongWrite is a group of its own, without a savepoint.
type Group struct {
	transact func([]*Job) error
	jobs     chan *Job
	quit     chan struct{}
	done     chan struct{}
	once     sync.Once
	// doing is the step that the writer is in; nil while it is idle or in a step without a limit.
	doing atomic.Pointer[step]
}

// Statements of each job.
const (
	Savepoint = "SAVEPOINT job"
	Undo      = "ROLLBACK TO job"
	Release   = "RELEASE job"
)

// Beginning is the step that waits for the lock for writing.
const Beginning = "the beginning of a transaction"

// step is one step of the writer.
type step struct {
	name  string
	since time.Time
}

// Job is a function for a Group to run.
type Job struct {
	Ctx context.Context
	// Err is the answer. If it is nil, the job's answer is that of its transaction.
	Err error

	f      func(context.Context, *Tx) error
	answer chan struct{} // closed once Err is final
	state  atomic.Int32
}

// The states of a Job.
const (
	jobQueued int32 = iota
	jobRunning
	jobReturned  // the function has returned, its transaction has not ended
	jobAbandoned // the caller left before the function began
)

// NewGroup returns a group writer. transact runs up to most jobs in one transaction: each that
// has a Start is given to Run. The caller closes the group.
func NewGroup(most int, transact func([]*Job) error) *Group {
	g := &Group{transact: transact, jobs: make(chan *Job, most), quit: make(chan struct{}), done: make(chan struct{})}
	go g.loop()
	return g
}

// Do runs f and returns once its effects are durable. It returns without running f if ctx ends or the writer is stuck
// before f's turn. Once f has begun, Do waits for the commit; only if ctx has ended and the writer is stuck does it
// return earlier, and then the outcome is unknown.
func (g *Group) Do(ctx context.Context, f func(context.Context, *Tx) error) error {
	job := &Job{Ctx: ctx, f: f, answer: make(chan struct{})}
	look := time.NewTimer(stallPatience)
	defer look.Stop()
	queue := g.jobs
	for {
		select {
		case queue <- job:
			queue = nil
		case <-job.answer:
			return job.Err
		case <-g.done:
			return job.lastAnswer()
		case <-ctx.Done():
			if queue != nil || job.abandon() {
				return ctx.Err()
			}
			return g.await(job)
		case <-look.C:
			if err := g.Stalled(); err != nil && (queue != nil || job.abandon()) {
				return err
			}
			look.Reset(stallLookEvery)
		}
	}
}

// await waits for a job whose context has ended after its function began.
func (g *Group) await(job *Job) error {
	look := time.NewTicker(stallLookEvery)
	defer look.Stop()
	for {
		select {
		case <-job.answer:
			return job.Err
		case <-g.done:
			return job.lastAnswer()
		case <-look.C:
			if err := g.Stalled(); err != nil && job.state.Load() == jobReturned {
				return err
			}
		}
	}
}

// abandon reports whether the job's function will never be run.
func (j *Job) abandon() bool { return j.state.CompareAndSwap(jobQueued, jobAbandoned) }

// lastAnswer returns the answer to a job once the writer has stopped, perhaps right after it.
func (j *Job) lastAnswer() error {
	select {
	case <-j.answer:
		return j.Err
	default:
		return ErrClosed
	}
}

// Start reports whether the job's caller still waits for it. After that the function is run.
func (j *Job) Start() bool {
	if !j.state.CompareAndSwap(jobQueued, jobRunning) {
		return false // abandoned
	}
	j.Err = j.Ctx.Err()
	return j.Err == nil
}

// Run runs the job's function with the values of its request, which may end meanwhile, until
// ctx ends. It turns a panic into the job's own error: the writer serves all requests.
func (j *Job) Run(ctx context.Context, tx *Tx) error {
	defer j.state.Store(jobReturned)
	j.Err = func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = Panicked(ctx, p)
			}
		}()
		return j.f(ctx, tx)
	}()
	return j.Err
}

var (
	// ErrStalled is returned while the writer is stuck.
	ErrStalled = errors.New("writes are stuck")
	// ErrLocked is returned with ErrStalled while the writer waits for the lock of another program.
	ErrLocked = errors.New("another program holds the lock")
)

const (
	// stallPatience is how long one step of the writer may take before the database counts
	// as not ready. /readyz reports it within five seconds.
	stallPatience = 2 * time.Second
	// stallLookEvery is how often callers check for that.
	stallLookEvery = 100 * time.Millisecond
)

// Stalled returns ErrStalled, with the step that takes too long.
func (g *Group) Stalled() error {
	now := g.doing.Load()
	if now == nil || time.Since(now.since) <= stallPatience {
		return nil
	}
	reason := ErrStalled
	if now.name == Beginning {
		reason = fmt.Errorf("%w, perhaps because %w", ErrStalled, ErrLocked)
	}
	return fmt.Errorf("%w: %s has taken %s", reason, now.name, time.Since(now.since).Round(time.Second))
}

// Begin records that the writer begins a step, which is stuck if it takes too long.
func (g *Group) Begin(name string) { g.doing.Store(&step{name, time.Now()}) }

// Idle records that the writer is idle, or begins a step without a limit.
func (g *Group) Idle() { g.doing.Store(nil) }

// IsIdle reports whether no step with a limit is under way.
func (g *Group) IsIdle() bool { return g.doing.Load() == nil }

// Waiting returns the number of queued jobs.
func (g *Group) Waiting() int { return len(g.jobs) }

// Close waits for the running group. Later calls of Do return ErrClosed.
func (g *Group) Close() {
	g.once.Do(func() { close(g.quit) })
	<-g.done
}

func (g *Group) loop() {
	defer close(g.done)
	for {
		select {
		case first := <-g.jobs:
			group, long := g.gather(first)
			g.run(group)
			if long != nil {
				g.run([]*Job{long})
			}
		case <-g.quit:
			return
		}
	}
}

// gather returns first with the jobs queued behind it that share its transaction, and the long write that ends them, if
// one does.
func (g *Group) gather(first *Job) (group []*Job, long *Job) {
	group = []*Job{first}
	for len(group) < cap(g.jobs) && !IsLongWrite(first.Ctx) {
		select {
		case job := <-g.jobs:
			if IsLongWrite(job.Ctx) {
				return group, job
			}
			group = append(group, job)
		default:
			return group, nil
		}
	}
	return group, nil
}

// run runs a group and answers each of its jobs.
func (g *Group) run(group []*Job) {
	err := g.transact(group)
	g.Idle()
	for _, job := range group {
		if job.Err == nil {
			job.Err = err
		}
		close(job.answer)
	}
}
