// Package encode writes values as JSON (RFC 8259).
package encode

import (
	"bytes"
	"html/template"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// options make the members of maps sorted, and invalid UTF-8 U+FFFD.
var options = jsonv2.JoinOptions(jsonv2.Deterministic(true), jsontext.AllowInvalidUTF8(true))

// Append appends v as JSON. A pointer to a large value saves a copy of it.
func Append(b []byte, v any) ([]byte, error) {
	buffer := bytes.NewBuffer(b)
	err := jsonv2.MarshalWrite(buffer, v, options)
	return buffer.Bytes(), err
}

// Script returns v as JSON that may stand in a script of an HTML page, as html/template
// writes it there: characters that would end the script or a line of it are escaped.
func Script(v any) (template.JS, error) {
	b, err := Append(nil, v)
	return template.JS(scriptSafe.Replace(string(b))), err //nolint:gosec // see above
}

// scriptSafe escapes characters that occur in JSON only within strings.
var scriptSafe = strings.NewReplacer(
	"<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "\u2028", `\u2028`, "\u2029", `\u2029`,
)

// Check returns an error if values of type t cannot be encoded.
func Check(t reflect.Type) error {
	_, err := Append(nil, reflect.New(t).Interface())
	return err
}
