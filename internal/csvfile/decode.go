package csvfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// saveAs ends the sentence about a file in a form that is not read.
const saveAs = "Save it as “CSV UTF-8” and choose it again."

// formats are the first bytes of files that are no text, and the sentence that names them.
var formats = []struct{ begin, sentence string }{
	{"PK\x03\x04", "This is a workbook of Excel, Numbers or LibreOffice, not a CSV file. " + saveAs},
	{"\xd0\xcf\x11\xe0", "This is a workbook of an older Excel, not a CSV file. " + saveAs},
	{"%PDF", "This is a PDF document, not a CSV file."},
	{"<html", "This is a web page, not a CSV file. Open it in a spreadsheet and save it as “CSV UTF-8”."},
	{"<table", "This is a web page, not a CSV file. Open it in a spreadsheet and save it as “CSV UTF-8”."},
	{"<!doctype", "This is a web page, not a CSV file. Open it in a spreadsheet and save it as “CSV UTF-8”."},
	{"<?xml", "This is an XML document, not a CSV file. Open it in a spreadsheet and save it as “CSV UTF-8”."},
}

// Marked reports whether a file begins with a byte order mark, as programs on Windows put it before a text.
func Marked(head []byte) bool {
	return bytes.HasPrefix(head, []byte(Mark)) || bytes.HasPrefix(head, []byte("\xff\xfe")) ||
		bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// Decode returns the text of a file in UTF-8 with line feeds at the ends of lines.
func Decode(file io.Reader) (io.Reader, error) {
	text, _, err := decoded(file)
	return text, err
}

// decoded returns the text of a file in UTF-8 with line feeds at the ends of lines, and the decoder that says, once
// the text is read, in which encoding it was. Files are in UTF-8, in UTF-16 with a byte order mark, or, from the first
// byte on that is not UTF-8, in Windows-1252.
func decoded(file io.Reader) (io.Reader, *decoder, error) {
	buffer := bufio.NewReaderSize(file, 64<<10)
	head, err := buffer.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	text := bytes.ToLower(bytes.TrimLeft(head, "\ufeff \t\r\n"))
	for _, f := range formats {
		if bytes.HasPrefix(head, []byte(f.begin)) || bytes.HasPrefix(text, []byte(f.begin)) {
			return nil, nil, &Error{1, errors.New(f.sentence)}
		}
	}
	d := &decoder{line: 1}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		d.as = asUTF8
		wide := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		return transform.NewReader(buffer, transform.Chain(wide, d)), d, nil
	case bytes.HasPrefix(head, []byte(Mark)):
		d.as = asUTF8
	}
	for ; bytes.HasPrefix(head, []byte(Mark)); head = head[len(Mark):] {
		if _, err := buffer.Discard(len(Mark)); err != nil {
			return nil, nil, err
		}
	}
	return transform.NewReader(buffer, d), d, nil
}

type encodingOf int

const (
	asASCII encodingOf = iota // no byte so far tells
	asUTF8
	asWindows
)

// decoder turns UTF-8 or Windows-1252 into UTF-8, and the ends of lines into line feeds. A text that is both is
// refused.
type decoder struct {
	as   encodingOf
	line int
	// cr is set after a carriage return, whose line feed adds no line.
	cr bool
	// lower is the first line with a letter of 0x80 to 0x9f in Windows-1252; upper is set by letters from 0xc0 on.
	lower int
	upper bool
}

// Reset implements transform.Transformer.
func (d *decoder) Reset() {}

// Transform implements transform.Transformer.
func (d *decoder) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		if len(dst)-written < utf8.UTFMax {
			return written, read, transform.ErrShortDst
		}
		c := src[read]
		if c < utf8.RuneSelf {
			read++
			after := d.cr
			d.cr = c == '\r'
			switch {
			case c == '\n' && after:
				continue
			case c == '\n' || c == '\r':
				d.line++
				c = '\n'
			}
			dst[written] = c
			written++
			continue
		}
		d.cr = false
		r, size := utf8.DecodeRune(src[read:])
		if !atEOF && !utf8.FullRune(src[read:]) {
			return written, read, transform.ErrShortSrc
		}
		valid := r != utf8.RuneError || size > 1
		switch {
		case valid && d.as != asWindows:
			d.as = asUTF8
			written += copy(dst[written:], src[read:read+size])
			read += size
			continue
		case !valid && d.as == asUTF8:
			return written, read, &Error{d.line, reason("This line is not in UTF-8, as the text before it is. " + saveAs)}
		case valid && (c == 0xc2 || c == 0xc3):
			return written, read, &Error{d.line, reason("This line is in UTF-8, and the text before it is not. " + saveAs)}
		}
		if err := d.narrow(c); err != nil {
			return written, read, err
		}
		written += utf8.EncodeRune(dst[written:], charmap.Windows1252.DecodeByte(c))
		read++
	}
	return written, read, nil
}

// narrow notes a byte of Windows-1252.
func (d *decoder) narrow(c byte) error {
	d.as = asWindows
	switch c {
	case 0x81, 0x8d, 0x8f, 0x90, 0x9d:
		return &Error{d.line, errUnknownEncoding}
	case 0x83, 0x8a, 0x8c, 0x8e, 0x9a, 0x9c, 0x9e, 0x9f:
		if d.lower == 0 {
			d.lower = d.line
		}
	}
	d.upper = d.upper || c >= 0xc0
	return nil
}

// end returns the error of a whole text: in the encoding of older Macs, umlauts and accented letters are where
// Windows-1252 has a few letters, and no text with accents has those alone.
func (d *decoder) end() error {
	if d.as == asWindows && d.lower > 0 && !d.upper {
		return &Error{d.lower, errUnknownEncoding}
	}
	return nil
}

// reason is an error in words for users.
type reason string

// Error implements error.
func (r reason) Error() string { return string(r) }

var errUnknownEncoding error = reason("The letters of this line are in an encoding that is not read here. " + saveAs)

// strange returns the error of a cell that makes no sense in the encoding of the file, nil for others.
func (d *decoder) strange(cell string) error {
	for _, r := range cell {
		if r == utf8.RuneError {
			return reason("A character of this line was lost when the file was saved or cut off. Save or download it again.")
		}
	}
	if d.as != asWindows {
		return nil
	}
	if found := implausible.FindString(cell); found != "" {
		return fmt.Errorf("“%s” does not look right: the file is in an encoding that is not read here. %s", cell, saveAs)
	}
	for _, run := range foreign.FindAllString(cell, -1) {
		if !umlauts.MatchString(run) {
			return fmt.Errorf("“%s” does not look right: the file is in an encoding that is not read here. %s", cell, saveAs)
		}
	}
	return nil
}
