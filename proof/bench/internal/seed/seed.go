// Package seed generates the content of all compared servers: the same users, assignments and
// submissions for a seed and size. Each record is computed from its number alone, so any answer
// can be checked without keeping a million records. It knows no server.
package seed

import (
	"fmt"
	"strings"
	"time"
)

// Version identifies the shape of the content. Data filled under another version is not used.
const Version = 2

const (
	// PerAssignment is the number of submissions per assignment. The first is pending, the
	// others are graded.
	PerAssignment = 5
	// Accounts is the number of users the load signs in as. They own no assignment.
	Accounts = 16
	// Password is the accounts' password.
	Password = "Measured1Load"
	// RareWords is the number of words that occur in 0.003 % of the titles each.
	RareWords = 200

	ownEach   = 1000 // submissions per account, as far as there are assignments
	rareShare = 0.00003
)

// CommonWords occur in half of the titles each, independently.
var CommonWords = []string{"practice", "analysis", "reading", "history", "project", "grammar", "science", "writing"}

// epoch is the time of the first assignment.
var epoch = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// Set is all content of one size.
type Set struct {
	Seed uint64
	Size int // number of assignments
}

// User is a user.
type User struct{ ID, Email, Name, Photo string }

// Assignment has times in UTC.
type Assignment struct {
	ID, Title, Description, Thumbnail, Level string
	Marks                                    int
	Creator                                  User
	Due, Created                             time.Time
}

// Submission has times in UTC. Mark, Feedback and Marked are set if it is graded.
type Submission struct {
	ID, DocsLink, Note, Feedback string
	Of                           Assignment
	By                           User
	Pending                      bool
	Mark                         int
	Submitted, Marked            time.Time
}

// Users returns the number of users besides the accounts.
func (s Set) Users() int { return max(20, s.Size/100) }

// Submissions returns the number of submissions.
func (s Set) Submissions() int { return s.Size * PerAssignment }

// User returns user n, from 0.
func (s Set) User(n int) User {
	h := s.hash(1, n)
	return User{
		ID: fmt.Sprintf("u%014d", n), Email: fmt.Sprintf("user%07d@example.org", n),
		Name: filler(h) + " " + filler(h>>16), Photo: fmt.Sprintf("https://example.org/photos/%d.jpg", n),
	}
}

// Account returns the nth user that the load signs in as, from 0.
func Account(n int) User {
	return User{
		ID: fmt.Sprintf("l%014d", n), Email: fmt.Sprintf("load%02d@example.org", n),
		Name: fmt.Sprintf("Load %02d", n), Photo: "https://example.org/photos/load.jpg",
	}
}

// AssignmentID is the format of an assignment's id.
const AssignmentID = "a%014d"

// SubmissionID is the format of a submission's id.
const SubmissionID = "s%014d"

// Assignment returns assignment n; 0 is the oldest.
func (s Set) Assignment(n int) Assignment {
	h := s.hash(2, n)
	created := epoch.Add(time.Duration(n) * time.Minute)
	return Assignment{
		ID: fmt.Sprintf(AssignmentID, n), Title: s.title(n), Description: s.description(n),
		Thumbnail: fmt.Sprintf("https://example.org/thumbnails/%d.jpg", n%500),
		Level:     Level(n), Marks: 10 * (1 + int(h>>40%10)),
		Creator: s.User(int(h % uint64(s.Users()))), Due: created.AddDate(0, 0, 14), Created: created,
	}
}

// Level returns the level of assignment n: a third of all have each.
func Level(n int) string { return [...]string{"easy", "medium", "hard"}[n%3] }

// Submission returns submission k; 0 is the oldest.
func (s Set) Submission(k int) Submission {
	n, turn := k/PerAssignment, k%PerAssignment
	h := s.hash(3, k)
	of := s.Assignment(n)
	by := s.User(int(h % uint64(s.Users())))
	if turn == PerAssignment-1 && n < Accounts*ownEach {
		by = Account(n % Accounts)
	}
	if by.ID == of.Creator.ID {
		by = s.User(int((h%uint64(s.Users()) + 1) % uint64(s.Users())))
	}
	at := epoch.Add(time.Duration(k) * time.Minute / PerAssignment)
	sub := Submission{
		ID: fmt.Sprintf(SubmissionID, k), DocsLink: fmt.Sprintf("https://docs.example.org/document/d/%016x/edit", h),
		Note: sentence(h), Of: of, By: by, Pending: turn == 0, Submitted: at,
	}
	if !sub.Pending {
		sub.Mark, sub.Feedback, sub.Marked = int(h>>8%uint64(of.Marks+1)), sentence(h>>3), at.Add(time.Hour)
	}
	return sub
}

// Own returns the number of submissions of account n.
func (s Set) Own(n int) int {
	own := min(s.Size, Accounts*ownEach)
	return own/Accounts + btoi(n < own%Accounts)
}

// RareWord returns the nth rare word.
func RareWord(n int) string { return "quix" + letters(n) + "ine" }

// RareCount returns the number of titles with a given rare word.
func (s Set) RareCount() int { return max(1, int(float64(s.Size)*rareShare+0.5)) }

// rareIn returns the rare word of assignment n, or "". They are evenly spread.
func (s Set) rareIn(n int) string {
	step := max(1, s.Size/(RareWords*s.RareCount()))
	if n%step != 0 || n/step >= RareWords*s.RareCount() {
		return ""
	}
	return RareWord(n / step % RareWords)
}

func (s Set) title(n int) string {
	return title(s.hash(4, n), s.rareIn(n), n)
}

// NewTitle returns the title of the nth assignment created during a measurement, with as many
// common words as the content.
func NewTitle(n int) string { return title(Set{}.hash(6, n), "", n) }

func title(h uint64, rare string, n int) string {
	var b strings.Builder
	for i, word := range CommonWords {
		if h>>i&1 == 1 {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	}
	if rare != "" {
		b.WriteString(rare)
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%s %d", filler(h>>20), n)
	return b.String()
}

func (s Set) description(n int) string {
	h := s.hash(5, n)
	return sentence(h) + " " + sentence(h>>7) + " " + sentence(h>>13)
}

// hash is SplitMix64 (Steele, Lea, Flood 2014) of seed, kind and number.
func (s Set) hash(kind uint64, n int) uint64 {
	z := s.Seed + (kind<<56|uint64(n)+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// filler returns one of 4,000 words that are never searched for.
func filler(h uint64) string { return "w" + letters(int(h%4000)) + "a" }

func sentence(h uint64) string {
	var b strings.Builder
	for i := range 8 {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(filler(h >> (5 * i)))
	}
	b.WriteByte('.')
	return b.String()
}

// letters spells n in syllables.
func letters(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for i := 0; i < 3; i++ {
		b.WriteByte(consonants[n%len(consonants)])
		n /= len(consonants)
		b.WriteByte(vowels[n%len(vowels)])
		n /= len(vowels)
	}
	return b.String()
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
