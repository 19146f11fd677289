package studycircle

import "math"

// Bounds of a page.
const (
	DefaultLimit = 10
	MaxLimit     = 100
)

// Page asks for one numbered page of rows.
type Page struct {
	Number int64 // from 1
	Limit  int64 // rows a page
}

// Skip is how many rows lie before the page. A number beyond all rows stays one.
func (p Page) Skip() int64 {
	if p.Number-1 > math.MaxInt64/2/p.Limit {
		return math.MaxInt64 / 2
	}
	return (p.Number - 1) * p.Limit
}

// Pages is how many pages total rows fill; none for no rows.
func (p Page) Pages(total int64) int64 { return (total + p.Limit - 1) / p.Limit }
