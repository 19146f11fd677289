package studycircle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

func TestEmailAddresses(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"a@b", "a.b+c@example.org", "o'neil@example.org", "ü@exämple.org", "用户@例子.公司", "a@xn--bcher-kva.example", strings.Repeat("a", 242) + "@example.org"} {
		require.True(t, studycircle.ValidEmail(good), good)
	}
	for _, bad := range []string{
		"", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b c", "a@b.", "a@.b", "a@b..c", "a@-b", "a@b-", ".a@b", "a.@b", "<a@b>", "a@b,c@d", "a@b;c", `"a"@b`, `a\@b`, "a@[1.2.3.4]",
		"a@b\n", "a\x00@b", "a\u202e@b", "a@b\u200b", "a\u00a0@b", "a@b\xff", strings.Repeat("a", 243) + "@example.org",
	} {
		require.False(t, studycircle.ValidEmail(bad), "%q", bad)
	}
}

// An address has one spelling, independent of case and surrounding blanks, and that spelling normalizes to itself.
func TestNormalizeEmail(t *testing.T) {
	t.Parallel()
	require.Equal(t, "ada@example.org", studycircle.NormalizeEmail(" \tADA@Example.ORG\n"))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "address")
		once := studycircle.NormalizeEmail(s)
		require.Equal(t, once, studycircle.NormalizeEmail(once))
		if ascii := rapid.StringMatching(`[a-zA-Z0-9.@+-]*`).Draw(t, "ascii"); ascii != "" {
			require.Equal(t, studycircle.NormalizeEmail(ascii), studycircle.NormalizeEmail(" "+strings.ToUpper(ascii)+" "))
		}
	})
}

// Addresses of different mailboxes stay different: only ASCII letters are folded.
func TestAddressesThatUnicodeWouldFoldTogether(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"\u212aim@example.org", "ada@example.\u212aim", "ad\u00c5@example.org", "\u0130da@example.org", "\u00a0kim@example.org", "kim@example.org\u2003"} {
		normal := studycircle.NormalizeEmail(s)
		require.Equal(t, s, normal)
		require.False(t, studycircle.ValidEmail(normal), "%q", normal)
	}
	for _, s := range []string{"\u017fam@example.org", "ad\u00e5@example.org", "\uff4bim@example.org"} {
		require.Equal(t, s, studycircle.NormalizeEmail(s))
		require.True(t, studycircle.ValidEmail(s), "%q", s)
	}
}

func TestPasswords(t *testing.T) {
	t.Parallel()
	const upper, lower, short = "Password must have at least one uppercase letter", "Password must have at least one lowercase letter", "Password must be at least 6 characters"
	for password, message := range map[string]string{
		"Abcdef": "", "ÄÖÜäöü": "", "Aa    ": "", "Aa🎓🎓🎓🎓": "", "Aa" + strings.Repeat("x", 1022): "", "Пароль": "",
		"": upper, "abcdef": upper, "123456": upper, "ABCDEF": lower, "Abcde": short, "Aa🎓🎓🎓": short,
		"Aa" + strings.Repeat("x", 1023): "Password must be at most 1024 bytes long",
		"Abcdef\x00":                     "Password must not contain control characters",
		"Abcdef\xff":                     "Password must not contain control characters",
	} {
		err := studycircle.CheckPassword(password)
		if message == "" {
			require.NoError(t, err, password)
			continue
		}
		require.Equal(t, []string{"password"}, faults(t, err, studycircle.CodeWeakPassword))
		require.ErrorContains(t, err, message)
	}
}

func TestRegistration(t *testing.T) {
	t.Parallel()
	good := studycircle.Registration{Name: " Ada ", Email: " ADA@Example.org ", PhotoURL: "https://example.org/a", Password: "Abcdef"}
	kept, err := good.Clean()
	require.NoError(t, err)
	require.Equal(t, studycircle.Registration{Name: "Ada", Email: "ada@example.org", PhotoURL: "https://example.org/a", Password: "Abcdef"}, kept)

	weak := good
	weak.Password = " "
	require.Equal(t, []string{"password"}, faults(t, second(weak.Clean()), studycircle.CodeWeakPassword))
	require.Equal(t, []string{"name", "email", "photoURL", "password"}, faults(t, second(studycircle.Registration{}.Clean()), studycircle.CodeInvalid))
}

func TestProfilePhotoMayBeEmpty(t *testing.T) {
	t.Parallel()
	require.NoError(t, second(studycircle.Profile{DisplayName: "A"}.Clean()))
	require.Equal(t, []string{"photoURL"}, faults(t, second(studycircle.Profile{DisplayName: "A", PhotoURL: " "}.Clean()), studycircle.CodeInvalid))
}

func TestPeopleOfAnArchive(t *testing.T) {
	address := studycircle.ImportedEmail("circle", "ada@example.org")
	require.True(t, studycircle.IsImportedEmail(address))
	require.False(t, studycircle.ValidEmail(address))
	require.Equal(t, address, studycircle.ImportedEmail("circle", address), "also if the circle moves on")
	for _, other := range []string{studycircle.ImportedEmail("other", "ada@example.org"), studycircle.ImportedEmail("circle", "bob@example.org"), studycircle.ImportedEmail("other", address)} {
		require.NotEqual(t, address, other)
	}
	require.False(t, studycircle.IsImportedEmail("ada@example.org"))
	require.Equal(t, "Ada (imported)", studycircle.ImportedName("Ada"))
	require.Equal(t, "Ada (imported)", studycircle.ImportedName("Ada (imported)"))
	require.Equal(t, strings.Repeat("ä", studycircle.MaxName-11)+" (imported)", studycircle.ImportedName(strings.Repeat("ä", studycircle.MaxName)))
}
