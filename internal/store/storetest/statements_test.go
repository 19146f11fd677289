package storetest

import (
	"io"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"
	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// statements are the texts of what connections that write have run.
type statements struct {
	mu    sync.Mutex
	texts map[string]bool
}

func (s *statements) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil {
		s.texts = map[string]bool{}
	}
	s.texts[text] = true
}

// all returns the texts in order.
func (s *statements) all() (texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for text := range s.texts {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}

// recorded runs a test on each engine with the statements of its writes.
func recorded(t *testing.T, test func(t *testing.T, b *bundle, of *statements)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		c := store.Config{Dir: teststore.Dir(t)}
		of := recordFile(t, filepath.Join(c.Dir, "studycircle.db"))
		test(t, setup(t, c), of)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		b, of := setup(t, store.Config{URL: testpg.DB(t)}), &statements{}
		b.Store = opened(t, store.Config{URL: of.proxy(t, b.config.URL)})
		test(t, b, of)
	})
}

func opened(t *testing.T, c store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// files are the databases of SQLite whose statements are recorded, by their paths.
var files sync.Map

// writing are the connections of SQLite that have begun a transaction that writes.
var writing sync.Map

// traceFiles has SQLite trace the connections that are opened from now on.
var traceFiles = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	begin := func(tls *libc.TLS, db, _, _ uintptr) int32 {
		return sqlite3.Xsqlite3_trace_v2(tls, db, sqlite3.SQLITE_TRACE_STMT, pointer(traced), db)
	}
	sqlite3.Xsqlite3_auto_extension(tls, pointer(begin))
})

// pointer returns f as C sees a function.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&struct{ f F }{f})) }

// traced records a statement that begins on a connection.
func traced(tls *libc.TLS, _ uint32, db, statement, _ uintptr) int32 {
	of, recorded := files.Load(libc.GoString(sqlite3.Xsqlite3_db_filename(tls, db, 0)))
	if !recorded {
		return 0
	}
	text := libc.GoString(sqlite3.Xsqlite3_sql(tls, statement))
	if strings.HasPrefix(strings.ToLower(text), "begin immediate") {
		writing.Store(db, true)
	}
	if _, writes := writing.Load(db); writes {
		of.(*statements).add(text) //nolint:forcetypeassert // recordFile has stored it
	}
	return 0
}

// recordFile records what writes of a database of SQLite run, on connections that are opened from now on.
func recordFile(t *testing.T, file string) *statements {
	t.Helper()
	traceFiles()
	of := &statements{}
	files.Store(file, of)
	t.Cleanup(func() { files.Delete(file) })
	return of
}

// proxy returns the address of a proxy before a database of PostgreSQL that records what writes run.
func (s *statements) proxy(t *testing.T, address string) string {
	t.Helper()
	c, err := pgx.ParseConfig(address)
	require.NoError(t, err)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go s.forward(client, filepath.Join(c.Host, ".s.PGSQL.5432"))
		}
	}()
	through := url.URL{Scheme: "postgres", User: url.User(c.User), Host: listener.Addr().String(), Path: "/" + c.Database, RawQuery: "sslmode=disable"}
	return through.String()
}

// forward copies between a client and the server until one of them ends.
func (s *statements) forward(client net.Conn, socket string) {
	server, err := net.Dial("unix", socket) //nolint:noctx // it ends with the client
	if err != nil {
		_ = client.Close() // the client sees why
		return
	}
	sent, copied := io.Pipe()
	go s.read(sent)
	go func() {
		_, _ = io.Copy(server, io.TeeReader(client, copied)) // it ends with either of them
		_, _ = copied.Close(), server.Close()
	}()
	_, _ = io.Copy(client, server)
	_ = client.Close()
}

// read reads the messages of a client.
func (s *statements) read(sent io.Reader) {
	messages := pgproto3.NewBackend(sent, io.Discard)
	_, err := messages.ReceiveStartupMessage()
	writes := false
	for err == nil {
		var message pgproto3.FrontendMessage
		if message, err = messages.Receive(); err != nil {
			break
		}
		text := ""
		switch m := message.(type) {
		case *pgproto3.Parse:
			text = m.Query
		case *pgproto3.Query:
			text = m.String
		}
		writes = writes || strings.EqualFold(text, "begin")
		if writes && text != "" {
			s.add(text)
		}
	}
	_, _ = io.Copy(io.Discard, sent)
}
