package admission

// Limit bounds how many do something at once; nobody waits for it. It is safe for
// concurrent use.
type Limit chan struct{}

// NewLimit allows n at once.
func NewLimit(n int) Limit { return make(Limit, n) }

// Do runs f. ErrFull, with f not run, where too many do.
func (l Limit) Do(f func() error) error {
	select {
	case l <- struct{}{}:
	default:
		return ErrFull
	}
	defer func() { <-l }()
	return f()
}
