package transfer

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/record"
)

// packed writes an archive with one file beside that of the circle.
func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, content := range map[string][]byte{record.CircleFile: []byte("{}\n"), record.MembersFile: text} {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = f.Write(content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestArchivesAreBounded(t *testing.T) {
	t.Parallel()
	lines := bytes.Repeat([]byte("\n"), anyRatio+1)
	large := packed(t, []byte("a line\n"))
	lies := bytes.Clone(large)
	for archive, size := range map[*[]byte]uint32{&large: maxUnpacked + 1, &lies: 3} {
		// The size in the directory, of the longer file.
		const header, toSize, toName = "PK\x01\x02", 24, 46
		at := bytes.LastIndex(*archive, []byte(record.MembersFile)) - toName
		require.Equal(t, header, string((*archive)[at:at+len(header)]))
		binary.LittleEndian.PutUint32((*archive)[at+toSize:], size)
	}
	for want, archive := range map[string][]byte{
		"":                          packed(t, lines[:anyRatio]),
		"more than 200 times":       packed(t, lines),
		"more than 2 GiB":           large,
		"not a valid zip file":      lies,
		"not a complete ZIP":        packed(t, lines)[:100],
		"is not an exported circle": emptyArchive(t),
	} {
		file, dir := filepath.Join(t.TempDir(), "circle.zip"), t.TempDir()
		require.NoError(t, os.WriteFile(file, archive, 0o600))
		err := unzip(file, dir)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
		if strings.HasPrefix(want, "more") {
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left, "nothing is unpacked before")
		}
	}
}

// The bound is of all files together.
func TestArchivesAreBoundedAsAWhole(t *testing.T) {
	t.Parallel()
	large := &zip.File{FileHeader: zip.FileHeader{UncompressedSize64: maxUnpacked/2 + 1, CompressedSize64: maxUnpacked}}
	require.NoError(t, bounded([]*zip.File{large}))
	require.ErrorContains(t, bounded([]*zip.File{large, large}), "more than 2 GiB")
}

func emptyArchive(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, zip.NewWriter(&out).Close())
	return out.Bytes()
}
