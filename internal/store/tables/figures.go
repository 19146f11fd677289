package tables

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// Figures are counts of a user's work that are summed up and never paged. A write states its changes of them in its
// own transaction: see decision 30. Totals are percentages, in studycircle.PercentUnit.

// FigureKinds are the prefixes of figures' scopes, which have only tier 0.
var FigureKinds = []string{"of/", "got/", "gave/"}

// Of counts the submissions for a creator's live assignments: all of them at block
// OfAll, the graded ones at OfGraded.
func Of(creatorID string) pages.Scope { return pages.Scope("of/" + creatorID) }

// The blocks of Of.
const (
	OfAll    = 0
	OfGraded = 1
)

// GotLevels are the levels by which marks are counted; the first one stands for submissions without an assignment.
var GotLevels = append([]studycircle.Level{noLevel}, studycircle.Levels...)

const noLevel studycircle.Level = "none"

// Got counts a user's marks at a level. Blocks are tenths of a percent.
func Got(userID string, l studycircle.Level) pages.Scope {
	return pages.Scope("got/" + userID + "/" + string(l))
}

// Gave counts a user's grades. Blocks are the submission's waiting time, in hundredths of an hour.
func Gave(userID string) pages.Scope { return pages.Scope("gave/" + userID) }

// FiguresOf are all figures of a user.
func FiguresOf(userID string) []pages.Scope {
	scopes := []pages.Scope{Of(userID), Gave(userID)}
	for _, l := range GotLevels {
		scopes = append(scopes, Got(userID, l))
	}
	return scopes
}

// Basis is the part of an assignment that figures depend on. The zero value stands for
// no assignment. Read it while the transaction shares the row: see engine.ShareRows.
type Basis struct {
	ID        string
	Seq       int64
	CreatorID string // "" for a deleted account
	Level     studycircle.Level
	DueAt     int64 // microseconds since 1970
	Deleted   bool
	Hidden    bool // by a moderator
	CircleID  string
}

// Bases is the table of assignments, for their bases.
var Bases = engine.NewTable("assignments", visible(studycircle.ObjectAssignment), "", nil,
	engine.TextColumn("id", func(b *Basis) *string { return &b.ID }),
	engine.GeneratedColumn("seq", func(b *Basis) *int64 { return &b.Seq }),
	engine.OptionalTextColumn("creator_id", func(b *Basis) *string { return &b.CreatorID }),
	engine.TextColumn("level", func(b *Basis) *string { return (*string)(&b.Level) }),
	engine.IntColumn("due_at", func(b *Basis) *int64 { return &b.DueAt }),
	engine.TextColumn("circle_id", func(b *Basis) *string { return &b.CircleID }),
	engine.Column[Basis]{
		Name: "deleted_at", Kind: engine.Int, Nullable: true,
		Get: func(b *Basis) engine.Value { return engine.Value{Null: !b.Deleted} },
		Set: func(b *Basis, _ engine.Value) { b.Deleted = true },
	},
	engine.Column[Basis]{
		Name: "hidden_reason", Kind: engine.Text, Nullable: true,
		Get: func(b *Basis) engine.Value { return engine.Value{Null: !b.Hidden} },
		Set: func(b *Basis, _ engine.Value) { b.Hidden = true },
	},
)

// BasisByID finds the basis of an assignment, deleted ones included.
var BasisByID = &engine.Lookup{Of: &Bases.Shape, Key: "id"}

// PendingBases reads the bases of the assignments for which the user $1 has pending submissions.
var PendingBases = "SELECT " + Bases.Selected("t", false) + " FROM assignments t WHERE t." + withPending

// BasisOf returns the basis of a live assignment.
func BasisOf(a studycircle.Assignment) Basis {
	return Basis{
		ID: a.ID, Seq: a.Seq, CreatorID: a.Creator.UserID, Level: a.Level, DueAt: a.Due.Micros(), CircleID: a.CircleID,
	}
}

// Gone returns the basis after deleting the assignment.
func (b Basis) Gone() Basis {
	b.Deleted = true
	return b
}

