package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOperationAllocatesNothingWithoutAnError(t *testing.T) {
	s, id := &Store{}, strings.Repeat("x", 26)
	read := func() (err error) {
		defer s.operation(&err, "Store.Assignment", id)
		return nil
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = read() }))
}

// unnamed are the methods whose errors are named by what runs in them.
var unnamed = []string{"Store.Close", "Store.Ping", "Store.Version", "Store.Write"}

// The error of every method of the store names the method.
func TestEveryMethodNamesItself(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	named := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv == nil || !f.Name.IsExported() || !returnsError(f) {
				continue
			}
			name := types.ExprString(f.Recv.List[0].Type)[1:] + "." + f.Name.Name
			if slices.Contains(unnamed, name) {
				continue
			}
			deferred, is := f.Body.List[0].(*ast.DeferStmt)
			if assert.True(t, is, "%s does not begin with defer operation", name) {
				call := types.ExprString(deferred.Call)
				assert.Contains(t, call, `.operation(&err, "`+name+`"`)
				named++
			}
		}
	}
	require.Greater(t, named, 180)
}

func returnsError(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	last := f.Type.Results.List[len(f.Type.Results.List)-1]
	return types.ExprString(last.Type) == "error"
}
