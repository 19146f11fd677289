package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
	"golang.org/x/crypto/bcrypt"

	"studycircle/proof/bench/internal/seed"
)

// chunk is the number of rows per transaction.
const chunk = 50_000

// fillAll fills in what is missing. Rows are written as PocketBase writes them, without its
// hooks.
func fillAll(app core.App, set seed.Set) error {
	users, err := prepare(app)
	if err != nil {
		return err
	}
	hash, err := bcrypt.GenerateFromPassword(
		[]byte(seed.Password), users.Fields.GetByName("password").(*core.PasswordField).Cost,
	)
	if err != nil {
		return err
	}
	created := text(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	err = fillTable(app, "users", set.Users()+seed.Accounts, func(n int) dbx.Params {
		u := set.User(n)
		if n >= set.Users() {
			u = seed.Account(n - set.Users())
		}
		return dbx.Params{"id": u.ID, "email": u.Email, "name": u.Name, "verified": true, "tokenKey": fmt.Sprintf("%050d", n),
			"password": string(hash), "created": created, "updated": created}
	})
	if err != nil {
		return err
	}
	err = fillTable(app, "assignments", set.Size, func(n int) dbx.Params {
		a := set.Assignment(n)
		return dbx.Params{"id": a.ID, "title": a.Title, "description": a.Description, "thumbnail": a.Thumbnail,
			"marks": a.Marks, "level": a.Level,
			"dueDate": text(a.Due), "creator": a.Creator.ID, "creatorEmail": a.Creator.Email, "creatorName": a.Creator.Name,
			"created": text(a.Created), "updated": text(a.Created)}
	})
	if err != nil {
		return err
	}
	err = fillTable(app, "submissions", set.Submissions(), func(k int) dbx.Params {
		s := set.Submission(k)
		row := dbx.Params{"id": s.ID, "assignment": s.Of.ID, "assignmentTitle": s.Of.Title,
			"marks": s.Of.Marks, "submittedBy": s.By.Email,
			"docsLink": s.DocsLink, "note": s.Note, "status": "pending", "submittedAt": text(s.Submitted),
			"late": s.Submitted.After(s.Of.Due), "givenMark": 0, "feedback": "", "markedAt": ""}
		if !s.Pending {
			row["status"], row["givenMark"], row["feedback"], row["markedAt"] = "completed", s.Mark, s.Feedback, text(s.Marked)
		}
		return row
	})
	if err != nil {
		return err
	}
	return finish(app)
}

// prepare creates the collections and turns off the request log, which costs a write each.
func prepare(app core.App) (*core.Collection, error) {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return nil, err
	}
	settings := app.Settings()
	settings.Logs.MaxDays = 0
	if err := app.Save(settings); err != nil {
		return nil, err
	}
	if _, err := app.FindCollectionByNameOrId("submissions"); err == nil {
		return users, nil
	}
	of := assignments(users.Id)
	if err := app.Save(of); err != nil {
		return nil, err
	}
	return users, app.Save(submissions(of.Id))
}

func fillTable(app core.App, table string, size int, row func(int) dbx.Params) error {
	var from int
	if err := app.DB().Select("count(*)").From(table).Row(&from); err != nil {
		return err
	}
	for from < size {
		to := min(from+chunk, size)
		err := app.RunInTransaction(func(tx core.App) error {
			statement, err := insert(tx, table, row(from))
			if err != nil {
				return err
			}
			defer func() { _ = statement.Close() }() // ends with the transaction
			for n := from; n < to; n++ {
				if _, err := statement.Bind(row(n)).Execute(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		from = to
		fmt.Printf("pocketbase: %s %d of %d\n", table, from, size)
	}
	return nil
}

func insert(tx core.App, table string, row dbx.Params) (*dbx.Query, error) {
	var columns, values []string
	for name := range row {
		columns, values = append(columns, "[["+name+"]]"), append(values, "{:"+name+"}")
	}
	q := tx.DB().NewQuery(
		"INSERT INTO {{" + table + "}} (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")",
	)
	return q.Prepare(), q.LastError
}

// finish creates the indexes and runs ANALYZE without samples, with which SQLite would plan
// statements again for each value. The product has none either.
func finish(app core.App) error {
	for name, wanted := range indexes {
		c, err := app.FindCollectionByNameOrId(name)
		if err != nil {
			return err
		}
		if len(c.Indexes) == len(wanted) {
			continue
		}
		c.Indexes = wanted
		if err := app.Save(c); err != nil {
			return err
		}
		fmt.Printf("pocketbase: indexes of %s\n", name)
	}
	for _, statement := range []string{"ANALYZE", "DELETE FROM sqlite_stat4"} {
		if _, err := app.DB().NewQuery(statement).Execute(); err != nil {
			return err
		}
	}
	return nil
}

// text formats a time as PocketBase stores it.
func text(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000Z") }
