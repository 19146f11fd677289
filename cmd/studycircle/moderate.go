package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"studycircle"
	"studycircle/internal/store"
)

type moderateCommand struct {
	List    moderateList    `cmd:"" help:"List open reports, oldest first."`
	Hide    moderateHide    `cmd:"" help:"Hide a comment, an assignment, a review's feedback and question, or a submission's answers."`
	Restore moderateRestore `cmd:"" help:"Show hidden content again."`
	Suspend moderateSuspend `cmd:"" help:"Suspend an account."`
	Log     moderateLog     `cmd:"" help:"List everything that moderators did, oldest first."`
}

// withStore runs f on an open database.
func withStore(ctx context.Context, c store.Config, f func(*store.Store) error) (err error) {
	s, err := store.Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return f(s)
}

type moderateList struct{ databaseFlags }

// Run lists open reports: kind, id, reason and subject. For reviews and submissions, whose
// authors stay anonymous, the id is the report's.
func (c moderateList) Run(ctx context.Context) error {
	return withStore(ctx, c.config(), func(s *store.Store) error {
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for page := int64(1); ; page++ {
			found, _, err := s.Reports(ctx, studycircle.System(), studycircle.Hall, studycircle.Page{Number: page, Limit: studycircle.MaxLimit})
			if err != nil {
				return err
			}
			for _, r := range found {
				about, id := r.Assignment.Title, r.Subject.ID
				if r.Subject.Kind.Blind() {
					about, id = "", r.ID
				}
				switch {
				case r.Subject.Kind == studycircle.OfComment:
					about = r.Comment.Text
				case r.Review != nil:
					about = r.Review.Feedback
				case r.Work != nil:
					about = r.Work.DocsLink + " " + r.Work.Note
				}
				_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.CreatedAt.Format(time.RFC3339), r.Subject.Kind, id, oneLine(r.Reason), oneLine(about))
			}
			if len(found) < studycircle.MaxLimit {
				return w.Flush()
			}
		}
	})
}

// oneLine returns the beginning of a text without control characters, which a terminal
// would obey.
func oneLine(text string) string {
	const most = 80
	text = strings.Map(func(r rune) rune {
		if r < ' ' || (r >= 0x7f && r < 0xa0) {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

type moderateHide struct {
	databaseFlags
	ID     string `arg:"" help:"The id of a comment or an assignment, or of a report of a review or submission."`
	Reason string `default:"Hidden by a moderator." help:"The reason that its author sees."`
}

// Run hides a comment, an assignment, feedback with its question, or answers.
func (c moderateHide) Run(ctx context.Context) error {
	reason, err := studycircle.CleanReason(c.Reason)
	if err != nil {
		return err
	}
	return moderate(ctx, c.config(), studycircle.Hide, c.ID, reason, "hidden")
}

type moderateRestore struct {
	databaseFlags
	ID string `arg:"" help:"The id of a comment or an assignment, or of a report of a review or submission."`
}

// Run shows hidden content again.
func (c moderateRestore) Run(ctx context.Context) error {
	return moderate(ctx, c.config(), studycircle.Restore, c.ID, "", "shown again")
}

// moderate acts on the comment or assignment with an id, or on the subject of the report
// with that id.
func moderate(ctx context.Context, c store.Config, action studycircle.ModerationAction, id, reason, done string) error {
	if !studycircle.ValidID(id) {
		return fmt.Errorf("%q is no id", id)
	}
	return withStore(ctx, c, func(s *store.Store) error {
		changed := false
		err := s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			m := studycircle.Moderation{Moderator: studycircle.ByShell, Action: action, Reason: reason, At: time.Now().UTC()}
			report, _, err := tx.Report(ctx, id)
			if err == nil && report.Subject.Kind.Blind() {
				m.Subject, m.ReportID, m.Reason = report.Subject, id, cmp.Or(reason, report.Reason)
				changed, err = tx.Moderate(ctx, m)
				return err
			}
			for _, kind := range []studycircle.SubjectKind{studycircle.OfComment, studycircle.OfAssignment} {
				m.Subject = studycircle.Subject{Kind: kind, ID: id}
				if changed, err = tx.Moderate(ctx, m); studycircle.CodeOf(err) != studycircle.CodeNotFound {
					return err
				}
			}
			return err
		})
		switch {
		case studycircle.CodeOf(err) == studycircle.CodeNotFound:
			return fmt.Errorf("there is no comment and no assignment %s, and no report of a review or submission", id)
		case err != nil:
			return err
		case !changed:
			done = "as it was"
		}
		fmt.Println(id, "is", done+".")
		return nil
	})
}

type moderateSuspend struct {
	databaseFlags
	Who string `arg:"" help:"The user's e-mail address, or the id of a report of a review or submission, for its author."`
}

// Run suspends a user and records it. Running servers notice within five seconds.
func (c moderateSuspend) Run(ctx context.Context) error {
	if !strings.Contains(c.Who, "@") {
		return moderate(ctx, c.config(), studycircle.Suspend, c.Who, "", "decided on: its author is suspended")
	}
	return withStore(ctx, c.config(), func(s *store.Store) error {
		account, err := s.AccountByEmail(ctx, studycircle.NormalizeEmail(c.Who))
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return fmt.Errorf("there is no account with the address %s", c.Who)
		}
		if err != nil {
			return err
		}
		err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.Moderate(ctx, studycircle.Moderation{
				Moderator: studycircle.ByShell, Action: studycircle.Suspend, At: time.Now().UTC(),
				Subject: studycircle.Subject{Kind: studycircle.OfUser, ID: account.ID},
			})
			return err
		})
		if err == nil {
			fmt.Println(account.Email, "is suspended.")
		}
		return err
	})
}

type moderateLog struct{ databaseFlags }

// Run lists all moderation: moderator, action, subject, time and reason.
func (c moderateLog) Run(ctx context.Context) error {
	return withStore(ctx, c.config(), func(s *store.Store) error {
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		err := s.EachModeration(ctx, func(m studycircle.Moderation) error {
			_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.At.Format(time.RFC3339), m.Moderator, m.Action, m.Subject.Kind, m.Subject.ID, oneLine(m.Reason))
			return err
		})
		return errors.Join(err, w.Flush())
	})
}
