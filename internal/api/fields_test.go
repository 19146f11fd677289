package api

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/encode"
	"studycircle/internal/service"
	"studycircle/internal/testfill"
)

// A field of a noun is in the noun's resource, or is listed here with the reason why it
// is not. A field of a resource has a value if its noun is filled.
func TestResourcesCarryEveryFieldOfTheirNouns(t *testing.T) {
	t.Parallel()
	carries(t, func(a studycircle.Assignment) Assignment { return AssignmentOf(a, memberOf(a.CircleID)) }, nil, map[string]string{
		"Seq":              "orders assignments in the store",
		"Creator.UserID":   "assignments name their creators by email address",
		"Creator.PhotoURL": "assignments show no photo",
		"HiddenReason":     "HiddenAssignment carries it, to the creator alone",
		"SomeExtended":     "others do not see that a user has extra time",
		"Model":            "each settlement names the version that made it",
	}, "Mine", "May.Change", "Excerpt")
	pending := map[string]string{
		"Submitter.UserID": "submissions name their submitters by email address",
		"CircleID":         "the list is of one place",
		"Reviews":          "a row with reviews is a BlindSubmission or a ReviewableAssignment",
		"Reviewable":       "a row with reviews is a BlindSubmission or a ReviewableAssignment",
		"Grade":            "a pending submission has none",
		"Reviewing":        "graders learn nothing of the reviews of others",
		"Progress":         "only the submitter and the creator see it",
		"Link":             "GET /api/submissions/{id}/link answers it",
		"May":              "it lists what the submitter may do",
		"PastOf":           "a pending submission has not ended",
		"PastLabel":        "a pending submission has not ended",
		"EndedAt":          "a pending submission has not ended",
		"EndReason":        "a pending submission has not ended",
	}
	carries(t, func(p studycircle.PendingSubmission) PendingSubmission {
		return PendingSubmissionOf(p, memberOf(p.CircleID))
	}, nil, pending, "Mine")
	own := map[string]string{
		"Submitter.UserID":      "submissions name their submitters by email address",
		"Submitter.DisplayName": "its viewer is the submitter",
		"Submitter.PhotoURL":    "its viewer is the submitter",
		"Reviews":               "Progress says how many are needed",
		"Grade.GraderID":        "who graded is not shown",
		"Reviewing":             "Progress says what of it the submitter may know",
		"PastOf":                "the test's submission has an assignment",
		"PastLabel":             "reviewers know an ended attempt by it",
	}
	carries(t, func(s studycircle.Submission) OwnSubmission { return OwnSubmissionOf(s, memberOf(s.CircleID)) }, func(s *studycircle.Submission) { s.Progress.Phase = studycircle.ReviewReopened }, with(own, map[string]string{
		"Progress.Phase": "the test sets it",
	}), "Appeal", "Unattended")
	carries(t, commentOf, func(c *service.ShownComment) {
		c.DeletedAt, c.HiddenAt, c.Chosen = studycircle.Comment{}.DeletedAt, studycircle.Comment{}.HiddenAt, studycircle.Reactions[:]
	}, map[string]string{
		"Seq":          "orders comments in the store",
		"AssignmentID": "the address has it, and PlacedComment",
		"CircleID":     "the assignment carries it",
		"Author.Email": "no email address is in a comment",
		"DeletedAt":    "a deleted comment has no other fields",
		"HiddenAt":     "a hidden comment has its reason",
		"HiddenReason": "only a hidden comment has one",
		"Listed":       "unlisted comments are not answered",
		"Chosen":       "the test sets it",
	}, "Deleted", "Hidden.Reason")
	carries(t, func(n studycircle.Notification) Notification { return NotificationOf(n, memberOf(n.CircleID)) }, func(n *studycircle.Notification) { n.Kind = studycircle.NotifyComment }, map[string]string{
		"Kind":           "the test sets it",
		"UserID":         "its viewer is the user",
		"Actor.UserID":   "notifications name people by their names",
		"Actor.Email":    "no email address is in a notification",
		"Actor.PhotoURL": "only a list with details shows it",
		"CircleName":     "the place has it",
		"Subject":        "the address and the details have it",
		"AssignmentID":   "the address and the details have it",
	}, "AssignmentID", "ActorPhoto", "Mark", "Before", "Total", "Words")
}

// memberOf returns the circles of an organizer of one.
func memberOf(circleID string) studycircle.OwnCircles {
	own := studycircle.OwnCircle{
		Circle: studycircle.Circle{ID: circleID, CircleInput: studycircle.CircleInput{Name: "Readers"}},
		Mine:   studycircle.Membership{CircleID: circleID, UserID: "organizer", Role: studycircle.CircleOrganizer},
	}
	return studycircle.OwnCircles{circleID: own}
}

// Each field of an assignment's input has a field of the body, or is listed here with the reason why it has none.
func TestInputsReachTheirNouns(t *testing.T) {
	t.Parallel()
	apart := map[string]string{
		"HTML":     "the service renders the description",
		"Rubric":   "rubricChange decodes it",
		"NoRubric": "rubricChange decodes it",
	}
	var in updateAssignmentInput
	testfill.Fill(&in.Body)
	got := reflect.ValueOf(in.input())
	for i := range got.NumField() {
		if field := got.Type().Field(i); field.IsExported() {
			assert.Equalf(t, apart[field.Name] != "", got.Field(i).IsZero(), "AssignmentInput.%s has no value though the body is filled", field.Name)
		}
	}
}

func with(some, others map[string]string) map[string]string {
	maps.Copy(some, others)
	return some
}

// carries changes each field of a filled N in turn and requires that the resource
// changes too. internal has the paths for which it must not, or their beginnings, and
// zero the paths of the resource that have no value.
func carries[N, R any](t *testing.T, resourceOf func(N) R, prepare func(*N), internal map[string]string, zero ...string) {
	t.Helper()
	noun, resource := reflect.TypeFor[N](), reflect.TypeFor[R]()
	made := func(changed string) R {
		var n N
		testfill.Fill(&n)
		testfill.Leaves(&n, func(path string, field reflect.Value) {
			switch {
			case path != changed:
			case field.Kind() == reflect.Bool:
				field.SetBool(false)
			default:
				testfill.Set(field, 1000, "Changed")
			}
		})
		if prepare != nil {
			prepare(&n)
		}
		return resourceOf(n)
	}
	text := func(r R) string {
		b, err := encode.Append(nil, &r)
		require.NoError(t, err)
		return string(b)
	}
	filled := made("")
	var n N
	used := map[string]bool{}
	testfill.Leaves(&n, func(path string, _ reflect.Value) {
		listed := ""
		for prefix := range internal {
			if path == prefix || strings.HasPrefix(path, prefix+".") || strings.HasPrefix(path, prefix+"[") {
				listed = prefix
			}
		}
		used[listed] = true
		if text(made(path)) == text(filled) {
			assert.NotEmptyf(t, listed, "%s.%s is in no field of %s", noun, path, resource)
		} else {
			assert.Emptyf(t, listed, "%s.%s is in %s and in the list of those that are not", noun, path, resource)
		}
	})
	for path := range internal {
		assert.Truef(t, used[path], "%s has no field %s", noun, path)
	}
	testfill.Leaves(&filled, func(path string, field reflect.Value) {
		isZero := false
		for _, known := range zero {
			isZero = isZero || path == known
		}
		assert.Equalf(t, isZero, field.IsZero(), "%s.%s has no value though its noun is filled", resource, path)
	})
}
