// Package demo fills an empty database with sample users and their work, for `studycircle
// serve --demo`.
package demo

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/identity"
	"studycircle/internal/markdown"
	"studycircle/internal/service"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
)

// Password is the password of every sample account.
const Password = "Circle1"

// samples is how many of the users can sign in.
const samples = 2

//go:embed content.json
var content []byte

type file struct {
	People []struct {
		Email       string `json:"email"`
		DisplayName string `json:"displayName"`
		Photo       string `json:"photo"`
	} `json:"people"`
	Assignments []assignment `json:"assignments"`
	Submissions []submission `json:"submissions"`
	Comments    []comment    `json:"comments"`
	// Reminders are the assignments that users want to be reminded of.
	Reminders []struct {
		User       string `json:"user"`
		Assignment string `json:"assignment"`
	} `json:"reminders"`
}

type comment struct {
	Key        string  `json:"key"` // of a thread with replies
	Assignment string  `json:"assignment"`
	Thread     string  `json:"thread"`
	Author     string  `json:"author"`
	Text       string  `json:"text"`
	DaysAgo    float64 `json:"daysAgo"`
}

type assignment struct {
	Key            string            `json:"key"`
	Creator        string            `json:"creator"`
	Title          string            `json:"title"`
	Description    string            `json:"description"`
	Marks          int64             `json:"marks"`
	Level          studycircle.Level `json:"level"`
	Thumb          string            `json:"thumb"`
	DueInDays      int               `json:"dueInDays"`
	CreatedDaysAgo float64           `json:"createdDaysAgo"`
}

type submission struct {
	Assignment       string  `json:"assignment"`
	Submitter        string  `json:"submitter"`
	DocsLink         string  `json:"docsLink"`
	Note             string  `json:"note"`
	SubmittedDaysAgo float64 `json:"submittedDaysAgo"`
	Grade            *struct {
		Grader        string  `json:"grader"`
		Marks         int64   `json:"marks"`
		Feedback      string  `json:"feedback"`
		GradedDaysAgo float64 `json:"gradedDaysAgo"`
	} `json:"grade"`
}

// UseCases returns the use cases on a store, by a clock.
type UseCases func(s *store.Store, now func() time.Time) *service.Service

// Fill stores the sample content and returns the users who can sign in with Password. If
// the content exists, it returns them again; a database with other content is left alone,
// with no users returned. art is where the pictures are served.
func Fill(ctx context.Context, s *store.Store, uses UseCases, now time.Time, art *url.URL) ([]studycircle.User, error) {
	var f file
	if err := json.Unmarshal(content, &f); err != nil {
		return nil, fmt.Errorf("read the sample content: %w", err)
	}
	filled, err := known(ctx, s, f)
	if err != nil || filled != nil {
		return filled, err
	}
	_, total, err := s.Assignments(ctx, studycircle.System(), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 1})
	if err != nil || total > 0 {
		return nil, err
	}
	hash, err := identity.HashPassword(Password)
	if err != nil {
		return nil, err
	}
	var users map[string]studycircle.User
	err = s.Write(engine.WithLongWrite(ctx, engine.LongSamples), studycircle.System(), func(
		ctx context.Context, tx *store.Tx,
	) error {
		users = map[string]studycircle.User{}
		for i, p := range f.People {
			u := studycircle.User{ID: studycircle.NewID(now), Email: p.Email, DisplayName: p.DisplayName, CreatedAt: now}
			if p.Photo != "" {
				u.PhotoURL = art.JoinPath("art/people", p.Photo).String()
			}
			account := studycircle.Account{User: u}
			if i < samples {
				account.PasswordHash = hash
			}
			if err := insert(ctx, tx, account); err != nil {
				return err
			}
			users[p.Email] = u
		}
		for _, name := range pupils {
			u := studycircle.User{ID: studycircle.NewID(now), Email: address(name), DisplayName: name, CreatedAt: now}
			if err := insert(ctx, tx, studycircle.Account{User: u}); err != nil {
				return err
			}
		}
		tx.AnnounceReset()
		return fillWork(ctx, tx, f, users, now, art)
	})
	if err != nil {
		return nil, fmt.Errorf("write the sample content: %w", err)
	}
	// In the order of their times, so that inboxes are.
	for _, fill := range []struct {
		what string
		with func(context.Context, *store.Store, UseCases, map[string]studycircle.User, time.Time, *url.URL) error
	}{{"circles", fillCircles}, {"reviews", fillReviews}} {
		if err := deliver(ctx, s); err != nil {
			return nil, err
		}
		if err := fill.with(ctx, s, uses, users, now, art); err != nil {
			return nil, fmt.Errorf("make the sample %s: %w", fill.what, err)
		}
	}
	return known(ctx, s, f)
}

// deliver puts all notifications into the inboxes.
func deliver(ctx context.Context, s *store.Store) error {
	for {
		if n, err := s.DeliverNotices(ctx); err != nil || n == 0 {
			return err
		}
	}
}

