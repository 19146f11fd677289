// Package encode writes values as JSON (RFC 8259). It writes the bytes that
// github.com/go-json-experiment/json writes, except that invalid UTF-8 becomes U+FFFD
// where that package returns an error.
//
// The fields of a struct and their json tags are read once for each type, into a plan.
// A type's plan is the only list of its fields: no answer names them a second time.
// What a plan has no rule for, such as a map or a type with a method MarshalJSON, goes
// through that package.
package encode

import (
	"encoding"
	"fmt"
	"html/template"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
)

// Append appends v as JSON. A pointer to a large value saves a copy of it.
func Append(b []byte, v any) ([]byte, error) {
	if v == nil {
		return append(b, "null"...), nil
	}
	value := reflect.ValueOf(v)
	return planOf(value.Type())(b, value)
}

// Script returns v as JSON that may stand in a script of an HTML page, as html/template
// writes it there: characters that would end the script or a line of it are escaped.
func Script(v any) (template.JS, error) {
	b, err := Append(nil, v)
	return template.JS(scriptSafe.Replace(string(b))), err //nolint:gosec // see above
}

// scriptSafe escapes characters that occur in JSON only within strings.
var scriptSafe = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// Check returns an error if values of type t cannot be encoded.
func Check(t reflect.Type) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("encode %s: %v", t, cause)
		}
	}()
	planOf(t)
	return nil
}

// plan appends values of one type.
type plan func([]byte, reflect.Value) ([]byte, error)

var plans sync.Map // of plan, by reflect.Type

func planOf(t reflect.Type) plan {
	if known, ok := plans.Load(t); ok {
		return known.(plan) //nolint:errcheck // plans holds nothing else
	}
	made := newPlan(t)
	plans.Store(t, made)
	return made
}

func newPlan(t reflect.Type) plan {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return appendTime
	case marshals(t) || marshals(reflect.PointerTo(t)):
		return appendOther
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) ([]byte, error) { return AppendText(b, v.String()), nil }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendUint(b, v.Uint(), 10), nil }
	case reflect.Interface:
		return appendInterface
	case reflect.Pointer:
		return newPointerPlan(t.Elem())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return appendOther // base64
		}
		return newListPlan(t.Elem())
	case reflect.Struct:
		return newStructPlan(t)
	default:
		return appendOther
	}
}

// marshals reports whether t has an encoding of its own.
func marshals(t reflect.Type) bool {
	return slices.ContainsFunc([]reflect.Type{
		reflect.TypeFor[jsonv2.Marshaler](), reflect.TypeFor[jsonv2.MarshalerTo](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextAppender](),
	}, t.Implements)
}

// appendOther appends a value of a type without a plan.
func appendOther(b []byte, v reflect.Value) ([]byte, error) {
	text, err := jsonv2.Marshal(v.Interface(), jsonv2.Deterministic(true))
	return append(b, text...), err
}

func appendTime(b []byte, v reflect.Value) ([]byte, error) {
	var at time.Time
	if v.CanAddr() { // an interface that holds a pointer needs no memory
		at = *v.Addr().Interface().(*time.Time) //nolint:errcheck // planOf chose by type
	} else {
		at = v.Interface().(time.Time) //nolint:errcheck // planOf chose by type
	}
	b = append(b, '"')
	b = at.AppendFormat(b, time.RFC3339Nano)
	return append(b, '"'), nil
}

func appendInterface(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	return planOf(v.Elem().Type())(b, v.Elem())
}

func newPointerPlan(to reflect.Type) plan {
	pointed := planOf(to)
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return pointed(b, v.Elem())
	}
}

func newListPlan(of reflect.Type) plan {
	element := planOf(of)
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = element(b, v.Index(i)); err != nil {
				return b, err
			}
		}
		return append(b, ']'), nil
	}
}
