package server

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/api"
)

// Bounds of answers that wait for their clients.
const (
	// maxAnswer is how much of an answer is buffered, in bytes. A longer one is sent in
	// parts while the request's slot is released.
	maxAnswer = 256 << 10
	// maxAnswers bounds the buffers of all waiting answers, in bytes.
	maxAnswers = 24 << 20
	// A client has takeWithin to take a part, and a second more for each takeRate bytes.
	takeWithin = 5 * time.Second
	takeRate   = 4 << 10
	// maxSpare is the largest buffer that is reused, in bytes.
	maxSpare = 64 << 10
)

// answer buffers a handler's answer and sends it once the request has released its slot,
// so that a slow client blocks no other request. An answer without a slot, such as a file
// of the build, is sent as it is written. A handler that flushes streams, and sets
// deadlines by itself.
type answer struct {
	http.ResponseWriter
	r       *http.Request
	slot    *admission.Slot // nil if the request has none
	hold    hold
	measure func(status int) // nil if it is not measured
	status  int
	body    []byte
	sending bool // the header has been sent
	stream  bool
}

var spareAnswers sync.Pool // of *answer

// answering runs next and sends its answer when it returns. A panic of next becomes an
// internal error, or a broken connection if the header has been sent.
func answering(next http.Handler, held *budget) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, there := spareAnswers.Get().(*answer)
		if !there {
			a = &answer{}
		}
		a.begin(w, r, held)
		defer a.end()
		next.ServeHTTP(a, r)
	})
}

func (a *answer) begin(w http.ResponseWriter, r *http.Request, held *budget) {
	*a = answer{ResponseWriter: w, r: r, body: a.body[:0]}
	a.hold = hold{budget: held, r: r}
	a.hold.client, _ = w.(client) // the recorders of tests are no clients
}

func (a *answer) end() {
	if p := recover(); p != nil {
		a.failed(p)
	}
	if a.measure != nil && !a.stream {
		a.measure(cmp.Or(a.status, http.StatusOK))
	}
	if err := a.send(a.body); err != nil {
		slog.DebugContext(a.r.Context(), "answer not taken", "error", err)
	}
	spare := a.body
	if cap(spare) > maxSpare {
		spare = nil
	}
	*a = answer{body: spare}
	spareAnswers.Put(a)
}

func (a *answer) failed(p any) {
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so too
		panic(p)
	}
	slog.ErrorContext(a.r.Context(), "panic", "panic", p, "path", a.r.URL.Path, "stack", string(debug.Stack()))
	if a.sending {
		panic(http.ErrAbortHandler) // a partial answer must not look complete
	}
	a.status, a.body = 0, a.body[:0]
	h := a.Header()
	for name := range h {
		if name != "X-Content-Type-Options" && name != "X-Request-Id" && name != "Strict-Transport-Security" {
			delete(h, name)
		}
	}
	api.WriteProblem(
		a, studycircle.Errorf(studycircle.CodeInternal, "Something went wrong on our side. Please try again."),
	)
}

// Unwrap serves http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	switch {
	case status < http.StatusOK:
		a.ResponseWriter.WriteHeader(status)
	case a.status == 0:
		a.status = status
	}
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	if a.stream {
		return a.ResponseWriter.Write(p)
	}
	if a.slot == nil {
		return len(p), a.part(p)
	}
	if len(a.body)+len(p) <= maxAnswer {
		a.body = append(a.body, p...)
		return len(p), nil
	}
	if err := a.part(a.body); err != nil {
		return 0, err
	}
	a.body = a.body[:0]
	for sent := 0; sent < len(p); {
		next := p[sent:min(sent+maxAnswer, len(p))]
		if err := a.part(next); err != nil {
			return sent, err
		}
		sent += len(next)
	}
	return len(p), nil
}

// FlushError serves http.ResponseController.
func (a *answer) FlushError() error {
	if err := a.part(a.body); err != nil {
		return err
	}
	a.body, a.stream = nil, true
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// SetReadDeadline ignores the framework's deadline for bodies: the body has been read, and
// the request may wait longer.
func (a *answer) SetReadDeadline(t time.Time) error {
	if !t.IsZero() {
		return nil
	}
	return http.NewResponseController(a.ResponseWriter).SetReadDeadline(t)
}

// part sends a part of an answer while the request's slot is released.
func (a *answer) part(p []byte) error {
	send := func() error {
		a.header()
		return a.put(p)
	}
	if a.slot == nil {
		return send()
	}
	return a.slot.Without(a.r.Context(), send)
}

// send sends the rest of an answer.
func (a *answer) send(p []byte) error {
	if a.stream {
		return nil
	}
	if !a.sending {
		h := a.Header()
		if a.slot != nil && h["Content-Length"] == nil && h["Transfer-Encoding"] == nil && hasBody(a.r.Method, a.status) {
			h["Content-Length"] = []string{strconv.Itoa(len(p))}
		}
		a.header()
	}
	return a.put(p)
}

// hasBody reports whether an answer has a body.
func hasBody(method string, status int) bool {
	return method != http.MethodHead && status != http.StatusNoContent && status != http.StatusNotModified
}

func (a *answer) header() {
	if a.sending {
		return
	}
	a.sending = true
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.ResponseWriter.WriteHeader(a.status)
}

// put sends p until the client stops taking it.
func (a *answer) put(p []byte) error {
	if a.hold.client == nil {
		return a.write(p)
	}
	held := len(p)
	if a.slot == nil {
		held = 0 // other clients share it
	}
	a.hold.begin(held, time.Now().Add(takeWithin+time.Duration(len(p)/takeRate)*time.Second))
	err := a.flush(p)
	if a.hold.end() {
		return errNoRoom
	}
	return err
}

// flush writes p and flushes it, so that nothing is left to be sent later.
func (a *answer) flush(p []byte) error {
	if err := a.write(p); err != nil {
		return err
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// write ignores bodies that HTTP forbids, because handlers answer HEAD as GET.
func (a *answer) write(p []byte) error {
	_, err := a.ResponseWriter.Write(p) //nolint:gosec // what a handler wrote, with the type that it gave
	if errors.Is(err, http.ErrBodyNotAllowed) {
		return nil
	}
	return err
}
