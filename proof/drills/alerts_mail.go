package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
)

// mood is what a mail server does with emails.
type mood int32

const (
	working  mood = iota
	refusing      // with a status after which clients try again
	silent        // it accepts connections and says nothing
)

// mailServer is a mail server that drops every email.
type mailServer struct {
	listener net.Listener
	mood     atomic.Int32
}

func newMailServer(ctx context.Context) (*mailServer, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mailServer{listener: listener}
	go func() {
		for {
			c, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				go m.serve(c, mood(m.mood.Load()))
			}
		}
	}()
	return m, nil
}

func (m *mailServer) address() string { return m.listener.Addr().String() }

func (m *mailServer) close() error { return m.listener.Close() }

// is sets the mood for further connections.
func (m *mailServer) is(now mood) { m.mood.Store(int32(now)) }

// serve speaks SMTP with a client until it leaves.
func (*mailServer) serve(c net.Conn, now mood) {
	defer func() { _ = c.Close() }() // of a client that has gone
	// say ignores errors: reading ends with the client.
	say := func(line string) {
		if now != silent {
			_, _ = fmt.Fprint(c, line+"\r\n")
		}
	}
	say("220 here")
	inText := false
	for lines := bufio.NewScanner(c); lines.Scan(); {
		command, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " ")
		switch {
		case inText && lines.Text() != ".":
		case inText:
			inText = false
			say("250 ok")
		case command == "EHLO":
			say("250-here\r\n250 8BITMIME")
		case command == "MAIL" && now == refusing:
			say("451 try again later")
		case command == "DATA":
			inText = true
			say("354 go on")
		case command == "QUIT":
			say("221 bye")
		default:
			say("250 ok")
		}
	}
}
