package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"

	"studycircle/internal/identity"
)

// The last page of a sign-in pop-up. Its script posts the result to the opener and closes
// the window; without a script or an opener the page is readable text.

// popUpResult is the message to the opener.
type popUpResult struct {
	Attempt string `json:"attempt"`
	Status  string `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Ticket  string `json:"ticket"`
}

var popUpSentences = map[string]string{
	identity.SignedIn: "You are signed in. You can close this window.",
	identity.Linked:   "This way to sign in is linked to your account. You can close this window.",
	identity.Confirm:  "There is one question left. Please go back to the window you came from.",
}

const popUpStyle = `body{font:1.125rem/1.5 system-ui,sans-serif;max-inline-size:32rem;` +
	`margin:15vh auto;padding-inline:1.5rem}`

var popUpTemplate = template.Must(template.New("pop-up").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Sign in | {{.Brand}}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>` + popUpStyle + `</style>
</head>
<body>
<main>
<h1>{{.Brand}}</h1>
<p role="status">{{.Result.Message}}</p>
<p><a href="/">Go to {{.Brand}}</a></p>
</main>
<script type="application/json" id="result">{{.Result}}</script>
<script src="/popup.js"></script>
</body>
</html>
`))

// popUpPolicy is the page's Content-Security-Policy.
var popUpPolicy = func() string {
	sum := sha256.Sum256([]byte(popUpStyle))
	return "default-src 'none'; script-src 'self'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

func writePopUp(w http.ResponseWriter, status int, brand string, result popUpResult) {
	var page bytes.Buffer
	// The page is made in memory first: only a fault of the template can fail.
	if err := popUpTemplate.Execute(&page, struct {
		Brand  string
		Result popUpResult
	}{brand, result}); err != nil {
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", popUpPolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Referrer-Policy", "no-referrer") // its URL holds a code
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // an error means that the client has gone
}
