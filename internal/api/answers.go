package api

import (
	"context"
	"errors"
	"hash/maphash"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"studycircle/internal/encode"
)

// answers keeps whole answers, ready to be sent.
//
// Key: what was asked, normalized (answerKey). Audience: the key's owner alone;
// where it has none, everybody whom the handler lets ask for that kind. Emptied
// by: any commit, of any node or program, because an entry is used only while the
// database's version is the one it was made under, and each request asks for the
// version after it came. So who saw a write acknowledged sees it in the next
// answer, on every node. Bound: maxAnswers bytes, the longest unused going first.
type answers struct {
	version     func(context.Context) (uint64, error)
	withVersion func(context.Context, uint64) context.Context // nil for none
	// seen holds what was asked for of late, each at the place its hash says. An
	// answer is kept from the second time on: a walk through all pages neither
	// pushes out what many ask for nor waits for the version.
	seed maphash.Seed
	seen [1 << 14]atomic.Uint32

	mu     sync.RWMutex
	of     uint64 // the version that all entries were made under
	young  map[answerKey]*entry
	old    map[answerKey]*entry // goes when young is full
	weight int                  // of young, in bytes
}

// maxAnswers bounds answers, in bytes; maxAnswer one of them.
const (
	maxAnswers = 32 << 20
	maxAnswer  = 1 << 20
)

// answerKey is what was asked.
type answerKey struct {
	kind        answerKind
	owner       string // id of the user who alone may see the answer
	choice      string // level, state or status
	text        string // what is searched for, an id, or whose submissions
	page, limit int64
	fleeting    bool // the answer changes with the time, too: it is not kept
}

type answerKind uint8

const (
	assignmentList answerKind = iota
	oneAssignment
	pendingSubmissions
	ownSubmissions
	commentList
	replyList
)

// content is what an answer says: a body, and of a list how much there is in all.
type content struct {
	body  []byte
	total int64
}

// answer is a successful answer.
type answer struct {
	content
	etag     []string // as header values
	length   []string
	gzipETag []string // of the compressed form

	gzipOnce sync.Once
	gzipped  gzipped
}

// buffer is memory for the bodies of answers that are not kept, one after the other.
type buffer struct{ b []byte }

var buffers sync.Pool // of *buffer

// maxBuffer bounds what of a large body is used again, in bytes.
const maxBuffer = 64 << 10

// contentOf is v as JSON, appended to a buffer, and a list's total.
func contentOf(into []byte, v any, total int64) (content, error) {
	body, err := encode.Append(into, v)
	return content{body, total}, err
}

// reader appends what an answer says to a buffer.
type reader func(ctx context.Context, into []byte) (content, error)

type gzipped struct {
	body   []byte
	length []string
}

type entry struct {
	made   chan struct{}
	answer *answer
	err    error
}

func newAnswers(c Config) *answers {
	return &answers{
		version:     func(ctx context.Context) (uint64, error) { return c.Service.Version(ctx) },
		withVersion: c.WithVersion, seed: maphash.MakeSeed(), young: map[answerKey]*entry{},
	}
}

