package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// kills is how often a node is killed while it removes members.
	kills = 3
	// killDelay is the time from the requests to the kill, a multiple of it in later rounds: before, in and after the
	// commit.
	killDelay = 50 * time.Millisecond
	// removedAtOnce are the members whom the node removes at that moment.
	removedAtOnce = 4
	// removalReaches is the time after which no node shows a circle to a removed member.
	removalReaches = 5 * time.Second
)

// killInRemoval kills a node while it removes members of a circle. A removal that got no answer is asked for again at
// another node, as its user would.
func (s *site) killInRemoval(ctx context.Context, r *report, _ *crowd) error {
	r.chapter("A node is killed (kill -9) while it removes members of a circle, %d times", kills)
	owner, members, paths, err := s.circleOf(ctx, kills*removedAtOnce)
	if err != nil {
		return err
	}
	circle := paths[0]
	unanswered, committed, reads, shown := 0, 0, 0, 0
	for round := range kills {
		leaving := members[round*removedAtOnce : (round+1)*removedAtOnce]
		answers := make([]int, len(leaving))
		var removing sync.WaitGroup
		for i, m := range leaving {
			removing.Go(func() {
				// no answer is a result, too
				answers[i], _ = owner.at(s.nodes[0]).send(http.MethodDelete, circle+"/members/"+m.id, nil, nil)
			})
		}
		if err := errors.Join(pause(ctx, time.Duration(round)*killDelay), s.nodes[0].kill()); err != nil {
			return err
		}
		removing.Wait()
		for i, m := range leaving {
			if answers[i] == http.StatusOK {
				continue
			}
			unanswered++
			status, err := owner.at(s.nodes[1]).send(http.MethodDelete, circle+"/members/"+m.id, nil, nil)
			if err != nil || status != http.StatusOK && status != http.StatusNotFound {
				return errors.Join(fmt.Errorf("remove again: %d", status), err)
			}
			if status == http.StatusNotFound {
				committed++
			}
		}
		if err := errors.Join(s.nodes[0].start(ctx), pause(ctx, removalReaches)); err != nil {
			return err
		}
		for _, n := range s.nodes {
			for _, m := range leaving {
				for _, path := range paths {
					status, err := m.at(n).send(http.MethodGet, path, nil, nil)
					if reads++; err != nil || status != http.StatusNotFound {
						r.say("%s: %d %s", path, status, errorText(err))
						shown++
					}
				}
			}
		}
	}
	r.bar(
		unanswered > 0, "removals without an answer, asked for again at another node: %d of %d, %d of them committed before",
		unanswered, len(members), committed,
	)
	r.bar(
		shown == 0, "after %s the removed members read the circle at all nodes: %d of %d requests showed something",
		removalReaches, shown, reads,
	)
	return nil
}

// removable is a member of the drill's circle.
type removable struct {
	*person
	id string
}

// at returns p as a user of one node.
func (p *person) at(n *node) *person {
	other := *p
	other.crowd = &crowd{url: n.url()}
	return &other
}

// circleOf makes a circle of so many members with an assignment, and returns what its members read, the circle first.
func (s *site) circleOf(ctx context.Context, size int) (owner *person, members []removable, paths []string, err error) {
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{}}
	enter := func(number int) (*person, error) {
		p := &person{crowd: &crowd{url: s.nodes[2].url()}, number: number, client: client}
		if p.register(ctx); p.token == "" {
			return nil, errors.New("a user of the circle is not registered")
		}
		return p, nil
	}
	if owner, err = enter(people); err != nil {
		return nil, nil, nil, err
	}
	var made struct{ InsertedID, URL string }
	post := func(p *person, path string, body any, want int) error {
		if status, err := p.send(http.MethodPost, path, body, &made); err != nil || status != want {
			return errors.Join(fmt.Errorf("POST %s: %d", path, status), err)
		}
		return nil
	}
	if err := post(owner, "/api/circles", map[string]any{"name": "Removals"}, http.StatusCreated); err != nil {
		return nil, nil, nil, err
	}
	circle := made.InsertedID
	paths = []string{"/api/circle/" + circle, "/api/circle/" + circle + "/members", "/api/assignments?circle=" + circle}
	if err := post(owner, "/api/assignments", map[string]any{
		"title": "In a circle", "description": "Until members are removed.", "marks": 20, "level": "easy", "circleId": circle,
		"thumbnail": "https://example.org/t.png", "dueDate": time.Now().AddDate(0, 0, 10).Format(time.DateOnly),
	}, http.StatusCreated); err != nil {
		return nil, nil, nil, err
	}
	paths = append(paths, "/api/assignment/"+made.InsertedID)
	if err := post(owner, paths[0]+"/invitations", map[string]any{"role": "member"}, http.StatusCreated); err != nil {
		return nil, nil, nil, err
	}
	_, secret, _ := strings.Cut(made.URL, "#")
	ids := map[string]string{}
	for i := range size {
		p, err := enter(people + 1 + i)
		if err != nil {
			return nil, nil, nil, err
		}
		if err := post(p, "/api/circles/join", map[string]any{"secret": secret}, http.StatusOK); err != nil {
			return nil, nil, nil, err
		}
		members = append(members, removable{person: p})
	}
	var listed struct {
		Data []struct{ UserID, Email string }
	}
	if status, err := owner.send(http.MethodGet, paths[1]+"?limit=100", nil, &listed); err != nil ||
		status != http.StatusOK {
		return nil, nil, nil, errors.Join(fmt.Errorf("members: %d", status), err)
	}
	for _, one := range listed.Data {
		ids[one.Email] = one.UserID
	}
	for i := range members {
		members[i].id = ids[members[i].email]
		for _, path := range paths {
			if status, err := members[i].send(http.MethodGet, path, nil, nil); err != nil || status != http.StatusOK {
				return nil, nil, nil, errors.Join(fmt.Errorf("a member reads %s: %d", path, status), err)
			}
		}
	}
	return owner, members, paths, nil
}
