package docs

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// vague matches words that leave out who acts. Name the actor: a user, a reviewer, a node, a goroutine. A function
// "reports whether".
var vague = regexp.MustCompile(`(?i)\b(nobody|somebody|anybody|everybody|whoever|whomever|tells? whether)\b`)

// TestProseNamesItsActors reads every document, and every comment in Go, the queries and the web app.
func TestProseNamesItsActors(t *testing.T) {
	r := repository(t)
	for _, name := range r.files {
		prose := proseOf[path.Ext(name)]
		if prose == nil || strings.HasPrefix(name, "internal/store/migrations/") || strings.HasPrefix(name, "proof/bench/results/") {
			continue
		}
		text, err := fs.ReadFile(r.fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		if !vague.Match(text) {
			continue
		}
		for _, part := range prose(text) {
			if word := vague.FindString(part); word != "" {
				t.Errorf("%s: %q in %q", name, word, strings.TrimSpace(part))
			}
		}
	}
}

// proseOf returns the prose in a file, by the file's extension. Migrations and results stay as they were written.
var proseOf = map[string]func(text []byte) []string{
	".md":  func(text []byte) []string { return strings.Split(string(text), "\n") },
	".sql": func(text []byte) []string { return matches(sqlComment, text) },
	".go":  goComments,
	".ts":  func(text []byte) []string { return matches(webComment, text) },
	".tsx": func(text []byte) []string { return matches(webComment, text) },
}

var (
	sqlComment = regexp.MustCompile(`(?m)--.*`)
	// webComment also matches the rest of a line with an address, which does no harm.
	webComment = regexp.MustCompile(`(?m)(?://.*|(?s:/\*.*?\*/))`)
)

func matches(of *regexp.Regexp, text []byte) (found []string) {
	for _, m := range of.FindAll(text, -1) {
		found = append(found, string(m))
	}
	return found
}

func goComments(text []byte) (found []string) {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(text)), text, nil, scanner.ScanComments)
	for {
		_, kind, literal := s.Scan()
		if kind == token.EOF {
			return found
		}
		if kind == token.COMMENT {
			found = append(found, literal)
		}
	}
}
