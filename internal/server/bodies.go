package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"studycircle/internal/admission"
)

// Bounds of bodies while they are read.
const (
	// maxBody is how much of a body is read before its request takes a slot, in bytes: the API's largest body and a
	// byte more. Of a body with a greater Content-Length nothing is read.
	maxBody = 1<<20 + 1
	// maxFile is maxBody for the API's files.
	maxFile = 4<<20 + 1
	// shortBody is the length of nearly all bodies, in bytes. Short and long ones have separate budgets, so that
	// neither blocks the other.
	shortBody      = 16 << 10
	maxShortBodies = 8 << 20
	maxLongBodies  = 16 << 20
	// piece is the size of the buffers of a long body, in bytes. Pieces are reused: growing one buffer by copying
	// would leave twice the body's length as garbage.
	piece = 32 << 10
	// A client has sendWithin to send a body, and a second more for each sendRate bytes received.
	sendWithin = 10 * time.Second
	sendRate   = 4 << 10
	// roomWithin is how long a body waits for memory.
	roomWithin = time.Second
)

// bodies reads the bodies of requests before they take a slot, so that a client that sends slowly blocks no other.
type bodies struct {
	short, long *budget
	shed        shed
}

func newBodies(claim func(*http.Request) admission.Claim) *bodies {
	return &bodies{short: newBudget(maxShortBodies, claim), long: newBudget(maxLongBodies, claim)}
}

func (b *bodies) gather(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		largest := largestBody(r)
		if r.ContentLength == 0 || r.ContentLength >= int64(largest) {
			next.ServeHTTP(w, r)
			return
		}
		g := &gathering{bodies: b, r: r, largest: largest}
		if a, ok := w.(*answer); ok {
			g.client = a.hold.client
		}
		defer g.end()
		err := g.read()
		if errors.Is(err, errNoRoom) {
			b.shed.count(BodiesFull)
			tooBusy(w)
			return
		}
		// The request keeps its own body: the server needs it to end the connection of a client that still sends
		// after its answer.
		gathered := *r
		gathered.Body = readBody{g.rest(err), r.Body}
		next.ServeHTTP(w, &gathered)
	})
}

// largestBody returns how much of r's body is read, in bytes; 0 if no handler reads it.
func largestBody(r *http.Request) int {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/circle/") && strings.HasSuffix(r.URL.Path, "/roster"):
			return maxFile
		case strings.HasPrefix(r.URL.Path, "/api/"):
			return maxBody
		}
	}
	return 0
}

// readBody is a body that was read in part or in full.
type readBody struct {
	io.Reader
	io.Closer
}

// failing is the end of an unreadable body.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// gathering is a body that is being read.
type gathering struct {
	*bodies
	r      *http.Request
	client client // nil if it has no deadlines
	hold   *hold
	parts  [][]byte // the first for a short body, then pieces; only the last has room
	n      int      // bytes in them
	late   bool     // there is more than largest

	largest int // bytes that are read
}

// read returns nil once the whole body, or largest bytes of it, are read.
func (g *gathering) read() error {
	ctx, began := g.r.Context(), time.Now()
	size := shortBody / 4
	if g.r.ContentLength > 0 {
		size = int(min(g.r.ContentLength, shortBody))
	}
	g.hold = g.short.of(g)
	if err := g.hold.grow(ctx, size, roomWithin); err != nil {
		return err
	}
	g.parts = [][]byte{make([]byte, 0, size)}
	for {
		last := &g.parts[len(g.parts)-1]
		if len(*last) == cap(*last) || g.n == g.largest {
			if g.n == g.largest {
				g.late = true
				return g.done(nil)
			}
			if err := g.enlarge(ctx); err != nil {
				return err
			}
			last = &g.parts[len(g.parts)-1]
		}
		if g.client != nil {
			if err := g.client.SetReadDeadline(began.Add(sendWithin + time.Duration(g.n/sendRate)*time.Second)); err != nil {
				return err
			}
		}
		room := (*last)[len(*last):min(cap(*last), len(*last)+g.largest-g.n)]
		n, err := g.r.Body.Read(room)
		*last, g.n = (*last)[:len(*last)+n], g.n+n
		switch {
		case errors.Is(err, io.EOF):
			return g.done(nil)
		case err != nil:
			return g.done(err)
		}
	}
}

// done lifts the deadline: the client has done its part.
func (g *gathering) done(err error) error {
	g.hold.settle()
	if err != nil {
		if g.hold.wasCut {
			return errNoRoom
		}
		return err
	}
	if g.client != nil {
		return g.client.SetReadDeadline(time.Time{})
	}
	return nil
}

// enlarge makes room for more: the same again for a short body, another piece for a long one.
func (g *gathering) enlarge(ctx context.Context) error {
	if g.n < shortBody {
		size := min(2*g.n, shortBody)
		if err := g.hold.grow(ctx, size-g.n, roomWithin); err != nil {
			return err
		}
		g.parts[0] = append(make([]byte, 0, size), g.parts[0]...)
		return nil
	}
	to, more := g.hold, piece
	if g.hold.budget == g.short {
		to, more = g.long.of(g), shortBody+piece
	}
	if err := to.grow(ctx, more, roomWithin); err != nil {
		return err
	}
	if to != g.hold {
		g.hold.end()
		g.hold = to
	}
	next, there := sparePieces.Get().(*[piece]byte)
	if !there {
		next = new([piece]byte)
	}
	g.parts = append(g.parts, next[:0])
	return nil
}

var sparePieces sync.Pool // of *[piece]byte

// of returns a hold for a body that can be cut while it is read.
func (b *budget) of(g *gathering) *hold {
	return &hold{budget: b, r: g.r, client: g.client, sends: true}
}

// rest returns the body for the handler; err is the error of reading it.
func (g *gathering) rest(err error) io.Reader {
	all := make([]io.Reader, 0, len(g.parts)+1)
	for _, p := range g.parts {
		all = append(all, bytes.NewReader(p))
	}
	switch {
	case err != nil:
		all = append(all, failing{err})
	case g.late:
		all = append(all, g.r.Body)
	case len(all) == 1:
		return all[0]
	}
	return io.MultiReader(all...)
}

// end frees the body's buffers: the body is not read once its handler has returned.
func (g *gathering) end() {
	if g.hold == nil {
		return
	}
	g.hold.end()
	for _, p := range g.parts[min(1, len(g.parts)):] {
		sparePieces.Put((*[piece]byte)(p[:piece]))
	}
}
