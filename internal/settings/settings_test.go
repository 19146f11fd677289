package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNearest(t *testing.T) {
	known := []string{"addr", "brand", "data", "database", "public-url", "smtp-url"}
	for name, want := range map[string]string{
		"smpt-url":   "smtp-url",
		"smtp_url":   "smtp-url",
		"Addr":       "addr",
		"publicurl":  "public-url",
		"databse":    "database",
		"date":       "data",
		"brand-name": "brand",
		"":           "addr",
	} {
		require.Equal(t, want, nearest(name, known), name)
	}
}

func TestMask(t *testing.T) {
	for secret, want := range map[string]string{
		"":                                "",
		"GOCSPX-1234":                     "xxxxx",
		"smtp://mail:25":                  "smtp://mail:25",
		"smtp://user:word@mail:25":        "smtp://xxxxx@mail:25",
		"postgres:///study?password=word": "xxxxx",
		"postgres://db/study?password=wo": "postgres://db/study",
		"host=db password=word":           "xxxxx",
		"smtp://user:wo%rd@mail:25":       "xxxxx",
	} {
		require.Equal(t, want, mask(secret))
	}
}
