package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"studycircle"
)

// Publish publishes a in a transaction of its own and returns once that is
// durable; ErrNotFound where the creator is gone.
func (s *Store) Publish(ctx context.Context, a studycircle.Assignment) error {
	if s.publisher != nil {
		err := s.publisher.do(ctx, publication{a, searchText(a)})
		s.heed(err)
		return classify(err)
	}
	words := searchText(a) // here, where any number of requests do so at once
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		_, err := tx.insertAssignment(ctx, a, words)
		return err
	})
}

const (
	// maxPublished bounds how many assignments share one statement.
	maxPublished = 64
	// maxPublishing is how many statements of a publisher are under way at once. A
	// further one begins with enoughPublished assignments, as many small ones would
	// cost more than few and be done no sooner; or after publishPatience, as the one
	// before may wait for somebody's row.
	maxPublishing   = 2
	enoughPublished = maxPublished / 2
	publishPatience = 10 * time.Millisecond
)

// publisher publishes on PostgreSQL what comes in at the same time with one
// statement: rows, words, counts and events. A statement costs several times
// what a row more in it does, and PostgreSQL waits once for the disk.
type publisher struct {
	*lanes[publication]
	store *Store
	// Of the lane alone: how many statements are under way, each of which says when
	// it has ended.
	under int
	ended chan struct{}
}

type publication struct {
	studycircle.Assignment
	words searchDoc
}

func newPublisher(s *Store) *publisher {
	p := &publisher{store: s, ended: make(chan struct{}, maxPublishing)}
	p.lanes = newLanes(maxPublished, p.begin)
	return p
}

// begin begins a statement as soon as it may.
func (p *publisher) begin(jobs []*job[publication]) {
	var waited <-chan time.Time
	late := false
	for p.under == maxPublishing || (p.under > 0 && !late && len(jobs) < enoughPublished) {
		if waited == nil {
			waited = time.After(publishPatience)
		}
		more := p.jobs
		if len(jobs) == maxPublished {
			more = nil
		}
		select {
		case <-p.ended:
			p.under--
		case next := <-more:
			jobs = p.join(jobs, next)
		case <-waited:
			late = true
		}
	}
	p.under++
	p.running.Go(func() {
		p.publish(jobs)
		p.ended <- struct{}{}
	})
}

// publish answers each of the jobs. Where PostgreSQL refuses the statement,
// which undoes all of it, each is tried alone, so that one that cannot be
// published takes no other along.
func (p *publisher) publish(jobs []*job[publication]) {
	err := retried(func() error { return p.insert(jobs) })
	if _, refused := errors.AsType[*pgconn.PgError](err); refused && len(jobs) > 1 && !isUnavailable(err) {
		for alone := range slices.Chunk(jobs, 1) {
			p.publish(alone)
		}
		return
	}
	if isForeignKey(err) {
		err = studycircle.ErrNotFound
	}
	answer(jobs, err)
}

// publishAll says in one statement what Tx.InsertAssignment and the effects of a
// transaction say in several. Places in the order are given out first, so that no
// table has to be asked for them.
const publishAll = `
WITH given AS MATERIALIZED (
	SELECT nextval('assignments_seq_seq') AS seq, g.*
	FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[]), CAST($3 AS TEXT[]), CAST($4 AS TEXT[]), CAST($5 AS TEXT[]),
		CAST($6 AS BIGINT[]), CAST($7 AS TEXT[]), CAST($8 AS BIGINT[]), CAST($9 AS BIGINT[]), CAST($10 AS BIGINT[]), CAST($11 AS BIGINT[]),
		CAST($12 AS TEXT[]), CAST($13 AS TSVECTOR[]), CAST($14 AS TSVECTOR[]))
	AS g (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at, scope, title_words, words)
), inserted AS (
	INSERT INTO assignments (seq, id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
	SELECT seq, id, NULLIF(creator_id, ''), title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at FROM given
), found AS (
	INSERT INTO assignment_search (seq, title, words)
	SELECT seq, title_words, words FROM given
), counted AS (
	INSERT INTO page_deltas (scope, block, n) SELECT scope, seq / $15, COUNT(*) FROM given GROUP BY 1, 2
)
INSERT INTO events (changes) VALUES ($16)`

func (p *publisher) insert(jobs []*job[publication]) error {
	var texts [7][]string
	var numbers [5][]int64
	var words [2]pgtype.FlatArray[pgtype.TSVector]
	var announced Tx
	for _, j := range jobs {
		a, doc := j.of.Assignment, j.of.words
		for i, text := range [...]string{
			a.ID, a.Creator.UserID, a.Title, a.Description, a.Thumbnail, string(a.Level),
			string(levelScope(a.Level)),
		} {
			texts[i] = append(texts[i], text)
		}
		for i, number := range [...]int64{a.Marks, a.Due.Micros(), int64(a.Due.OffsetMinutes()), micros(a.CreatedAt), micros(a.UpdatedAt)} {
			numbers[i] = append(numbers[i], number)
		}
		words[0], words[1] = append(words[0], vectorOf(doc.title, doc.level)), append(words[1], vectorOf(doc.all, doc.level))
		announced.announceAssignment(studycircle.AssignmentCreated, a.ID)
	}
	_, err := p.store.reads.ExecContext(context.Background(), publishAll,
		texts[0], texts[1], texts[2], texts[3], texts[4], numbers[0], texts[5], numbers[1], numbers[2], numbers[3], numbers[4],
		texts[6], words[0], words[1], blockRows, changesOf(announced.events))
	if err == nil {
		p.store.log.wake()
	}
	return err
}
