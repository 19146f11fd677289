package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"studycircle"
)

// A request body is read once, as it arrives, straight into its expected fields. It is one
// object of valid UTF-8 without duplicate names and of bounded depth; names match exactly;
// null counts as absent only where the API document says so. Other members are skipped and
// allocate nothing.

const (
	// maxBody is the largest body, in bytes, maxFile that of a file.
	maxBody = 1 << 20
	maxFile = 4 << 20
	// maxDepth and maxNames, of one object, are far above what bodies here need. The
	// decoder remembers both while it reads.
	maxDepth = 32
	maxNames = 1024
	// bodyWithin is the time that a client has to send a body.
	bodyWithin = 5 * time.Second
	// maxKept is the largest body whose buffer is reused, in bytes.
	maxKept = 64 << 10
)

var (
	errNoObject       = errors.New("The request's body must be one JSON object.")
	errTooDeep        = errors.New("The JSON is nested too deep.")
	errTooMany        = errors.New("The JSON has an object with too many names.")
	errNotWhole       = errors.New("The request's body did not come whole.")
	errNotWholeNumber = errors.New("no whole number")
)

// decoders are reused. Each keeps a buffer of at most maxKept.
var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(nothing{}) }}

// nothing is the input of an idle decoder.
type nothing struct{}

// Read implements io.Reader.
func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// receive reads a request's body. It adds faults of fields to wrong and returns any other
// problem.
func (s *shape) receive(w http.ResponseWriter, r *http.Request, into reflect.Value, wrong *faults) *Problem {
	if !isOf(contentTypeJSON, r.Header.Get("Content-Type")) {
		return unsupported(contentTypeJSON)
	}
	if r.ContentLength > maxBody {
		return tooLarge(maxBody)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // the recorders of tests have no deadlines
	body := http.MaxBytesReader(w, r.Body, maxBody)
	d, _ := decoders.Get().(*jsontext.Decoder)
	d.Reset(body)
	err := s.read(d, into, wrong)
	if d.InputOffset() <= maxKept {
		d.Reset(nothing{})
		decoders.Put(d)
	}
	if err != nil {
		// A body that is too large is refused as such, whatever else is wrong with it.
		if _, beyond := io.Copy(io.Discard, body); beyond != nil {
			err = beyond
		}
	}
	_ = control.SetReadDeadline(time.Time{}) // the recorders of tests have no deadlines
	if err == nil || errors.Is(err, errFaulty) {
		return nil
	}
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		return tooLarge(large.Limit)
	}
	return newProblem(studycircle.CodeMalformed, describe(err).Error())
}

// receiveFile reads a body of another type than JSON.
func receiveFile(w http.ResponseWriter, r *http.Request, contentType string, largest int64) ([]byte, *Problem) {
	if !isOf(contentType, r.Header.Get("Content-Type")) {
		return nil, unsupported(contentType)
	}
	if r.ContentLength > largest {
		return nil, tooLarge(largest)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // the recorders of tests have no deadlines
	file, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	_ = control.SetReadDeadline(time.Time{}) // the recorders of tests have no deadlines
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		return nil, tooLarge(large.Limit)
	}
	if err != nil {
		return nil, newProblem(studycircle.CodeMalformed, errNotWhole.Error())
	}
	return file, nil
}

func tooLarge(largest int64) *Problem {
	return newProblem(studycircle.CodeTooLarge, fmt.Sprintf("The request's body must not be larger than %d MiB.", largest>>20))
}

const contentTypeJSON = "application/json"

func unsupported(wanted string) *Problem {
	return newProblem(studycircle.CodeUnsupportedMedia, "The request's body must be sent as "+wanted+".")
}

// isOf reports whether a Content-Type is the wanted one, in UTF-8.
func isOf(wanted, contentType string) bool {
	if contentType == wanted {
		return true
	}
	kind, parameters, err := mime.ParseMediaType(contentType)
	charset := parameters["charset"]
	return err == nil && kind == wanted && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// errFaulty ends the reading of a body that has too many names.
var errFaulty = errors.New("too many names")

func (s *shape) read(d *jsontext.Decoder, into reflect.Value, wrong *faults) error {
	if token, err := d.ReadToken(); err != nil {
		return err
	} else if token.Kind() != '{' {
		return errNoObject
	}
	var given uint64 // a bit for each member
	for names := 0; d.PeekKind() == '"'; names++ {
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		if names == maxNames {
			return errFaulty
		}
		i, known := s.byName[string(name[1:len(name)-1])]
		if !known && bytes.IndexByte(name, '\\') >= 0 {
			plain, err := jsontext.AppendUnquote(nil, name)
			if err != nil {
				return err
			}
			i, known = s.byName[string(plain)]
		}
		if !known {
			wrong.add("body."+shortName(name), "There is no such field.")
			if err := pass(d, nil); err != nil {
				return err
			}
			continue
		}
		given |= 1 << i
		m := &s.members[i]
		field := into.FieldByIndex(m.at)
		right, err := m.read(d, field)
		if err != nil {
			return err
		}
		if !right || !m.admits(field) {
			wrong.add("body."+m.name, m.message)
		}
	}
	if _, err := d.ReadToken(); err != nil { // the end of the object, or an error
		return err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if _, syntax := errors.AsType[*jsontext.SyntacticError](err); err != nil && !syntax {
			return err
		}
		return errNoObject
	}
	for i, m := range s.members {
		if m.required && given&(1<<i) == 0 {
			wrong.add("body."+m.name, "This field is required.")
		}
	}
	return nil
}

// shortName returns a name, shortened for an answer.
func shortName(quoted []byte) string {
	const most = 64
	name, _ := jsontext.AppendUnquote(nil, quoted) // the decoder has checked it
	if len(name) <= most {
		return string(name)
	}
	cut := most
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return string(name[:cut]) + "…"
}

// describe returns a sentence for the user that says why a body cannot be read.
func describe(err error) error {
	const most = 200 // bytes of the decoder's message
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("This is not valid JSON (near byte %d): %.*s.", s.ByteOffset, most, s.Err.Error())
	}
	for _, ours := range []error{errNoObject, errTooDeep, errTooMany} {
		if errors.Is(err, ours) {
			return ours
		}
	}
	if errors.Is(err, io.EOF) { // the body is empty
		return errNoObject
	}
	return errNotWhole
}
