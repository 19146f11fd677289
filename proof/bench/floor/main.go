// Command floor serves prebuilt answers from a file by path, with net/http alone. No Go server
// that does any work can be faster.
// usage: floor ANSWERS.json
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
)

type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var answers map[string]*answer
	if err := json.Unmarshal(text, &answers); err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on %s\n", listener.Addr())
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := answers[r.URL.Path]
		if a == nil {
			http.NotFound(w, r)
			return
		}
		header := w.Header()
		for name, values := range a.Header {
			header[name] = values
		}
		w.WriteHeader(a.Status)
		_, _ = w.Write(a.Body) // the client has disconnected
	})))
}
