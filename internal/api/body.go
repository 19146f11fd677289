package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
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
	errNoObject = studycircle.Errorf(studycircle.CodeMalformed, "The request's body must be one JSON object.")
	errTooDeep  = studycircle.Errorf(studycircle.CodeMalformed, "The JSON is nested too deep.")
	errTooMany  = studycircle.Errorf(studycircle.CodeMalformed, "The JSON has an object with too many names.")
	errNotWhole = studycircle.Errorf(studycircle.CodeMalformed, "The request's body is incomplete.")
)

// shape describes a body's members.
type shape struct {
	members []member
	byName  map[string]int
}

// member is a field of a body.
type member struct {
	name     string
	at       []int
	takes    string // the first characters of the JSON values that it takes, 0 for a number
	message  string // of the fault, with args
	args     []any
	required bool
	ignored  bool // what the server owns: any value is read over
	nullable bool // null is absent
	strict   bool // the type decodes itself: it may hold null
	enum     []string
}

// bodyValue is a type that decodes itself, of values that begin with one of takes.
type bodyValue interface {
	UnmarshalJSON([]byte) error
	form() (takes, message string)
}

// shapeOf reads the tags json, enum and nullable of a struct.
func shapeOf(t reflect.Type) *shape {
	s := &shape{byName: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) {
		if !f.Anonymous {
			m := bodyMember(f)
			s.byName[m.name] = len(s.members)
			s.members = append(s.members, m)
		}
	}
	return s
}

func bodyMember(f reflect.StructField) member {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	m := member{name: name, at: f.Index, required: options == "", nullable: f.Tag.Get("nullable") == "true"}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		m.nullable = m.nullable || t.Kind() == reflect.String
	}
	own, itself := reflect.TypeAssert[bodyValue](reflect.Zero(reflect.PointerTo(t)))
	switch {
	case itself:
		m.takes, m.message = own.form()
		m.strict = true
	case t.Kind() == reflect.Interface:
		m.ignored = true
	case t.Kind() == reflect.String:
		m.takes, m.message = `"`, "This must be text."
	case t.Kind() == reflect.Bool:
		m.takes, m.message = "tf", "This must be true or false."
	case t.Kind() == reflect.Slice && t.Elem() == reflect.TypeFor[whole]():
		m.takes, m.message = "[", "This must be a list of whole numbers."
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map, t.Kind() == reflect.Struct:
		m.takes, m.message = "[{", "This does not have the required form."
	default:
		panic(fmt.Sprintf("the field %s of a body has a type that is not read: %v", name, f.Type))
	}
	if m.nullable {
		m.message = strings.TrimSuffix(m.message, ".") + " or null."
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		m.enum = strings.Split(enum, ",")
		m.message, m.args = "This must be one of %s.", []any{strings.Join(m.enum, ", ")}
	}
	return m
}

// decoders are reused. Each keeps a buffer of at most maxKept.
var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(nothing{}) }}

// nothing is the input of an idle decoder.
type nothing struct{}

// Read implements io.Reader.
func (nothing) Read([]byte) (int, error) { return 0, io.EOF }

