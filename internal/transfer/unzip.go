package transfer

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"studycircle/internal/record"
)

// Bounds of an archive.
const (
	// maxUnpacked bounds the size of all files, in bytes.
	maxUnpacked = 2 << 30
	// maxRatio bounds how many times as long as its packed form a file is, beyond anyRatio bytes. Exported circles are
	// packed to a tenth.
	maxRatio = 200
	anyRatio = 16 << 20
)

// unzip writes the files of a circle into dir. An archive whose end is missing, of a download that broke off, is an
// error, as is one beyond the bounds, before anything is unpacked.
func unzip(file, dir string) (err error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return fmt.Errorf("%s is not a complete ZIP archive: %w", file, err)
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	files := slices.DeleteFunc(archive.File, func(f *zip.File) bool {
		return !slices.Contains(record.CircleFiles, f.Name)
	})
	if err := bounded(files); err != nil {
		return fmt.Errorf("%s %w", file, err)
	}
	found := false
	for _, f := range files {
		found = found || f.Name == record.CircleFile
		if err := unzipFile(f, filepath.Join(dir, filepath.Base(f.Name))); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if !found {
		return fmt.Errorf("%s has no %s, so it is not an exported circle", file, record.CircleFile)
	}
	return nil
}

// bounded refuses files that say they are too large, or larger than what an export packs.
func bounded(files []*zip.File) error {
	var all uint64
	for _, f := range files {
		size := f.UncompressedSize64
		if size > maxUnpacked-all {
			return fmt.Errorf("unpacks to more than %d GiB", maxUnpacked>>30)
		}
		if size > anyRatio && size/maxRatio > f.CompressedSize64 {
			return fmt.Errorf("unpacks to more than %d times its size, which no exported circle does", maxRatio)
		}
		all += size
	}
	return nil
}

func unzipFile(f *zip.File, to string) (err error) {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // a name of CircleFiles in a folder of our own
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in) //nolint:gosec // at most as long as the archive says: see bounded
	return err
}
