package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"studycircle/internal/periodic"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// FTS5 marks removed rows and keeps their words until their segment is merged, which for a large one takes months;
// search_words keeps every word ever stored. Neither may keep the name of a deleted user.
const (
	forgetEvery = 6 * time.Hour
	// forgetLook is the interval of checking whether forgetEvery is over: a program may run for a short time only.
	forgetLook = 10 * time.Minute
	// forgetAtOnce is the number of words checked between two pauses.
	forgetAtOnce = 200
)

// forgetNowAndThen removes unused words periodically, until ctx ends.
func (s *searcher) forgetNowAndThen(ctx context.Context, d *DB) {
	periodic.Job{
		Name: "forgetting words of removed texts", Every: forgetLook, Timeout: forgetEvery, Meaning: "the words are kept",
		Run: func(ctx context.Context) error { return s.forget(ctx, d, time.Now(), rest) },
	}.Tick(ctx)
}

// rest leaves three quarters of the time to others.
func rest(ctx context.Context, began time.Time) {
	select {
	case <-ctx.Done():
	case <-time.After(3 * time.Since(began)):
	}
}

// forget merges all segments and removes the words that no text contains, if rows were removed since the last time
// and that was forgetEvery ago. It calls rest with the start of each part.
func (s *searcher) forget(ctx context.Context, d *DB, now time.Time, rest func(context.Context, time.Time)) error {
	var gone, forgotten, last int64
	err := d.reads.QueryRowContext(ctx, "SELECT n, forgotten, forgotten_at FROM search_gone").Scan(
		&gone, &forgotten, &last,
	)
	since := now.Sub(time.UnixMicro(last)) // negative if the clock was set back
	if err != nil || gone == forgotten || (since >= 0 && since < forgetEvery) {
		return err
	}
	for _, i := range tables.Indexes {
		for range 2 { // the first may end a merge that began before the words were removed
			if err := d.optimize(ctx, i, rest); err != nil {
				return err
			}
		}
	}
	for after, more := "", true; more; {
		began := time.Now()
		words, err := someWords(ctx, d.reads, after)
		if err != nil {
			return err
		}
		if more = len(words) == forgetAtOnce; more {
			after = words[len(words)-1]
		}
		if err := s.forgetUnused(ctx, d, words); err != nil {
			return err
		}
		rest(ctx, began)
	}
	return d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "UPDATE search_gone SET forgotten = ?, forgotten_at = ?", gone, now.UnixMicro())
		return err
	})
}

// forgetUnused removes those of some words that no text contains.
func (s *searcher) forgetUnused(ctx context.Context, d *DB, words []string) error {
	unused, err := s.unused(ctx, d.reads, words)
	if err != nil || len(unused) == 0 {
		return err
	}
	return d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		unused, err := s.unused(ctx, tx.DB, unused) // one may have been written since
		if err != nil {
			return err
		}
		for _, word := range unused {
			delete(s.known, word)
			if _, err := tx.DB.ExecContext(ctx, "DELETE FROM search_words WHERE word = ?", word); err != nil {
				return err
			}
		}
		return nil
	})
}

// unused returns those of some words that no index contains.
func (s *searcher) unused(ctx context.Context, raw db.DBTX, words []string) ([]string, error) {
	var failed error
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		for _, i := range tables.Indexes {
			var used bool
			query := "SELECT EXISTS (SELECT 1 FROM " + i.Name + " WHERE " + i.Name + " MATCH ?)"
			if err := raw.QueryRowContext(ctx, query, `"`+textMark+word+`"`).Scan(&used); err != nil {
				failed = fmt.Errorf("look for a word: %w", err)
			}
			if used {
				return true
			}
		}
		return false
	}), failed
}

// someWords returns the next words of search_words.
func someWords(ctx context.Context, raw db.DBTX, after string) (words []string, err error) {
	rows, err := raw.QueryContext(
		ctx, "SELECT word FROM search_words WHERE word > ? ORDER BY word LIMIT ?", after, forgetAtOnce,
	)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var word string
		if err := rows.Scan(&word); err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, rows.Err()
}
