package api

import (
	"context"
	"time"

	"studycircle"
)

// LinkHealth is the result of fetching a submission's document link without an account.
type LinkHealth struct {
	Result    string     `json:"result" enum:"reachable,sign-in,gone,unknown"`
	CheckedAt *time.Time `json:"checkedAt,omitempty" doc:"Absent if the link was not checked yet. If several users review, all but the submitter get a day."`
}

// OwnLink is a link problem that the submitter can mend.
type OwnLink struct {
	LinkHealth
	NamesYou bool `json:"namesYou" doc:"The page has your name or email address in it, which reviewers must not see."`
}

// linkHealthOf maps a link's health for every permitted viewer.
func linkHealthOf(h studycircle.LinkHealth) LinkHealth {
	out := LinkHealth{Result: string(h.Result)}
	if !h.CheckedAt.IsZero() {
		out.CheckedAt = &h.CheckedAt
	}
	return out
}

// ownLinkOf maps a link's health for the submitter; nil without a problem.
func ownLinkOf(h studycircle.LinkHealth) *OwnLink {
	if !h.Warns() {
		return nil
	}
	return &OwnLink{LinkHealth: linkHealthOf(h), NamesYou: h.Names}
}

func (o *operations) registerLinks(r *router) {
	operation(r, signedIn, tag("Submissions").op("link-health", "GET /api/submissions/{id}/link",
		"Get whether a submission's document can be opened", 401, 404),
		func(ctx context.Context, in *byID) (*LinkHealth, error) {
			h, err := o.Service.LinkHealth(ctx, viewer(ctx).User, in.ID)
			return new(linkHealthOf(h)), err
		})
}
