package api

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"studycircle"
	"studycircle/internal/admission"
	"studycircle/internal/service"
)

// A request that creates or sends something may have an id that its client has made, a UUID: in the JSON body as id, or
// as a parameter of the query where the body is a file. The same id from the same user within a day gets the answer
// that the first request got, and nothing happens twice. The store claims the id in the transaction of what the request
// writes, so a request that is refused leaves nothing and is decided anew when it is sent again. A request without an
// id pays nothing.

const (
	// maxAlone is the largest body that is read for an id alone, in bytes.
	maxAlone = 1 << 10
	// answerPatience is how long a repeated request waits for the answer to the first one, at most.
	answerPatience = 5 * time.Second
	// answerLookEvery is how often it looks.
	answerLookEvery = 50 * time.Millisecond
)

// createsOrSends reports whether the requests of an operation may have an id, unless its options say otherwise. In
// /api/auth/ the answers hold cookies and tokens, which must be new, and each code is used once.
func (e *endpoint) createsOrSends() bool {
	return e.Method == http.MethodPost && e.audience == signedIn && !strings.HasPrefix(e.Path, "/api/auth/")
}

// newID returns an id to read into; nil for an operation whose requests have none.
func (e *endpoint) newID() *requestID {
	if !e.once {
		return nil
	}
	return &requestID{}
}

