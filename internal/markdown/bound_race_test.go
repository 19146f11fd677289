//go:build race

package markdown

import "time"

// longest is what rendering may take under the race detector, which makes parsers some
// thirty times slower: a bomb would take longer still.
const longest = 2 * time.Second
