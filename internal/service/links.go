package service

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"studycircle"
	"studycircle/internal/linkhealth"
)

// LinkStore keeps what was found at the document links of submissions.
type LinkStore interface {
	// TakeLinks leases some of the links whose time to be looked at has come.
	TakeLinks(ctx context.Context, now, until time.Time, most int) ([]studycircle.LinkToCheck, error)
	// LinkHealth returns what was found at a submission's link, and what decides
	// whether viewer may know; ErrNotFound.
	LinkHealth(ctx context.Context, v studycircle.Viewer, submissionID string) (studycircle.LinkHealth, studycircle.LinkFacts, error)
}

// LinkTx is what changes of it in a transaction.
type LinkTx interface {
	// LookAtLink has a link looked at that has changed.
	LookAtLink(submissionID string, now time.Time)
	// PutLinkHealth stores what was found by whoever still has the lease, and when it
	// is looked at next, zero for never.
	PutLinkHealth(ctx context.Context, l studycircle.LinkToCheck, h studycircle.LinkHealth, next time.Time) error
}

// LinkChecker looks at links: see linkhealth.Checker.
type LinkChecker interface {
	Look(ctx context.Context, link string, names ...string) (linkhealth.Seen, error)
}

const (
	// linkTick is how often a node looks for links whose time has come. An idle look
	// writes nothing.
	linkTick = time.Second
	// linksAtOnce is how many links a node looks at at once.
	linksAtOnce = 8
	// linkLease is how long a node has a link to itself, longer than any look takes. Of
	// one that died, others take it over then.
	linkLease = time.Minute
)

// RunLinks has c look at links whose time has come, until ctx ends. Any number of nodes
// may do so: each look is one node's.
func (s *Service) RunLinks(ctx context.Context, c LinkChecker) {
	tick := time.NewTicker(linkTick)
	defer tick.Stop()
	var looks sync.WaitGroup
	defer looks.Wait()
	places, freed := make(chan struct{}, linksAtOnce), make(chan struct{}, 1)
	for {
		taken, err := s.takeLinks(ctx, cap(places)-len(places))
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "links are not looked at; next try follows", "error", err)
		}
		for _, l := range taken {
			places <- struct{}{} // there is room: nobody else takes places
			looks.Go(func() {
				if err := s.lookAtLink(ctx, c, l); err != nil && ctx.Err() == nil {
					slog.WarnContext(ctx, "a link is not looked at; next try follows", "error", err)
				}
				<-places
				select {
				case freed <- struct{}{}:
				default:
				}
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-freed:
		}
	}
}

func (s *Service) takeLinks(ctx context.Context, most int) ([]studycircle.LinkToCheck, error) {
	if most == 0 {
		return nil, nil
	}
	now := s.clock()
	return s.store.TakeLinks(ctx, now, now.Add(linkLease), most)
}

// lookAtLink looks at a link, where it is still time to, and stores what it found.
func (s *Service) lookAtLink(ctx context.Context, c LinkChecker, l studycircle.LinkToCheck) error {
	health, next := l.Before, studycircle.NextLook(l.Due, s.clock())
	switch {
	case !l.Open: // whoever had to read it has
		next = time.Time{}
	case health.CheckedAt.IsZero() || studycircle.SecondLook(l.Due, health.CheckedAt, s.clock()):
		var names []string
		if l.Several && l.Submitter.UserID != "" {
			names = []string{l.Submitter.DisplayName, l.Submitter.Email}
		}
		seen, err := c.Look(ctx, l.DocsLink, names...)
		now := s.clock()
		if later, is := errors.AsType[*linkhealth.LaterError](err); is {
			next = now.Add(later.After)
			break
		}
		if err != nil {
			return err
		}
		health = studycircle.LinkHealth{Result: studycircle.LinkResult(seen.Result), CheckedAt: now, Names: seen.Named}
		next = studycircle.NextLook(l.Due, now)
	}
	return s.store.Write(ctx, studycircle.System(), func(ctx context.Context, tx Tx) error { return tx.PutLinkHealth(ctx, l, health, next) })
}

// LinkHealth returns what was found at a submission's document link to those who have
// it. Where several people review it, all but its submitter get the day instead of the
// time, which would tell when it was handed in. ErrNotFound.
func (s *Service) LinkHealth(ctx context.Context, viewer studycircle.User, id string) (studycircle.LinkHealth, error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.LinkHealth{}, studycircle.ErrNotFound
	}
	h, f, err := s.store.LinkHealth(ctx, as(viewer), id)
	if err != nil {
		return h, err
	}
	if err := studycircle.MayReadLink(viewer.ID, f, s.clock()); err != nil {
		return studycircle.LinkHealth{}, err
	}
	if h.Result == "" {
		h.Result = studycircle.LinkUnknown
	}
	if f.Several && viewer.ID != f.SubmitterID && !h.CheckedAt.IsZero() {
		h.CheckedAt = studycircle.StartOfDay(studycircle.Day(h.CheckedAt))
	}
	return h, nil
}
