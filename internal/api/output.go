package api

import (
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

// sender is an answer that writes itself.
type sender interface{ send(http.ResponseWriter) }

// answerOf returns a function that writes an O: its fields with the tag header, which are
// texts, lists of texts or numbers, and its Body, if any, as JSON.
func answerOf[O any](status int) func(http.ResponseWriter, *O) {
	t := reflect.TypeFor[O]()
	if reflect.PointerTo(t).Implements(reflect.TypeFor[sender]()) {
		return func(w http.ResponseWriter, out *O) {
			itself, _ := any(out).(sender) // checked above
			itself.send(w)
		}
	}
	body, hasBody := t.FieldByName("Body")
	if hasBody {
		if err := encode.Check(body.Type); err != nil {
			panic(err)
		}
	}
	if status == 0 {
		if status = http.StatusNoContent; hasBody {
			status = http.StatusOK
		}
	}
	return func(w http.ResponseWriter, out *O) {
		h := w.Header()
		if out == nil {
			w.WriteHeader(status)
			return
		}
		v := reflect.ValueOf(out).Elem()
		for i := range t.NumField() {
			if name := t.Field(i).Tag.Get("header"); name != "" {
				addHeader(h, name, v.Field(i).Interface())
			}
		}
		if !hasBody {
			w.WriteHeader(status)
			return
		}
		h["Content-Type"] = contentJSON
		w.WriteHeader(status)
		writeJSON(w, v.FieldByIndex(body.Index).Interface())
	}
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
func (a *eitherAnswer) send(w http.ResponseWriter) {
	w.Header()["Content-Type"] = contentJSON
	writeJSON(w, a.body)
}

// eitherOf describes an operation whose eitherAnswer has the type of one of examples.
func eitherOf(r *router, described huma.Operation, examples ...any) huma.Operation {
	schemas := r.document.OpenAPI().Components.Schemas
	either := make([]*huma.Schema, len(examples))
	for i, example := range examples {
		t := reflect.TypeOf(example)
		if err := encode.Check(t); err != nil {
			panic(err)
		}
		either[i] = schemas.Schema(t, true, "")
	}
	described.Responses = map[string]*huma.Response{
		"200": {Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{OneOf: either}}}},
	}
	return described
}
