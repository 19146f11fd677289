package service

import (
	"cmp"
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/linkhealth"
	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// LinkChecker checks links: see linkhealth.Checker.
type LinkChecker interface {
	Check(ctx context.Context, link string, names ...string) (linkhealth.Seen, error)
}

const (
	linkChecks = "link checks"
	linkEvery  = time.Second
	// linkBatch is the time during which one run starts checks.
	linkBatch = 30 * time.Second
	// linksAtOnce is the number of links that a node checks at once.
	linksAtOnce = 8
	// linkLease is longer than any check takes. If the node dies, another one takes the link over after it.
	linkLease = time.Minute
)

// LinkChecks is the job that checks due links with c. Any number of nodes may run it: each check runs on one node. An
// idle run writes nothing.
func (s *Service) LinkChecks(c LinkChecker) periodic.Job {
	return periodic.Job{
		Name: linkChecks, Every: linkEvery, Timeout: 2 * linkBatch, Meaning: "links of submissions are checked late",
		Run: func(ctx context.Context) error { return s.CheckLinks(ctx, c) },
	}
}

// CheckLinks checks links that are due until none is left or linkBatch is over.
func (s *Service) CheckLinks(ctx context.Context, c LinkChecker) error {
	until, tick := time.Now().Add(linkBatch), time.NewTicker(linkEvery)
	defer tick.Stop()
	var failed error
	done := make(chan error, linksAtOnce)
	for running := 0; ; {
		if free := linksAtOnce - running; free > 0 && failed == nil && time.Now().Before(until) {
			var due []studycircle.LinkToCheck
			due, failed = s.takeLinks(ctx, free)
			for _, l := range due {
				running++
				go func() { done <- periodic.Guard(ctx, linkChecks, func() error { return s.checkLink(ctx, c, l) }) }()
			}
		}
		if running == 0 {
			return failed
		}
		select {
		case err := <-done:
			running--
			failed = cmp.Or(failed, err)
		case <-tick.C: // more may be due
		}
	}
}

func (s *Service) takeLinks(ctx context.Context, most int) ([]studycircle.LinkToCheck, error) {
	now := s.clock()
	return s.store.TakeLinks(ctx, now, now.Add(linkLease), most)
}

// checkLink checks a link, unless that is too late, and stores the result.
func (s *Service) checkLink(ctx context.Context, c LinkChecker, l studycircle.LinkToCheck) error {
	health, next := l.Before, studycircle.NextLook(l.Due, s.clock())
	switch {
	case !l.Open: // every user who had to read it has done so
		next = time.Time{}
	case health.CheckedAt.IsZero() || studycircle.SecondLook(l.Due, health.CheckedAt, s.clock()):
		var names []string
		if l.Several && l.Submitter.UserID != "" {
			names = []string{l.Submitter.DisplayName, l.Submitter.Email}
		}
		seen, err := look(ctx, c, l.DocsLink, names...)
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
	return s.store.Write(
		ctx, studycircle.System(),
		func(ctx context.Context, tx *store.Tx) error { return tx.PutLinkHealth(ctx, l, health, next) },
	)
}

// look checks a link. A document that makes the checker panic is Unknown, and not checked again at once.
func look(ctx context.Context, c LinkChecker, link string, names ...string) (seen linkhealth.Seen, err error) {
	err = periodic.Guard(ctx, linkChecks, func() error {
		seen, err = c.Check(ctx, link, names...)
		return err
	})
	if _, panicked := errors.AsType[periodic.Panic](err); panicked {
		return linkhealth.Seen{Result: linkhealth.Unknown}, nil
	}
	return seen, err
}

// LinkHealth returns the state of a submission's document link to users who have the link. With several reviewers,
// users other than the submitter get the day of the check instead of its time, which would reveal the time of
// hand-in. ErrNotFound.
func (s *Service) LinkHealth(ctx context.Context, viewer studycircle.User, id string) (studycircle.LinkHealth, error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.LinkHealth{}, studycircle.ErrNotFound
	}
	h, f, err := s.store.LinkHealth(ctx, s.as(viewer), id)
	if err != nil {
		return h, err
	}
	in, err := s.circleOf(ctx, viewer, f.CircleID)
	if err != nil {
		return studycircle.LinkHealth{}, err
	}
	if err := studycircle.MayReadLink(viewer.ID, in, f, s.clock()); err != nil {
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
