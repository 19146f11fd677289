package postgres

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/store/engine"
)

// In a parted index a word may be common and the parts of a search small, or large and the word rare, and the newest
// rows are those of other parts. So all matches in its parts are read, and cached for further pages.

const (
	// maxPart is the most rows of its parts that a search reads.
	maxPart = 2 * engine.MaxMatches
	// maxFound bounds the memory of partMatches to some 1 MB.
	maxFound = 1 << 17
)

// partMatches caches the matches of searches in parts, those in the title first and each group newest first.
//
// Key: the index and the words and markers. Audience: those who may search the parts, as for the search itself. Emptied
// by: any commit: see engine.ByVersion. Bound: maxFound positions, for each search a few more, and those that its key
// has room for.
type partMatches = engine.ByVersion[partSearch, []int64]

type partSearch struct {
	index *engine.Index
	query string
}

func newPartMatches() *partMatches {
	const entry = 16 // the overhead of an entry
	return engine.NewByVersion[partSearch, []int64](maxFound, entry)
}

// searchParts is Search in some parts; not whole if they have too many rows to read.
func (d *DB) searchParts(
	ctx context.Context, m match, p studycircle.Page,
) (seqs []int64, total int64, whole bool, err error) {
	version, err := d.Version(ctx)
	if err != nil {
		return nil, 0, false, err
	}
	key := partSearch{m.Index, tsQuery(m)}
	all, known := d.search.found.Get(version, key)
	if !known {
		if all, whole, err = d.readParts(ctx, m); err != nil || !whole {
			return nil, 0, false, err
		}
		const position = 8 // the size of one, in bytes
		d.search.found.Put(version, key, all, len(all)+len(key.query)/position)
	}
	total = min(int64(len(all)), engine.MaxMatches)
	if p.Skip() >= total {
		return nil, total, true, nil
	}
	return all[p.Skip():min(p.Skip()+p.Limit, total)], total, true, nil
}

// readParts reads the matches in some parts. GIN reads all rows of all parts with a word that begins like the last one;
// if those parts have fewer, their rows are read and compared.
func (d *DB) readParts(ctx context.Context, m match) (all []int64, whole bool, err error) {
	by := tsQuery(m)
	s, err := d.search.sampled(ctx, d.pool, m)
	if err != nil {
		return nil, false, err
	}
	if s.smallParts(m) {
		by = tsMarkers(m)
	}
	conn, err := d.pool.Conn(ctx)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var rows int64
	var titles, others []int64
	err = withPgx(conn, func(c *pgx.Conn) error { // database/sql would get the numbers as text
		return c.QueryRow(ctx, partOf(m.Index), by, tsWords(m)).Scan(&rows, &titles, &others)
	})
	if err != nil || rows > maxPart {
		return nil, false, err
	}
	for _, group := range [...][]int64{titles, others} {
		slices.Sort(group)
		slices.Reverse(group)
	}
	return slices.Concat(titles, others), true, nil
}

// partOf spells the query for the matches of the words $2 among the rows that the index finds by $1. It hides that it
// has parameters, so that PostgreSQL keeps one plan.
func partOf(i *engine.Index) string {
	return `
		SELECT COUNT(*), COALESCE(array_agg(d.seq) FILTER (WHERE d.hit = 2), '{}'),
			COALESCE(array_agg(d.seq) FILTER (WHERE d.hit = 1), '{}') FROM (
			SELECT seq, CASE WHEN title @@ (SELECT CAST($2 AS TSQUERY)) THEN 2
				WHEN words @@ (SELECT CAST($2 AS TSQUERY)) THEN 1 ELSE 0 END AS hit
			FROM ` + i.Name + ` WHERE words @@ (SELECT CAST($1 AS TSQUERY)) LIMIT ` + strconv.Itoa(maxPart+1) + `
		) d`
}
