package studycircle

import "math"

// Bounds of a page.
const (
	DefaultLimit = 10
	MaxLimit     = 100
)

// Page is a request for one numbered page of rows.
type Page struct {
	Number int64 // from 1
	Limit  int64 // rows a page
}

// Skip returns the number of rows before the page. It stays in range for a page number beyond all rows.
func (p Page) Skip() int64 {
	if p.Number-1 > math.MaxInt64/2/p.Limit {
		return math.MaxInt64 / 2
	}
	return (p.Number - 1) * p.Limit
}

// Pages returns the number of pages that total rows fill; 0 for no rows.
func (p Page) Pages(total int64) int64 { return (total + p.Limit - 1) / p.Limit }
