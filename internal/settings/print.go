package settings

import (
	"fmt"
	"io"
	"net/url"
	"text/tabwriter"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// masked stands for a secret, or for the secret parts of an address.
const masked = "xxxxx"

// Print writes the value in force of each flag of the parsed command, and where it comes from, as a settings file
// whose secrets are masked.
func (s *Sources) Print(w io.Writer, parsed *kong.Context) error {
	typed := map[*kong.Flag]bool{}
	for _, step := range parsed.Path {
		if step.Flag != nil && !step.Resolved {
			typed[step.Flag] = true
		}
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, flag := range parsed.Selected().Flags {
		_, origin, err := s.find(flag)
		if err != nil {
			return err
		}
		if typed[flag] {
			origin = "flag"
		}
		value := flag.Target.Interface()
		switch plain := value.(type) {
		case string:
			if flag.Tag.Has(secretTag) {
				value = mask(plain)
			}
		case []string:
			value = append([]string{}, plain...) // TOML leaves nil out
		}
		line, err := toml.Marshal(map[string]any{flag.Name: value})
		if err != nil {
			return fmt.Errorf("print --%s: %w", flag.Name, err)
		}
		if _, err := fmt.Fprintf(columns, "%s\t# %s\n", line[:len(line)-1], origin); err != nil {
			return err
		}
	}
	return columns.Flush()
}

// mask returns a secret's harmless parts: of an address, the scheme, host and path.
func mask(secret string) string {
	if secret == "" {
		return ""
	}
	address, err := url.Parse(secret)
	if err != nil || address.Host == "" {
		return masked
	}
	harmless := url.URL{Scheme: address.Scheme, Host: address.Host, Path: address.Path}
	if address.User != nil {
		harmless.User = url.User(masked)
	}
	return harmless.String()
}
