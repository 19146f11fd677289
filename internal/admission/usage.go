package admission

import "time"

const (
	// usageHalves is how often recorded use is halved.
	usageHalves = time.Second
	// usageForgets is the use below which a key is forgotten.
	usageForgets = time.Millisecond
	// maxUsage bounds the number of keys; use of further ones is not recorded.
	maxUsage = 8192
)

// usage is how long each claim held slots lately. It is emptied by time.
type usage struct {
	by     map[Claim]time.Duration
	halved time.Time
}

func newUsage() usage { return usage{map[Claim]time.Duration{}, time.Now()} }

func (u *usage) of(c Claim) time.Duration { return u.by[c] }

// add records use and returns the sum.
func (u *usage) add(c Claim, took time.Duration) time.Duration {
	if now := time.Now(); now.Sub(u.halved) >= usageHalves {
		u.halved = now
		for claim, used := range u.by {
			if u.by[claim] = used / 2; used/2 < usageForgets {
				delete(u.by, claim)
			}
		}
	}
	if _, recorded := u.by[c]; recorded || len(u.by) < maxUsage {
		u.by[c] += took
	}
	return u.by[c]
}
