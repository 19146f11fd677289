package identity

import (
	"encoding/base32"
	"strings"
)

// PersonCode returns a code that stands for a user in files about one circle or, in the hall, about one assignment.
// Elsewhere the user has another code.
func (i *Identity) PersonCode(placeID, userID string) string {
	return "p-" + i.code("person code", placeID, userID)
}

// ReviewerCode returns a code that stands for a reviewer in files about one assignment. It cannot be told whose it is,
// also by those who know the reviewer's PersonCode.
func (i *Identity) ReviewerCode(assignmentID, reviewer string) string {
	return "r-" + i.code("reviewer code", assignmentID, reviewer)
}

func (i *Identity) code(purpose, about, id string) string {
	const bytes = 10 // among 10^6 users, two have the same code with a probability of 4·10^-13
	return strings.ToLower(base32.StdEncoding.EncodeToString(i.mac(purpose, about+"\n"+id)[:bytes]))
}
