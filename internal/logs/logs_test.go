package logs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/logs"
)

func TestLinesHaveTheIDOfTheirRequest(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(logs.New(&out, logs.JSON))
	log.With("node", "a").InfoContext(logs.WithRequest(t.Context(), "r1"), "late", "ms", 5)
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	delete(line, "time")
	require.Equal(t, map[string]any{"level": "INFO", "msg": "late", "node": "a", "ms": 5.0, "request": "r1"}, line)
	out.Reset()
	log.InfoContext(context.Background(), "elsewhere")
	require.NotContains(t, out.String(), "request")
}

func TestTextIsForReaders(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	slog.New(logs.New(&out, logs.Text)).InfoContext(logs.WithRequest(t.Context(), "r1"), "late")
	require.Contains(t, out.String(), `level=INFO msg=late request=r1`)
}
