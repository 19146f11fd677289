// Package settings finds the values of the program's flags outside the command line: in the environment, in files that
// the environment names, among systemd's credentials and in a TOML file. The flags that kong knows are the only list
// of settings.
package settings

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// secretTag marks flags whose values are never printed and can be read from files.
const secretTag = "secret"

// credentialPrefix is before the names of credentials, as in LoadCredential=studycircle:FOLDER.
const credentialPrefix = "studycircle_"

// Sources implements kong.Resolver. A value on the command line wins over the environment, and that over the file.
type Sources struct {
	path   string
	file   map[string]any
	lookup func(name string) (string, bool)
}

// Load reads a settings file, if path is not empty.
func Load(path string) (*Sources, error) {
	s := &Sources{path: path, lookup: os.LookupEnv}
	if path == "" {
		return s, nil
	}
	text, err := readBounded(path)
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	_, err = toml.Decode(string(text), &s.file)
	if broken, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("%s, line %d: %s", path, broken.Position.Line, broken.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	return s, nil
}

// maxFile bounds the size of a file, in bytes.
const maxFile = 1 << 20

// readBounded returns a file of at most maxFile bytes.
func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than 1 MiB", path)
	}
	return text, errors.Join(err, file.Close())
}

// Validate refuses names in the file that are no setting of the command serve, and values of another type.
func (s *Sources) Validate(app *kong.Application) error {
	var known []string
	for _, command := range app.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			known = append(known, flag.Name)
			if _, _, err := s.fromFile(flag); err != nil {
				return err
			}
		}
	}
	for name := range s.file {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s: there is no setting %q; did you mean %q?", s.path, name, nearest(name, known))
		}
	}
	return nil
}

// fromFile returns the file's value of a flag, and whether there is one.
func (s *Sources) fromFile(flag *kong.Flag) (value any, there bool, err error) {
	if value, there = s.file[flag.Name]; !there {
		return nil, false, nil
	}
	if wanted := misfit(value, flag.Target.Type()); wanted != "" {
		err = fmt.Errorf("%s: %s must be %s", s.path, flag.Name, wanted)
	}
	return value, true, err
}

// misfit returns what the value of a setting must be if it is of another type, or "".
func misfit(value any, of reflect.Type) (wanted string) {
	_, isText := value.(string)
	switch {
	case of.Kind() == reflect.Bool:
		if _, is := value.(bool); !is {
			return "true or false, without quotes"
		}
	case of.Kind() == reflect.Slice:
		all, is := value.([]any)
		if !is || slices.ContainsFunc(all, func(one any) bool { _, is := one.(string); return !is }) {
			return `a list of texts, such as ["a", "b"]`
		}
	case of.Kind() == reflect.String:
		if !isText {
			return "a text in quotes"
		}
	case of == reflect.TypeFor[time.Duration]():
		if !isText {
			return `a duration in quotes, such as "5s"`
		}
	default:
		if _, is := value.(int64); !is {
			return "a whole number, without quotes"
		}
	}
	return ""
}

// Resolve returns the value of a flag that is not on the command line, or nil if kong's environment and default
// decide.
func (s *Sources) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, _, err := s.find(flag)
	return value, err
}

// find returns a flag's value outside the command line, and where it is from. The value is nil if kong knows it.
func (s *Sources) find(flag *kong.Flag) (value any, origin string, err error) {
	set, secret := "", ""
	for _, name := range flag.Envs {
		if _, ok := s.lookup(name); ok {
			set = name
		}
		if file, ok := s.lookup(name + "_FILE"); ok && file != "" && flag.Tag.Has(secretTag) {
			secret, origin = file, name+"_FILE"
		}
	}
	switch {
	case set != "" && secret != "":
		return nil, "", fmt.Errorf("%s and %s are both set: unset one", set, origin)
	case set != "":
		return nil, "environment " + set, nil
	case secret != "":
		value, err = readSecret(secret)
		return value, "environment " + origin, err
	}
	if folder, ok := s.lookup("CREDENTIALS_DIRECTORY"); ok && flag.Tag.Has(secretTag) {
		name := credentialPrefix + flag.Name
		value, err := readSecret(filepath.Join(folder, name))
		if !errors.Is(err, os.ErrNotExist) {
			return value, "credential " + name, err
		}
	}
	value, there, err := s.fromFile(flag)
	if !there {
		return nil, "default", nil
	}
	return value, "file " + s.path, err
}

// readSecret returns a file's text without the line break that editors add.
func readSecret(path string) (any, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, fmt.Errorf("read a secret: %w", err)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}

// nearest returns the name with the fewest changed letters.
func nearest(name string, known []string) string {
	return slices.MinFunc(known, func(a, b string) int { return distance(name, a) - distance(name, b) })
}

// distance is Levenshtein's: how many letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
