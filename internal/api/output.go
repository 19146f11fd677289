package api

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
	"studycircle/internal/encode"
)

// rendered marks HTML of package markdown, which sanitised it, as safe; "" if a page
// leaves it out.
func rendered(html string) template.HTML {
	if html == studycircle.Unrendered {
		return ""
	}
	return template.HTML(html) //nolint:gosec // see above
}

// sender is an answer that writes itself. An error comes before anything is written.
type sender interface {
	send(w http.ResponseWriter, r *http.Request) error
}

// stream is an answer that is written as it is made.
type stream func(http.ResponseWriter) error

// send implements sender.
func (s stream) send(w http.ResponseWriter, _ *http.Request) error { return s(w) }

// streamed lets do write the answer itself.
func streamed[I any](do func(context.Context, http.ResponseWriter, I) error) func(context.Context, I) (stream, error) {
	return func(ctx context.Context, in I) (stream, error) {
		return func(w http.ResponseWriter) error { return do(ctx, w, in) }, nil
	}
}

// output writes answers of a type: a sender, or a pointer to a struct. Of a struct with a Body
// or fields with the tag header, which are texts, lists of texts or numbers, it sends these; any
// other struct is the body itself. A body is sent as JSON.
type output struct {
	of      reflect.Type
	status  int
	sends   bool // is a sender
	headers []reflect.StructField
	body    *reflect.StructField
	bare    bool // the struct is the body
}

func outputOf(t reflect.Type, status int) *output {
	out := &output{of: t, status: status, sends: t.Implements(reflect.TypeFor[sender]())}
	if t.Kind() == reflect.Pointer {
		out.of = t.Elem()
	}
	if out.of.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(out.of) {
			switch {
			case f.Name == "Body":
				if err := encode.Check(f.Type); err != nil {
					panic(err)
				}
				out.body = &f
			case f.Tag.Get("header") != "":
				out.headers = append(out.headers, f)
			}
		}
	}
	if out.bare = !out.sends && out.body == nil && out.headers == nil && out.of.NumField() > 0; out.bare {
		if err := encode.Check(out.of); err != nil {
			panic(err)
		}
	}
	if out.status == 0 {
		if out.status = http.StatusNoContent; out.body != nil || out.bare || out.sends {
			out.status = http.StatusOK
		}
	}
	return out
}

func (o *output) send(w http.ResponseWriter, r *http.Request, out any) error {
	if itself, ok := out.(sender); ok {
		return itself.send(w, r)
	}
	v := reflect.ValueOf(out).Elem()
	if !v.IsValid() { // nil is an empty answer
		w.WriteHeader(o.status)
		return nil
	}
	for _, f := range o.headers {
		addHeader(w.Header(), f.Tag.Get("header"), v.FieldByIndex(f.Index).Interface())
	}
	switch {
	case o.body != nil:
		out = v.FieldByIndex(o.body.Index).Addr().Interface()
	case !o.bare:
		w.WriteHeader(o.status)
		return nil
	}
	w.Header()["Content-Type"] = contentJSON
	w.WriteHeader(o.status)
	writeJSON(w, out)
	return nil
}

func addHeader(h http.Header, name string, value any) {
	switch value := value.(type) {
	case string:
		if value != "" {
			h.Set(name, value)
		}
	case []string:
		for _, text := range value {
			h.Add(name, text)
		}
	case int64:
		h.Set(name, strconv.FormatInt(value, 10))
	default:
		panic(fmt.Sprintf("the header %s has a type that is not sent: %T", name, value))
	}
}

// writeJSON writes v as a body.
func writeJSON(w http.ResponseWriter, v any) {
	body, err := encode.Append(nil, v)
	if err != nil {
		panic(fmt.Errorf("encode %T: %w", v, err)) // every type of an answer was checked when its operation was registered
	}
	_, _ = w.Write(body) //nolint:gosec // JSON, sent as such; an error means that the client has gone
}

// eitherAnswer is an answer of one of several types.
type eitherAnswer struct{ body any }

// send implements sender.
func (a *eitherAnswer) send(w http.ResponseWriter, _ *http.Request) error {
	w.Header()["Content-Type"] = contentJSON
	writeJSON(w, a.body)
	return nil
}

// eitherOf describes an operation whose eitherAnswer has the type of one of examples.
func eitherOf(r *router, described huma.Operation, examples ...any) huma.Operation {
	for _, example := range examples {
		if err := encode.Check(reflect.TypeOf(example)); err != nil {
			panic(err)
		}
	}
	described.Responses = map[string]*huma.Response{"200": {
		Description: http.StatusText(http.StatusOK),
		Content:     media(contentTypeJSON, &huma.Schema{OneOf: r.schemasOf(examples...)}),
	}}
	return described
}
