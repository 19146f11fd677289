package load

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	r, err := parse("Running 1s test\nRESULT 4500 1500000 2 300 4000\n")
	if err != nil {
		t.Fatal(err)
	}
	want := Round{Requests: 4500, Elapsed: 1500 * time.Millisecond, Errors: 2, P50: 300 * time.Microsecond, P99: 4 * time.Millisecond}
	if r != want {
		t.Errorf("got %+v, want %+v", r, want)
	}
	if r.Rate() != 3000 {
		t.Errorf("rate %v, want 3000", r.Rate())
	}
	if _, err := parse("unable to connect"); err == nil {
		t.Error("missing result: no error")
	}
}

func TestSendChecksEveryAnswer(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.Header.Get("Authorization") != "Bearer secret" || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = fmt.Fprint(w, r.URL.Path)
	}))
	defer server.Close()
	var n atomic.Int64
	round, err := Send(t.Context(), Calls{
		URL: server.URL, Clients: 16, Count: 40, For: time.Minute,
		Next: func() Request {
			return Request{Method: "POST", Path: fmt.Sprint("/", n.Add(1)%2), Token: "secret", Body: "{}"}
		},
		Check: func(a Answer) error {
			if string(a.Body) != "/0" {
				return errors.New("wrong")
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if asked.Load() != 40 || round.Requests != 20 || round.Errors != 20 || round.Problem == nil {
		t.Errorf("asked %d times, %+v", asked.Load(), round)
	}
}
