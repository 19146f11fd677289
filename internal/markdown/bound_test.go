//go:build !race

package markdown

import "time"

// longest is how long rendering any text of the allowed size may take.
const longest = 50 * time.Millisecond
