package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
)

// bulk is a statement about many rows at once: head, a list of rows, tail. The
// question marks of row are its parameters.
type bulk struct{ head, row, tail string }

// bulkSizes are how many rows one statement takes, so that few statements serve
// any number of rows and each is parsed once a transaction.
var bulkSizes = [...]int{64, 8, 1}

type bulkKey struct {
	bulk
	size int
}

// bulk runs b for all rows, in their order, and calls scan with every row that
// the database returns, in no order. Both engines take the rows of one statement
// in order, too. On PostgreSQL one statement costs a round trip, however many
// rows it has.
func (tx *Tx) bulk(ctx context.Context, b bulk, rows [][]any, scan func(*sql.Rows) error) error {
	for _, size := range bulkSizes {
		for ; len(rows) >= size; rows = rows[size:] {
			if err := tx.bulkOnce(ctx, b, rows[:size], scan); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *Tx) bulkOnce(ctx context.Context, b bulk, rows [][]any, scan func(*sql.Rows) error) (err error) {
	statement, err := tx.prepareBulk(ctx, bulkKey{b, len(rows)}) //nolint:sqlclosecheck // closed when the transaction ends
	if err != nil {
		return err
	}
	values := make([]any, 0, len(rows)*len(rows[0]))
	for _, row := range rows {
		values = append(values, row...)
	}
	found, err := statement.QueryContext(ctx, values...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		if err := scan(found); err != nil {
			return err
		}
	}
	return found.Err()
}

func (tx *Tx) prepareBulk(ctx context.Context, k bulkKey) (*sql.Stmt, error) {
	if statement := tx.bulks[k]; statement != nil {
		return statement, nil
	}
	statement, err := tx.raw.PrepareContext(ctx, k.text(tx.conn != nil))
	if err != nil {
		return nil, err
	}
	if tx.bulks == nil {
		tx.bulks = map[bulkKey]*sql.Stmt{}
	}
	tx.bulks[k] = statement // closed when the transaction ends
	return statement, nil
}

// text spells the statement. PostgreSQL wants its parameters numbered. SQLite takes
// numbers for names, and looks each up among all of them whenever it is bound.
func (k bulkKey) text(numbered bool) string {
	var text strings.Builder
	text.WriteString(k.head)
	parameter := 0
	for i := range k.size {
		if i > 0 {
			text.WriteString(", ")
		}
		for _, c := range k.row {
			if c != '?' || !numbered {
				text.WriteRune(c)
				continue
			}
			parameter++
			text.WriteString("$" + strconv.Itoa(parameter))
		}
	}
	text.WriteString(k.tail)
	return text.String()
}