// FindBasis returns the basis of an assignment; the zero Basis if there is none.
func FindBasis(ctx context.Context, tx *engine.Tx, assignmentID string) (b Basis, err error) {
	if assignmentID == "" {
		return b, nil
	}
	found := Bases.Collect(1)
	if err := tx.Find(ctx, studycircle.System(), BasisByID, assignmentID, found); err != nil || len(found.All) == 0 {
		return b, err
	}
	return found.All[0], nil
}

func (b Basis) live() bool { return b.Seq != 0 && !b.Deleted }

// CountWork counts a submission n times among those for its assignment's creator.
func CountWork(to Effects, b Basis, n int64) {
	if b.live() && b.CreatorID != "" {
		to.Figure(Of(b.CreatorID), OfAll, n, 0)
	}
}

// CountGrade counts a submission's grade n times: for the assignment's creator, the submitter and the grader.
func CountGrade(to Effects, b Basis, s SubmissionRow, n int64) {
	CountMark(to, b, s, n)
	if s.Grade.GraderID != "" {
		const unit = 36 * 1_000_000 // a hundredth of an hour, in microseconds
		waited := max(s.Grade.MarkedAt.UnixMicro()-s.SubmittedAt.UnixMicro(), 0)
		to.Figure(Gave(s.Grade.GraderID), (waited+unit/2)/unit, n, n*share(s, 100*studycircle.PercentUnit))
	}
}

// CountMark is CountGrade without the grader, whose figures do not depend on the assignment.
func CountMark(to Effects, b Basis, s SubmissionRow, n int64) {
	percent := share(s, 100*studycircle.PercentUnit)
	if b.live() && b.CreatorID != "" {
		to.Figure(Of(b.CreatorID), OfGraded, n, n*percent)
	}
	if s.Submitter.UserID != "" {
		level := b.Level
		if b.Seq == 0 {
			level = noLevel
		}
		to.Figure(Got(s.Submitter.UserID, level), share(s, 1000), n, n*percent)
	}
}

// share returns a mark as a share of its total in parts of whole, rounded to the nearest.
func share(s SubmissionRow, whole int64) int64 {
	marks := max(s.Marks, 1)
	return (s.Grade.Mark*2*whole + marks) / (2 * marks)
}

// TakenRow is a row of taken: a user's attempts at a live assignment.
type TakenRow struct {
	UserID       string
	Seq          int64 // the assignment's
	CircleID     string
	Level        studycircle.Level
	DueAt        int64
	State        studycircle.State // of the latest attempt
	Attempts     int64
	SubmissionID string // the latest attempt
	// BestMark of BestTotal is the best graded attempt; BestTotal is 0 if none is graded.
	BestMark, BestTotal int64
}

var takenRows = engine.NewTable("taken", visibleIn(studycircle.ObjectPersonal, ""), "", nil,
	engine.TextColumn("user_id", func(r *TakenRow) *string { return &r.UserID }),
	engine.IntColumn("seq", func(r *TakenRow) *int64 { return &r.Seq }),
	engine.TextColumn("circle_id", func(r *TakenRow) *string { return &r.CircleID }),
	engine.TextColumn("level", func(r *TakenRow) *string { return (*string)(&r.Level) }),
	engine.IntColumn("due_at", func(r *TakenRow) *int64 { return &r.DueAt }),
	engine.TextColumn("state", func(r *TakenRow) *string { return (*string)(&r.State) }),
	engine.IntColumn("attempts", func(r *TakenRow) *int64 { return &r.Attempts }),
	engine.TextColumn("submission_id", func(r *TakenRow) *string { return &r.SubmissionID }),
	bestColumn("best_mark", func(r *TakenRow) *int64 { return &r.BestMark }),
	bestColumn("best_total", func(r *TakenRow) *int64 { return &r.BestTotal }),
)

func bestColumn(name string, field func(*TakenRow) *int64) engine.Column[TakenRow] {
	c := engine.IntColumn(name, field)
	c.Nullable, c.Get = true,
		func(r *TakenRow) engine.Value { return engine.Value{Int: *field(r), Null: r.BestTotal == 0} }
	return c
}

