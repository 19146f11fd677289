// Package site holds what whoever runs the server says about themselves: the
// developer's profile and the footer. It knows nothing of pages.
package site

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
)

//go:embed default.json
var defaults []byte

// Settings are the site settings.
type Settings struct {
	// JSON is the settings as the browser gets them.
	JSON json.RawMessage
	// Texts are all texts by their path, for example "developer.social.0.url".
	Texts map[string]string
}

// settings is the form of the file.
type settings struct {
	Developer struct {
		Name         string     `json:"name"`
		Role         string     `json:"role"`
		Bio          string     `json:"bio"`
		Photo        string     `json:"photo"`
		ProjectCount string     `json:"projectCount"`
		Social       [3]link    `json:"social"`
		Projects     [3]project `json:"projects"`
	} `json:"developer"`
	Footer struct {
		Tagline   string  `json:"tagline"`
		Classroom link    `json:"classroom"`
		Social    [2]link `json:"social"`
	} `json:"footer"`
}

type link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

type project struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	URL         string `json:"url"`
}

// Load reads the settings in file over the built-in ones; file may be empty.
func Load(file string) (Settings, error) {
	var s settings
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
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return Settings{}, fmt.Errorf("read the site settings: %w", err)
	}
	texts := map[string]string{}
	flatten(tree, "", texts)
	return Settings{JSON: text, Texts: texts}, nil
}

func flatten(v any, path string, into map[string]string) {
	join := func(name string) string {
		if path == "" {
			return name
		}
		return path + "." + name
	}
	switch v := v.(type) {
	case map[string]any:
		for name, child := range v {
			flatten(child, join(name), into)
		}
	case []any:
		for i, child := range v {
			flatten(child, join(strconv.Itoa(i)), into)
		}
	case string:
		into[path] = v
	}
}
