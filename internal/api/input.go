package api

import (
	"cmp"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"studycircle"
)

// maxFaults bounds the faults in an answer.
const maxFaults = 32

// faults are the first maxFaults faults of a request's shape.
type faults []ProblemField

func (f *faults) add(location, message string) {
	if len(*f) < maxFaults {
		*f = append(*f, ProblemField{Location: location, Message: message})
	}
}

// problem returns nil without faults.
func (f faults) problem() *Problem {
	if f == nil {
		return nil
	}
	slices.SortStableFunc(f, func(a, b ProblemField) int { return cmp.Compare(a.Location, b.Location) })
	p := newProblem(studycircle.CodeInvalid, "Some fields are not right.")
	p.Errors = f
	return p
}

// input reads requests into structs of a type: into its Body, or into its RawBody with the tag
// contentType and at most maxFile bytes, and into fields with the tags path, query or header,
// which are texts, whole numbers or lists of texts.
type input struct {
	of         reflect.Type
	parameters []parameter
	body       *shape
	bodyAt     []int
	fileType   string
}

func inputOf(t reflect.Type) *input {
	in := &input{of: t}
	for _, f := range reflect.VisibleFields(t) {
		if f.Name == "Body" {
			in.body, in.bodyAt = shapeOf(f.Type), f.Index
		} else if f.Name == "RawBody" {
			in.fileType, in.bodyAt = f.Tag.Get("contentType"), f.Index
		} else if p, ok := parameterOf(f); ok {
			in.parameters = append(in.parameters, p)
		}
	}
	return in
}

// field returns a field of the type, which has it.
func (in *input) field(name string) reflect.StructField {
	f, _ := in.of.FieldByName(name)
	return f
}

// checked is an input with rules beyond those of its fields.
type checked interface{ check(wrong *faults) }

func (in *input) read(w http.ResponseWriter, r *http.Request, into reflect.Value) *Problem {
	var wrong faults
	readParameters(r, in.parameters, into, &wrong)
	if in.body != nil {
		if problem := in.body.receive(w, r, into.FieldByIndex(in.bodyAt), &wrong); problem != nil {
			return problem
		}
	}
	if in.fileType != "" {
		file, problem := receiveFile(w, r, in.fileType, maxFile)
		if problem != nil {
			return problem
		}
		into.FieldByIndex(in.bodyAt).SetBytes(file)
	}
	if rules, ok := into.Addr().Interface().(checked); ok {
		rules.check(&wrong)
	}
	return wrong.problem()
}

// parameter is a field of an input that is read from the URL or a header.
type parameter struct {
	field       reflect.StructField
	in, name    string
	standard    string // the default if absent or empty
	number      bool
	list        bool // comma-separated texts, from least to most
	least, most int64
	enum        []string
	message     string
}

func parameterOf(f reflect.StructField) (p parameter, ok bool) {
	for _, in := range []string{"path", "query", "header"} {
		if name, there := f.Tag.Lookup(in); there {
			p.in, p.name, ok = in, name, true
		}
	}
	p.field, p.standard, p.message = f, f.Tag.Get("default"), "This is not known here."
	if enum, there := f.Tag.Lookup("enum"); there {
		p.enum = strings.Split(enum, ",")
		p.message = "This must be one of " + strings.Join(p.enum, ", ") + "."
	}
	if p.number = f.Type.Kind() == reflect.Int64; p.number {
		p.least, p.most = bound(f, "minimum", -1<<63), bound(f, "maximum", 1<<63-1)
		p.message = "This must be a whole number from " + f.Tag.Get("minimum")
		if most := f.Tag.Get("maximum"); most != "" {
			p.message += " to " + most
		}
		p.message += "."
	}
	if p.list = f.Type.Kind() == reflect.Slice; p.list {
		p.least, p.most = bound(f, "minItems", 0), bound(f, "maxItems", 1<<63-1)
		p.message = "This must be " + f.Tag.Get("minItems") + " to " + f.Tag.Get("maxItems") + " ids, separated by commas."
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

// readParameters ignores unknown parameters. Of duplicates the first counts.
func readParameters(r *http.Request, parameters []parameter, into reflect.Value, wrong *faults) {
	var query url.Values
	for _, p := range parameters {
		var text string
		switch p.in {
		case "path":
			text = r.PathValue(p.name)
		case "header":
			text = strings.Join(r.Header.Values(p.name), ", ")
		default:
			if query == nil {
				query = readQuery(r.URL.RawQuery, wrong, func(name string) bool {
					return slices.ContainsFunc(parameters, func(p parameter) bool { return p.in == "query" && p.name == name })
				})
			}
			text = query.Get(p.name)
		}
		if text = cmp.Or(text, p.standard); text == "" && !p.list {
			continue
		}
		if !p.set(into.FieldByIndex(p.field.Index), text) {
			wrong.add(p.in+"."+p.name, p.message)
		}
	}
}

func (p parameter) set(into reflect.Value, text string) bool {
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
func readQuery(raw string, wrong *faults, known func(string) bool) url.Values {
	values, err := url.ParseQuery(raw)
	if err == nil {
		return values
	}
	for pair := range strings.SplitSeq(raw, "&") {
		if _, err := url.ParseQuery(pair); err == nil {
			continue
		}
		if name, _, _ := strings.Cut(pair, "="); known(name) {
			wrong.add("query."+name, "This cannot be read: a % or ; must be written as %25 or %3B.")
		}
	}
	return values
}
