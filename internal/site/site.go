// Package site holds the operator's content: the developer's profile and the footer. It
// knows nothing of pages.
package site

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"

	jsonv2 "github.com/go-json-experiment/json"
)

//go:embed default.json
var defaults []byte

// Settings are the site settings.
type Settings struct {
	Content
	// JSON is the content for the browser.
	JSON json.RawMessage
}

// Content is the content of the file.
type Content struct {
	Developer struct {
		Name         string     `json:"name"`
		Role         string     `json:"role"`
		Bio          string     `json:"bio"`
		Photo        string     `json:"photo"`
		ProjectCount string     `json:"projectCount"`
		Social       [3]Link    `json:"social"`
		Projects     [3]Project `json:"projects"`
	} `json:"developer"`
	Footer struct {
		Tagline   string  `json:"tagline"`
		Classroom Link    `json:"classroom"`
		Social    [2]Link `json:"social"`
	} `json:"footer"`
}

// Link is a link to another site.
type Link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Project is a project of the developer's.
type Project struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	URL         string `json:"url"`
}

// Load returns the built-in settings, overridden by those in file; file may be empty.
func Load(file string) (Settings, error) {
	var s Content
	if err := json.Unmarshal(defaults, &s); err != nil {
		return Settings{}, fmt.Errorf("read the built-in site settings: %w", err)
	}
	if file != "" {
		own, err := os.ReadFile(file) //nolint:gosec // the operator names this file
		if err != nil {
			return Settings{}, fmt.Errorf("read the site settings: %w", err)
		}
		// Strict, so that a misspelled or duplicate name is an error.
		if err := jsonv2.Unmarshal(own, &s, jsonv2.RejectUnknownMembers(true)); err != nil {
			return Settings{}, fmt.Errorf("read the site settings in %s: %w", file, err)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return Settings{}, fmt.Errorf("write the site settings: %w", err)
	}
	return Settings{Content: s, JSON: text}, nil
}
