package api

import (
	"context"
	"errors"
	"hash/maphash"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"studycircle"
	"studycircle/internal/encode"
)

// answers caches the encoded answers of the operations that return an *answer.
//
//   - Key: the normalized request (answerKey).
//   - Audience: the key's owner; without an owner, every client that the operation lets ask.
//   - Invalidation: any commit of any node or program. An entry is used only under the
//     database version it was made under, and each request asks for the version after it
//     arrives, so a client that saw a write acknowledged sees it in the next answer of every
//     node.
//   - Bound: maxAnswers bytes; the least recently used generation goes first.
type answers struct {
	version     func(context.Context) (uint64, error)
	withVersion func(context.Context, uint64) context.Context // may be nil
	lookedUp    func(hit bool)                                // may be nil
	// seen holds the tags of recent keys, each in the slot of its hash. An answer is kept
	// from the second request on, so a walk through all pages neither evicts popular
	// answers nor waits for the version.
	seed maphash.Seed
	seen [1 << 14]atomic.Uint32

	mu     sync.RWMutex
	of     uint64 // the version of all entries
	young  map[answerKey]*entry
	old    map[answerKey]*entry // dropped when young is full
	weight int                  // of young, in bytes
}

// maxAnswers bounds the cache, and maxAnswer one entry, in bytes.
const (
	maxAnswers = 32 << 20
	maxAnswer  = 1 << 20
)

// answerKey is a normalized request.
type answerKey struct {
	kind     answerKind
	owner    string // id of the only user who may see the answer
	circle   string // whose list it is; "" for the hall's
	level    studycircle.Level
	state    studycircle.State
	sort     studycircle.Sort
	status   studycircle.Status
	text     string // a search text, an id, or a day
	page     studycircle.Page
	fleeting bool // the answer changes with time as well, so it is not kept
}

type answerKind uint8

const (
	assignmentList answerKind = iota
	oneAssignment
	assignmentAsStudent
	pendingSubmissions
	ownSubmissions
	commentList
	replyList
)

// content is a body and the headers that go with it.
type content struct {
	body   []byte
	header http.Header // may be nil
	// extended are the assignments for which some users have due dates of their own. Those users get other content.
	extended []string
}

// answer is a successful answer, which several requests may send at once.
type answer struct {
	content
	key      answerKey
	etag     []string // as header values
	length   []string
	gzipETag []string // of the compressed form

	gzipOnce sync.Once
	gzipped  gzipped
}

// contentOf encodes v as JSON, of about size bytes.
func contentOf(v any, size int) (content, error) {
	body, err := encode.Append(make([]byte, 0, size), v)
	return content{body: body}, err
}

// reader makes the content of an answer.
type reader func(context.Context) (content, error)

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
		withVersion: c.WithVersion, lookedUp: c.Cached, seed: maphash.MakeSeed(), young: map[answerKey]*entry{},
	}
}

// get returns the answer to key, cached or made by read. Concurrent requests for one key
// wait for one of them to make it.
func (c *answers) get(ctx context.Context, key answerKey, read reader) (*answer, error) {
	if key.fleeting {
		return makeAnswer(ctx, key, read)
	}
	if !c.wanted(key) {
		c.count(false)
		return makeAnswer(ctx, key, read)
	}
	version, err := c.version(ctx)
	if err != nil {
		return nil, err
	}
	e, mine := c.find(version, key), false
	if e == nil {
		e, mine = c.enter(version, key)
	}
	c.count(!mine)
	if mine {
		c.fill(ctx, version, key, e, read)
	}
	select {
	case <-e.made: // avoids the channel that ctx.Done allocates
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

// count records a lookup.
func (c *answers) count(hit bool) {
	if c.lookedUp != nil {
		c.lookedUp(hit)
	}
}

// wanted reports whether key was requested recently.
func (c *answers) wanted(key answerKey) bool {
	h := maphash.Comparable(c.seed, key)
	slot, tag := &c.seen[h%uint64(len(c.seen))], uint32(h>>32)|1
	if slot.Load() == tag {
		return true
	}
	slot.Store(tag)
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

// enter returns the entry for key; if mine, the caller fills it.
func (c *answers) enter(version uint64, key answerKey) (e *entry, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if version > c.of {
		c.of, c.young, c.old, c.weight = version, map[answerKey]*entry{}, nil, 0
	}
	if version < c.of { // a later version is cached: the answer serves this request only
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

// errNotMade is returned to waiting requests if making the answer panicked.
var errNotMade = errors.New("making the answer failed")

// fill makes the answer for all waiting requests, even if the first of them is cancelled.
func (c *answers) fill(ctx context.Context, version uint64, key answerKey, e *entry, read reader) {
	e.err = errNotMade
	defer func() { c.finish(version, key, e) }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWithin)
	defer cancel()
	if c.withVersion != nil {
		ctx = c.withVersion(ctx, version)
	}
	if e.answer, e.err = makeAnswer(ctx, key, read); e.err != nil {
		e.err = errors.Join(e.err, ctx.Err()) // problemOf sees only the deadline of the request
	}
}

// finish wakes the requests that wait for e, and keeps e if it is worth keeping.
func (c *answers) finish(version uint64, key answerKey, e *entry) {
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

// weigh counts an entry of young.
func (c *answers) weigh(key answerKey, e *entry) {
	select {
	case <-e.made:
	default:
		return // finish counts it
	}
	if e.err != nil {
		return
	}
	c.weight += weightOf(key, e.answer)
	if c.weight > maxAnswers/2 {
		c.old, c.young, c.weight = c.young, map[answerKey]*entry{}, 0
	}
}

// weightOf estimates the memory of an entry, in bytes: its key, its body with the
// compressed form, and overhead.
func weightOf(key answerKey, a *answer) int {
	const overhead = 768 // measured: entry, answer, header values, a slot in both maps
	return overhead + len(key.owner) + len(key.circle) + len(key.text) + 2*len(a.body)
}

func makeAnswer(ctx context.Context, key answerKey, read reader) (*answer, error) {
	made, err := read(ctx)
	if err != nil {
		return nil, err
	}
	tag := etagOf(made.body)
	if key.kind != oneAssignment { // its tag serves If-Match, which takes strong tags only
		tag = "W/" + tag
	}
	a := &answer{content: made, key: key, etag: []string{tag}, length: []string{strconv.Itoa(len(made.body))}}
	a.gzipETag = a.etag
	if key.kind == oneAssignment && len(made.body) >= minGzipped {
		a.gzipETag = []string{strings.TrimSuffix(tag, `"`) + gzipEnding}
	}
	return a, nil
}