// get returns the answer to key, made by read where it is not at hand. Those who
// ask the same at once wait for one to make it. An answer that is not kept stands
// in spare, until the caller uses that again; where it is nil, in memory of its own.
func (c *answers) get(ctx context.Context, key answerKey, read reader, spare *buffer) (*answer, error) {
	if key.fleeting || !c.wanted(key) {
		return makeAnswer(ctx, key.kind, read, spare)
	}
	version, err := c.version(ctx)
	if err != nil {
		return nil, err
	}
	e := c.find(version, key)
	if e == nil {
		var mine bool
		if e, mine = c.enter(version, key); mine {
			c.fill(ctx, version, key, e, read)
		}
	}
	select {
	case <-e.made: // without asking ctx for a channel, which it would have to make
		return e.answer, e.err
	default:
	}
	select {
	case <-e.made:
		return e.answer, e.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wanted tells whether key was asked for a short while ago, too.
func (c *answers) wanted(key answerKey) bool {
	h := maphash.Comparable(c.seed, key)
	place, tag := &c.seen[h%uint64(len(c.seen))], uint32(h>>32)|1
	if place.Load() == tag {
		return true
	}
	place.Store(tag)
	return false
}

// find returns an entry made under version.
func (c *answers) find(version uint64, key answerKey) *entry {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.of != version {
		return nil
	}
	return c.young[key]
}

// enter returns the entry for key; the caller fills it if it is theirs.
func (c *answers) enter(version uint64, key answerKey) (e *entry, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version > c.of {
		c.of, c.young, c.old, c.weight = version, map[answerKey]*entry{}, nil, 0
	}
	if version < c.of { // a commit came in between: the answer serves this request only
		return &entry{made: make(chan struct{})}, true
	}
	if e = c.young[key]; e != nil {
		return e, false
	}
	if e = c.old[key]; e != nil {
		delete(c.old, key)
		c.young[key] = e
		c.weigh(key, e)
		return e, false
	}
	e = &entry{made: make(chan struct{})}
	c.young[key] = e
	return e, true
}

// errNotMade is what those who wait get where making the answer panicked.
var errNotMade = errors.New("the answer was not made")

// fill makes the answer for all who wait, also when the one who came first leaves.
func (c *answers) fill(ctx context.Context, version uint64, key answerKey, e *entry, read reader) {
	e.err = errNotMade
	defer func() { c.settle(version, key, e) }()
	ctx = context.WithoutCancel(ctx)
	if c.withVersion != nil {
		ctx = c.withVersion(ctx, version)
	}
	e.answer, e.err = makeAnswer(ctx, key.kind, read, nil)
}

// settle wakes those who wait for e and keeps it if it is worth keeping.
func (c *answers) settle(version uint64, key answerKey, e *entry) {
	close(e.made)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.of != version:
	case e.err != nil || len(e.answer.body) > maxAnswer:
		delete(c.young, key)
		delete(c.old, key)
	case c.young[key] == e:
		c.weigh(key, e)
	}
}

// weigh counts an entry that came into young.
func (c *answers) weigh(key answerKey, e *entry) {
	select {
	case <-e.made:
	default:
		return // counted when it is filled
	}
	if e.err != nil {
		return
	}
	c.weight += weightOf(key, e.answer)
	if c.weight > maxAnswers/2 {
		c.old, c.young, c.weight = c.young, map[answerKey]*entry{}, 0
	}
}

// weightOf is what an entry takes, in bytes: its key, its body with the compressed
// form, and what they stand in.
func weightOf(key answerKey, a *answer) int {
	const overhead = 768 // measured: entry, answer, header values, both maps' places
	return overhead + len(key.owner) + len(key.choice) + len(key.text) + 2*len(a.body)
}

// makeAnswer makes an answer in the time that a request has. Its body stands in
// spare, if that is not nil.
func makeAnswer(ctx context.Context, kind answerKind, read reader, spare *buffer) (*answer, error) {
	timed := withDeadline(ctx)
	defer timed.end()
	var into []byte
	if spare != nil {
		into = spare.b[:0]
	}
	made, err := read(timed, into)
	if err != nil {
		return nil, errors.Join(err, timed.Err()) // problemOf does not see this one
	}
	if spare != nil && cap(made.body) <= maxBuffer {
		spare.b = made.body
	}
	tag := etagOf(made.body)
	if kind != oneAssignment { // whose tag serves If-Match, which takes strong ones only
		tag = "W/" + tag
	}
	a := &answer{content: made, etag: []string{tag}, length: []string{strconv.Itoa(len(made.body))}}
	a.gzipETag = a.etag
	if kind == oneAssignment && len(made.body) >= minGzipped {
		a.gzipETag = []string{strings.TrimSuffix(tag, `"`) + gzipEnding}
	}
	return a, nil
}
