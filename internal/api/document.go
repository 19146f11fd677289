package api

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// describe adds an operation to the document, with what its types say of its parameters,
// body, answer and headers.
func (r *router) describe(e *endpoint) {
	o, schemas := &e.Operation, r.document.Components.Schemas
	for _, p := range e.input.parameters {
		schema := huma.SchemaFromField(schemas, p.field, "")
		described := &huma.Param{
			Name: p.name, In: p.in, Description: schema.Description, Schema: schema,
			Required: p.in == "path" || p.field.Tag.Get("required") == "true",
		}
		if p.in == "query" {
			described.Explode = new(bool)
		}
		o.Parameters = append(o.Parameters, described)
	}
	if e.input.body != nil {
		schema := huma.SchemaFromField(schemas, e.input.field("Body"), e.hint(e.input.of, "Body", "Request"))
		if e.once {
			schemas.SchemaFromRef(schema.Ref).Properties["id"] = requestIDSchema()
		}
		o.RequestBody = &huma.RequestBody{Required: true, Content: media(contentTypeJSON, schema)}
	}
	if e.input.fileType != "" {
		file := &huma.Schema{Type: huma.TypeString, Format: "binary"}
		o.RequestBody = &huma.RequestBody{Required: true, Content: media(e.input.fileType, file)}
		if e.once {
			id := requestIDSchema()
			o.Parameters = append(o.Parameters, &huma.Param{Name: "id", In: "query", Description: id.Description, Schema: id})
		}
	}
	if e.once && o.RequestBody == nil {
		o.RequestBody = &huma.RequestBody{Content: media(contentTypeJSON, &huma.Schema{
			Type: huma.TypeObject, Properties: map[string]*huma.Schema{"id": requestIDSchema()},
		})}
	}
	if o.Responses == nil {
		o.Responses = map[string]*huma.Response{}
	}
	r.describeAnswer(e)
	if len(o.Errors) > 0 {
		if len(e.input.parameters) > 0 || e.input.body != nil || e.once {
			o.Errors = append(o.Errors, http.StatusUnprocessableEntity)
		}
		if e.once && !slices.Contains(o.Errors, http.StatusConflict) {
			o.Errors = append(o.Errors, http.StatusConflict)
		}
		o.Errors = append(o.Errors, http.StatusInternalServerError)
	}
	r.describeProblems(o)
	if len(o.Responses) == 1 {
		o.Responses["default"] = &huma.Response{Description: "Error", Content: r.bodyOf(contentTypeProblem, Problem{})}
	}
	r.document.AddOperation(o)
}

// requestIDSchema describes the id of a request.
func requestIDSchema() *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid", Description: "A UUID that the client makes. The same id " +
		"from the same user within a day gets the first answer again, and nothing happens twice. Another request with it " +
		"is refused."}
}

// describeAnswer describes the answer of an operation that succeeds.
func (r *router) describeAnswer(e *endpoint) {
	status := strconv.Itoa(e.output.status)
	answer := e.Responses[status]
	if answer == nil {
		answer = &huma.Response{Description: http.StatusText(e.output.status)}
		e.Responses[status] = answer
	}
	for _, f := range e.output.headers {
		if f.Type.Kind() == reflect.Slice {
			f.Type = f.Type.Elem()
		}
		if answer.Headers == nil {
			answer.Headers = map[string]*huma.Param{}
		}
		answer.Headers[f.Tag.Get("header")] = &huma.Param{Schema: huma.SchemaFromField(r.document.Components.Schemas, f, "")}
	}
	schemas, body := r.document.Components.Schemas, e.output.body
	switch {
	case answer.Content != nil:
	case e.output.bare:
		answer.Content = media(contentTypeJSON, schemas.Schema(e.output.of, true, ""))
	case body != nil:
		hint := e.hint(e.output.of, "Body", "Response")
		answer.Content = media(contentTypeJSON, huma.SchemaFromField(schemas, *body, hint))
	}
}

// hint names the schema of a field of a type without a name.
func (e *endpoint) hint(of reflect.Type, field, otherwise string) string {
	if of.Name() != "" {
		return of.Name() + field
	}
	return e.OperationID + otherwise
}

func (r *router) describeProblems(o *huma.Operation) {
	for _, status := range o.Errors {
		o.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: r.bodyOf(contentTypeProblem, Problem{}),
		}
	}
}

func media(contentType string, schema *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{contentType: {Schema: schema}}
}

// bodyOf describes a body of the type of an example, or of any of several.
func (r *router) bodyOf(contentType string, examples ...any) map[string]*huma.MediaType {
	all := r.schemasOf(examples...)
	if len(all) == 1 {
		return media(contentType, all[0])
	}
	return media(contentType, &huma.Schema{AnyOf: all})
}

// schemasOf returns the schemas of the types of examples.
func (r *router) schemasOf(examples ...any) []*huma.Schema {
	if r.document == nil {
		return nil
	}
	all := make([]*huma.Schema, len(examples))
	for i, example := range examples {
		all[i] = r.document.Components.Schemas.Schema(reflect.TypeOf(example), true, "")
	}
	return all
}

// headersOf describes headers, which are texts or, if they count, whole numbers.
func headersOf(names ...string) map[string]*huma.Param {
	all := map[string]*huma.Param{}
	for _, name := range names {
		all[name] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
		if strings.HasSuffix(name, "-Count") {
			all[name].Schema = &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
		}
	}
	return all
}

// revalidated describes the responses of an operation that returns an *answer with the type of
// one of examples.
func (r *router) revalidated(etag string, problems []int, examples ...any) map[string]*huma.Response {
	o := huma.Operation{Errors: problems, Responses: map[string]*huma.Response{
		"200": {
			Description: http.StatusText(http.StatusOK), Content: r.bodyOf(contentTypeJSON, examples...),
			Headers: headersOf("ETag", "Cache-Control"),
		},
		"304": {Description: http.StatusText(http.StatusNotModified)},
	}}
	o.Responses["200"].Headers["ETag"].Description = etag
	r.describeProblems(&o)
	return o.Responses
}
