package api

import (
	"net/http"

	"github.com/swaggest/swgui/v5/static"
	"github.com/vearutop/statigz"
)

// Swagger UI, served by the program, shows the document.

const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>StudyCircle API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<main id="docs">The API's document is at <a href="/api/openapi.json">/api/openapi.json</a>.</main>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`

const docsStart = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null })
`

const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func registerDocs(mux *http.ServeMux) {
	text := func(contentType, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = w.Write([]byte(text)) // an error means that the client has gone
		}
	}
	for pattern, handler := range map[string]http.Handler{
		"GET /api/docs":          text("text/html; charset=utf-8", docsPage),
		"GET /api/docs/start.js": text("text/javascript; charset=utf-8", docsStart),
		"GET /api/docs/{file}":   http.StripPrefix("/api/docs", statigz.FileServer(static.FS)), // pages of its own among them
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", docsPolicy)
			handler.ServeHTTP(w, r)
		})
	}
}
