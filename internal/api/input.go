package api

import (
	"cmp"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxFaults bounds the faults in an answer.
const maxFaults = 32

// fault is what is wrong with a part of a request.
type fault struct {
	location string // such as query.page
	message  string // and args as in studycircle.Error
	args     []any
	line     int64 // of a file; 0 for none
}

// faults are the first maxFaults faults of a request's shape.
type faults []fault

func (f *faults) add(location, message string, args ...any) {
	if len(*f) < maxFaults {
		*f = append(*f, fault{location: location, message: message, args: args})
	}
}

// one returns a parameter of a query, "" without it or with a fault.
func (f *faults) one(query url.Values, name string) string {
	text, _ := f.once(query, name)
	return text
}

// once is one, and reports whether there is no fault. It adds one if the parameter is given more than once: two readers
// could each take another one.
func (f *faults) once(query url.Values, name string) (text string, ok bool) {
	if len(query[name]) > 1 {
		f.add("query."+name, "This is given more than once.")
		return "", false
	}
	return query.Get(name), true
}

// err returns nil without faults.
func (f faults) err() error {
	if f == nil {
		return nil
	}
	slices.SortStableFunc(f, func(a, b fault) int { return cmp.Compare(a.location, b.location) })
	return &refusedParts{"Some fields are invalid.", f}
}

// refusedParts refuses a request some parts of which are not right.
type refusedParts struct {
	message string
	faults  faults
}

// Error implements error.
func (r *refusedParts) Error() string { return r.message }

// input reads requests into structs of a type: into its Body, or into its RawBody with the tag
// contentType and at most maxFile bytes, and into fields with the tags path, query or header,
// which are texts, whole numbers or lists of texts.
type input struct {
	of         reflect.Type
	standard   reflect.Value // with the defaults of absent parameters
	parameters []parameter
	body       *shape
	bodyAt     []int
	fileType   string
}

func inputOf(t reflect.Type) *input {
	in := &input{of: t, standard: reflect.New(t).Elem()}
	for _, f := range reflect.VisibleFields(t) {
		if f.Name == "Body" {
			in.body, in.bodyAt = shapeOf(f.Type), f.Index
		} else if f.Name == "RawBody" {
			in.fileType, in.bodyAt = f.Tag.Get("contentType"), f.Index
		} else if p, ok := parameterOf(f); ok {
			in.parameters = append(in.parameters, p)
			if standard := f.Tag.Get("default"); standard != "" && !p.set(in.standard, standard) {
				panic("the default of " + p.name + " is not one of its values")
			}
		}
	}
	return in
}

// field returns a field of the type, which has it.
func (in *input) field(name string) reflect.StructField {
	f, _ := in.of.FieldByName(name)
	return f
}

// checked is an input with rules beyond those of its parameters.
type checked interface{ check(wrong *faults) }

// readBody reads the body, if the type has one, and the request's id unless id is nil. It adds faults of fields to
// wrong and returns any other problem.
func (in *input) readBody(
	w http.ResponseWriter, r *http.Request, into reflect.Value, wrong *faults, id *requestID,
) error {
	switch {
	case in.body != nil:
		return in.body.receive(w, r, into.FieldByIndex(in.bodyAt), wrong, id)
	case in.fileType != "":
		file, err := receiveFile(w, r, in.fileType, maxFile)
		into.FieldByIndex(in.bodyAt).SetBytes(file)
		id.readQuery(r, file, wrong)
		return err
	case id != nil:
		return id.readAlone(w, r, wrong)
	}
	return nil
}

// parameter is a field of an input that is read from the URL or a header.
type parameter struct {
	field       reflect.StructField
	in, name    string
	number      bool
	list        bool // comma-separated texts, from least to most
	least, most int64
	enum        []string
	message     string
	args        []any
}

func parameterOf(f reflect.StructField) (p parameter, ok bool) {
	for _, in := range []string{"path", "query", "header"} {
		if name, there := f.Tag.Lookup(in); there {
			p.in, p.name, ok = in, name, true
		}
	}
	p.field, p.message = f, "This is unknown here."
	if enum, there := f.Tag.Lookup("enum"); there {
		p.enum = strings.Split(enum, ",")
		p.message, p.args = "This must be one of %s.", []any{strings.Join(p.enum, ", ")}
	}
	if p.number = f.Type.Kind() == reflect.Int64; p.number {
		p.least, p.most = bound(f, "minimum", -1<<63), bound(f, "maximum", 1<<63-1)
		p.message, p.args = "This must be a whole number from %d.", []any{p.least}
		if p.most < 1<<63-1 {
			p.message, p.args = "This must be a whole number from %d to %d.", []any{p.least, p.most}
		}
	}
	if p.list = f.Type.Kind() == reflect.Slice; p.list {
		p.least, p.most = bound(f, "minItems", 0), bound(f, "maxItems", 1<<63-1)
		p.message, p.args = "This must be %d to %d ids, separated by commas.", []any{p.least, p.most}
	}
	return p, ok
}

// bound parses a numeric tag. It panics on one that is no number.
func bound(f reflect.StructField, tag string, otherwise int64) int64 {
	text, there := f.Tag.Lookup(tag)
	if !there {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// readParameters ignores unknown parameters, and refuses known ones that are given twice. An empty one is absent.
func (in *input) readParameters(r *http.Request, into reflect.Value, wrong *faults) {
	into.Set(in.standard)
	query := in.readQuery(r.URL.RawQuery, wrong)
	for i := range in.parameters {
		p := &in.parameters[i]
		text, ok := "", true
		switch p.in {
		case "path":
			text = r.PathValue(p.name)
		case "header":
			text = strings.Join(r.Header.Values(p.name), ", ")
		default:
			text, ok = wrong.once(query, p.name)
		}
		if ok && (text != "" || p.list) && !p.set(into, text) {
			wrong.add(p.in+"."+p.name, p.message, p.args...)
		}
	}
	if rules, ok := reflect.TypeAssert[checked](into.Addr()); ok {
		rules.check(wrong)
	}
}

// set sets the parameter's field of an input.
func (p *parameter) set(of reflect.Value, text string) bool {
	into := of.FieldByIndex(p.field.Index)
	if p.list {
		// One more than allowed is enough to refuse the list.
		all := strings.SplitN(text, ",", int(min(p.most, 1<<20))+1)
		if text == "" {
			all = nil
		}
		into.Set(reflect.ValueOf(all))
		return int64(len(all)) >= p.least && int64(len(all)) <= p.most
	}
	if !p.number {
		into.SetString(text)
		return p.enum == nil || slices.Contains(p.enum, text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	into.SetInt(n)
	return err == nil && n >= p.least && n <= p.most
}

// readQuery parses a query. It adds a fault for each known parameter that is badly
// escaped, and ignores unknown ones.
func (in *input) readQuery(raw string, wrong *faults) url.Values {
	if raw == "" {
		return nil
	}
	values, err := url.ParseQuery(raw)
	if err == nil {
		return values
	}
	for pair := range strings.SplitSeq(raw, "&") {
		if _, err := url.ParseQuery(pair); err == nil {
			continue
		}
		name, _, _ := strings.Cut(pair, "=")
		if slices.ContainsFunc(in.parameters, func(p parameter) bool { return p.in == "query" && p.name == name }) {
			wrong.add("query."+name, "This cannot be read: a percent sign or a semicolon must be encoded.")
		}
	}
	return values
}
