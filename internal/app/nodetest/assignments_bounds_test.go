package nodetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// bound lists valid and invalid values of one field.
type bound struct {
	field string
	good  map[string]string // sent → returned
	bad   []any
}

func same(texts ...string) map[string]string {
	out := map[string]string{}
	for _, s := range texts {
		out[s] = s
	}
	return out
}

func also(m map[string]string, pairs ...string) map[string]string {
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

func join(lists ...[]any) (all []any) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func assignmentBounds() []bound {
	return []bound{
		{
			"title", also(same(strange()...), repeated("x", 200), repeated("x", 200), repeated("🎓", 200), repeated("🎓", 200),
				" \n"+repeated("x", 200)+"\t ", repeated("x", 200), "\u3000a\u00a0", "a"),
			join(notText(), invisible(), controls(), lineBreaks(), []any{repeated("x", 201), repeated("🎓", 201), repeated("e\u0301", 101)}),
		},
		{
			"description", also(same(append(strange(), "a\nb", "a\r\nb", "a\u2028b", repeated("x", 10_000), repeated("🎓", 10_000))...), "\n a \n", "a"),
			join(notText(), invisible(), controls(), []any{repeated("x", 10_001), repeated("🎓", 10_001)}),
		},
		{"thumbnail", same(goodLinks()...), append(badLinks(), "", " ")},
		{"level", same("easy", "medium", "hard"), append(notText(), "Easy", "EASY", " easy", "", "impossible", "easy\x00")},
	}
}

func TestAssignmentBounds(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		at := "/api/assignment/" + ada.publish(t)
		for _, b := range assignmentBounds() {
			for _, value := range b.bad {
				body := with(assignment(), b.field, value)
				ada.post(t, "/api/assignments", body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+b.field)
				ada.put(t, at, body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+b.field)
			}
			for sent, kept := range b.good {
				id := ada.publish(t, b.field, sent)
				require.Equal(t, kept, n.visitor().get(t, "/api/assignment/"+id).json(t)[b.field], sent)
				ada.put(t, at, with(assignment(), b.field, sent)).is(t, http.StatusOK)
				require.Equal(t, kept, n.visitor().get(t, at).json(t)[b.field], sent)
			}
		}
	})
}

func TestAssignmentMarks(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, value := range append(notNumbers(), 0, number("-0"), number("0.0"), 1001) {
			ada.post(t, "/api/assignments", with(assignment(), "marks", value)).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
		}
		for sent, kept := range map[string]float64{"1": 1, "1000": 1000, "10.0": 10, "1e1": 10, "1E+2": 100, "1000.000": 1000, "100e-1": 10} {
			a := n.visitor().get(t, "/api/assignment/"+ada.publish(t, "marks", number(sent)))
			require.InDelta(t, kept, a.json(t)["marks"], 0, sent)
			require.Contains(t, string(a.body), fmt.Sprintf(`"marks":%d,`, int(kept)), "written as a whole number")
		}
	})
}

func TestAllInvalidFieldsAreReported(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		bad := doc{"title": " ", "description": "", "marks": 0, "thumbnail": "x", "dueDate": "soon"}
		ada.post(t, "/api/assignments", bad).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid,
			"body.title", "body.description", "body.marks", "body.thumbnail", "body.dueDate")
		ada.post(t, "/api/assignments", doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid,
			"body.title", "body.description", "body.marks", "body.thumbnail", "body.dueDate")
	})
}

func TestDueDates(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, bad := range append(notText(), "", " ", "tomorrow", "2030/02/03", "2030-2-3", "2030-02-29", "2030-13-01", "2030-02-03T10:00:00",
			"2030-02-03 10:00:00Z", "2030-02-03T10:00Z", "2030-02-03T24:00:00Z", "2030-02-03T10:60:00Z", "2030-02-03T1:00:00Z", "2030-02-03T10:00:00,5Z",
			"2030-02-03T10:00:00+24:00", "2030-02-03T10:00:00+01:60", "2030-02-03T10:00:00+0100", "2030-02-03T10:00:00Z ", "2030-02-03\x00", "9999-12-31",
			"+12030-02-03", "0000-01-01", "1893456000", inDays(-2), time.Now().UTC().AddDate(0, 0, -2).Format(time.DateOnly),
			time.Now().Add(-24*time.Hour-time.Minute).Format(time.RFC3339)) {
			ada.post(t, "/api/assignments", with(assignment(), "dueDate", bad)).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.dueDate")
		}
		yesterday := time.Now().Add(-24*time.Hour + time.Minute).UTC().Format(time.RFC3339)
		for sent, kept := range map[string]string{
			"2030-02-28": "2030-02-28T23:59:59Z", "2030-02-28T23:59:59Z": "2030-02-28T23:59:59Z", "2030-02-28T23:59:59+00:00": "2030-02-28T23:59:59Z",
			"2030-02-28T23:59:59+05:45": "2030-02-28T23:59:59+05:45", "2030-02-28T23:59:59-11:30": "2030-02-28T23:59:59-11:30",
			"2030-02-28T23:59:59.999+14:00": "2030-02-28T23:59:59.999+14:00", "2030-02-28T00:00:00.123456789-00:30": "2030-02-28T00:00:00.123456-00:30",
			"9998-12-31": "9998-12-31T23:59:59Z", yesterday: yesterday,
		} {
			id := ada.publish(t, "dueDate", sent)
			require.Equal(t, kept, n.visitor().get(t, "/api/assignment/"+id).json(t)["dueDate"], sent)
		}
	})
}

func TestPastDueDateMayStayOnUpdate(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		due := time.Now().Add(-23 * time.Hour).UTC().Truncate(time.Second).Format(time.RFC3339)
		at := "/api/assignment/" + ada.publish(t, "dueDate", due)
		n.clock.jump(2 * time.Hour)
		ada.newSession(t)
		ada.post(t, "/api/assignments", with(assignment(), "dueDate", due)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.dueDate")
		ada.put(t, at, with(assignment(), "dueDate", due, "title", "Changed")).is(t, http.StatusOK)
		ada.put(t, at, with(assignment(), "dueDate", inDays(-3))).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.dueDate")
		require.Equal(t, "Changed", n.visitor().get(t, at).json(t)["title"])
		ada.put(t, at, with(assignment(), "dueDate", inDays(3))).is(t, http.StatusOK)
		ada.put(t, at, with(assignment(), "dueDate", due)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.dueDate")
	})
}
