package store

import (
	"database/sql"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// Rows to nouns and back. Times are microseconds since 1970, UTC.

func micros(t time.Time) int64 { return t.UnixMicro() }

func instant(us int64) time.Time { return time.UnixMicro(us).UTC() }

func optionalInstant(us sql.NullInt64) time.Time {
	if !us.Valid {
		return time.Time{}
	}
	return instant(us.Int64)
}

func optionalMicros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

func optionalText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// rowLevel shares the levels' memory.
func rowLevel(text string) studycircle.Level {
	if i := slices.Index(studycircle.Levels, studycircle.Level(text)); i >= 0 {
		return studycircle.Levels[i]
	}
	return studycircle.Level(text)
}

// texts stand in a few pieces of memory: one for each costs more than reading it.
type texts struct {
	last  []byte
	piece int // what is allocated at once, in bytes
}

const (
	rowPiece = 512
	maxPiece = 8 << 10
)

// textsOf have memory for about as many rows.
func textsOf(rows int) texts { return texts{piece: min(maxPiece, rowPiece*rows)} }

// room is memory for a text of n bytes, which are more than none.
func (t *texts) room(n int) []byte {
	if cap(t.last)-len(t.last) < n {
		t.last = make([]byte, 0, max(n, t.piece))
	}
	at := len(t.last)
	t.last = t.last[:at+n]
	return t.last[at:]
}

func toUser(r db.User) studycircle.User {
	return studycircle.User{
		ID: r.ID, Email: r.Email, DisplayName: r.DisplayName, PhotoURL: r.PhotoUrl,
		CreatedAt:       instant(r.CreatedAt),
		EmailVerifiedAt: optionalInstant(r.EmailVerifiedAt),
		SuspendedAt:     optionalInstant(r.SuspendedAt),
	}
}

func toPerson(id, email, name sql.NullString) studycircle.Person {
	return studycircle.Person{UserID: id.String, Email: email.String, DisplayName: name.String}
}

func toAssignment(r db.Assignment, email, name sql.NullString) studycircle.Assignment {
	return studycircle.Assignment{
		Seq: r.Seq, ID: r.ID, Creator: toPerson(r.CreatorID, email, name),
		Title: r.Title, Description: r.Description, Thumbnail: r.Thumbnail,
		Marks: r.Marks, Level: studycircle.Level(r.Level),
		Due:       studycircle.DueDateAt(r.DueAt, int(r.DueOffset)),
		CreatedAt: instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt),
	}
}

func toSubmission(r db.Submission, email, name sql.NullString) studycircle.Submission {
	s := studycircle.Submission{
		ID: r.ID, AssignmentID: r.AssignmentID.String, AssignmentTitle: r.AssignmentTitle, Marks: r.Marks,
		Submitter: toPerson(r.SubmitterID, email, name), DocsLink: r.DocsLink, Note: r.Note,
		Status: studycircle.Status(r.Status), SubmittedAt: instant(r.SubmittedAt), Late: r.Late,
	}
	if r.GivenMark.Valid {
		s.Grade = &studycircle.Grade{
			GraderID: r.GraderID.String, Mark: r.GivenMark.Int64,
			Feedback: r.Feedback.String, MarkedAt: optionalInstant(r.MarkedAt),
		}
	}
	return s
}
