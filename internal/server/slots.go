package server

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"studycircle/internal/api"
)

// view is what one page is filled with.
type view struct {
	head, boot string
	user       *api.User // nil for a visitor
	assignment *api.Assignment
	list       *bootList
	today      time.Time // the day's start, UTC
	pieces     *pieces
}

// slots are the marks that web/src/app/first-html.tsx leaves, by name.
var slots = map[string]slot{
	"page.head": {slotHTML, func(v *view) string { return v.head }},
	"page.boot": {slotHTML, func(v *view) string { return v.boot }},

	"user.name":  {slotText, func(v *view) string { return v.user.DisplayName }},
	"user.photo": {slotURL, func(v *view) string { return or(v.user.PhotoURL, v.pieces.blankFace) }},

	"a.id":          {slotText, func(v *view) string { return v.assignment.ID }},
	"a.title":       {slotText, func(v *view) string { return v.assignment.Title }},
	"a.description": {slotText, func(v *view) string { return v.assignment.Description }},
	"a.thumbnail":   {slotURL, func(v *view) string { return v.assignment.Thumbnail }},
	"a.marks":       {slotText, func(v *view) string { return strconv.FormatInt(v.assignment.Marks, 10) }},
	"a.level":       {slotHTML, func(v *view) string { return v.pieces.levels[v.assignment.Level] }},
	"a.dueDate":     {slotText, func(v *view) string { return v.assignment.DueDate }},
	"a.dueDay":      {slotText, func(v *view) string { return strings.ReplaceAll(dueDay(v), "-", "/") }},
	"a.near":        {slotHTML, func(v *view) string { return v.pieces.near[daysAway(v)] }},
	"a.creatorName": {slotText, func(v *view) string { return v.assignment.CreatorName }},
	"a.creatorEmail": {slotHTML, func(v *view) string {
		form := v.pieces.emailWord
		if strings.Contains(v.assignment.CreatorEmail, "@") {
			form = v.pieces.emailAddress
		}
		return string(form.append(nil, v))
	}},
	"email.local": {slotText, func(v *view) string {
		return v.assignment.CreatorEmail[:strings.LastIndexByte(v.assignment.CreatorEmail, '@')]
	}},
	"email.domain": {slotText, func(v *view) string {
		return v.assignment.CreatorEmail[strings.LastIndexByte(v.assignment.CreatorEmail, '@'):]
	}},
	"email.word": {slotText, func(v *view) string { return v.assignment.CreatorEmail }},

	"list.search":       {slotText, func(v *view) string { return v.list.Search }},
	"list.level.all":    {slotFlag, selected("")},
	"list.level.easy":   {slotFlag, selected("easy")},
	"list.level.medium": {slotFlag, selected("medium")},
	"list.level.hard":   {slotFlag, selected("hard")},
	"list.cards":        {slotHTML, cardsOf},
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func selected(level string) func(v *view) string {
	return func(v *view) string {
		if v.list.Level == level {
			return ` selected=""`
		}
		return ""
	}
}

// dueDay is the calendar day a due date was written in, yyyy-MM-dd.
func dueDay(v *view) string {
	day, _, _ := strings.Cut(v.assignment.DueDate, "T")
	return day
}

// daysAway is how many days from today the due date's day is; a day that
// cannot be read is far away.
func daysAway(v *view) int {
	const far = 1 << 20
	day, err := time.Parse(time.DateOnly, dueDay(v))
	if err != nil {
		return far
	}
	return int(day.Sub(v.today) / (24 * time.Hour))
}

// pieces stand in pages as often as there is something to show, or in one of
// several forms.
type pieces struct {
	visitor, user           cards
	levels                  map[string]string
	near                    map[int]string // by days from today; none for days further away
	emailAddress, emailWord *template
	blankFace               string // in the place of a photo that there is not
}

// cards are the forms of a card in the list.
type cards struct{ lead, eager, later *template }

// cardsOf are the list's cards. Which form each has is said in
// web/src/features/assignments/assignment-list.tsx too.
func cardsOf(v *view) string {
	var b []byte
	form := v.pieces.visitor
	if v.user != nil {
		form = v.pieces.user
	}
	count := len(v.list.Answer.Data)
	one := *v
	for i := range v.list.Answer.Data {
		one.assignment = &v.list.Answer.Data[i]
		switch {
		case i == 0 && count%3 == 1 && count > 1:
			b = form.lead.append(b, &one)
		case i < 3:
			b = form.eager.append(b, &one)
		default:
			b = form.later.append(b, &one)
		}
	}
	return string(b)
}

func readPieces(dist fs.FS, texts map[string]string) (*pieces, error) {
	type cardTexts struct{ Lead, Eager, Later string }
	var in struct {
		Cards     struct{ Visitor, User cardTexts }
		Levels    map[string]string
		Near      map[int]string
		Email     struct{ Address, Word string }
		BlankFace string
	}
	file, err := readBuilt(dist, ".pieces.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(file, &in); err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	p := &pieces{levels: in.Levels, near: in.Near, blankFace: in.BlankFace}
	for _, piece := range []struct {
		into **template
		text string
	}{
		{&p.visitor.lead, in.Cards.Visitor.Lead},
		{&p.visitor.eager, in.Cards.Visitor.Eager},
		{&p.visitor.later, in.Cards.Visitor.Later},
		{&p.user.lead, in.Cards.User.Lead},
		{&p.user.eager, in.Cards.User.Eager},
		{&p.user.later, in.Cards.User.Later},
		{&p.emailAddress, in.Email.Address},
		{&p.emailWord, in.Email.Word},
	} {
		if *piece.into, err = parseTemplate(piece.text, texts); err != nil {
			return nil, err
		}
	}
	return p, nil
}
