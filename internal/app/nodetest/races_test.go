package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

const (
	rounds  = 200
	clients = 8
)

func TestOneGradeWins(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		bob := n.user(t, "Bob")
		graders := make([]*client, clients)
		for i := range graders {
			graders[i] = n.user(t, fmt.Sprintf("Grader%d", i))
		}
		of := graders[0].publish(t)
		for range rounds {
			at := "/api/submissions/" + bob.submit(t, of)
			answers := make([]*answer, clients)
			together(t, clients, func(i int) (err error) {
				answers[i], err = graders[i].persist(t.Context(), http.MethodPatch, at, doc{"marks": i, "feedback": graders[i].name})
				return err
			})
			winner := oneWins(t, answers, http.StatusOK, studycircle.CodeAlreadyGraded)
			newest := bob.get(t, "/api/submissions?limit=1").array(t)[0]
			require.InDelta(t, winner, newest["givenMark"], 0)
			require.Equal(t, graders[winner].name, newest["feedback"])
		}
		require.Equal(t, fmt.Sprint(rounds), bob.get(t, "/api/submissions?status=completed&limit=1").header.Get("X-Total-Count"))
		require.Empty(t, bob.pending(t))
	})
}

func TestOneSubmissionWins(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		for round := range rounds {
			answers := make([]*answer, clients)
			together(t, clients, func(i int) (err error) {
				answers[i], err = bob.persist(t.Context(), http.MethodPost, "/api/submissions", submission(of))
				return err
			})
			id := answers[oneWins(t, answers, http.StatusCreated, studycircle.CodeAlreadyPending)].id(t)
			pending := ada.pending(t)
			require.Len(t, pending, 1)
			require.Equal(t, id, pending[0]["_id"])
			if round%2 == 0 {
				bob.del(t, "/api/submissions/"+id+"/own").is(t, http.StatusOK)
			} else {
				ada.grade(t, id, 1)
			}
		}
		require.Equal(t, fmt.Sprint(rounds/2), bob.get(t, "/api/submissions?limit=1").header.Get("X-Total-Count"))
	})
}

func TestOneRegistrationWins(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for round := range rounds {
			answers := make([]*answer, clients)
			together(t, clients, func(i int) (err error) {
				email := fmt.Sprintf([]string{"round%d@example.org", "ROUND%d@Example.ORG"}[i%2], round)
				body := with(newcomer(), "email", email, "name", fmt.Sprint(i))
				answers[i], err = n.visitor().persist(t.Context(), http.MethodPost, "/api/auth/register", body)
				return err
			})
			winner := oneWins(t, answers, http.StatusCreated, studycircle.CodeEmailInUse)
			got := answers[winner].json(t)
			require.Equal(t, fmt.Sprint(winner), got["displayName"])
			require.Equal(t, fmt.Sprintf("round%d@example.org", round), got["email"])
		}
	})
}
