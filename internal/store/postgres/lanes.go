package postgres

import (
	"context"
	"runtime"
	"sync"

	"studycircle/internal/store/engine"
)

// lanes work on what comes in at the same time together: each takes all that
// waits, does it, and takes what came meanwhile. Few lanes make many jobs share a
// round trip, and nobody waits for others to come but those who run already.
type lanes[T any] struct {
	jobs    chan *job[T]
	most    int
	quit    chan struct{}
	done    chan struct{} // closed when no lane runs any more
	once    sync.Once
	running sync.WaitGroup
}

type job[T any] struct {
	ctx    context.Context
	of     T
	answer chan error
}

// newLanes starts a lane for each of the workers, which answer every job they
// are given. A worker is given up to most jobs at once, and never none.
func newLanes[T any](most int, workers ...func([]*job[T])) *lanes[T] {
	l := &lanes[T]{jobs: make(chan *job[T], most), most: most, quit: make(chan struct{}), done: make(chan struct{})}
	for _, work := range workers {
		l.running.Go(func() { l.loop(work) })
	}
	return l
}

// do returns early when ctx ends; then it is open whether the job is done.
func (l *lanes[T]) do(ctx context.Context, of T) error {
	j := &job[T]{ctx: ctx, of: of, answer: make(chan error, 1)}
	select {
	case l.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	case <-l.quit:
		return engine.ErrClosed
	}
	select {
	case err := <-j.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-l.done:
	}
	// The lanes have stopped, perhaps right after this very job.
	select {
	case err := <-j.answer:
		return err
	default:
		return engine.ErrClosed
	}
}

// close lets what is under way end; what still waits is refused.
func (l *lanes[T]) close() {
	l.once.Do(func() {
		close(l.quit)
		l.running.Wait()
		close(l.done)
	})
}

func (l *lanes[T]) loop(work func([]*job[T])) {
	for {
		select {
		case first := <-l.jobs:
			runtime.Gosched() // whoever is about to ask comes along
			if jobs := l.gather(first); len(jobs) > 0 {
				work(jobs)
			}
		case <-l.quit:
			return
		}
	}
}

func (l *lanes[T]) gather(first *job[T]) []*job[T] { return l.join(nil, first) }

// join adds next and what else waits to jobs. It leaves out whose request has
// ended.
func (l *lanes[T]) join(jobs []*job[T], next *job[T]) []*job[T] {
	for {
		if err := next.ctx.Err(); err != nil {
			next.answer <- err
		} else {
			jobs = append(jobs, next)
		}
		if len(jobs) == l.most {
			return jobs
		}
		select {
		case next = <-l.jobs:
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
