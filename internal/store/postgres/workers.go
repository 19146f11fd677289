package postgres

import (
	"context"
	"runtime"
	"sync"

	"studycircle/internal/store/engine"
)

// workers process concurrent jobs together: each worker takes all waiting jobs, processes them, and takes those that
// arrived meanwhile. Few workers make many jobs share a round trip, and a caller waits only for batches that are
// already running.
type workers[T any] struct {
	jobs    chan *job[T]
	most    int
	quit    chan struct{}
	done    chan struct{} // closed when all workers have stopped
	once    sync.Once
	running sync.WaitGroup
}

type job[T any] struct {
	ctx    context.Context
	of     T
	answer chan error
}

// newWorkers starts a worker for each of the functions, which answer every job they are given: at least one and up to
// most at once.
func newWorkers[T any](most int, all ...func([]*job[T])) *workers[T] {
	w := &workers[T]{jobs: make(chan *job[T], most), most: most, quit: make(chan struct{}), done: make(chan struct{})}
	for _, work := range all {
		w.running.Go(func() { w.loop(work) })
	}
	return w
}

// do returns early when ctx ends; then the job's outcome is unknown.
func (w *workers[T]) do(ctx context.Context, of T) error {
	j := &job[T]{ctx: ctx, of: of, answer: make(chan error, 1)}
	select {
	case w.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.quit:
		return engine.ErrClosed
	}
	select {
	case err := <-j.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-w.done:
	}
	// The workers have stopped, perhaps right after this very job.
	select {
	case err := <-j.answer:
		return err
	default:
		return engine.ErrClosed
	}
}

// close lets running batches end and refuses waiting jobs.
func (w *workers[T]) close() {
	w.once.Do(func() {
		close(w.quit)
		w.running.Wait()
		close(w.done)
	})
}

func (w *workers[T]) loop(work func([]*job[T])) {
	for {
		select {
		case first := <-w.jobs:
			runtime.Gosched() // callers that are about to ask join
			if jobs := w.gather(first); len(jobs) > 0 {
				work(jobs)
			}
		case <-w.quit:
			return
		}
	}
}

func (w *workers[T]) gather(first *job[T]) []*job[T] { return w.join(nil, first) }

// join adds next and other waiting jobs to jobs, except those whose request has ended.
func (w *workers[T]) join(jobs []*job[T], next *job[T]) []*job[T] {
	for {
		if err := next.ctx.Err(); err != nil {
			next.answer <- err
		} else {
			jobs = append(jobs, next)
		}
		if len(jobs) == w.most {
			return jobs
		}
		select {
		case next = <-w.jobs:
		default:
			return jobs
		}
	}
}

func answer[T any](jobs []*job[T], err error) {
	for _, j := range jobs {
		j.answer <- err
	}
}
