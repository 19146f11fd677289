package studycircle

// Moderators are those who keep discussions decent, by their verified addresses.
type Moderators map[string]bool

// ModeratorsOf are the users with these addresses, however they are spelled.
func ModeratorsOf(emails []string) Moderators {
	m := Moderators{}
	for _, email := range emails {
		m[NormalizeEmail(email)] = true
	}
	return m
}

// Include tells whether u is a moderator. An address that nobody has verified may
// be anybody's.
func (m Moderators) Include(u User) bool { return !u.EmailVerifiedAt.IsZero() && m[u.Email] }
