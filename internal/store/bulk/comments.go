package bulk

import (
	"context"
	"database/sql"
	"fmt"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// ImportComments stores comments, in their order, and returns the number of new ones. A thread precedes its replies. It
// skips a known id. A RowError names a row whose id is known on another assignment.
func ImportComments(ctx context.Context, tx *engine.Tx, comments []studycircle.Comment) (added int, err error) {
	ids, rows := make([]string, len(comments)), make([][]any, 0, len(comments))
	first := firstByID(comments, func(c studycircle.Comment) string { return c.ID })
	for i, c := range comments {
		ids[i] = c.ID
		if first[c.ID] == i {
			rows = append(rows, tables.Comments.Values(&c, tables.Comments.Inserted))
		}
	}
	known, err := KnownComments(ctx, tx, ids)
	if err != nil {
		return 0, err
	}
	for i, c := range comments {
		if of, is := known[c.ID]; is && of != c.AssignmentID {
			return 0, &RowError{i, errElsewhere(c.ID)}
		}
	}
	replies := map[string]int64{}
	var threads []string
	err = engine.Run(ctx, tx, tables.ImportComments, rows, func(found *sql.Rows) error {
		var seq int64
		var id string
		if err := found.Scan(&seq, &id); err != nil {
			return err
		}
		c := comments[first[id]]
		if c.ThreadID != "" {
			if replies[c.ThreadID] == 0 {
				threads = append(threads, c.ThreadID)
			}
			replies[c.ThreadID]++
		}
		added++
		return nil
	})
	if err != nil {
		return 0, err
	}
	counts := make([][]any, len(threads))
	for i, id := range threads {
		counts[i] = []any{id, replies[id]}
	}
	counted := 0
	err = engine.Run(ctx, tx, tables.CountReplies, counts, func(*sql.Rows) error {
		counted++
		return nil
	})
	if err == nil && counted < len(threads) {
		err = fmt.Errorf("%d of %d threads are missing", len(threads)-counted, len(threads))
	}
	return added, err
}

// KnownComments returns the ids that are taken, with the ids of their assignments.
func KnownComments(ctx context.Context, tx *engine.Tx, ids []string) (map[string]string, error) {
	return pairs(ctx, tx, tables.KnownComments, ids)
}

// AccountsInUse returns which of some addresses belong to accounts that a user has opened or claimed, and whether the
// user has proved that the address is theirs. The others are those that imports opened.
func AccountsInUse(ctx context.Context, tx *engine.Tx, addresses []string) (map[string]bool, error) {
	out := map[string]bool{}
	err := engine.Run(ctx, tx, tables.AccountsInUse, column(addresses), func(found *sql.Rows) error {
		var email string
		var proved bool
		err := found.Scan(&email, &proved)
		out[email] = proved
		return err
	})
	return out, err
}
