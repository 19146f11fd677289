package admission

import "context"

// Place is one request's place in a line.
type Place struct {
	line  *Line
	claim func() Claim
	held  bool
}

type placeKey struct{}

// Held is a place that was just entered; claim tells whose it is, should that be
// asked of a context.
func (l *Line) Held(claim func() Claim) Place { return Place{l, claim, true} }

// With is ctx for work that is done in p.
func With(ctx context.Context, p *Place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// ClaimOf is whose work ctx is for; the zero Claim where that is nobody's in particular.
func ClaimOf(ctx context.Context) Claim {
	if p, ok := ctx.Value(placeKey{}).(*Place); ok {
		return p.claim()
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
	// Without a place where ctx has ended: what is left to do is to say so.
	defer func() { p.held = p.line.Return(ctx) }()
	return f()
}

// Leave gives the place back, if it is held.
func (p *Place) Leave() {
	if p.held {
		p.held = false
		p.line.Leave()
	}
}