// requestID is the id of a request, with what it is an id of. A nil one is of an operation without.
type requestID struct {
	text string // in lower case; "" without one
	body xxhash.Digest
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// set takes an id. It adds a fault for one that is no UUID.
func (id *requestID) set(text, location string, wrong *faults) {
	text = strings.ToLower(text)
	if !uuid.MatchString(text) {
		wrong.add(location, "This must be a UUID, such as 8c5f2a4e-3b1d-4f6a-9d2e-7a1b3c5d7e9f.")
		return
	}
	id.text = text
}

// hashing returns a reader of a body that hashes what it reads.
func (id *requestID) hashing(body io.Reader) io.Reader {
	if id == nil {
		return body
	}
	id.body.Reset()
	return io.TeeReader(body, &id.body)
}

// isNamed reports whether a member of a body is the id.
func (id *requestID) isNamed(quoted []byte) bool { return id != nil && string(quoted) == `"id"` }

// read reads the id from a body.
func (id *requestID) read(d *jsontext.Decoder, wrong *faults) error {
	if d.PeekKind() != '"' {
		id.set("", "body.id", wrong)
		return pass(d, nil)
	}
	quoted, err := d.ReadValue()
	if err != nil {
		return err
	}
	text, err := jsontext.AppendUnquote(nil, quoted)
	id.set(string(text), "body.id", wrong)
	return err
}

// readQuery reads the id of a request whose body is a file.
func (id *requestID) readQuery(r *http.Request, file []byte, wrong *faults) {
	if id == nil {
		return
	}
	if given := wrong.one(r.URL.Query(), "id"); given != "" {
		id.set(given, "query.id", wrong)
	}
	id.body.Reset()
	_, _ = id.body.Write(file) // a hash returns no error
}

// readAlone reads the id of a request of an operation without a body. What is no JSON object with an id is ignored.
func (id *requestID) readAlone(w http.ResponseWriter, r *http.Request, wrong *faults) error {
	id.body.Reset()
	body, err := receiveFile(w, r, contentTypeJSON, maxAlone)
	var in struct {
		ID jsontext.Value `json:"id"`
	}
	if err != nil || jsonv2.Unmarshal(body, &in) != nil || in.ID == nil {
		return nil //nolint:nilerr // see above
	}
	return id.read(jsontext.NewDecoder(bytes.NewReader(in.ID)), wrong)
}

// sentOnce is a request with an id.
type sentOnce struct {
	*service.Request
	cipher cipher.AEAD
}

// errReused refuses an id that was sent with another request.
var errReused = &refusedParts{"Some fields are invalid.", faults{{
	location: "body.id", message: "Another request had this id. Make a new one, or leave it out.",
}}}

// requestOf returns a user's request. The database alone tells neither the client's id nor what was asked and answered.
func requestOf(user studycircle.User, r *http.Request, id *requestID, now time.Time) (s sentOnce, err error) {
	secret := sha512.Sum512([]byte(user.ID + "\n" + id.text))
	body := strconv.FormatUint(id.body.Sum64(), 10)
	asked := sha512.Sum512_256([]byte(strings.Join(
		[]string{string(secret[:]), r.Method, r.URL.EscapedPath(), r.URL.RawQuery, body}, "\n",
	)))
	s.Request = &service.Request{
		Key: base64.RawURLEncoding.EncodeToString(secret[:32]), UserID: user.ID,
		Asked: base64.RawURLEncoding.EncodeToString(asked[:]), SentAt: now,
	}
	block, err := aes.NewCipher(secret[32:])
	if err == nil {
		s.cipher, err = cipher.NewGCMWithRandomNonce(block)
	}
	return s, err
}

// once answers a request with an id.
func (r *router) once(ctx context.Context, w http.ResponseWriter, e *endpoint, in any, id *requestID) error {
	c := callOf(ctx)
	s, err := requestOf(c.session.User, c.request, id, r.Service.Now())
	if err != nil {
		return err
	}
	first, err := r.firstAnswer(ctx, s)
	if first == nil && err == nil {
		first, err = r.answerFirst(ctx, e, in, s)
	}
	if err != nil {
		return err
	}
	maps.Copy(w.Header(), first.header)
	w.WriteHeader(first.status)
	_, _ = w.Write(first.body) // an error means that the client has gone
	return nil
}

// answerFirst runs the operation of a request that seems to be the first with its id. If it is not, it returns the
// answer to that one.
func (r *router) answerFirst(ctx context.Context, e *endpoint, in any, s sentOnce) (*keptAnswer, error) {
	own := &keptAnswer{header: http.Header{}, status: http.StatusOK}
	err := e.run(service.WithRequest(ctx, s.Request), own, callOf(ctx).request, in)
	if s.Claimed() {
		if err != nil {
			write(own, problemOf(ctx, err))
		}
		if own.status < http.StatusInternalServerError {
			r.keep(ctx, s, own)
		}
		return own, nil
	}
	if err == nil { // nothing was written
		return own, nil
	}
	// It may have been refused because of what the first one did.
	if first, failed := r.firstAnswer(ctx, s); first != nil || failed != nil {
		return first, failed
	}
	return nil, err
}

// firstAnswer returns the answer to the first request with an id; nil if there was none. It waits for an answer that is
// on its way; ErrSentBefore if it does not come. errReused if the first request was another one.
func (r *router) firstAnswer(ctx context.Context, s sentOnce) (out *keptAnswer, err error) {
	err = admission.WithoutSlot(ctx, func() error {
		for until := time.Now().Add(answerPatience); ; {
			sent, err := r.Service.SentRequest(ctx, s.Request)
			switch {
			case studycircle.CodeOf(err) == studycircle.CodeNotFound:
				return nil
			case err != nil:
				return err
			case sent.Asked != s.Asked:
				return errReused
			case sent.Answer != "":
				out, err = s.open(sent.Answer)
				return err
			case s.SentAt.Sub(sent.SentAt) > answerWithin+answerPatience || time.Now().After(until):
				return service.ErrSentBefore
			}
			select {
			case <-time.After(answerLookEvery):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	return out, err
}

// keep stores the answer to the first request, also for a client that has gone. If that fails, equal requests get
// ErrSentBefore.
func (r *router) keep(ctx context.Context, s sentOnce, first *keptAnswer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerPatience)
	defer cancel()
	sealed, err := s.seal(first)
	if err == nil {
		err = r.Service.AnswerRequest(ctx, s.Request, sealed)
	}
	if err != nil {
		slog.WarnContext(ctx, "the answer to a request is not kept; if it is sent again, it gets 409", "error", err)
	}
}

// keptAnswer is an answer that is written later.
type keptAnswer struct {
	header http.Header
	status int
	body   []byte
}

// Header implements http.ResponseWriter.
func (a *keptAnswer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *keptAnswer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *keptAnswer) Write(some []byte) (int, error) {
	a.body = append(a.body, some...)
	return len(some), nil
}

// sealedAnswer is what is stored of an answer, encrypted.
type sealedAnswer struct {
	Status int
	Header http.Header
	Body   []byte
}

func (s sentOnce) seal(a *keptAnswer) (string, error) {
	plain, err := json.Marshal(sealedAnswer{a.status, a.header, a.body})
	sealed := s.cipher.Seal(nil, nil, plain, nil) //nolint:gosec // the cipher makes its nonce itself
	return base64.RawStdEncoding.EncodeToString(sealed), err
}

func (s sentOnce) open(sealed string) (*keptAnswer, error) {
	text, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, err
	}
	plain, err := s.cipher.Open(nil, nil, text, nil)
	if err != nil {
		return nil, err
	}
	var a sealedAnswer
	err = json.Unmarshal(plain, &a)
	return &keptAnswer{a.Header, a.Status, a.Body}, err
}
