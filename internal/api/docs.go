package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// The page at /api/docs shows the document of the API. It has no script.

//go:embed docs.html
var docsText string

var docsTemplate = template.Must(template.New("docs").Parse(docsText))

const docsPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action " +
	"'none'; frame-ancestors 'none'"

// docsDocument is the part of an OpenAPI document that the page shows.
type docsDocument struct {
	Info       struct{ Title, Description string }
	Paths      map[string]map[string]docsOperation
	Components struct{ Schemas map[string]docsSchema }
}

type docsOperation struct {
	Method, Path string `json:"-"`

	ID          string `json:"operationId"`
	Summary     string
	Description string
	Tags        []string
	Security    []map[string][]string
	Parameters  []struct {
		Name, In, Description string
		Required              bool
		Schema                docsSchema
	}
	RequestBody struct{ Content map[string]docsContent }
	Responses   map[string]struct {
		Description string
		Content     map[string]docsContent
	}
}

type docsContent struct{ Schema docsSchema }

type docsSchema struct {
	Ref         string `json:"$ref"`
	Description string
	Type        any // a name, or several
	Enum        []any
	Items       *docsSchema
	AnyOf       []docsSchema
	Properties  map[string]docsSchema
}

// Link returns the name of the schema that s refers to; "" if it refers to none.
func (s docsSchema) Link() string {
	if s.Items != nil {
		return s.Items.Link()
	}
	return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
}

// Says describes s in a few words.
func (s docsSchema) Says() string {
	switch {
	case s.Ref != "":
		return s.Link()
	case s.Items != nil:
		return "array of " + s.Items.Says()
	case len(s.AnyOf) > 0:
		said := make([]string, len(s.AnyOf))
		for i, one := range s.AnyOf {
			said[i] = one.Says()
		}
		return strings.Join(said, " or ")
	case len(s.Enum) > 0:
		return "one of " + strings.Trim(fmt.Sprint(s.Enum), "[]")
	case s.Type == nil:
		return "any value"
	}
	return strings.Trim(fmt.Sprint(s.Type), "[]")
}

// docsGroup is the operations of one tag.
type docsGroup struct {
	Name       string
	Operations []docsOperation
}

// docsPage returns the page of an OpenAPI document.
func docsPage(document []byte) ([]byte, error) {
	var d docsDocument
	if err := json.Unmarshal(document, &d); err != nil {
		return nil, err
	}
	groups := map[string][]docsOperation{}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			operation.Method, operation.Path = strings.ToUpper(method), path
			groups[operation.Tags[0]] = append(groups[operation.Tags[0]], operation)
		}
	}
	page := struct {
		Title, Description string
		Groups             []docsGroup
		Schemas            map[string]docsSchema
	}{d.Info.Title, d.Info.Description, nil, d.Components.Schemas}
	for name, operations := range groups {
		slices.SortFunc(operations, func(a, b docsOperation) int {
			return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
		})
		page.Groups = append(page.Groups, docsGroup{name, operations})
	}
	slices.SortFunc(page.Groups, func(a, b docsGroup) int { return strings.Compare(a.Name, b.Name) })
	var out bytes.Buffer
	err := docsTemplate.Execute(&out, page)
	return out.Bytes(), err
}

// documentPath is the path of the document's files, without their extensions.
const documentPath = "/api/openapi"

// registerDocs registers the document and its page. Their first request makes the document, which takes longer than
// all else that a node does when it starts.
func registerDocs(mux *http.ServeMux, c Config) {
	of := sync.OnceValue(func() *router { return documented(c) })
	for _, file := range []string{".json", ".yaml", "-3.0.json", "-3.0.yaml"} {
		mux.HandleFunc(
			"GET "+documentPath+file, func(w http.ResponseWriter, request *http.Request) { of().mux.ServeHTTP(w, request) },
		)
	}
	page := sync.OnceValues(func() ([]byte, error) {
		document, err := json.Marshal(of().document)
		if err != nil {
			return nil, err
		}
		return docsPage(document)
	})
	mux.HandleFunc("GET /api/docs", func(w http.ResponseWriter, request *http.Request) {
		made, err := page()
		if err != nil {
			write(w, problemOf(request.Context(), err))
			return
		}
		w.Header().Set("Content-Security-Policy", docsPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(made) // an error means that the client has gone
	})
}
