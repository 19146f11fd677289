package demo

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"studycircle"
	"studycircle/internal/service"
	"studycircle/internal/store"
)

// reviewedFor is how many days ago the sample reviews begin. All other assignments are
// older.
const reviewedFor = 4

// step is the time between two things that happen in the sample reviews.
const step = 9 * time.Minute

var rubric = &studycircle.Rubric{Criteria: []studycircle.Criterion{
	{Title: "Evidence: is each claim shown?", Levels: levels},
	{Title: "Clarity: would a friend understand it?", Levels: levels},
}}

var levels = []studycircle.RubricLevel{
	{Label: "Not yet", Marks: 0}, {Label: "Partly", Marks: 5}, {Label: "Fully", Marks: 10},
}

// verdict is a review: the levels of rubric, and the words.
type verdict struct {
	levels [2]int64
	words  string
}

// work is a submission with the reviews that it gets, in their order.
type work struct {
	submitter string
	note      string
	reviews   []verdict
}

// open is work that is still being reviewed. Tomás owes reviews for it.
var open = []work{
	{"tomas", "The second axis begins at zero, and I say why.", []verdict{{
		[2]int64{2, 1}, "Each number has its source. The legend could stand beside the lines.",
	}}},
	{"eleni", "Both graphs are on the last page.", []verdict{{
		[2]int64{1, 2}, "Very clear. Where does the third value come from?",
	}}},
	{"zoe", "", []verdict{{[2]int64{1, 1}, "A good start: add the units, and say which years are missing."}}},
}

// closed is work whose reviews are in. The first mark is appealed, of the second one
// more review is asked for because its reviews differ, the third is reopened, and the
// last one stands.
var closed = []work{
	{"tomas", "The drawing is mine. The distances are not to scale, as the caption says.", []verdict{
		{[2]int64{1, 2}, "The drawing is lovely. The path of the shadow is named, but not explained."},
		{[2]int64{1, 2}, "I understood it at once. A source for the sizes would help."},
		{[2]int64{1, 2}, "Say why an eclipse does not happen every month: that is the heart of it."},
	}},
	{"noam", "", []verdict{
		{[2]int64{0, 0}, "I could not follow it: the sun and the moon are mixed up in the second paragraph."},
		{[2]int64{2, 2}, "Short, exact and complete. I would not change a word."},
		{[2]int64{1, 0}, "The facts are there. The order makes them hard to find."},
	}},
	{"hina", "I used a lamp, an orange and a coin.", []verdict{
		{[2]int64{2, 2}, "The experiment convinces: I repeated it at my kitchen table."},
		{[2]int64{2, 1}, "The experiment is great. The last step goes too fast for me."},
		{[2]int64{2, 2}, "Every claim is shown, and the photographs help."},
	}},
	{"ananya", "", []verdict{
		{[2]int64{2, 1}, "The sources are named. Shorter sentences would help a friend."},
		{[2]int64{1, 2}, "Partly shown: the tilt of the orbit is only asserted."},
		{[2]int64{2, 1}, "Good figures. Explain the word umbra where it comes first."},
	}},
}

// colleagues is work on Layla's assignment, which Ada reviews: the first mark is settled, the second submission waits
// for more reviews.
var colleagues = []work{
	{"noam", "The letter is my grandmother's; I changed the names.", []verdict{
		{[2]int64{2, 2}, "Each date has its source, and the voice is hers. I would keep every line."},
		{[2]int64{2, 1}, "Convincing. Say where the village lies, for a reader from elsewhere."},
		{[2]int64{2, 2}, "Careful work. The photograph of the envelope settles the year."},
	}},
	{"hina", "", []verdict{{
		[2]int64{1, 1}, "The story is clear. Which parts come from the archive, and which from memory?",
	}}},
}

// reviewers give the reviews, in this order.
var reviewers = []string{
	"tomas", "layla", "darya", "soren", "minjun", "xiaoming", "zoe", "eleni", "noam", "hina", "ananya",
}

// class makes the sample reviews as users make them: by the service, on a clock of its own.
type class struct {
	service *service.Service
	users   map[string]studycircle.User
	at      time.Time
	place   string // of new assignments: a circle, or the hall
	reviews int64  // that each submission for a new assignment gets; 0 for one grade
}

