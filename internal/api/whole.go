package api

import (
	"math"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// whole is an integer of a body; 10.0 is 10.
type whole int64

// Schema implements huma.SchemaProvider.
func (whole) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
}

// parseWhole reads a JSON number by its digits, so that no rounding makes a whole
// number of one that is none. What no int64 holds becomes the nearest that does:
// it is out of every bound.
func parseWhole(text string) (n int64, exact bool) {
	text, negative := strings.CutPrefix(text, "-")
	mantissa, exponent := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa = text[:at]
		// Beyond int it is the largest or least int, which says as much.
		exponent, _ = strconv.Atoi(text[at+1:])
	}
	before, after, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(before+after, "0")
	if digits == "" {
		return 0, true
	}
	significant := strings.TrimRight(digits, "0")
	const far = 1 << 30 // more than any body has digits
	if exponent > far {
		return limitOf(negative), true
	}
	zeros := max(exponent, -far) + len(digits) - len(significant) - len(after)
	const most = 19 // digits of the largest int64
	switch {
	case zeros < 0:
		return 0, false
	case len(significant)+zeros > most:
		return limitOf(negative), true
	}
	n, err := strconv.ParseInt(significant+strings.Repeat("0", zeros), 10, 64)
	if err != nil {
		return limitOf(negative), true
	}
	if negative {
		n = -n
	}
	return n, true
}

func limitOf(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}
