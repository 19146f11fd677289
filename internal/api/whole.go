package api

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// whole is an integer in a body; 10.0 is 10.
type whole int64

// Schema implements huma.SchemaProvider.
func (whole) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
}

// form implements bodyValue.
func (*whole) form() (takes, message string) { return "0", "This must be a whole number." }

// UnmarshalJSON implements bodyValue.
func (n *whole) UnmarshalJSON(text []byte) error {
	read, exact := parseWhole(string(text))
	if *n = whole(read); !exact {
		return errNotExact
	}
	return nil
}

var errNotExact = errors.New("not a whole number")

// parseWhole parses a JSON number by its digits, so that rounding cannot make a whole
// number of another. A number beyond int64 becomes the nearest int64, which every bound
// refuses. exact is false for numbers that are not whole.
func parseWhole(text string) (n int64, exact bool) {
	text, negative := strings.CutPrefix(text, "-")
	mantissa, exponent := text, 0
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa = text[:at]
		// Atoi returns the nearest int for an exponent beyond int, which is large enough.
		exponent, _ = strconv.Atoi(text[at+1:])
	}
	before, after, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(before+after, "0")
	if digits == "" {
		return 0, true
	}
	significant := strings.TrimRight(digits, "0")
	const far = 1 << 30 // more digits than a body can have
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
