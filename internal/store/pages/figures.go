package pages

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sum is a change of a figure: the number of rows added, and their sum.
type Sum struct{ N, Total int64 }

// Sums collects a transaction's changes of figures.
type Sums map[Key]Sum

// Add adds a change at a block.
func (s Sums) Add(k Key, change Sum) {
	s[k] = Sum{N: s[k].N + change.N, Total: s[k].Total + change.Total}
}

// Figure is the number of rows of a scope in a block, and their sum.
type Figure struct {
	Scope           Scope
	Block, N, Total int64
}

// Queryer reads figures.
type Queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Figures returns the non-zero figures of some scopes in the blocks from one to another, both included, in order.
// Figures are summed up and not paged, and have only tier 0.
func Figures(ctx context.Context, on Queryer, from, to int64, scopes ...Scope) (out []Figure, err error) {
	places, args := make([]string, len(scopes)), make([]any, 0, len(scopes)+2)
	for i, s := range scopes {
		places[i], args = "$"+strconv.Itoa(i+1), append(args, string(s))
	}
	in := fmt.Sprintf(
		"c.scope IN (%s) AND c.block >= $%d AND c.block <= $%d", strings.Join(places, ", "), len(scopes)+1, len(scopes)+2,
	)
	rows, err := on.QueryContext(ctx,
		`SELECT u.scope, u.block, CAST(SUM(u.n) AS BIGINT), CAST(SUM(u.total) AS BIGINT) FROM (
	SELECT c.scope, c.block, c.n, c.total FROM page_counts c WHERE c.tier = 0 AND `+in+`
	UNION ALL SELECT c.scope, c.block, c.n, c.total FROM page_deltas c WHERE `+in+`
) u GROUP BY u.scope, u.block HAVING SUM(u.n) <> 0 ORDER BY u.block`, append(args, from, to)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var f Figure
		if err := rows.Scan(&f.Scope, &f.Block, &f.N, &f.Total); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, rows.Err()
}
