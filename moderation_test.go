package studycircle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestWhoMayInDiscussions(t *testing.T) {
	t.Parallel()
	by := func(id string) studycircle.Comment {
		return studycircle.Comment{Author: studycircle.Person{UserID: id}}
	}
	of := func(id string) studycircle.Assignment {
		return studycircle.Assignment{Creator: studycircle.Person{UserID: id}}
	}
	moderators := studycircle.ModeratorsOf([]string{" Mo@Example.org"})
	user := func(email string, verified bool) studycircle.User {
		u := studycircle.User{ID: "mo", Email: email}
		if verified {
			u.EmailVerifiedAt = time.Now()
		}
		return u
	}
	const notMine, notMyAssignment, notModerator = studycircle.CodeNotYourComment, studycircle.CodeNotYourAssignment, studycircle.CodeNotModerator
	for name, c := range map[string]struct {
		got  error
		want studycircle.Code
	}{
		"author edits":                     {studycircle.MayChangeComment("ada", hall, by("ada")), ""},
		"another edits":                    {studycircle.MayChangeComment("bob", hall, by("ada")), notMine},
		"a visitor edits a deleted user's": {studycircle.MayChangeComment("", hall, by("")), notMine},
		"author deletes":                   {studycircle.MayDeleteComment("ada", hall, false, by("ada"), of("eve")), ""},
		"creator deletes":                  {studycircle.MayDeleteComment("eve", hall, false, by("ada"), of("eve")), ""},
		"moderator deletes":                {studycircle.MayDeleteComment("mo", hall, true, by("ada"), of("eve")), ""},
		"another deletes":                  {studycircle.MayDeleteComment("bob", hall, false, by("ada"), of("eve")), notMine},
		"a visitor deletes":                {studycircle.MayDeleteComment("", hall, true, by(""), of("")), notMine},
		"creator closes":                   {studycircle.MayCloseDiscussion("eve", hall, false, of("eve")), ""},
		"moderator closes":                 {studycircle.MayCloseDiscussion("mo", hall, true, of("eve")), ""},
		"another closes":                   {studycircle.MayCloseDiscussion("bob", hall, false, of("eve")), notMyAssignment},
		"a visitor closes":                 {studycircle.MayCloseDiscussion("", hall, true, of("")), notMyAssignment},
		"a moderator moderates":            {studycircle.MayModerate(user("mo@example.org", true), moderators), ""},
		"not before it is verified":        {studycircle.MayModerate(user("mo@example.org", false), moderators), notModerator},
		"another does not":                 {studycircle.MayModerate(user("ada@example.org", true), moderators), notModerator},
		"a moderator decides":              {studycircle.MayDecide("mo", "ada", false, studycircle.OfComment), ""},
		"about a deleted user":             {studycircle.MayDecide("mo", "", false, studycircle.OfComment), ""},
		"not about themselves":             {studycircle.MayDecide("mo", "mo", true, studycircle.OfReview), studycircle.CodeOperatorDecides},
		"not about a moderator":            {studycircle.MayDecide("mo", "max", true, studycircle.OfAssignment), studycircle.CodeOperatorDecides},
		"but about anonymous work":         {studycircle.MayDecide("mo", "max", true, studycircle.OfSubmission), ""},
		"a visitor decides":                {studycircle.MayDecide("", "ada", false, studycircle.OfComment), studycircle.CodeOperatorDecides},
		"no user without moderators":       {studycircle.MayModerate(user("", true), nil), notModerator},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(c.got), name)
	}
}

func TestCommentInput(t *testing.T) {
	t.Parallel()
	in, err := studycircle.CommentInput{Text: " Why?\n"}.Clean()
	require.NoError(t, err)
	require.Equal(t, "Why?", in.Text)
	for _, text := range []string{"", " ", "\u2800", "a\x00", strings.Repeat("x", 5001)} {
		_, err := studycircle.CommentInput{Text: text, ParentID: "no id!"}.Clean()
		require.Equal(t, []string{"text"}, faults(t, err, studycircle.CodeInvalid), "%q", text)
	}
	_, err = studycircle.CommentInput{Text: "Why?", ParentID: "no id!"}.Clean()
	require.ErrorIs(t, err, studycircle.ErrNotFound)
	require.NoError(t, in.CheckMentions(10, 10))
	require.Equal(t, []string{"text"}, faults(t, in.CheckMentions(11, 11), studycircle.CodeInvalid))
	require.Equal(t, []string{"text"}, faults(t, in.CheckMentions(2, 1), studycircle.CodeInvalid))
	for i, r := range studycircle.Reactions {
		require.Equal(t, i, r.Place())
	}
	require.Equal(t, -1, studycircle.Reaction("hate").Place())
}
