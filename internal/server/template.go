package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"text/template/parse"
)

// errNotBuilt is returned if the binary holds no web app.
var errNotBuilt = errors.New("this binary holds no web app; build it with: make build")

// pageTemplate is an HTML file of the build: the app's components, with the data of a
// request by path, escaped by context.
type pageTemplate struct {
	*template.Template
	policy string // Content-Security-Policy
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// readTemplate reads a template. named reports whether the page has data of a name. An unknown path is an error: the
// test of the first HTML reads every template of the build.
func readTemplate(dist fs.FS, file string, named func(string) bool) (*pageTemplate, error) {
	text, err := readBuilt(dist, file)
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(text, []byte(`{{template "head" $}}`)) || !bytes.Contains(text, []byte(`{{template "boot" $}}`)) {
		return nil, fmt.Errorf("the web app's %s has no place for its head or its data", file)
	}
	// html/template would remove comments from scripts, which the policy allows by their
	// hash.
	var scripts []template.HTML
	var hashes strings.Builder
	source := inlineScript.ReplaceAllStringFunc(string(text), func(script string) string {
		sum := sha256.Sum256([]byte(inlineScript.FindStringSubmatch(script)[1]))
		hashes.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
		scripts = append(scripts, template.HTML(script)) //nolint:gosec // of the build
		return "{{script " + strconv.Itoa(len(scripts)-1) + "}}"
	})
	t := template.New(file).Funcs(formats).Funcs(template.FuncMap{"script": func(i int) template.HTML { return scripts[i] }})
	if _, err := t.Parse(headTemplate); err != nil {
		return nil, fmt.Errorf("the head of pages: %w", err)
	}
	if _, err := t.Parse(source); err != nil {
		return nil, fmt.Errorf("the web app's %s: %w", file, err)
	}
	if err := resolve(t.Tree, named); err != nil {
		return nil, fmt.Errorf("the web app's %s: %w", file, err)
	}
	if err := t.Execute(io.Discard, sample()); err != nil {
		return nil, fmt.Errorf("the web app's %s: %w", file, err)
	}
	return &pageTemplate{t, policy(hashes.String())}, nil
}

// readBuilt reads a file of the build; errNotBuilt if it is missing.
func readBuilt(dist fs.FS, name string) ([]byte, error) {
	file, err := fs.ReadFile(dist, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotBuilt
	}
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return file, nil
}

// frameHosts may be framed: the hosts of documents that a reviewer can read beside the form.
// web/src/lib/embeddable.ts knows the addresses of their previews.
const frameHosts = "https://docs.google.com https://drive.google.com"

// policy returns a page's Content-Security-Policy. Only thumbnails, photos and the frames
// of frameHosts may come from other origins.
func policy(scripts string) string {
	return "default-src 'self'; script-src 'self'" + scripts +
		"; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; font-src 'self'; connect-src 'self'" +
		"; frame-src " + frameHosts + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// resolve replaces the paths that the build wrote with JSON names, such as `$.assignment.dueDate`, by fields of the
// view. It fails if a path is unknown, or a format gets a wrong type.
func resolve(tree *parse.Tree, named func(string) bool) error {
	r := resolver{named: named, types: map[string]reflect.Type{"$": reflect.TypeFor[view]()}}
	return r.node(tree.Root)
}

type resolver struct {
	named func(string) bool
	types map[string]reflect.Type // of variables; nil for the result of a format
}

func (r resolver) node(n parse.Node) error {
	switch n := n.(type) {
	case *parse.TextNode, *parse.CommentNode:
		return nil
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, child := range n.Nodes {
			if err := r.node(child); err != nil {
				return err
			}
		}
		return nil
	case *parse.ActionNode:
		return r.shown(n.Pipe)
	case *parse.IfNode:
		return r.branch(&n.BranchNode, func(pipe *parse.PipeNode) error {
			_, err := r.pipe(pipe)
			return err
		})
	case *parse.RangeNode:
		return r.branch(&n.BranchNode, r.ranged)
	case *parse.TemplateNode:
		return nil // our own: head and boot
	}
	return fmt.Errorf("%s is not allowed in a template", n)
}

func (r resolver) branch(n *parse.BranchNode, pipe func(*parse.PipeNode) error) error {
	return errors.Join(pipe(n.Pipe), r.node(n.List), r.node(n.ElseList))
}

// shown resolves a value that becomes text: `text` converts types that Go prints differently from JavaScript.
func (r resolver) shown(pipe *parse.PipeNode) error {
	t, err := r.pipe(pipe)
	if err != nil || t == nil || len(pipe.Cmds) != 1 {
		return err
	}
	switch t.Kind() {
	case reflect.String, reflect.Int, reflect.Int64:
	default:
		command := pipe.Cmds[0]
		command.Args = append([]parse.Node{parse.NewIdentifier("text").SetPos(command.Pos)}, command.Args...)
	}
	return nil
}

// ranged resolves `$i, $e := path`.
func (r resolver) ranged(pipe *parse.PipeNode) error {
	t, err := r.pipe(pipe)
	if err != nil {
		return err
	}
	if t == nil || (t.Kind() != reflect.Slice && t.Kind() != reflect.Array) || len(pipe.Decl) != 2 {
		return fmt.Errorf("%s is no list", pipe)
	}
	r.types[pipe.Decl[0].Ident[0]] = reflect.TypeFor[int]()
	r.types[pipe.Decl[1].Ident[0]] = t.Elem()
	return nil
}

// pipe returns the type of a lone path, nil for anything else.
func (r resolver) pipe(pipe *parse.PipeNode) (reflect.Type, error) {
	var last reflect.Type
	for _, command := range pipe.Cmds {
		types := make([]reflect.Type, len(command.Args))
		for i, arg := range command.Args {
			var err error
			switch arg := arg.(type) {
			case *parse.VariableNode:
				var optional bool
				types[i], optional, err = r.path(arg)
				command.Args = simplified(command.Args, types[i], optional)
			case *parse.PipeNode:
				types[i], err = r.pipe(arg)
			case *parse.FieldNode, *parse.ChainNode, *parse.DotNode:
				err = fmt.Errorf("%s: a path begins with $", arg)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := fit(command, types); err != nil {
			return nil, err
		}
		last = types[0]
	}
	return last, nil
}

// fit checks the known types of a format's arguments.
func fit(command *parse.CommandNode, types []reflect.Type) error {
	name, _ := command.Args[0].(*parse.IdentifierNode)
	if name == nil || formats[name.Ident] == nil {
		return nil
	}
	takes := reflect.TypeOf(formats[name.Ident])
	if takes.NumIn() != len(types)-1 {
		return fmt.Errorf("%s: takes %d values", command, takes.NumIn())
	}
	for i, t := range types[1:] {
		if t != nil && t.Kind() == reflect.Pointer { // which the template follows; null is drawn by no format
			t = t.Elem()
		}
		if t != nil && !t.AssignableTo(takes.In(i)) {
			return fmt.Errorf("%s: takes %s, not %s", command, takes.In(i), t)
		}
	}
	return nil
}

// simplified returns the arguments for a call of truthy or present with a lone path, if the path's type decides it.
func simplified(args []parse.Node, t reflect.Type, optional bool) []parse.Node {
	name, _ := args[0].(*parse.IdentifierNode)
	if name == nil || t == nil || len(args) != 2 {
		return args
	}
	scalar := t.Kind() == reflect.String || t.Kind() == reflect.Int64 || t.Kind() == reflect.Bool
	switch {
	case name.Ident == "truthy" && scalar:
		return args[1:] // as in text/template
	case name.Ident == "present" && optional:
		name.Ident = "given"
	}
	return args
}

// path replaces JSON names in a path by the fields' Go names. It returns the type of the last field, and whether JSON
// omits the field if it is empty.
func (r resolver) path(n *parse.VariableNode) (t reflect.Type, optional bool, err error) {
	t, known := r.types[n.Ident[0]]
	if !known {
		return nil, false, fmt.Errorf("%s is not known", n)
	}
	written := n.String()
	for i, name := range n.Ident[1:] {
		if n.Ident[0] == "$" && i == 0 && !r.named(name) {
			return nil, false, fmt.Errorf("%s: the page has no data of that name", written)
		}
		field, found := fieldOf(t, name)
		if !found {
			return nil, false, fmt.Errorf("%s: there is no %s", written, name)
		}
		n.Ident[i+1], t = field.Name, field.Type
		optional = strings.Contains(field.Tag.Get("json"), ",omit")
	}
	return t, optional, nil
}

// fieldOf returns the field with a JSON name.
func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	for _, field := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == name && name != "" && field.IsExported() {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// sample returns a view with every field set, to test templates with.
func sample() *view {
	v := &view{}
	fill(reflect.ValueOf(v).Elem())
	return v
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() || field.Anonymous {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0))
		}
	case reflect.String:
		v.SetString("x")
	default:
	}
}
