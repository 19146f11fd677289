package admission

import "time"

const (
	// usageHalves is how often what was used counts half.
	usageHalves = time.Second
	// usageForgets is what is too little to be remembered any longer.
	usageForgets = time.Millisecond
	// maxUsage bounds for how many it is remembered. Of the others nothing is.
	maxUsage = 8192
)

// usage is how long each claim had places lately. Its key is the claim, and what
// empties it is time.
type usage struct {
	by     map[Claim]time.Duration
	halved time.Time
}

func newUsage() usage { return usage{map[Claim]time.Duration{}, time.Now()} }

func (u *usage) of(c Claim) time.Duration { return u.by[c] }

// add returns what it comes to.
func (u *usage) add(c Claim, took time.Duration) time.Duration {
	if now := time.Now(); now.Sub(u.halved) >= usageHalves {
		u.halved = now
		for claim, used := range u.by {
			if u.by[claim] = used / 2; used/2 < usageForgets {
				delete(u.by, claim)
			}
		}
	}
	if _, known := u.by[c]; known || len(u.by) < maxUsage {
		u.by[c] += took
	}
	return u.by[c]
}
