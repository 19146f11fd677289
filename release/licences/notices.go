package licences

import (
	"fmt"
	"io"
	"strings"
)

// WriteNotices writes the licences of dependencies as one text. A text that several share is printed once.
func WriteNotices(w io.Writer, dependencies []Dependency) error {
	var order []string
	owners := map[string][]string{}
	for _, d := range dependencies {
		text := strings.Join(d.Texts, "\n\n")
		if owners[text] == nil {
			order = append(order, text)
		}
		owners[text] = append(owners[text], fmt.Sprintf("%s %s (%s)", d.Name, d.Version, strings.Join(d.Licences, ", ")))
	}
	if _, err := io.WriteString(
		w, "StudyCircle contains the following works of others, under the licences below.\n",
	); err != nil {
		return err
	}
	for _, text := range order {
		_, err := fmt.Fprintf(w, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 79), strings.Join(owners[text], "\n"), text)
		if err != nil {
			return err
		}
	}
	return nil
}
