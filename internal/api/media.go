package api

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"studycircle"
)

// receiveFile reads a body of another type than JSON.
func receiveFile(w http.ResponseWriter, r *http.Request, contentType string, largest int64) ([]byte, error) {
	if err := sentAs(contentType, r.Header); err != nil {
		return nil, err
	}
	if r.ContentLength > largest {
		return nil, tooLarge(largest)
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWithin)) // the recorders of tests have no deadlines
	file, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	_ = control.SetReadDeadline(time.Time{}) // the recorders of tests have no deadlines
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		return nil, tooLarge(large.Limit)
	}
	if err != nil {
		return nil, errNotWhole
	}
	return file, nil
}

func tooLarge(largest int64) error {
	return studycircle.Errorf(studycircle.CodeTooLarge, "The request's body must not be larger than %d MiB.", largest>>20)
}

const contentTypeJSON = "application/json"

// sentAs refuses a body of another type than the wanted one or of two, and a compressed one.
func sentAs(wanted string, h http.Header) error {
	if len(h.Values("Content-Type")) > 1 || !isOf(wanted, h.Get("Content-Type")) {
		return studycircle.Errorf(studycircle.CodeUnsupportedMedia, "The request's body must be sent as %s.", wanted)
	}
	for _, encoding := range h.Values("Content-Encoding") {
		if !strings.EqualFold(encoding, "identity") {
			return studycircle.Errorf(studycircle.CodeUnsupportedMedia, "The request's body must not be compressed.")
		}
	}
	return nil
}

// isOf reports whether a Content-Type is the wanted one, in UTF-8.
func isOf(wanted, contentType string) bool {
	if contentType == wanted {
		return true
	}
	kind, parameters, err := mime.ParseMediaType(contentType)
	charset := parameters["charset"]
	return err == nil && kind == wanted && (charset == "" || strings.EqualFold(charset, "utf-8"))
}
