package api

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
	read     func(d *jsontext.Decoder, into reflect.Value) (right bool, err error)
	message  string // of the fault
	required bool
	enum     []string
}

// shapeOf reads the tags json and enum of a struct.
func shapeOf(t reflect.Type) *shape {
	s := &shape{byName: map[string]int{}}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		m := member{name: name, at: f.Index, required: options == ""}
		switch {
		case f.Type.Kind() == reflect.Interface:
			m.read = readOver
		case f.Type == reflect.TypeFor[whole]():
			m.read, m.message = readWhole, "This must be a whole number."
		case f.Type == reflect.TypeFor[*whole]():
			m.read, m.message = readOptionalWhole, "This must be a whole number."
			if f.Tag.Get("nullable") == "true" {
				m.read, m.message = readNullableWhole, "This must be a whole number or null."
			}
		case f.Type == reflect.TypeFor[[]whole]():
			m.read, m.message = readWholes, "This must be a list of whole numbers."
		case f.Type == reflect.TypeFor[*rubric]():
			m.read, m.message = readRubric, notRubric
		case f.Type == reflect.TypeFor[rubricChange]():
			m.read, m.message = readRubricChange, notRubric
		case f.Type == reflect.TypeFor[credential]():
			m.read, m.message = readRaw, "This must be an object."
		case f.Type == reflect.TypeFor[*string]():
			m.read, m.message = readOptionalText, "This must be a text or null."
		case f.Type == reflect.TypeFor[*bool]():
			m.read, m.message = readOptionalBool, "This must be true or false."
		case f.Type.Kind() == reflect.Bool:
			m.read, m.message = readBool, "This must be true or false."
		case f.Type.Kind() == reflect.Slice, f.Type.Kind() == reflect.Map, f.Type.Kind() == reflect.Struct:
			m.read, m.message = readPart, "This is not of the form that is asked for."
		case f.Type.Kind() == reflect.String:
			m.read, m.message = readText, "This must be a text."
		default:
			panic(fmt.Sprintf("the field %s of a body has a type that is not read: %v", name, f.Type))
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			m.enum = strings.Split(enum, ",")
			m.message = "This must be one of " + strings.Join(m.enum, ", ") + "."
		}
		s.byName[name] = len(s.members)
		s.members = append(s.members, m)
	}
	return s
}

// checkUpdate panics unless a PUT of body keeps the fields that its client does not know: an optional member is a
// pointer, whose nil keeps the stored value, or says absent:"empty", as the members of the first release do.
func checkUpdate(operation string, body reflect.Type) {
	for _, f := range reflect.VisibleFields(body) {
		_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		keeps := f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Interface || f.Type == reflect.TypeFor[rubricChange]()
		if !f.Anonymous && options != "" && !keeps && f.Tag.Get("absent") != "empty" {
			panic(fmt.Sprintf("%s: the optional field %s must be a pointer, so that a client that does not know it keeps it", operation, f.Name))
		}
	}
}

// admits reports whether the member's enum, if any, has a field's value. A nil pointer is absent.
func (m member) admits(field reflect.Value) bool {
	if m.enum == nil || (field.Kind() == reflect.Pointer && field.IsNil()) {
		return true
	}
	return slices.Contains(m.enum, reflect.Indirect(field).String())
}

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

func readOver(d *jsontext.Decoder, _ reflect.Value) (bool, error) { return true, pass(d, nil) }

func readText(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() != '"' {
		return false, pass(d, nil)
	}
	token, err := d.ReadToken()
	if err == nil {
		into.SetString(token.String())
	}
	return true, err
}

// readOptionalText treats null as absent.
func readOptionalText(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() == 'n' {
		return true, pass(d, nil)
	}
	text := new(string)
	right, err := readText(d, reflect.ValueOf(text).Elem())
	into.Set(reflect.ValueOf(text))
	return right, err
}

func readBool(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if kind := d.PeekKind(); kind != 't' && kind != 'f' {
		return false, pass(d, nil)
	}
	token, err := d.ReadToken()
	if err == nil {
		into.SetBool(token.Bool())
	}
	return true, err
}

func readOptionalBool(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	yes := new(bool)
	right, err := readBool(d, reflect.ValueOf(yes).Elem())
	into.Set(reflect.ValueOf(yes))
	return right, err
}

func readWhole(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() != '0' {
		return false, pass(d, nil)
	}
	text, err := d.ReadValue()
	if err != nil {
		return true, err
	}
	n, exact := parseWhole(string(text))
	into.SetInt(n)
	return exact, nil
}

func readOptionalWhole(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	n := new(whole)
	right, err := readWhole(d, reflect.ValueOf(n).Elem())
	into.Set(reflect.ValueOf(n))
	return right, err
}

// readNullableWhole treats null as absent.
func readNullableWhole(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() == 'n' {
		return true, pass(d, nil)
	}
	return readOptionalWhole(d, into)
}

// maxWholes bounds a list of whole numbers.
const maxWholes = 100

func readWholes(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() != '[' {
		return false, pass(d, nil)
	}
	if _, err := d.ReadToken(); err != nil {
		return false, err
	}
	list, right := []whole{}, true
	for d.PeekKind() != ']' {
		var n whole
		exact, err := readWhole(d, reflect.ValueOf(&n).Elem())
		if err != nil {
			return false, err
		}
		if right = right && exact && len(list) < maxWholes; right {
			list = append(list, n)
		}
	}
	_, err := d.ReadToken()
	into.Set(reflect.ValueOf(list))
	return right, err
}

// readPart reads lists and objects, which may hold neither unknown members nor null.
func readPart(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	var b bytes.Buffer
	if err := pass(d, jsontext.NewEncoder(&b)); err != nil {
		return true, err
	}
	return !hasNull(b.Bytes()) && jsonv2.Unmarshal(b.Bytes(), into.Addr().Interface(), jsonv2.RejectUnknownMembers(true)) == nil, nil
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

// readRaw keeps an object's JSON, without white space.
func readRaw(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() != '{' {
		return false, pass(d, nil)
	}
	var b bytes.Buffer
	err := pass(d, jsontext.NewEncoder(&b))
	into.SetBytes(bytes.TrimSpace(b.Bytes()))
	return true, err
}
