package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Request bodies are read strictly: one object, no name twice, valid UTF-8, not
// nested too deep, names matched to the letter, null never taken for "absent".

// maxDepth is far above what any body here needs.
const maxDepth = 32

var (
	errNoObject = errors.New("The body must be one JSON object.")
	errTooDeep  = errors.New("The JSON is nested too deep.")
)

// explicitNull stands for a null in a body; no schema accepts it.
type explicitNull struct{}

// whole is an integer; 10.0 is 10.
type whole int64

// Schema implements huma.SchemaProvider.
func (whole) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
}

// UnmarshalJSON implements json.Unmarshaler. What no int64 holds becomes the
// nearest that does: it is out of every bound.
func (n *whole) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return err
	}
	switch {
	case f >= math.MaxInt64:
		*n = math.MaxInt64
	case f <= math.MinInt64:
		*n = math.MinInt64
	default:
		*n = whole(f)
	}
	return nil
}

func jsonFormat() huma.Format {
	return huma.Format{
		Marshal: encodeJSON,
		Unmarshal: func(data []byte, v any) error {
			loose, untyped := v.(*any)
			if !untyped {
				return jsonv2.Unmarshal(data, v)
			}
			object, err := strictObject(data)
			*loose = object
			return err
		},
	}
}

func encodeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// strictObject reads data into maps, slices and scalars for validation.
func strictObject(data []byte) (any, error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data)) // which it reads where it is
	if decoder.PeekKind() != '{' {
		if _, err := decoder.ReadValue(); err != nil && !errors.Is(err, io.EOF) {
			return nil, describe(err)
		}
		return nil, errNoObject
	}
	v, err := readValue(decoder)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errNoObject
	}
	return v, nil
}

func readValue(d *jsontext.Decoder) (any, error) {
	if d.StackDepth() > maxDepth {
		return nil, errTooDeep
	}
	token, err := d.ReadToken()
	if err != nil {
		return nil, describe(err)
	}
	switch token.Kind() {
	case '{':
		return readObject(d)
	case '[':
		return readArray(d)
	case 'n':
		return explicitNull{}, nil
	case 't', 'f':
		return token.Bool(), nil
	case '0':
		// Beyond float64's range this is an infinity, which is out of every bound.
		f, err := strconv.ParseFloat(token.String(), 64)
		if errors.Is(err, strconv.ErrRange) {
			err = nil
		}
		return f, err
	default:
		return token.String(), nil
	}
}

func readObject(d *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, describe(err)
		}
		key := name.String()
		if object[key], err = readValue(d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return object, describe(err)
}

func readArray(d *jsontext.Decoder) (any, error) {
	array := []any{}
	for d.PeekKind() != ']' {
		v, err := readValue(d)
		if err != nil {
			return nil, err
		}
		array = append(array, v)
	}
	_, err := d.ReadToken()
	return array, describe(err)
}

func describe(err error) error {
	if err == nil {
		return nil
	}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("This is not valid JSON (near byte %d): %w.", s.ByteOffset, s.Err)
	}
	return errNoObject
}
