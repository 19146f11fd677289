package demo

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/service"
	"studycircle/internal/store"
)

// circlesFor is how many days ago the sample circles begin: before the sample reviews, after the discussions.
const circlesFor = reviewedFor + 2

// pupils are the members of the sample class who take part in nothing else. The users of content.json who are named in
// the first ten lines of the roster are members too.
var pupils = []string{
	"Amara Nwosu", "Bruno Costa", "Chiara Ricci", "Dilan Yıldız", "Emeka Obi", "Freya Lind", "Gabriel Moreau",
	"Hana Kovář", "Ismail Diallo", "Jonas Weber", "Kalinda Perera", "Liam Byrne", "Mei Tanaka", "Nadia Rahimi",
}

// section returns the label of the nth line of the roster.
func section(n int) string { return "Section " + string(rune('A'+n%2)) }

// address returns the address of a pupil's account.
func address(name string) string {
	first, _, _ := strings.Cut(name, " ")
	return strings.ToLower(first) + "@pupils.studycircle.example"
}

// fillCircles adds a class of 24 with a roster and two sections, three assignments in it, and an archived circle. Ada
// owns both.
func fillCircles(
	ctx context.Context, s *store.Store, uses UseCases, users map[string]studycircle.User, now time.Time, art *url.URL,
) error {
	c := &class{users: users, at: daysAgo(now, circlesFor), reviews: 2}
	c.service = uses(s, func() time.Time { return c.at })
	past, err := c.circle(ctx, "Biology 9B, last year", "What we read and wrote **last year**.", c.roster()[:12])
	if err != nil {
		return err
	}
	if _, err := c.service.ArchiveCircle(ctx, c.user("ada"), past, true); err != nil {
		return err
	}
	c.at = c.at.Add(step)
	now9b, err := c.circle(
		ctx, "Biology 9B",
		"Ponds, cells and everything that crawls. **Section A** meets on Monday, **Section B** on Thursday.", c.roster(),
	)
	if err != nil {
		return err
	}
	c.place = now9b
	c.at = c.at.Add(24 * time.Hour) // requests to review tell the day alone
	pond, err := c.assignment(ctx, art, "ada", now.AddDate(0, 0, 3), "What lives in one drop of pond water",
		"Draw **three** things that you saw under the microscope, and say how you know what they are.", "biology.svg")
	if err != nil {
		return err
	}
	if _, err := c.work(ctx, pond, dropsOfWater, []string{
		"eleni", "darya", "noam", "ananya", "minjun", "zoe",
	}); err != nil {
		return err
	}
	c.reviews = 0
	leaf, err := c.assignment(ctx, art, "ada", now.AddDate(0, 0, 5), "A leaf through the year",
		"Four drawings of one leaf, with a date each. What changes first?", "art.svg")
	if err != nil {
		return err
	}
	for i, name := range []string{"hina", "soren", "tomas"} {
		c.at = c.at.Add(step)
		id, err := c.service.Submit(ctx, c.user(name), leaf, studycircle.SubmissionInput{DocsLink: document("leaf-" + name)})
		if err != nil {
			return fmt.Errorf("%s hands in: %w", name, err)
		}
		if i == 0 {
			mark := int64(17)
			if _, err := c.service.Grade(ctx, c.user("ada"), id, studycircle.ReviewInput{
				Mark: &mark, Feedback: "Four seasons, and the stalk changes first: well seen.",
			}); err != nil {
				return err
			}
		}
	}
	_, err = c.assignment(ctx, art, "ada", now.AddDate(0, 0, 12), "Who eats whom: a food web of our school garden",
		"Name at least **eight** living things and draw an arrow for each meal.", "ecology.svg")
	return err
}

// dropsOfWater is work in the class: the first mark is settled, the second submission waits for a review.
var dropsOfWater = []work{
	{"tomas", "The third drawing is from the second visit.", []verdict{
		{[2]int64{2, 1}, "The water flea is unmistakable. Say which lens you used."},
		{[2]int64{2, 2}, "I found the same green threads: the drawing shows how they end."},
	}},
	{"xiaoming", "", []verdict{{[2]int64{1, 2}, "Clear drawings. How do you know that the third is alive?"}}},
}

// roster is the class of the sample circle.
func (c *class) roster() (lines []studycircle.RosterLine) {
	add := func(email, name string) {
		lines = append(lines, studycircle.RosterLine{
			Line: len(lines) + 2, Email: email, Name: name, Label: section(len(lines)),
		})
	}
	for _, name := range []string{
		"tomas", "eleni", "darya", "noam", "ananya", "hina", "xiaoming", "minjun", "zoe", "soren",
	} {
		add(c.user(name).Email, c.user(name).DisplayName)
	}
	for _, name := range pupils {
		add(address(name), name)
	}
	return lines
}

// circle adds a circle of Ada's with a roster.
func (c *class) circle(ctx context.Context, name, description string, lines []studycircle.RosterLine) (string, error) {
	in := studycircle.NewCircle
	in.Name, in.Description = name, description
	id, err := c.service.CreateCircle(ctx, c.user("ada"), in)
	if err != nil {
		return "", err
	}
	does, err := c.service.EnrollRoster(ctx, c.user("ada"), id, studycircle.Roster{Lines: lines}, service.RosterOptions{})
	if err == nil && len(does.Added) != len(lines) {
		err = fmt.Errorf("the roster of %s adds %d of %d", name, len(does.Added), len(lines))
	}
	return id, err
}
