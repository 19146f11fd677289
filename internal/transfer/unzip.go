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

// circleFiles are the files of a circle that an import reads.
var circleFiles = []string{
	record.CircleFile, record.MembersFile, record.AssignmentsFile, record.SubmissionsFile, record.ExemplarsFile,
	record.CommentsFile,
}

// unzip writes the files of a circle into dir. An archive whose end is missing, of a download that broke off, is an
// error.
func unzip(file, dir string) (err error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return fmt.Errorf("%s is not a complete ZIP archive: %w", file, err)
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	found := false
	for _, f := range archive.File {
		if !slices.Contains(circleFiles, f.Name) {
			continue
		}
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

func unzipFile(f *zip.File, to string) (err error) {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // a name of circleFiles in a folder of our own
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in) //nolint:gosec // the operator chose the file
	return err
}
