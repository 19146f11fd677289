package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// What a user may do with what belongs to a circle, by the user's role in it, and by the circle's state and settings: a
// code, or "" if it is allowed.
func TestPolicyInCircles(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	open := studycircle.Circle{ID: "c", CircleInput: studycircle.CircleInput{Publishing: studycircle.AllowMembers, Grading: studycircle.AllowMembers}}
	strict, archived, deleted, other := open, open, open, open
	strict.Publishing, strict.Grading = studycircle.AllowOrganizers, studycircle.AllowOrganizers
	archived.ArchivedAt, deleted.DeletedAt, other.ID = now, now, "d"

	person := studycircle.Person{UserID: "ada"}
	a := studycircle.Assignment{ID: "a", CircleID: "c", Creator: person, Reviews: 2}
	s := studycircle.Submission{AssignmentID: "a", CircleID: "c", Submitter: person, Status: studycircle.Pending}
	marked := s
	marked.Status, marked.Grade = studycircle.Completed, &studycircle.Grade{}
	reviewing := studycircle.Reviewing{CircleID: "c", SubmitterID: "ada", Phase: studycircle.ReviewOpen, Reviews: 1}
	appealed := studycircle.Reviewing{CircleID: "c", Phase: studycircle.ReviewAppealed}
	comment := studycircle.Comment{CircleID: "c", Author: person}
	link := studycircle.LinkFacts{CircleID: "c", SubmitterID: "ada", CreatorID: "bob"}
	const (
		none, shut, mine, notMine = studycircle.CodeNotFound, studycircle.CodeCircleArchived, studycircle.CodeNotYourAssignment, studycircle.CodeNotYourComment
		grader, own               = studycircle.CodeNotGrader, studycircle.CodeOwnSubmission
	)
	type asked = func(viewer string, in studycircle.OwnCircle) error
	for name, rule := range map[string]struct {
		viewer string
		ask    asked
		// By role, no member first, then member and organizer: in an open circle, one whose organizers alone publish and
		// grade, and an archived one.
		open, strict, archived [3]studycircle.Code
	}{
		"write":         {"bob", func(_ string, in studycircle.OwnCircle) error { return studycircle.MayWriteIn(in, "c") }, [3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut}},
		"update theirs": {"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayChangeAssignment(v, in, a) }, [3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut}},
		"update":        {"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayChangeAssignment(v, in, a) }, [3]studycircle.Code{mine, mine, mine}, [3]studycircle.Code{mine, mine, mine}, [3]studycircle.Code{mine, mine, mine}},
		"read results of theirs": {
			"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayReadResults(v, in, a) },
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none},
		},
		"read results": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayReadResults(v, in, a) },
			[3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine},
		},
		"decide about theirs": {
			"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayDecideAbout(v, in, a) },
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut},
		},
		"add an exemplar": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayAddExemplar(v, in, a, 0) },
			[3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine, shut},
		},
		"settle": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MaySettle(v, in, a, reviewing) },
			[3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine, shut},
		},
		"reopen": {
			"bob", func(v string, in studycircle.OwnCircle) error {
				return studycircle.MayReopen(v, in, a, marked, studycircle.Reviewing{}, studycircle.ReopenMark)
			},
			[3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine, shut},
		},
		"read work": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayReadWork(v, in, a, appealed) },
			[3]studycircle.Code{none, none}, [3]studycircle.Code{none, none}, [3]studycircle.Code{none, none},
		},
		"read reviews": {
			"bob", func(v string, in studycircle.OwnCircle) error {
				return studycircle.MayReadReviews(v, in, marked, a, true)
			},
			[3]studycircle.Code{none, none}, [3]studycircle.Code{none, none}, [3]studycircle.Code{none, none},
		},
		"read reviews of theirs": {
			"ada", func(v string, in studycircle.OwnCircle) error {
				return studycircle.MayReadReviews(v, in, marked, a, true)
			},
			[3]studycircle.Code{}, [3]studycircle.Code{}, [3]studycircle.Code{},
		},
		"hand in": {"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MaySubmit(v, in, a) }, [3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut}},
		"be reminded": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayBeReminded(v, in, a) },
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut},
		},
		"grade":        {"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayGrade(v, in, s) }, [3]studycircle.Code{none}, [3]studycircle.Code{none, grader}, [3]studycircle.Code{none, shut, shut}},
		"grade theirs": {"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayGrade(v, in, s) }, [3]studycircle.Code{own, own, own}, [3]studycircle.Code{own, own, own}, [3]studycircle.Code{own, own, own}},
		"review": {
			"bob", func(v string, in studycircle.OwnCircle) error {
				return studycircle.MayReview(v, in, studycircle.ReviewerFacts{Reviewing: reviewing, Turn: studycircle.TurnLeased})
			},
			[3]studycircle.Code{none, "", grader}, [3]studycircle.Code{none, grader, grader}, [3]studycircle.Code{none, shut, grader},
		},
		"change their submission": {
			"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayChangeSubmission(v, in, s) },
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut},
		},
		"appeal": {
			"ada", func(v string, in studycircle.OwnCircle) error {
				return studycircle.MayAppeal(v, in, marked, studycircle.Reviewing{}, now, now)
			},
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut},
		},
		"reply": {"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayReply(v, in, marked) }, [3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut}},
		"change their comment": {
			"ada", func(v string, in studycircle.OwnCircle) error { return studycircle.MayChangeComment(v, in, comment) },
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none, shut, shut},
		},
		"delete a comment, as a moderator of the server": {
			"mo", func(v string, in studycircle.OwnCircle) error {
				return studycircle.MayDeleteComment(v, in, true, comment, a)
			},
			[3]studycircle.Code{notMine, notMine}, [3]studycircle.Code{notMine, notMine}, [3]studycircle.Code{notMine, notMine, shut},
		},
		"close a discussion": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayCloseDiscussion(v, in, false, a) },
			[3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine}, [3]studycircle.Code{mine, mine, shut},
		},
		"read the link of work for theirs": {
			"bob", func(v string, in studycircle.OwnCircle) error { return studycircle.MayReadLink(v, in, link, now) },
			[3]studycircle.Code{none}, [3]studycircle.Code{none}, [3]studycircle.Code{none},
		},
		"read a link": {
			"eve", func(v string, in studycircle.OwnCircle) error { return studycircle.MayReadLink(v, in, link, now) },
			[3]studycircle.Code{none, none}, [3]studycircle.Code{none, none}, [3]studycircle.Code{none, none},
		},
	} {
		for state, c := range map[string]struct {
			circle studycircle.Circle
			want   [3]studycircle.Code
		}{"open": {open, rule.open}, "strict": {strict, rule.strict}, "archived": {archived, rule.archived}} {
			require.Equal(t, c.want[0], studycircle.CodeOf(rule.ask(rule.viewer, hall)), "%s: no member", name)
			for role, want := range map[studycircle.CircleRole]studycircle.Code{
				studycircle.CircleMember: c.want[1], studycircle.CircleOrganizer: c.want[2], studycircle.CircleOwner: c.want[2], "guest": c.want[0], "": c.want[0],
			} {
				in := studycircle.OwnCircle{Circle: c.circle, Mine: studycircle.Membership{CircleID: "c", UserID: rule.viewer, Role: role}}
				require.Equal(t, want, studycircle.CodeOf(rule.ask(rule.viewer, in)), "%s: %q, %s", name, role, state)
			}
		}
		for _, c := range []studycircle.Circle{deleted, other} {
			in := studycircle.OwnCircle{Circle: c, Mine: studycircle.Membership{CircleID: c.ID, UserID: rule.viewer, Role: studycircle.CircleOwner}}
			require.Equal(t, rule.open[0], studycircle.CodeOf(rule.ask(rule.viewer, in)), "%s: an owner of %s", name, c.ID)
		}
	}
}
