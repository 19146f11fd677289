package admission

import (
	"context"
	"time"
)

// Place is one request's place in a line.
type Place struct {
	line  *Line
	owner Claimer
	held  bool
	since time.Time
}

// Claimer tells whose something is. It is asked only where somebody waits.
type Claimer interface{ Claim() Claim }

type placeKey struct{}

// Held is a place that was just entered for owner.
func (l *Line) Held(owner Claimer) Place { return Place{l, owner, true, time.Now()} }

// With is ctx for work that is done in p.
func With(ctx context.Context, p *Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// ClaimOf is whose work ctx is for; the zero Claim where that is nobody's in particular.
func ClaimOf(ctx context.Context) Claim {
	if p, ok := ctx.Value(placeKey{}).(*Place); ok {
		return p.owner.Claim()
	}
	return Claim{}
}

// Outside runs f, which waits for something else than the processor, while others
// have the place that ctx's work is done in.
func Outside(ctx context.Context, f func() error) error {
	p, ok := ctx.Value(placeKey{}).(*Place)
	if !ok {
		return f()
	}
	return p.Outside(ctx, f)
}

// Outside runs f while others have the place.
func (p *Place) Outside(ctx context.Context, f func() error) error {
	if !p.held {
		return f()
	}
	p.Leave()
	defer func() {
		// Without a place where ctx has ended: what is left to do is to say so.
		p.held = p.line.Return(ctx)
		p.since = time.Now()
	}()
	return f()
}

// Leave gives the place back, if it is held.
func (p *Place) Leave() {
	if !p.held {
		return
	}
	p.held = false
	if !p.line.leaveUnwaited() {
		p.line.charge(p.owner.Claim(), time.Since(p.since))
		p.line.Leave()
	}
}
