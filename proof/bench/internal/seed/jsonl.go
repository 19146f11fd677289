package seed

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Part is a piece of the content: assignments and submissions from From, inclusive, to To,
// exclusive. Users reports whether users belong to it; the load's accounts never do, because
// they register.
type Part struct {
	Users                    bool
	AssignmentsFrom, To      int
	SubmissionsFrom, SubsEnd int
}

// Parts splits the content into pieces of at most each records, to be imported in order.
func (s Set) Parts(each int) []Part {
	var parts []Part
	for from := 0; from < s.Size; from += each {
		parts = append(parts, Part{Users: from == 0, AssignmentsFrom: from, To: min(from+each, s.Size)})
	}
	for from := 0; from < s.Submissions(); from += each {
		parts = append(parts, Part{SubmissionsFrom: from, SubsEnd: min(from+each, s.Submissions())})
	}
	return parts
}

// Records returns the number of lines in the part.
func (p Part) Records(s Set) int {
	n := p.To - p.AssignmentsFrom + p.SubsEnd - p.SubmissionsFrom
	if p.Users {
		n += s.Users()
	}
	return n
}

// Write writes the part to dir in the format of the product's import.
func (s Set) Write(dir string, p Part) error {
	var errs []error
	if p.Users {
		errs = append(errs, lines(filepath.Join(dir, "users.jsonl"), 0, s.Users(), func(n int) any {
			u := s.User(n)
			return map[string]any{"email": u.Email, "displayName": u.Name, "photoURL": u.Photo}
		}))
	}
	if p.To > p.AssignmentsFrom {
		errs = append(errs, lines(filepath.Join(dir, "assignments.jsonl"), p.AssignmentsFrom, p.To, func(n int) any {
			a := s.Assignment(n)
			return struct {
				ID          string    `json:"_id"`
				Title       string    `json:"title"`
				Description string    `json:"description"`
				Thumbnail   string    `json:"thumbnail"`
				Marks       int       `json:"marks"`
				Level       string    `json:"level"`
				DueDate     time.Time `json:"dueDate"`
				Creator     string    `json:"creatorEmail"`
				Created     time.Time `json:"createdAt"`
			}{a.ID, a.Title, a.Description, a.Thumbnail, a.Marks, a.Level, a.Due, a.Creator.Email, a.Created}
		}))
	}
	if p.SubsEnd > p.SubmissionsFrom {
		errs = append(errs, lines(filepath.Join(dir, "submissions.jsonl"), p.SubmissionsFrom, p.SubsEnd, func(k int) any {
			return s.submissionLine(k)
		}))
	}
	return errors.Join(errs...)
}

func (s Set) submissionLine(k int) any {
	sub := s.Submission(k)
	line := struct {
		ID         string    `json:"_id"`
		Assignment string    `json:"assignmentId"`
		By         string    `json:"submittedBy"`
		DocsLink   string    `json:"docsLink"`
		Note       string    `json:"note"`
		Status     string    `json:"status"`
		Submitted  time.Time `json:"submittedAt"`
		Mark       *int      `json:"givenMark,omitempty"`
		Feedback   string    `json:"feedback,omitempty"`
		Marked     time.Time `json:"markedAt,omitzero"`
	}{
		ID: sub.ID, Assignment: sub.Of.ID, By: sub.By.Email, DocsLink: sub.DocsLink, Note: sub.Note,
		Status: "pending", Submitted: sub.Submitted,
	}
	if !sub.Pending {
		line.Status, line.Mark, line.Feedback, line.Marked = "completed", &sub.Mark, sub.Feedback, sub.Marked
	}
	return line
}

func lines(name string, from, to int, line func(int) any) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffer := bufio.NewWriterSize(file, 1<<20)
	encoder := json.NewEncoder(buffer)
	for n := from; n < to; n++ {
		if err := encoder.Encode(line(n)); err != nil {
			return err
		}
	}
	return buffer.Flush()
}
