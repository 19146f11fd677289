package nodetest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// routes are the methods of each address of the API.
var routes = map[string][]string{
	"/api/assignments":              {http.MethodGet, http.MethodPost},
	"/api/assignment/x":             {http.MethodGet, http.MethodPut, http.MethodDelete},
	"/api/assignment/x/submissions": {http.MethodGet},
	"/api/assignment/x/reminder":    {http.MethodPut},
	"/api/progress":                 {http.MethodGet},
	"/api/dashboard":                {http.MethodGet},
	"/api/submissions":              {http.MethodGet, http.MethodPost},
	"/api/submissions/x":            {http.MethodPatch},
	"/api/submissions/x/own":        {http.MethodGet, http.MethodPut, http.MethodDelete},
	"/api/auth/register":            {http.MethodPost},
	"/api/auth/login":               {http.MethodPost},
	"/api/auth/session":             {http.MethodGet},
	"/api/auth/logout":              {http.MethodPost},
	"/api/auth/profile":             {http.MethodPatch},
	"/api/openapi.json":             {http.MethodGet},
	"/api/assignments?page=1&x":     {http.MethodGet, http.MethodPost},
}

func TestMethodsNotAllowed(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for path, taken := range routes {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodTrace, "BREW"} {
				if slices.Contains(taken, method) {
					continue
				}
				for _, u := range []*client{ada, n.visitor()} {
					a := u.call(t, method, path, nil).refused(t, http.StatusMethodNotAllowed, studycircle.CodeMethodNotAllowed)
					require.ElementsMatch(t, taken, strings.Split(a.header.Get("Allow"), ", "), path)
				}
			}
		}
	})
}

func TestUnknownAddresses(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for _, path := range []string{
			"/api/", "/api/nothing", "/api/assignments/", "/api/assignment/", "/api/assignment/a/b", "/api/assignments/x", "/api/submissions/", "/api/submissions/x/other",
			"/api/auth/", "/api/auth/nothing", "/api/Assignments", "/api/assignments.json", "/api/%00", "/api/%ff",
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
				n.visitor().call(t, method, path, nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
		}
	})
}

func TestHeadAnswersAsGetWithoutABody(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		at := "/api/assignment/" + n.user(t, "Ada").publish(t)
		for _, path := range []string{at, "/api/assignments"} {
			head, get := n.visitor().call(t, http.MethodHead, path, nil).is(t, http.StatusOK), n.visitor().get(t, path)
			require.Empty(t, head.body)
			require.Equal(t, get.header.Get("ETag"), head.header.Get("ETag"))
		}
	})
}

func TestPagesAreLimitedToo(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for path, status := range map[string]int{"/": 200, "/assignments": 200, "/nothing": 404, "/assignment/nothing": 404, "/nothing.js": 404, "/livez": 200, "/readyz": 200} {
			a, err := n.visitor().try(t.Context(), http.MethodGet, path, nil)
			require.NoError(t, err)
			a.is(t, status)
			require.Equal(t, "nosniff", a.header.Get("X-Content-Type-Options"), path)
			if strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
				require.Contains(t, a.header.Get("Content-Security-Policy"), "default-src ", path)
				require.Contains(t, a.header.Get("Content-Security-Policy"), "frame-ancestors ", path)
			}
		}
	})
}
