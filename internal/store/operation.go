package store

import (
	"fmt"
	"strings"

	"studycircle"
)

// operation adds to a fault the operation that failed and its ids, for the log. Errors with a message for users stay
// as they are. Methods defer it; without an error it costs no allocation.
func operation(err *error, name string, ids ...string) {
	switch studycircle.CodeOf(*err) {
	case studycircle.CodeInternal, studycircle.CodeUnavailable:
		*err = fmt.Errorf("%s(%s): %w", name, strings.Join(ids, ", "), *err)
	default:
	}
}
