//go:build !race

package markdown

import "time"

// longest bounds the time to render any text of the allowed size.
const longest = 50 * time.Millisecond
