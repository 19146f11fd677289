package store

import (
	"fmt"
	"strings"

	"studycircle"
)

// operation adds to a fault the operation that failed and the ids it was given, so that
// a log names them. Errors that say something to users stay as they are. Methods defer
// it; while there is no error it costs no allocation.
func operation(err *error, name string, ids ...string) {
	switch studycircle.CodeOf(*err) {
	case studycircle.CodeInternal, studycircle.CodeUnavailable:
		*err = fmt.Errorf("%s(%s): %w", name, strings.Join(ids, ", "), *err)
	default:
	}
}
