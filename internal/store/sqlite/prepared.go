package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
)

// maxPrepared bounds the texts that preparedReads keeps. The program has fewer: a query has a variant for each role and
// for five numbers of ids. Beyond the bound a text is parsed at each call.
const maxPrepared = 500

// preparedReads is a pool of connections that refuse writes. It prepares each text once on each connection, because
// parsing takes longer than most reads.
type preparedReads struct {
	*sql.DB
	statements sync.Map // text to *sql.Stmt
	kept       atomic.Int64
	most       int64 // texts that are kept
}

// statement returns the statement of a text, nil beyond most. Closing the pool closes it.
func (p *preparedReads) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if known, is := p.statements.Load(text); is {
		return known.(*sql.Stmt), nil //nolint:errcheck,forcetypeassert // stored below
	}
	if p.kept.Load() >= p.most {
		return nil, nil //nolint:nilnil // documented
	}
	made, err := p.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	known, is := p.statements.LoadOrStore(text, made)
	if is { // another goroutine was faster
		return known.(*sql.Stmt), made.Close() //nolint:errcheck,forcetypeassert,sqlclosecheck // stored above; its use is over
	}
	p.kept.Add(1)
	return made, nil
}

// QueryContext implements db.DBTX.
func (p *preparedReads) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := p.statement(ctx, text) //nolint:sqlclosecheck // it is kept
	if err != nil {
		return nil, err
	}
	if s == nil {
		return p.DB.QueryContext(ctx, text, args...)
	}
	return s.QueryContext(ctx, args...)
}
