package api

import (
	"reflect"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"studycircle/internal/encode"
	"studycircle/internal/testfill"
)

// Every type of the document is filled, so that a field added later is tried too.
func TestTypesOfTheDocumentAreEncodedAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	schemas := documented(Config{Version: "1"}).document.Components.Schemas
	tried := map[reflect.Type]bool{}
	for name := range schemas.Map() {
		of := schemas.TypeFromRef("#/components/schemas/" + name)
		if of.Kind() != reflect.Struct {
			continue
		}
		tried[of] = true
		filled, zero := reflect.New(of), reflect.New(of)
		testfill.Fill(filled.Interface())
		for _, v := range []any{filled.Interface(), filled.Elem().Interface(), zero.Interface()} {
			want, err := jsonv2.Marshal(v)
			require.NoError(t, err, name)
			got, err := encode.Append(nil, v)
			require.NoError(t, err, name)
			require.Equal(t, string(want), string(got), name)
		}
	}
	require.True(t, tried[reflect.TypeFor[AssignmentList]()])
	require.True(t, tried[reflect.TypeFor[Comments]()])
}