// Attempt returns the row that a submission adds to its submitter's taken: one attempt, or none if the attempt is
// counted already and is graded now. ok is false if nothing is stored, because the submitter or the assignment is
// gone.
func Attempt(b Basis, s SubmissionRow, attempts int64) (r TakenRow, ok bool) {
	r = TakenRow{
		UserID: s.Submitter.UserID, Seq: b.Seq, CircleID: b.CircleID, Level: b.Level, DueAt: b.DueAt,
		State: studycircle.StatePending, Attempts: attempts, SubmissionID: s.ID,
	}
	if s.Grade != nil {
		r.State, r.BestMark, r.BestTotal = studycircle.StateGraded, s.Grade.Mark, s.Marks
	}
	return r, b.live() && r.UserID != ""
}

// betterMark holds if the added attempt has the better mark.
const betterMark = "taken.best_mark IS NULL OR excluded.best_mark * taken.best_total > taken.best_mark * " +
	"excluded.best_total"

// PutTaken adds attempts, each of which is later than those added before, and the grades of such that were added
// before.
var PutTaken = takenRows.Insert(putTaken)

// gradeTaken is PutTaken, and returns the user's latest attempt.
var gradeTaken = takenRows.Insert(putTaken + " RETURNING submission_id")

const putTaken = ` ON CONFLICT (user_id, seq) DO UPDATE SET attempts = taken.attempts + excluded.attempts,
	submission_id = CASE WHEN excluded.attempts > 0 THEN excluded.submission_id ELSE taken.submission_id END,
	state = excluded.state,
	best_mark = CASE WHEN ` + betterMark + ` THEN excluded.best_mark ELSE taken.best_mark END,
	best_total = CASE WHEN ` + betterMark + ` THEN excluded.best_total ELSE taken.best_total END`

// putAttempt stores the row that Attempt returns for a submission. A grade of an attempt that is not the user's latest,
// which only an import leaves pending, makes the row anew.
func putAttempt(ctx context.Context, tx *engine.Tx, s SubmissionRow, attempts int64) error {
	r, ok := Attempt(s.Basis, s, attempts)
	if !ok {
		return nil
	}
	values := takenRows.Values(&r, takenRows.Inserted)
	if attempts > 0 {
		_, err := tx.Later.DB.ExecContext(ctx, PutTaken.Text(1, tx.Engine.Placeholder), values...)
		return err
	}
	var latest string
	err := tx.DB.QueryRowContext(ctx, gradeTaken.Text(1, tx.Engine.Placeholder), values...).Scan(&latest)
	if err != nil || latest == r.SubmissionID {
		return err
	}
	return tx.Later.TakeAnew(ctx, db.TakeAnewParams{
		AssignmentID: sql.NullString{String: s.Basis.ID, Valid: true}, UserID: sql.NullString{String: r.UserID, Valid: true},
	})
}

// PutAttempts stores attempts of many users, in their order, many in one statement.
func PutAttempts(ctx context.Context, tx *engine.Tx, attempts []TakenRow) error {
	type key struct {
		userID string
		seq    int64
	}
	of := map[key]TakenRow{}
	for _, r := range attempts {
		k := key{r.UserID, r.Seq}
		if before, again := of[k]; again { // one statement takes each row once
			r.Attempts += before.Attempts
			if before.BestTotal > 0 && (r.BestTotal == 0 || r.BestMark*before.BestTotal <= before.BestMark*r.BestTotal) {
				r.BestMark, r.BestTotal = before.BestMark, before.BestTotal
			}
		}
		of[k] = r
	}
	sorted := make([]TakenRow, 0, len(of))
	for _, r := range of {
		sorted = append(sorted, r)
	}
	slices.SortFunc(sorted, func(a, b TakenRow) int {
		return cmp.Or(cmp.Compare(a.UserID, b.UserID), cmp.Compare(a.Seq, b.Seq))
	})
	rows := make([][]any, len(sorted))
	for i := range sorted {
		rows[i] = takenRows.Values(&sorted[i], takenRows.Inserted)
	}
	return engine.Run(ctx, tx, PutTaken, rows, nil)
}