// insert adds an account with a verified address, so that rosters admit its user.
func insert(ctx context.Context, tx *store.Tx, a studycircle.Account) error {
	a.EmailVerifiedAt = a.CreatedAt
	return tx.InsertAccount(ctx, a)
}

func fillWork(
	ctx context.Context, tx *store.Tx, f file, users map[string]studycircle.User, now time.Time, art *url.URL,
) error {
	slices.SortStableFunc(
		f.Assignments, func(a, b assignment) int { return int(b.CreatedDaysAgo*1000 - a.CreatedDaysAgo*1000) },
	)
	made := map[string]studycircle.Assignment{}
	var assignments []studycircle.Assignment
	for _, in := range f.Assignments {
		a, err := in.build(users, now, art)
		if err != nil {
			return err
		}
		made[in.Key], assignments = a, append(assignments, a)
	}
	if _, err := bulk.ImportAssignments(ctx, tx.Tx, assignments); err != nil {
		return err
	}
	slices.SortStableFunc(
		f.Submissions, func(a, b submission) int { return int(b.SubmittedDaysAgo*1000 - a.SubmittedDaysAgo*1000) },
	)
	var submissions []studycircle.Submission
	for _, in := range f.Submissions {
		a := made[in.Assignment]
		at := daysAgo(now, in.SubmittedDaysAgo)
		s := studycircle.Submission{
			ID: studycircle.NewID(at), AssignmentID: a.ID, AssignmentTitle: a.Title, Marks: a.Marks,
			Submitter: studycircle.Person{UserID: users[in.Submitter].ID}, DocsLink: in.DocsLink, Note: in.Note,
			Status: studycircle.Pending, SubmittedAt: at, Late: at.After(a.Due.Time()),
		}
		if in.Grade != nil {
			s.Status = studycircle.Completed
			s.Grade = &studycircle.Grade{
				GraderID: users[in.Grade.Grader].ID, Mark: in.Grade.Marks, Feedback: in.Grade.Feedback,
				MarkedAt: daysAgo(now, in.Grade.GradedDaysAgo),
			}
		}
		submissions = append(submissions, s)
	}
	if _, err := bulk.ImportSubmissions(ctx, tx.Tx, submissions); err != nil {
		return err
	}
	for _, r := range f.Reminders {
		if _, err := tx.SetReminder(ctx, users[r.User].ID, made[r.Assignment].ID, true, now); err != nil {
			return err
		}
	}
	return fillDiscussions(ctx, tx, f, users, made, now)
}

func fillDiscussions(
	ctx context.Context, tx *store.Tx, f file, users map[string]studycircle.User,
	made map[string]studycircle.Assignment, now time.Time,
) error {
	slices.SortStableFunc(f.Comments, func(a, b comment) int { return cmp.Compare(b.DaysAgo, a.DaysAgo) })
	threads := map[string]string{}
	for _, in := range f.Comments {
		at := daysAgo(now, in.DaysAgo+circlesFor)
		c := studycircle.Comment{
			ID: studycircle.NewID(at), AssignmentID: made[in.Assignment].ID, ThreadID: threads[in.Thread],
			Author: studycircle.Person{UserID: users[in.Author].ID}, Text: in.Text, HTML: markdown.Render(in.Text, 3).HTML,
			CreatedAt: at,
		}
		if err := tx.InsertComment(ctx, c); err != nil {
			return err
		}
		if in.Key != "" {
			threads[in.Key] = c.ID
		}
	}
	return nil
}

func (in assignment) build(
	users map[string]studycircle.User, now time.Time, art *url.URL,
) (studycircle.Assignment, error) {
	input, err := studycircle.AssignmentInput{
		Title: in.Title, Description: in.Description, Marks: in.Marks, Level: in.Level,
		Thumbnail: art.JoinPath("art/thumbs", in.Thumb).String(),
		DueDate:   now.UTC().AddDate(0, 0, in.DueInDays).Format(time.DateOnly),
	}.Clean()
	if err != nil {
		return studycircle.Assignment{}, fmt.Errorf("%s: %w", in.Key, err)
	}
	input.HTML = markdown.Render(input.Description, 2).HTML
	at := daysAgo(now, in.CreatedDaysAgo+circlesFor)
	a, _ := studycircle.Assignment{
		ID: studycircle.NewID(at), Creator: studycircle.Person{UserID: users[in.Creator].ID}, CreatedAt: at, UpdatedAt: at,
		Model: grademodel.Present,
	}.Apply(input)
	return a, nil
}

func daysAgo(now time.Time, days float64) time.Time {
	return now.Add(-time.Duration(days * 24 * float64(time.Hour))).UTC().Truncate(time.Microsecond)
}

// known returns the sample users if all of them have accounts.
func known(ctx context.Context, s *store.Store, f file) ([]studycircle.User, error) {
	var users []studycircle.User
	for _, p := range f.People[:samples] {
		account, err := s.AccountByEmail(ctx, p.Email)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		users = append(users, account.User)
	}
	return users, nil
}
