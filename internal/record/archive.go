package record

import (
	"archive/zip"
	"errors"
	"io"

	"studycircle/internal/csvfile"
	"studycircle/internal/encode"
)

// Archive writes files of records as a ZIP archive, in one pass. An archive without its end, which Close writes, does
// not open.
type Archive struct {
	zip  *zip.Writer
	name string    // the file that is written
	out  io.Writer // its contents
	rows *csvfile.Writer
}

// NewArchive returns an Archive that writes to w.
func NewArchive(w io.Writer) *Archive { return &Archive{zip: zip.NewWriter(w)} }

// Begin begins a file, also if no record follows.
func (a *Archive) Begin(name string) (err error) {
	if err := a.end(); err != nil {
		return err
	}
	a.name = name
	a.out, err = a.zip.Create(name)
	return err
}

// Put adds a record to a file, which it begins unless the last record was of that file.
func (a *Archive) Put(name string, record any) error {
	if a.name != name {
		if err := a.Begin(name); err != nil {
			return err
		}
	}
	text, err := encode.Append(nil, record)
	if err != nil {
		return err
	}
	_, err = a.out.Write(append(text, '\n'))
	return err
}

// Rows begins a file of comma-separated values and returns its writer, which the next file ends.
func (a *Archive) Rows(name string) (*csvfile.Writer, error) {
	if err := a.Begin(name); err != nil {
		return nil, err
	}
	a.rows = csvfile.NewWriter(a.out)
	return a.rows, nil
}

func (a *Archive) end() error {
	if a.rows == nil {
		return nil
	}
	err := a.rows.Flush()
	a.rows = nil
	return err
}

// Close ends the archive.
func (a *Archive) Close() error { return errors.Join(a.end(), a.zip.Close()) }