// fillReviews adds three assignments with a rubric and three reviews of each submission,
// which show every phase of a review.
func fillReviews(
	ctx context.Context, s *store.Store, uses UseCases, users map[string]studycircle.User, now time.Time, art *url.URL,
) error {
	c := &class{users: users, at: daysAgo(now, reviewedFor), reviews: 3}
	c.service = uses(s, func() time.Time { return c.at })
	ada, tomas := c.user("ada"), c.user("tomas")

	eclipse, err := c.assignment(ctx, art, "ada", now.AddDate(0, 0, 2), "Explain an eclipse to a friend",
		"Write half a page, with one drawing, that explains **why an eclipse of the sun is rare**. Your friend has never "+
			"heard of orbits.\n\nShow where each claim comes from.", "astronomy.svg")
	if err != nil {
		return err
	}
	ids, err := c.work(ctx, eclipse, closed, reviewers)
	if err != nil {
		return err
	}
	c.at = now.Add(-2 * 24 * time.Hour)
	why := studycircle.Reason{Words: "The third reviewer misses why it does not happen every month. Page two explains " +
		"it, with a drawing of the tilted orbit."}
	if _, err := c.service.Appeal(ctx, tomas, ids[0], why); err != nil {
		return err
	}
	c.at = c.at.Add(step)
	if err := c.service.Reopen(ctx, ada, ids[2], studycircle.ReopenInput{
		Reason: studycircle.Reason{Words: "The last page could not be opened when the first reviewers read it."},
		Action: studycircle.ReopenReviews,
	}); err != nil {
		return err
	}

	c.at = now.Add(-12 * time.Hour)
	letter, err := c.assignment(ctx, art, "layla", now.AddDate(0, 0, 9), "A letter that history forgot",
		"Find a letter that no book prints. Tell in one page **who wrote it, when, and how you know**.\n\nShow where each "+
			"claim comes from.", "history.svg")
	if err != nil {
		return err
	}
	// One after the other, so that Ada and Tomás both have reviewed what is settled.
	for i := range colleagues {
		if _, err := c.work(ctx, letter, colleagues[i:i+1], append([]string{"ada"}, reviewers...)); err != nil {
			return err
		}
	}

	c.at = now.Add(-7 * time.Hour)
	graph, err := c.assignment(ctx, art, "ada", now.AddDate(0, 0, 6), "Two graphs, one truth",
		"Take one table of numbers from a newspaper. Draw it **twice**: once so that it frightens, once so that it calms. "+
			"Then say which of the two you would print, and why.", "statistics.svg")
	if err != nil {
		return err
	}
	if _, err := c.service.AddExemplar(ctx, ada, graph, studycircle.ExemplarInput{
		SubmissionInput: studycircle.SubmissionInput{
			DocsLink: document("graphs"), Note: "The second axis begins at 40.",
		},
		ExemplarMark: studycircle.ExemplarMark{
			Mark: 15, Levels: []int64{1, 2}, Reason: "Clear throughout. The cut axis is named, but its effect is not.",
		},
	}); err != nil {
		return err
	}
	if _, err := c.work(ctx, graph, open, reviewers); err != nil {
		return err
	}
	return c.talk(ctx, graph)
}

// user returns the user whose address begins with name.
func (c *class) user(name string) studycircle.User { return c.users[name+"@studycircle.example"] }

func (c *class) assignment(
	ctx context.Context, art *url.URL, creator string, due time.Time, title, description, thumb string,
) (string, error) {
	in := studycircle.AssignmentInput{
		Title: title, Description: description, Marks: 20, Level: studycircle.Medium,
		Thumbnail: art.JoinPath("art/thumbs", thumb).String(), DueDate: due.UTC().Format(time.DateOnly),
	}
	if reviews := c.reviews; reviews > 0 {
		in.Reviews, in.Rubric = &reviews, rubric
	}
	return c.service.CreateAssignment(ctx, c.user(creator), c.place, in)
}

// work hands in work for an assignment, has it reviewed by users in their order, and returns its ids.
func (c *class) work(ctx context.Context, assignmentID string, all []work, by []string) ([]string, error) {
	ids, left := make([]string, len(all)), map[string][]verdict{}
	missing := 0
	for i, w := range all {
		c.at = c.at.Add(step)
		id, err := c.service.Submit(ctx, c.user(w.submitter), assignmentID, studycircle.SubmissionInput{
			DocsLink: document(w.submitter), Note: w.note,
		})
		if err != nil {
			return nil, fmt.Errorf("%s hands in: %w", w.submitter, err)
		}
		ids[i], left[id] = id, w.reviews
		missing += len(w.reviews)
	}
	for range all {
		for _, name := range by {
			if missing == 0 {
				return ids, nil
			}
			done, err := c.review(ctx, name, assignmentID, left)
			if err != nil {
				return nil, fmt.Errorf("%s reviews: %w", name, err)
			}
			missing -= done
		}
	}
	return nil, fmt.Errorf("%d sample reviews found no reviewer", missing)
}

// review has a user review what the queue gives them, and returns how many of the
// wanted reviews that was.
func (c *class) review(ctx context.Context, name, assignmentID string, left map[string][]verdict) (int, error) {
	c.at = c.at.Add(step)
	task, err := c.service.NextReview(ctx, c.user(name), c.place, assignmentID)
	if err != nil || task == nil {
		return 0, err
	}
	id := task.Submission.ID
	reviews, known := left[id]
	given, done := verdict{[2]int64{1, 1}, "Clear, and the axes are named. The cut axis deserves a sentence."},
		0 // of the exemplar
	switch {
	case known && len(reviews) == 0:
		return 0, nil // it has what it is to have; the user keeps the reservation
	case known:
		given, left[id], done = reviews[0], reviews[1:], 1
	}
	c.at = c.at.Add(step)
	_, err = c.service.Grade(ctx, c.user(name), id, studycircle.ReviewInput{
		Levels: given.levels[:], Feedback: given.words,
	})
	return done, err
}

// talk is the discussion below an assignment.
func (c *class) talk(ctx context.Context, assignmentID string) error {
	thread := ""
	for _, said := range []struct{ name, text string }{
		{"zoe", "May the table come from a website, or must it be *printed*?"},
		{"ada", "Any source that a reader can look up. Name it below the graph."},
		{"tomas", "I took the rainfall of my town: the town hall publishes it each month."},
	} {
		c.at = c.at.Add(step)
		id, err := c.service.CreateComment(ctx, c.user(said.name), assignmentID, studycircle.CommentInput{
			Text: said.text, ParentID: thread,
		})
		if err != nil {
			return err
		}
		if thread == "" {
			thread = id
		}
	}
	return nil
}

func document(name string) string { return "https://docs.google.com/document/d/sample-" + name }
