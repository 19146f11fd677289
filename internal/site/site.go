// Package site holds what whoever runs the server says about themselves: the
// developer's profile and the footer. It knows nothing of pages.
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
	// JSON is the content as the browser gets it.
	JSON json.RawMessage
}

// Content is the form of the file.
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

// Link leads to somewhere else.
type Link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// Project is something that the developer is proud of.
type Project struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	URL         string `json:"url"`
}

// Load reads the settings in file over the built-in ones; file may be empty.
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
		// Strict, so that a name misspelled or given twice is told, not passed over.
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