// receive reads a request's body. It adds faults of fields to wrong and returns any other
// problem.
func (s *shape) receive(
	w http.ResponseWriter, r *http.Request, into reflect.Value, wrong *faults, id *requestID,
) error {
	if err := sentAs(contentTypeJSON, r.Header); err != nil {
		return err
	}
	if r.ContentLength > maxBody {
		return tooLarge(maxBody)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // the recorders of tests have no deadlines
	body := http.MaxBytesReader(w, r.Body, maxBody)
	d, _ := decoders.Get().(*jsontext.Decoder)
	d.Reset(id.hashing(body))
	err := s.read(d, into, wrong, id)
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
	return describe(err)
}

// errFaulty ends the reading of a body that has too many names.
var errFaulty = errors.New("too many names")

func (s *shape) read(d *jsontext.Decoder, into reflect.Value, wrong *faults, id *requestID) error {
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
			if id.isNamed(name) {
				err = id.read(d, wrong)
			} else {
				wrong.add("body."+shortName(name), "There is no such field.")
				err = pass(d, nil)
			}
			if err != nil {
				return err
			}
			continue
		}
		given |= 1 << i
		m := &s.members[i]
		right, err := m.read(d, into.FieldByIndex(m.at))
		if err != nil {
			return err
		}
		if !right {
			wrong.add("body."+m.name, m.message, m.args...)
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

// read reads a member's value into its field. It returns false for one of another form, and
// an error if the body cannot be read on.
func (m *member) read(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	kind := d.PeekKind()
	switch {
	case m.ignored, m.nullable && kind == 'n':
		return true, pass(d, nil)
	case strings.IndexByte(m.takes, byte(kind)) < 0:
		return false, pass(d, nil)
	}
	var value jsontext.Value
	var err error
	if kind == '{' || kind == '[' {
		var b bytes.Buffer
		if err = pass(d, jsontext.NewEncoder(&b)); err == nil && !m.strict && hasNull(b.Bytes()) {
			return false, nil
		}
		value = bytes.TrimSpace(b.Bytes())
	} else {
		value, err = d.ReadValue()
	}
	if err != nil {
		return false, err
	}
	err = jsonv2.Unmarshal(value, into.Addr().Interface(), jsonv2.RejectUnknownMembers(true))
	return err == nil && m.admits(into), nil // a field that is not right, in a body that is
}

// admits reports whether the member's enum, if any, has a field's value, and a list of whole
// numbers is not too long. A nil pointer is absent.
func (m *member) admits(field reflect.Value) bool {
	field = reflect.Indirect(field)
	if m.takes == "[" {
		return field.Len() <= maxWholes
	}
	return m.enum == nil || slices.Contains(m.enum, field.String())
}

// maxWholes bounds a list of whole numbers.
const maxWholes = 100

// pass skips a value. If out is not nil, it copies the value there.
func pass(d *jsontext.Decoder, out *jsontext.Encoder) error {
	outside := d.StackDepth()
	for {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		if out != nil {
			if err := out.WriteToken(token); err != nil {
				return err
			}
		}
		depth := d.StackDepth()
		if depth > maxDepth {
			return errTooDeep
		}
		if kind, length := d.StackIndex(depth); kind == '{' && length > 2*maxNames { // names and values
			return errTooMany
		}
		if depth == outside {
			return nil
		}
	}
}

// hasNull reports whether valid JSON contains null.
func hasNull(text []byte) bool {
	for d := jsontext.NewDecoder(bytes.NewReader(text)); ; {
		switch token, err := d.ReadToken(); {
		case err != nil:
			return false // the end of the text
		case token.Kind() == 'n':
			return true
		}
	}
}

// checkUpdate panics unless a PUT of body keeps the fields that its client does not know: an optional member is a
// pointer, whose nil keeps the stored value, or says absent:"empty", as the members of the first release do.
func checkUpdate(operation string, body reflect.Type) {
	for _, f := range reflect.VisibleFields(body) {
		_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		keeps := f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Interface ||
			f.Type == reflect.TypeFor[rubricChange]()
		if !f.Anonymous && options != "" && !keeps && f.Tag.Get("absent") != "empty" {
			panic(fmt.Sprintf(
				"%s: the optional field %s must be a pointer, so that a client that does not know it keeps it", operation, f.Name,
			))
		}
	}
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

// describe returns an error for the user that says why a body cannot be read.
func describe(err error) *studycircle.Error {
	const most = 200 // bytes of the decoder's message
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return studycircle.Errorf(
			studycircle.CodeMalformed, "This is not valid JSON (near byte %d): %.*s.", s.ByteOffset, most, s.Err.Error(),
		)
	}
	if ours, ok := errors.AsType[*studycircle.Error](err); ok {
		return ours
	}
	if errors.Is(err, io.EOF) { // the body is empty
		return errNoObject
	}
	return errNotWhole
}
