package admission

// Limit bounds how many calls run at once; further ones fail instead of waiting. It is safe
// for concurrent use.
type Limit chan struct{}

// NewLimit allows n calls at once.
func NewLimit(n int) Limit { return make(Limit, n) }

// Do runs f. It returns ErrFull, without running f, if too many calls run.
func (l Limit) Do(f func() error) error {
	select {
	case l <- struct{}{}:
	default:
		return ErrFull
	}
	defer func() { <-l }()
	return f()
}
