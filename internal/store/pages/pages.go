// Package pages finds numbered pages without walking or counting rows, of any list of any noun.
//
// Every row of a scope (all easy assignments, all pending submissions, one user's submissions) has a fixed position,
// a number that grows from old to new. page_counts stores the number of rows in each block of 256 positions (tier 0)
// and in each 256 blocks (tier 1). A page's first block is found by reading a few hundred small numbers at most, and
// a row in it by passing at most 255 index entries. Counting from the oldest means that a new row shifts nothing. The
// counts change in the transaction that changes the rows, so they are exact after any history and any crash.
package pages

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

const (
	// BlockRows is the number of positions in a block of tier 0.
	BlockRows = 256
	// BlockFanout is the number of blocks of tier 0 in one of tier 1.
	BlockFanout = 256
)

// Scope names a set of rows that is paged. It has no line breaks.
type Scope string

// Set is a set of scopes that is read as one list.
type Set string

// Of returns the set of these scopes, which have no row in common.
func Of(scopes ...Scope) Set {
	if len(scopes) == 1 {
		return Set(scopes[0])
	}
	texts := make([]string, len(scopes))
	for i, s := range scopes {
		texts[i] = string(s)
	}
	return Set(strings.Join(texts, "\n"))
}

// Scopes returns the arguments of Of.
func (s Set) Scopes() []string { return strings.Split(string(s), "\n") }

// Order is the direction in which a list is read.
type Order int64

// The orders.
const (
	OldestFirst Order = 1
	NewestFirst Order = -1
)

// Start is the start of a page: skip Skip rows from position From on.
type Start struct {
	Total int64
	Found bool // false past the end
	From  int64
	Skip  int64
}

// Key is a block of tier 0 of a scope.
type Key struct {
	Scope Scope
	Block int64
}

// Counts collects a transaction's changes of counts.
type Counts map[Key]int64

// Add adds n to the rows at a position.
func (c Counts) Add(s Scope, position, n int64) { c[Key{s, position / BlockRows}] += n }

// Tiers calls change with the sums of all changed blocks of both tiers.
func (c Counts) Tiers(change func(tier int64, k Key, n int64) error) error {
	big := Counts{}
	for k, n := range c {
		big[Key{k.Scope, k.Block / BlockFanout}] += n
	}
	for tier, sums := range []Counts{c, big} {
		for k, n := range sums {
			if n == 0 {
				continue
			}
			if err := change(int64(tier), k, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// queries spells the reads of both tiers for some scopes: the sums of page_counts and of page_deltas, which holds
// changes that are not folded yet.
func queries(scopes int) (big, small string) {
	places := make([]string, scopes)
	for i := range places {
		places[i] = "$" + strconv.Itoa(i+1)
	}
	in := strings.Join(places, ", ")
	first := fmt.Sprintf("CAST($%d AS BIGINT) * %d", scopes+1, BlockFanout)
	spell := func(tier int, delta, within string) string {
		return fmt.Sprintf(`SELECT u.block, CAST(SUM(u.n) AS BIGINT) AS n FROM (
	SELECT c.block, c.n FROM page_counts c WHERE c.scope IN (%[1]s) AND c.tier = %[2]d%[4]s
	UNION ALL
	SELECT %[3]s, c.n FROM page_deltas c WHERE c.scope IN (%[1]s)%[4]s
) u GROUP BY u.block ORDER BY u.block`, in, tier, delta, within)
	}
	return spell(1, fmt.Sprintf("c.block / %d", BlockFanout), ""),
		spell(0, "c.block", fmt.Sprintf(" AND c.block >= %s AND c.block < %s + %d", first, first, BlockFanout))
}

// texts holds the results of queries by their arguments.
var texts sync.Map

func readCounts(ctx context.Context, on Queryer, key countsKey) (counts []count, err error) {
	var args []any
	for _, scope := range key.Scopes() {
		args = append(args, scope)
	}
	known, is := texts.Load(len(args))
	both, _ := known.([2]string)
	if !is {
		both[0], both[1] = queries(len(args))
		texts.Store(len(args), both)
	}
	text := both[0]
	if key.within != whole {
		text, args = both[1], append(args, key.within)
	}
	rows, err := on.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c count
		if err := rows.Scan(&c.block, &c.n); err != nil {
			return nil, err
		}
		counts = append(counts, c)
	}
	return counts, rows.Err()
}
