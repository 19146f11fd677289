package studycircle_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxMethods is the most methods of an interface, with embedded ones.
const maxMethods = 15

// A large interface does not show what its user needs.
func TestNoInterfaceHasMoreThanFifteenMethods(t *testing.T) {
	t.Parallel()
	d := declarationsOf(t)
	for _, i := range d.all {
		assert.LessOrEqual(t, d.methods(t, i), maxMethods, "the interface at %s", d.files.Position(i.node.Pos()))
	}
	assert.Greater(t, len(d.all), 20, "interfaces were found")
}

// declared is an interface in a file.
type declared struct {
	node    *ast.InterfaceType
	folder  string
	imports map[string]string // import paths by name
}

type declarations struct {
	files *token.FileSet
	all   []declared
	named map[string]declared // by folder and name
}

// declarationsOf parses the module's Go files, without tests and generated files.
func declarationsOf(t *testing.T) declarations {
	t.Helper()
	d := declarations{files: token.NewFileSet(), named: map[string]declared{}}
	require.NoError(t, filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (file == "proof/bench" || file == "web" || file == "internal/store/db" || file != "." && strings.HasPrefix(entry.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(d.files, file, nil, 0)
		if err != nil {
			return err
		}
		d.add(parsed, filepath.ToSlash(filepath.Dir(file)))
		return nil
	}))
	return d
}

func (d *declarations) add(file *ast.File, folder string) {
	imports := map[string]string{}
	for _, i := range file.Imports {
		of, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(of)
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = of
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if i, is := n.Type.(*ast.InterfaceType); is {
				d.named[folder+"."+n.Name.Name] = declared{i, folder, imports}
			}
		case *ast.InterfaceType:
			d.all = append(d.all, declared{n, folder, imports})
		}
		return true
	})
}

// methods counts the methods of an interface with those that it embeds.
func (d *declarations) methods(t *testing.T, i declared) (n int) {
	t.Helper()
	for _, field := range i.node.Methods.List {
		if len(field.Names) > 0 {
			n++
			continue
		}
		n += d.embedded(t, i, field.Type)
	}
	return n
}

func (d *declarations) embedded(t *testing.T, in declared, of ast.Expr) int {
	t.Helper()
	key := ""
	switch of := of.(type) {
	case *ast.Ident:
		if of.Name == "error" || of.Name == "comparable" {
			return 1
		}
		key = in.folder + "." + of.Name
	case *ast.SelectorExpr:
		name, _ := of.X.(*ast.Ident)
		if !strings.HasPrefix(in.imports[name.Name], "studycircle/") {
			return 3 // at most
		}
		key = strings.TrimPrefix(in.imports[name.Name], "studycircle/") + "." + of.Sel.Name
	default:
		return 0 // a constraint: it lists types
	}
	found, is := d.named[key]
	if !is {
		require.Fail(t, "an embedded interface that this test does not know", "%s at %s", key, d.files.Position(of.Pos()))
	}
	return d.methods(t, found)
}
