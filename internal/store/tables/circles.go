package tables

import (
	"context"
	"strconv"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// MemberScope counts the members of a circle.
func MemberScope(circleID string) pages.Scope { return pages.Scope("members/" + circleID) }

// MemberRoleScope counts the members of a circle with a role.
func MemberRoleScope(circleID string, r studycircle.CircleRole) pages.Scope {
	return pages.Scope("members/" + circleID + "/role/" + string(r))
}

// MemberLabelScope counts the members of a circle with a label.
func MemberLabelScope(circleID, label string) pages.Scope {
	return pages.Scope("members/" + circleID + "/label/" + label)
}

// CircleScopes are the scopes that count the members of a circle. Those of labels are empty without members.
func CircleScopes(circleID string) []pages.Scope {
	scopes := []pages.Scope{MemberScope(circleID)}
	for _, r := range []studycircle.CircleRole{
		studycircle.CircleOwner, studycircle.CircleOrganizer, studycircle.CircleMember,
	} {
		scopes = append(scopes, MemberRoleScope(circleID, r))
	}
	return scopes
}

// CountMembership adds n members like m to the counts of their circle.
func CountMembership(e Effects, m studycircle.Membership, n int64) {
	e.Count(MemberScope(m.CircleID), m.Seq, n)
	e.Count(MemberRoleScope(m.CircleID, m.Role), m.Seq, n)
	if m.Label != "" {
		e.Count(MemberLabelScope(m.CircleID, m.Label), m.Seq, n)
	}
}

// Standing is a user's membership in a circle with what else decides about the user's writes there.
type Standing struct {
	CircleID, UserID, Role, Publishing, Grading string
	CircleName                                  string // an assignment shows it, so that its ETag depends on it
	ArchivedAt                                  int64  // 0 unless archived
	CountsAccuracy                              bool
}

// Own returns the circle and the membership, as far as they decide about writes.
func (s Standing) Own() (own studycircle.OwnCircle) {
	own.ID, own.Name, own.Publishing, own.Grading = s.CircleID, s.CircleName, studycircle.Allowed(s.Publishing),
		studycircle.Allowed(s.Grading)
	own.CountsAccuracy = s.CountsAccuracy
	if s.ArchivedAt != 0 {
		own.ArchivedAt = engine.Instant(s.ArchivedAt)
	}
	own.Mine = studycircle.Membership{CircleID: s.CircleID, UserID: s.UserID, Role: studycircle.CircleRole(s.Role)}
	return own
}

// Standings reads the Standing of members m of circles c that are not deleted. More conditions follow it.
const Standings = "SELECT m.circle_id, m.user_id, m.role, c.publishing, c.grading, c.name, COALESCE(c.archived_at, " +
	"0), c.accuracy_since IS NOT NULL" +
	" FROM circle_members m JOIN circles c ON c.id = m.circle_id WHERE c.deleted_at IS NULL"

// The queries for the Standing of the user $2 in the circle $1, or in the circle of the assignment or the submission
// $1. Those that hold share the circle and the membership until the transaction ends.
const (
	standingOf          = Standings + " AND m.circle_id = $1 AND m.user_id = $2"
	held                = " FOR KEY SHARE OF c FOR KEY SHARE OF m"
	HeldStanding        = standingOf + held
	HeldUnderAssignment = Standings +
		" AND m.circle_id = (SELECT a.circle_id FROM assignments a WHERE a.id = $1) AND m.user_id = $2" + held
	HeldAtSubmission = Standings +
		" AND m.circle_id = (SELECT s.circle_id FROM submissions s WHERE s.id = $1) AND m.user_id = $2" + held
)

// Reset implements engine.Sink.
func (s *Standing) Reset() { *s = Standing{} }

// Row implements engine.Sink.
func (s *Standing) Row(r engine.Row) {
	*s = Standing{
		CircleID: r.Text(0), UserID: r.Text(1), Role: r.Text(2), Publishing: r.Text(3), Grading: r.Text(4),
		CircleName: r.Text(5), ArchivedAt: r.Int(6), CountsAccuracy: r.Int(7) != 0,
	}
}

// OwnCircle returns a user's circle as the transaction sees it, as far as it decides about writes; the zero OwnCircle
// for the hall, and if the user is not a member.
func OwnCircle(ctx context.Context, tx *engine.Tx, circleID, userID string) (studycircle.OwnCircle, error) {
	var s Standing
	if circleID == studycircle.Hall {
		return s.Own(), nil
	}
	if err := tx.Engine.Ask(ctx, tx, &s, standingOf, circleID, userID); err != nil {
		return studycircle.OwnCircle{}, err
	}
	err := tx.Engine.Answered(ctx, tx)
	return s.Own(), err
}

type member = studycircle.Member

// Members is the table of members of circles. Only members of a circle read its rows.
var Members = engine.NewTable("circle_members", engine.Unguarded, "user_id",
	func(m *member) *studycircle.Person { return &m.Account },
	engine.GeneratedColumn("seq", func(m *member) *int64 { return &m.Seq }),
	engine.TextColumn("circle_id", func(m *member) *string { return &m.CircleID }),
	engine.Column[member]{
		Name: "user_id", Kind: engine.Text,
		Get: func(m *member) engine.Value { return engine.Value{Text: m.UserID} },
		Set: func(m *member, v engine.Value) { m.UserID, m.Account.UserID = v.Text, v.Text },
	},
	engine.TextColumn("role", func(m *member) *string { return (*string)(&m.Role) }),
	engine.TextColumn("label", func(m *member) *string { return &m.Label }),
	engine.TextColumn("name", func(m *member) *string { return &m.Name }),
	engine.TextColumn("family_name", func(m *member) *string { return &m.FamilyName }),
	engine.TextColumn("source_id", func(m *member) *string { return &m.SourceID }),
	engine.TimeColumn("joined_at", func(m *member) *time.Time { return &m.JoinedAt }),
	engine.IntColumn("extra_days", func(m *member) *int64 { return &m.ExtraDays }),
)

var (
	// MembersOf are the members of a circle, in the order of joining.
	MembersOf = &engine.List{Of: &Members.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.OldestFirst}
	// MembersWithRole are those with a role.
	MembersWithRole = &engine.List{
		Of: &Members.Shape, By: []string{"circle_id", "role"}, Position: "seq", Order: pages.OldestFirst,
	}
	// MembersWithLabel are those with a label.
	MembersWithLabel = &engine.List{
		Of: &Members.Shape, Where: "label <> ''", By: []string{"circle_id", "label"},
		Position: "seq", Order: pages.OldestFirst,
	}
	// MemberBySeq finds members by their positions.
	MemberBySeq = &engine.Lookup{Of: &Members.Shape, Key: "seq", Kind: engine.Int}
)

// MemberKey returns the column by which the members of a circle are sorted for organizers, who see names as in the
// roster, or for others.
func MemberKey(o studycircle.MemberOrder, organizers bool) string {
	switch {
	case o == studycircle.ByName && organizers:
		return "roster_name_key"
	case o == studycircle.ByFamilyName && organizers:
		return "roster_family_key"
	case o == studycircle.ByName:
		return "name_key"
	case o == studycircle.ByFamilyName:
		return "family_key"
	default:
		return "seq"
	}
}

// SortedMembers spells the query for the positions of members of the circle $1, in all roles and labels or with the
// role or the label that follows, in the order of a key or the reverse. The last parameters are how many, and how many
// to skip.
func SortedMembers(key string, role, label, backwards bool) string {
	n := 1
	next := func() string { n++; return engine.Dollar(n) }
	text, down := "SELECT m.seq FROM circle_members m WHERE m.circle_id = $1", ""
	if role {
		text += " AND m.role = " + next()
	}
	if label {
		text += " AND m.label = " + next()
	}
	if backwards {
		down = " DESC"
	}
	return text + " ORDER BY m." + key + down + ", m.seq" + down + " LIMIT CAST(" + next() + " AS BIGINT) OFFSET CAST(" +
		next() + " AS BIGINT)"
}

// FindMembers spells the query for the positions of members of the circle $1 who have words, in all roles and labels,
// or with the role and the label that follow the words, in the order of a key. Each word is a range of two
// parameters. Only organizers search all words. It finds at most engine.MaxMatches. With words it begins at those,
// because a circle may have many members and PostgreSQL expects few.
func FindMembers(words int, organizers, role, label bool, key string) string {
	n := 1
	next := func() string { n++; return engine.Dollar(n) }
	word := func(row string) string {
		text := row + ".circle_id = $1 AND " + row + ".word >= " + next() + " AND " + row + ".word < " + next()
		if !organizers {
			text += " AND NOT " + row + ".for_organizers"
		}
		return text
	}
	text, seq, has := "SELECT m.seq FROM circle_members m WHERE m.circle_id = $1", "m.seq",
		func(column string) string { return "m." + column }
	if words > 0 {
		text, seq = "SELECT DISTINCT w.seq FROM circle_member_words w WHERE "+word("w"), "w.seq"
		has = func(column string) string {
			return "(SELECT m." + column + " FROM circle_members m WHERE m.seq = w.seq)"
		}
	}
	for range words - 1 {
		text += " AND w.seq IN (SELECT o.seq FROM circle_member_words o WHERE " + word("o") + ")"
	}
	if role {
		text += " AND " + has("role") + " = " + next()
	}
	if label {
		text += " AND " + has("label") + " = " + next()
	}
	text += " ORDER BY " + seq + " LIMIT " + strconv.Itoa(engine.MaxMatches)
	if key != "seq" {
		text = "SELECT k.seq FROM circle_members k JOIN (" + text + ") AS found ON found.seq = k.seq ORDER BY k." + key +
			", k.seq"
	}
	return text
}

// SeenRow is when an account was last used.
type SeenRow struct {
	UserID string
	At     time.Time
}

// Seen is the table of sessions, with their latest use.
var Seen = engine.NewTable("sessions", engine.Unguarded, "", nil,
	engine.TextColumn("user_id", func(s *SeenRow) *string { return &s.UserID }),
	engine.TimeColumn("last_seen_at", func(s *SeenRow) *time.Time { return &s.At }),
)

// SeenOf reads when accounts were last used.
var SeenOf = manyIDs(0, func(_ visibleRows, ids []string) string {
	return "SELECT s.user_id, MAX(s.last_seen_at) FROM sessions s WHERE s.user_id IN (" + strings.Join(ids, ", ") +
		") GROUP BY s.user_id"
})

type invitation = studycircle.Invitation

// Invitations is the table of invitations. Only organizers of a circle read its rows.
var Invitations = engine.NewTable("circle_invitations", engine.Unguarded, "", nil,
	engine.GeneratedColumn("seq", func(i *invitation) *int64 { return &i.Seq }),
	engine.TextColumn("id", func(i *invitation) *string { return &i.ID }),
	engine.TextColumn("circle_id", func(i *invitation) *string { return &i.CircleID }),
	engine.TextColumn("role", func(i *invitation) *string { return (*string)(&i.Role) }),
	engine.TextColumn("label", func(i *invitation) *string { return &i.Label }),
	engine.TextColumn("name", func(i *invitation) *string { return &i.Name }),
	engine.TextColumn("family_name", func(i *invitation) *string { return &i.FamilyName }),
	engine.TextColumn("source_id", func(i *invitation) *string { return &i.SourceID }),
	engine.Column[invitation]{
		Name: "uses_left", Kind: engine.Int, Nullable: true,
		Get: func(i *invitation) engine.Value {
			if i.Uses == nil {
				return engine.Value{Null: true}
			}
			return engine.Value{Int: *i.Uses}
		},
		Set: func(i *invitation, v engine.Value) { i.Uses = &v.Int },
	},
	engine.TextColumn("only_email", func(i *invitation) *string { return &i.OnlyEmail }),
	engine.TextColumn("only_domain", func(i *invitation) *string { return &i.OnlyDomain }),
	engine.OptionalTextColumn("roster_email", func(i *invitation) *string { return &i.RosterEmail }),
	engine.TimeColumn("created_at", func(i *invitation) *time.Time { return &i.CreatedAt }),
	engine.TimeColumn("expires_at", func(i *invitation) *time.Time { return &i.ExpiresAt }),
	engine.OptionalTimeColumn("revoked_at", func(i *invitation) *time.Time { return &i.RevokedAt }),
	engine.OptionalTimeColumn("declined_at", func(i *invitation) *time.Time { return &i.DeclinedAt }),
)

var (
	// InvitationsTo are those to a circle, newest first.
	InvitationsTo = &engine.List{
		Of: &Invitations.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.NewestFirst,
	}
	// InvitationsBy are those that a user made, oldest first.
	InvitationsBy = &engine.List{
		Of: &Invitations.Shape, By: []string{"created_by"}, Position: "seq", Order: pages.OldestFirst,
	}
	// InvitationByID finds an invitation.
	InvitationByID = &engine.Lookup{Of: &Invitations.Shape, Key: "id"}
)

// JoinRow is a user who joined by an invitation.
type JoinRow struct {
	InvitationID string
	Account      studycircle.Person
}

// Joins is the table of users who joined by invitations.
var Joins = engine.NewTable("circle_joins", engine.Unguarded, "user_id",
	func(j *JoinRow) *studycircle.Person { return &j.Account },
	engine.TextColumn("invitation_id", func(j *JoinRow) *string { return &j.InvitationID }),
	engine.TextColumn("user_id", func(j *JoinRow) *string { return &j.Account.UserID }),
)

// FirstJoins reads $1 users who joined by each of some invitations.
var FirstJoins = manyIDs(1, func(_ visibleRows, ids []string) string {
	arms := make([]string, len(ids))
	for i, id := range ids {
		arms[i] = "SELECT * FROM (SELECT * FROM circle_joins WHERE invitation_id = " + id + " ORDER BY user_id LIMIT " +
			"CAST($1 AS BIGINT)) AS first"
	}
	return "SELECT " + Joins.Selected("t", true) + " FROM (" + strings.Join(
		arms, " UNION ALL ",
	) + ") t" + Joins.Joined("t")
})

// JoinCount is the number of users who joined by an invitation.
type JoinCount struct {
	InvitationID string
	N            int64
}

// JoinCounts is the table of Joins, counted.
var JoinCounts = engine.NewTable("circle_joins", engine.Unguarded, "", nil,
	engine.TextColumn("invitation_id", func(j *JoinCount) *string { return &j.InvitationID }),
	engine.IntColumn("n", func(j *JoinCount) *int64 { return &j.N }),
)

// CountJoins counts the users who joined by each of some invitations.
var CountJoins = manyIDs(0, func(_ visibleRows, ids []string) string {
	return "SELECT j.invitation_id, COUNT(*) FROM circle_joins j WHERE j.invitation_id IN (" + strings.Join(ids, ", ") +
		") GROUP BY j.invitation_id"
})

// Requests is the table of users who ask to join circles. Only organizers of a circle read its rows.
var Requests = engine.NewTable("circle_requests", engine.Unguarded, "user_id",
	func(a *studycircle.Asker) *studycircle.Person { return &a.Account },
	engine.GeneratedColumn("seq", func(a *studycircle.Asker) *int64 { return &a.Seq }),
	engine.TextColumn("user_id", func(a *studycircle.Asker) *string { return &a.Account.UserID }),
	engine.TimeColumn("asked_at", func(a *studycircle.Asker) *time.Time { return &a.AskedAt }),
)

// RequestsTo are those to join a circle, oldest first.
var RequestsTo = &engine.List{Of: &Requests.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.OldestFirst}

// Listings is the table of the circles that every user may find.
var Listings = engine.NewTable("listed_circles", engine.Unguarded, "", nil,
	engine.GeneratedColumn("seq", func(c *studycircle.FoundCircle) *int64 { return &c.Seq }),
	engine.TextColumn("id", func(c *studycircle.FoundCircle) *string { return &c.ID }),
	engine.TextColumn("name", func(c *studycircle.FoundCircle) *string { return &c.Name }),
	engine.TextColumn("description", func(c *studycircle.FoundCircle) *string { return &c.Description }),
	engine.TextColumn("html", func(c *studycircle.FoundCircle) *string { return &c.HTML }),
	engine.TextColumn("joining", func(c *studycircle.FoundCircle) *string { return (*string)(&c.Join) }),
	engine.IntColumn("members", func(c *studycircle.FoundCircle) *int64 { return &c.Members }),
)

var (
	// ListedCircles are all of them, those listed last first.
	ListedCircles = &engine.List{Of: &Listings.Shape, Position: "seq", Order: pages.NewestFirst}
	// ListedCircleBySeq finds listed circles by their positions.
	ListedCircleBySeq = &engine.Lookup{Of: &Listings.Shape, Key: "seq", Kind: engine.Int}
	// ListingIndex is the search index of listed circles; positions are seqs.
	ListingIndex = &engine.Index{Name: "listing_search"}
)

// ListingScope counts the listed circles.
const ListingScope pages.Scope = "circles/listed"

// ListingDoc returns the index entry of a listed circle.
func ListingDoc(name string) engine.Doc { return engine.NewDoc(name, "") }
