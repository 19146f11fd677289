package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"studycircle"
)

func TestPeopleAreKeptUnderTheVersionTheyWereReadUnder(t *testing.T) {
	p := people{bound: 2}
	ada := func(name string) studycircle.Person { return studycircle.Person{UserID: "ada", DisplayName: name} }
	is := func(version uint64, name string) {
		t.Helper()
		who, known := p.get(version, "ada")
		assert.Equal(t, name != "", known)
		assert.Equal(t, name, who.DisplayName)
	}
	is(0, "")
	p.put(5, ada("Ada"))
	is(5, "Ada")
	is(4, "Ada") // an earlier version
	is(6, "")
	p.put(6, ada("Ada L."))
	is(5, "Ada L.")
	p.put(5, ada("Ada")) // too late
	is(6, "Ada L.")
	p.put(7, studycircle.Person{UserID: "eve"})
	is(6, "")
	for _, id := range []string{"bob", "cid"} {
		p.put(7, studycircle.Person{UserID: id})
	}
	assert.LessOrEqual(t, len(p.known), p.bound)
	_, known := p.get(7, "cid")
	assert.True(t, known)
}
