package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
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

type moderateList struct{ operatorFlags }

// reportLine is a report as it is printed.
type reportLine struct {
	At      time.Time `json:"createdAt"`
	Kind    string    `json:"kind"`
	ID      string    `json:"_id"`
	Reason  string    `json:"reason"`
	Subject string    `json:"subject"`
}

// Run lists open reports: kind, id, reason and subject. For reviews and submissions, whose
// authors stay anonymous, the id is the report's.
func (c moderateList) Run(ctx context.Context) error {
	return withStore(ctx, c.config(), func(s *store.Store) error {
		return c.lines(func(put func(v any, columns ...any) error) error {
			for page := int64(1); ; page++ {
				found, _, err := s.Reports(ctx, studycircle.System(), studycircle.Hall, studycircle.Page{
					Number: page, Limit: studycircle.MaxLimit,
				})
				for _, r := range found {
					l := lineOfReport(r)
					err = errors.Join(err, put(l, l.At.Format(time.RFC3339), l.Kind, l.ID, oneLine(l.Reason), oneLine(l.Subject)))
				}
				if err != nil || len(found) < studycircle.MaxLimit {
					return err
				}
			}
		})
	})
}

func lineOfReport(r studycircle.ReportedThing) reportLine {
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
	return reportLine{r.CreatedAt, string(r.Subject.Kind), id, r.Reason, about}
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
	operatorFlags
	ID     string `arg:"" help:"The id of a comment or an assignment, or of a report of a review or submission."`
	Reason string `default:"Hidden by a moderator." help:"The reason that its author sees."`
}

// Run hides a comment, an assignment, feedback with its question, or answers.
func (c moderateHide) Run(ctx context.Context) error {
	reason, err := studycircle.CleanReason(c.Reason)
	if err != nil {
		return err
	}
	return c.moderate(ctx, studycircle.Hide, c.ID, reason, "hidden")
}

type moderateRestore struct {
	operatorFlags
	ID string `arg:"" help:"The id of a comment or an assignment, or of a report of a review or submission."`
}

// Run shows hidden content again.
func (c moderateRestore) Run(ctx context.Context) error {
	return c.moderate(ctx, studycircle.Restore, c.ID, "", "shown again")
}

// moderate acts on the comment or assignment with an id, or on the subject of the report
// with that id.
func (f operatorFlags) moderate(
	ctx context.Context, action studycircle.ModerationAction, id, reason, done string,
) error {
	if !studycircle.ValidID(id) {
		return fmt.Errorf("%q is no id", id)
	}
	return withStore(ctx, f.config(), func(s *store.Store) error {
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
		return f.printModeration(id, action, changed, id+" is "+done+".")
	})
}

type moderateSuspend struct {
	operatorFlags
	Who string `arg:"" help:"The user's e-mail address, or the id of a report of a review or submission, for its author."`
}

// Run suspends a user and records it. Running servers notice within five seconds.
func (c moderateSuspend) Run(ctx context.Context) error {
	if !strings.Contains(c.Who, "@") {
		return c.moderate(ctx, studycircle.Suspend, c.Who, "", "decided on: its author is suspended")
	}
	return withStore(ctx, c.config(), func(s *store.Store) error {
		account, err := s.AccountByEmail(ctx, studycircle.NormalizeEmail(c.Who))
		if err != nil {
			return noAccount(err, c.Who)
		}
		changed := false
		err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			changed, err = tx.Moderate(ctx, studycircle.Moderation{
				Moderator: studycircle.ByShell, Action: studycircle.Suspend, At: time.Now().UTC(),
				Subject: studycircle.Subject{Kind: studycircle.OfUser, ID: account.ID},
			})
			return err
		})
		if err != nil {
			return err
		}
		return c.printModeration(account.ID, studycircle.Suspend, changed, account.Email+" is suspended.")
	})
}

func (f operatorFlags) printModeration(
	id string, action studycircle.ModerationAction, changed bool, sentence string,
) error {
	return f.print(struct {
		ID      string `json:"_id"`
		Action  string `json:"action"`
		Changed bool   `json:"changed"`
	}{id, string(action), changed}, sentence)
}

type moderateLog struct{ operatorFlags }

// decisionLine is a recorded action as it is printed.
type decisionLine struct {
	At        time.Time `json:"at"`
	Moderator string    `json:"moderator"`
	Action    string    `json:"action"`
	Kind      string    `json:"kind"`
	SubjectID string    `json:"subjectId"`
	Reason    string    `json:"reason"`
}

// Run lists all moderation: moderator, action, subject, time and reason.
func (c moderateLog) Run(ctx context.Context) error {
	return withStore(ctx, c.config(), func(s *store.Store) error {
		return c.lines(func(put func(v any, columns ...any) error) error {
			return s.EachModeration(ctx, func(m studycircle.Moderation) error {
				l := decisionLine{m.At, m.Moderator, string(m.Action), string(m.Subject.Kind), m.Subject.ID, m.Reason}
				return put(l, l.At.Format(time.RFC3339), l.Moderator, l.Action, l.Kind, l.SubjectID, oneLine(l.Reason))
			})
		})
	})
}
