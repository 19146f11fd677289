//go:build race

package markdown

import "time"

// longest bounds rendering under the race detector, which makes parsers some thirty times slower: a bomb would still
// take longer.
const longest = 2 * time.Second
