package notify

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"studycircle"
)

//go:embed sentences.json
var sentencesJSON []byte

// A sentence is the text of a notification, in the app and in emails. Its parameters are in braces: {title}, {who},
// {circle}, {count} and {due}.
type sentence struct {
	One string `json:"one"`
	// Action is the text of the email's link.
	Action string `json:"action"`
	// Many and ActionMany are for a notification that stands for several events.
	// They are empty for kinds that are never grouped.
	Many       string `json:"many"`
	ActionMany string `json:"actionMany"`
}

// sentences has one for each kind. The web app has the same in features/notifications/sentence.tsx, for its catalogue
// of texts; a test compares them.
var sentences = parseSentences()

func parseSentences() map[studycircle.NotificationKind]sentence {
	var s map[studycircle.NotificationKind]sentence
	if err := json.Unmarshal(sentencesJSON, &s); err != nil {
		panic(err) // the file is part of the program
	}
	return s
}

// quoted separates a title from the sentence around it with quotation marks.
func quoted(title string) string { return "“" + isolated(title) + "”" }

// isolated isolates the direction of a text by U+2068 and U+2069. It removes such characters from the text, which
// would end the isolation early.
func isolated(text string) string {
	return "\u2068" + studycircle.StripBidiControls(text) + "\u2069"
}

// words returns an email's sentence about a notification, and the text of its link.
func words(n studycircle.Notification) (happened, action string) {
	p := parameters{title: quoted(n.Title), circle: isolated(n.CircleName), due: dueDay(n.Due)}
	if n.Actor.DisplayName != "" {
		p.who = isolated(n.Actor.DisplayName)
	}
	happened, action = render(n.Kind, n.Count, p)
	return happened + ".", action
}

// parameters are those of a sentence. who and due may be unknown, "".
type parameters struct{ title, who, circle, due string }

// render returns the sentence of a kind with its parameters, without a full stop.
func render(kind studycircle.NotificationKind, count int64, p parameters) (happened, action string) {
	s := sentences[kind]
	happened, action = s.One, s.Action
	if count > 1 && s.Many != "" {
		happened, action = s.Many, s.ActionMany
	}
	fill := strings.NewReplacer(
		"{title}", p.title, "{who}", cmp.Or(p.who, "Someone"), "{circle}", p.circle,
		"{count}", strconv.FormatInt(count, 10), "{due}", cmp.Or(p.due, "soon"),
	)
	return fill.Replace(happened), action
}

// calls returns the name of a kind, after "emails about".
func calls(kind studycircle.NotificationKind) string {
	return map[studycircle.NotificationKind]string{
		studycircle.NotifyGraded: "grades of your work", studycircle.NotifySettlement: "changed marks",
		studycircle.NotifyReturned: "work that is sent back", studycircle.NotifyUnopened: "links that do not open",
		studycircle.NotifyTaken:   "work for your assignments",
		studycircle.NotifyComment: "comments on your assignments",
		studycircle.NotifyReply:   "replies", studycircle.NotifyMention: "mentions",
		studycircle.NotifyJoined:    "circles that you are added to",
		studycircle.NotifyPublished: "new assignments in your circles", studycircle.NotifyMoved: "changed due dates",
		studycircle.NotifyDue: "due dates", studycircle.NotifyOwed: "due dates of reviews",
		studycircle.NotifyReview: "reviews asked of you", studycircle.NotifyAppeal: "appeals",
		studycircle.NotifyQuestion: "questions of reviewers", studycircle.NotifyAnswer: "answers to your questions",
		studycircle.NotifyUnreviewed: "work without a reviewer", studycircle.NotifyShort: "too few reviewers",
		studycircle.NotifyHidden:   "content hidden by moderators",
		studycircle.NotifyRestored: "content restored by moderators", studycircle.NotifyDecided: "decisions on your reports",
		studycircle.NotifyInvited: "invitations to circles", studycircle.NotifyReport: "reports",
	}[kind]
}
